//! What was looked at on a machine that judges, and the document of all: what `hook check` prints.

pub use super::finding::{Finding, State};

use crate::config::HookProtocol;
use crate::domain::Timestamp;
use crate::hook::call_word::CallWordReport;
use crate::hook::earlier_question::EarlierQuestion;
use crate::hook::switch::{ModeStatus, Source};
use crate::risk::RatesState;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Value of `schema` in the document.
pub const SCHEMA: &str = "foureyes/hook-check/1";
/// How names of findings begin that are of the judges of tasks.
pub const TASK: &str = "task ";

/// What a machine that judges has, as seen from the environment of this call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct CheckReport {
    /// `foureyes/hook-check/1`.
    pub schema: String,
    /// Version of the program.
    pub version: String,
    /// What it was built with: `core`, or `core` and `console`.
    pub features: Vec<String>,
    /// System and processor.
    pub system: String,
    /// The machine's clock when all was looked at.
    #[schemars(with = "String")]
    pub time: Timestamp,
    /// Whether nothing fails.
    pub well: bool,
    /// Which mode holds.
    pub mode: ModeStatus,
    /// How its hook judges commits.
    #[serde(default)]
    pub protocol: HookProtocol,
    /// The judges of tasks that its hook asks; none where it judges pushes.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judges: Vec<TierAsked>,
    /// The model that is asked for.
    pub model: String,
    /// Hash of prompt, rubric and the words of the program together, which records name; `null` where they cannot be used.
    #[serde(default)]
    pub prompt_sha: Option<String>,
    /// Whether answers come from a file, and no model is asked.
    #[serde(default)]
    pub scripted: bool,
    /// Models that the endpoint names, at most 100; `null` where it was not asked or did not answer.
    pub models: Option<Vec<String>>,
    /// The rates of authors; left out where no rule of risk is about authors.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rates: Option<RatesState>,
    /// Whether each judge carries the call word; empty of a program that does not know.
    #[serde(default)]
    pub call_word: Vec<CallWordReport>,
    /// The questions of the newest records, where this program asks others.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub earlier_questions: Vec<EarlierQuestion>,
    /// All that was looked at.
    pub checks: Vec<Finding>,
}

/// A judge of tasks that a machine would ask. Text in it is hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct TierAsked {
    /// Its tier: `quick`, `deep` or `tiebreaker`.
    pub tier: String,
    /// The model that is asked for.
    pub model: String,
    /// Hash of prompt, rubric and the words of the program together; `null` where they cannot be used.
    pub prompt_sha: Option<String>,
    /// Whether answers come from a file, and no model is asked.
    pub scripted: bool,
}

impl CheckReport {
    /// A line for everything.
    pub fn plain(&self) -> String {
        self.checks.iter().map(Finding::plain).collect()
    }
}

/// How many are well, and how many are not, in a line.
pub fn count(checks: &[Finding]) -> String {
    let of = |state| checks.iter().filter(|c| c.state == state).count();
    let (ok, warn, fail) = (of(State::Ok), of(State::Warn), of(State::Fail));
    format!("ok: {ok}, warnings: {warn}, failures: {fail}\n")
}

/// Which mode holds, and why, as one sentence.
pub fn describe_mode(status: &ModeStatus) -> String {
    let mode = status.mode.as_str();
    match (status.from, &status.switch) {
        (Source::Switch, Some(switch)) => {
            let until = switch.until.map_or(String::new(), |until| format!(", until {until}"));
            let why = switch.reason.as_ref().map_or(String::new(), |why| format!(": {why}"));
            let trial = if switch.trial.is_some() { " on trial" } else { "" };
            format!("{mode}{trial}, switched by {} at {}{until}{why}", switch.by, switch.time)
        }
        (Source::SwitchOver, Some(switch)) => {
            let until = switch.until.map_or(String::new(), |until| until.to_string());
            format!("{mode}: blocking ended on {until}")
        }
        (Source::SwitchDamaged, _) => {
            let why = status.damaged.as_deref().unwrap_or("it cannot be read");
            format!("{mode}, as the switch is unusable: {} ({why})", status.file)
        }
        (Source::Script, _) => format!("{mode}, set by the script in the repository"),
        _ => format!("{mode}, as configured"),
    }
}
