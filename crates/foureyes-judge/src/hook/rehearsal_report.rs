//! How a rehearsal went: what `hook rehearse` prints.

use super::call_word::lacking;
use super::check::Finding;
use super::rehearsal::Step;
use crate::config::{HookMode, HookProtocol};
use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Value of `schema` in the document.
pub const SCHEMA: &str = "foureyes/hook-rehearsal/1";

/// How it went.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RehearsalReport {
    /// `foureyes/hook-rehearsal/1`.
    pub schema: String,
    /// Whether all pushes went as they should in this mode.
    pub well: bool,
    /// The mode that held.
    pub mode: HookMode,
    /// How commits are judged.
    #[serde(default)]
    pub protocol: HookProtocol,
    /// The model that was asked for; of tasks that of the first judge.
    pub model: String,
    /// The pushes, in their order; of several programs those of each.
    pub steps: Vec<Step>,
}

impl RehearsalReport {
    /// A line a push, and one for all.
    pub fn plain(&self) -> String {
        let line = |step: &Step| {
            let state = if step.well { "ok  " } else { "FAIL" };
            format!("{state}  {}: {}\n", visible(&step.name), visible(&step.text))
        };
        let lines: String = self.steps.iter().map(line).collect();
        let mode = self.mode.as_str();
        let end = match (self.well, self.mode) {
            (true, HookMode::Blocking) => "the hook blocks poor content, and the bypass works",
            (true, HookMode::Advisory) => "the judge flags poor content and stops nothing",
            (false, _) => "the hook does not work as it should",
        };
        let lacking = self.lacking().map_or(String::new(), |finding| finding.plain());
        format!("{lines}{lacking}mode {mode}: {end}\n")
    }

    /// That answers of the judges do not carry the call word; `None` where they do, or none came.
    pub fn lacking(&self) -> Option<Finding> {
        let step = self.steps.iter().find(|step| step.carried == Some(false))?;
        let rounds = step.rounds.iter().filter(|round| round.carried == Some(false));
        let models: Vec<String> =
            rounds.map(|round| format!("{} ({})", round.model, round.tier)).collect();
        Some(match models.is_empty() {
            true => lacking(&self.model, ""),
            false => lacking(&models.join(", "), ""),
        })
    }
}
