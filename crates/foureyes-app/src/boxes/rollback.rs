//! Back to advisory, in one step.

use super::mode_reason::ModeReason;
use super::remote_agent::RemoteAgent;
use super::switch_mode::{Back, set_back};
use super::{Context, evidence};
use crate::config::HookMode;
use crate::domain::review::ModeSet;
use crate::domain::review::Reviewer;
use crate::failure::Failure;
use crate::hook::check::describe_mode;
use crate::hook::switch::ModeStatus;
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::Serialize;

/// What came of it.
#[derive(Debug, Serialize, JsonSchema)]
pub struct RollbackReport {
    /// `foureyes/hook-rollback/1`.
    pub schema: &'static str,
    /// Name of the box.
    #[serde(rename = "box")]
    pub box_name: String,
    /// Whether the box says that it is advisory.
    pub advisory: bool,
    /// Which mode holds there, as it says itself; `null` where its program did not say.
    pub there: Option<ModeStatus>,
    /// Whether the ledger says so too.
    pub recorded: bool,
    /// Why it was not done; `null` where it was.
    pub why: Option<String>,
    /// What to do by hand, one step each.
    pub by_hand: Vec<String>,
}

/// Sets a box back to advisory and writes that down. Gives what happened also where something went
/// wrong; the box is advisory whether or not that could be written down.
pub fn rollback(
    context: &Context<'_>,
    agent: &RemoteAgent<'_>,
    by: &Reviewer,
    reason: Option<String>,
) -> (RollbackReport, Result<(), Failure>) {
    rollback_on(context, agent, by, &ModeReason { reason, report: None })
}

/// The same, with the report that is the reason, where one is.
pub(super) fn rollback_on(
    context: &Context<'_>,
    agent: &RemoteAgent<'_>,
    by: &Reviewer,
    why: &ModeReason,
) -> (RollbackReport, Result<(), Failure>) {
    let name = &agent.target.name;
    let mut report = match set_back(agent, &format!("{}@{}", by.name, by.machine), why) {
        Ok(back) => RollbackReport::new(name, back),
        Err(failure) => return (RollbackReport::failed(name, &failure), Err(failure)),
    };
    if !report.advisory {
        return (report, Ok(()));
    }
    let recorded = record(context, by, name, why);
    report.recorded = recorded.is_ok();
    (report, recorded)
}

/// Writes it down. The box is advisory whether or not that can be done.
fn record(
    context: &Context<'_>,
    by: &Reviewer,
    name: &str,
    why: &ModeReason,
) -> Result<(), Failure> {
    let report = why.report.as_ref();
    let set = ModeSet {
        readiness: report.map(|report| report.result.clone()),
        report: report.map(|report| report.blake3.clone()),
        reason: why.reason.clone(),
        ..ModeSet::new(name, HookMode::Advisory)
    };
    evidence::record(context, by, set).map_err(|failure| {
        failure.hint(format!(
            "{name} is advisory, but this is not recorded: run the command again when the ledger is writable"
        ))
    })
}

/// What leads back where the program of the box does not do it, in the order in which it is done.
fn by_hand(there: Option<&ModeStatus>) -> Vec<String> {
    let usual = "~/.local/share/foureyes/hook/mode.json (macOS: ~/Library/Application Support/foureyes/hook/mode.json)";
    let file = there.map_or(usual, |there| there.file.as_str());
    [
        "where the program that the hook runs is gone, the hook lets every push through already".to_owned(),
        format!("remove the switch there: {file}, or hook/mode.json where FOUREYES_DATA or XDG_DATA_HOME/foureyes is; as long as it says `blocking` no configuration counts"),
        "then set `mode = \"advisory\"` in [hook] of ~/.config/foureyes/config.toml there: it counts where the switch is gone and the script says no mode".to_owned(),
        "where the script says `blocking`, or to be sure, take the hook out there: `foureyes hook uninstall --repo DIR`, or remove .git/hooks/pre-push".to_owned(),
        "until then, whoever is stopped pushes with GIT_JUDGE_SKIP=1 git push".to_owned(),
    ]
    .into()
}

impl RollbackReport {
    fn new(name: &str, back: Back) -> Self {
        let Back { there, why } = back;
        let by_hand = if why.is_none() { Vec::new() } else { by_hand(there.as_ref()) };
        Self {
            schema: "foureyes/hook-rollback/1",
            box_name: name.to_owned(),
            advisory: why.is_none(),
            there,
            recorded: false,
            why,
            by_hand,
        }
    }

    /// Of a box that could not be asked.
    pub(super) fn failed(name: &str, failure: &Failure) -> Self {
        let why = Some(crate::domain::chain(&*failure.error));
        Self::new(name, Back { there: None, why })
    }
}

impl RollbackReport {
    /// One line, or what to do by hand.
    pub fn plain(&self) -> String {
        let name = visible(&self.box_name);
        if let (true, Some(there)) = (self.advisory, &self.there) {
            return format!("{name}: {}\n", visible(&describe_mode(there)));
        }
        let why = visible(self.why.as_deref().unwrap_or_default());
        let mut text = format!("{name} was not rolled back: {why}\n");
        for step in &self.by_hand {
            text += &format!("  -> {}\n", visible(step));
        }
        text
    }
}
