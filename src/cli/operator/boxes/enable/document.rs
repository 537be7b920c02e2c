//! What came of letting a box block.

use crate::cli::hook::check::{Finding, said};
use crate::cli::hook::rehearse;
use crate::cli::output::visible;
use crate::hook::switch::Standing;
use schemars::JsonSchema;
use serde::Serialize;
use std::path::PathBuf;

/// How it ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(super) enum Ended {
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
pub(super) struct Document {
    /// `foureyes/hook-enable/1`.
    pub(super) schema: &'static str,
    /// Name of the box.
    #[serde(rename = "box")]
    pub(super) box_name: String,
    /// How it ended.
    pub(super) state: Ended,
    /// What readiness says now: `ready`, `not_ready` or `not_enough_evidence`.
    pub(super) readiness: String,
    /// What speaks against READY, a sentence each.
    pub(super) against: Vec<String>,
    /// The report that was sent; `null` where none was.
    pub(super) report: Option<PathBuf>,
    /// BLAKE3 of its bytes.
    pub(super) blake3: Option<String>,
    /// Which mode held on the box before, as it says itself; `null` where it was not asked.
    pub(super) before: Option<Standing>,
    /// Which mode holds on the box afterwards, as it says itself; `null` where that is not known.
    pub(super) there: Option<Standing>,
    /// The two pushes; `null` where none was made.
    pub(super) rehearsal: Option<rehearse::Document>,
    /// What the box lacks, or warns of.
    pub(super) checks: Vec<Finding>,
    /// Whether the ledger says how the box is: where it was changed, that it was written down. False
    /// where nobody knows how it is.
    pub(super) recorded: bool,
    /// Steps of the runbook `enable` that were recorded as done.
    pub(super) steps: Vec<&'static str>,
    /// When the new window begins; `null` where none was begun.
    pub(super) window: Option<String>,
    /// When the 48 hours of watching are over; `null` where they were not begun.
    pub(super) watch_until: Option<String>,
}

impl Document {
    /// Before anything was done: the box is not even asked.
    pub(super) fn new(name: &str, readiness: String, against: Vec<String>) -> Self {
        Self {
            schema: "foureyes/hook-enable/1",
            box_name: name.to_owned(),
            state: Ended::Refused,
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

    pub(super) fn plain(&self) -> String {
        let mut text: String = self.checks.iter().map(Finding::plain).collect();
        text += &self.rehearsal.as_ref().map_or(String::new(), rehearse::Document::plain);
        text += &self.end();
        if let Some(there) = &self.there {
            text += &format!("  there: {}\n", visible(&said(there)));
        }
        if let Some(window) = &self.window {
            text += &format!("  a new window starts on {}\n", &window[..10.min(window.len())]);
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
        let readiness = visible(&self.readiness.replace('_', " ").to_uppercase());
        match self.state {
            Ended::Blocking => format!("{name} blocks (readiness: {readiness})\n"),
            Ended::Refused => {
                let against: String =
                    self.against.iter().map(|line| format!("  {}\n", visible(line))).collect();
                format!(
                    "refused: readiness is {readiness}; {name} is unchanged\n{against}  -> `foureyes readiness` shows what is missing; a waiver needs --waive-name, --waive-reason and --waive-until\n"
                )
            }
            Ended::Unfit => format!("{name} is not set up for blocking; it is unchanged\n"),
            Ended::Unchanged => format!("{name} is unchanged\n"),
            Ended::RolledBack if self.blocked() => {
                format!("{name} is advisory: its blocking was revoked\n")
            }
            Ended::RolledBack => format!("{name} is advisory: the rehearsal failed\n"),
            Ended::Unknown => format!("whether {name} blocks is unknown\n"),
        }
    }

    /// Whether the box blocked before.
    fn blocked(&self) -> bool {
        self.before.as_ref().is_some_and(|b| b.mode == crate::config::HookMode::Blocking)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn the_stored_schema_is_that_of_the_code() {
        let schema = schemars::schema_for!(super::Document);
        crate::cli::output::assert_bundled("hook.schema.json", "hook-enable", &schema);
    }
}
