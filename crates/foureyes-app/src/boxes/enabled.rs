//! What came of letting a box block.

use crate::hook::check::{Finding, describe_mode};
use crate::hook::rehearsal_report::RehearsalReport;
use crate::hook::switch::ModeStatus;
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outcome {
    /// The box blocks.
    Blocking,
    /// Readiness does not say READY, and nobody waived it. Nothing was changed.
    Refused,
    /// The box lacks something that a hook needs. Nothing was changed.
    Unfit,
    /// Something was not heard, or the box did not follow an order, and it is as it was before, whatever
    /// that was.
    Unchanged,
    /// The pushes did not go as they should, and the box is advisory, whatever it was before.
    RolledBack,
    /// Something was not heard or not followed, and so it is not known whether the box blocks.
    Unknown,
}

/// What came of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct EnableReport {
    /// `foureyes/hook-enable/1`.
    pub schema: &'static str,
    /// Name of the box.
    #[serde(rename = "box")]
    pub box_name: String,
    /// How it ended.
    pub state: Outcome,
    /// What readiness says now: `ready`, `not_ready` or `not_enough_evidence`.
    pub readiness: String,
    /// What speaks against READY, a sentence each.
    pub against: Vec<String>,
    /// The report that was sent; `null` where none was.
    pub report: Option<PathBuf>,
    /// BLAKE3 of its bytes.
    pub blake3: Option<String>,
    /// Which mode held on the box before, as it says itself; `null` where it was not asked.
    pub before: Option<ModeStatus>,
    /// Which mode holds on the box afterwards, as it says itself; `null` where that is not known.
    pub there: Option<ModeStatus>,
    /// The two pushes; `null` where none was made.
    pub rehearsal: Option<RehearsalReport>,
    /// What the box lacks, or warns of.
    pub checks: Vec<Finding>,
    /// Whether the ledger says how the box is: where it was changed, that it was written down. False
    /// where nobody knows how it is.
    pub recorded: bool,
    /// Steps of the runbook `enable` that were recorded as done.
    pub steps: Vec<&'static str>,
    /// Always `null`: a version before 0.3 began a window with the switch.
    pub window: Option<String>,
    /// When the 48 hours of watching are over; `null` where they were not begun.
    pub watch_until: Option<String>,
}

impl EnableReport {
    /// Before anything was done: the box is not even asked.
    pub(super) fn new(name: &str, readiness: String, against: Vec<String>) -> Self {
        Self {
            schema: "foureyes/hook-enable/1",
            box_name: name.to_owned(),
            state: Outcome::Refused,
            readiness,
            against,
            report: None,
            blake3: None,
            before: None,
            there: None,
            rehearsal: None,
            checks: Vec::new(),
            recorded: true,
            steps: Vec::new(),
            window: None,
            watch_until: None,
        }
    }

    /// What came of it, in some lines.
    pub fn plain(&self) -> String {
        let mut text: String = self.checks.iter().map(Finding::plain).collect();
        text += &self.rehearsal.as_ref().map_or(String::new(), RehearsalReport::plain);
        text += &self.end();
        if let Some(there) = &self.there {
            text += &format!("  there: {}\n", visible(&describe_mode(there)));
        }
        if let Some(until) = &self.watch_until {
            let name = visible(&self.box_name);
            text += &format!(
                "  watch `foureyes triage` until {until}; back: `foureyes box rollback {name}`\n"
            );
        }
        text
    }

    /// How it ended, and what to do.
    fn end(&self) -> String {
        let name = visible(&self.box_name);
        let readiness = self.readiness.replace('_', " ").to_uppercase();
        let readiness = visible(&readiness);
        match self.state {
            Outcome::Blocking => format!("{name} blocks (readiness: {readiness})\n"),
            Outcome::Refused => {
                let against: String =
                    self.against.iter().map(|line| format!("  {}\n", visible(line))).collect();
                format!(
                    "refused: readiness is {readiness}; {name} is unchanged\n{against}  -> `foureyes readiness` shows what is missing; a waiver needs --waive-name, --waive-reason and --waive-until\n"
                )
            }
            Outcome::Unfit => format!("{name} is not set up for blocking; it is unchanged\n"),
            Outcome::Unchanged => format!("{name} is unchanged\n"),
            Outcome::RolledBack if self.blocked() => {
                format!("{name} is advisory: its blocking was revoked\n")
            }
            Outcome::RolledBack => format!("{name} is advisory: the rehearsal failed\n"),
            Outcome::Unknown => format!("whether {name} blocks is unknown\n"),
        }
    }

    /// Whether the box blocked before.
    fn blocked(&self) -> bool {
        self.before.as_ref().is_some_and(|b| b.mode == crate::config::HookMode::Blocking)
    }
}
