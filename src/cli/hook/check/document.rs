//! What was looked at, and the document of all.

use crate::cli::output::visible;
use crate::domain::Timestamp;
use crate::hook::switch::Standing;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Value of `schema` in the document.
pub(in crate::cli) const SCHEMA: &str = "foureyes/hook-check/1";

/// How something is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub(in crate::cli) enum State {
    /// Nothing to do.
    Ok,
    /// It works, and something should be known.
    Warn,
    /// It does not work.
    Fail,
}

/// One thing that was looked at. Texts may be hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(in crate::cli) struct Finding {
    /// What was looked at: a stable name.
    pub(in crate::cli) name: String,
    /// How it is.
    pub(in crate::cli) state: State,
    /// What was found, in a sentence.
    pub(in crate::cli) text: String,
    /// What to do.
    pub(in crate::cli) hint: Option<String>,
}

impl Finding {
    pub(in crate::cli) fn ok(name: &str, text: impl Into<String>) -> Self {
        Self { name: name.to_owned(), state: State::Ok, text: text.into(), hint: None }
    }

    pub(in crate::cli) fn warn(name: &str, text: impl Into<String>) -> Self {
        Self { state: State::Warn, ..Self::ok(name, text) }
    }

    pub(in crate::cli) fn fail(name: &str, text: impl Into<String>) -> Self {
        Self { state: State::Fail, ..Self::ok(name, text) }
    }

    pub(in crate::cli) fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A line, and what to do below it.
    pub(in crate::cli) fn plain(&self) -> String {
        let state = match self.state {
            State::Ok => "ok  ",
            State::Warn => "warn",
            State::Fail => "FAIL",
        };
        let lines: Vec<_> = self.text.lines().map(visible).collect();
        let mut text = format!("{state}  {}: {}\n", visible(&self.name), lines.join("\n      "));
        if let Some(hint) = &self.hint {
            text += &format!("      -> {}\n", visible(hint));
        }
        text
    }
}

/// What a machine that judges has, as seen from the environment of this call.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub(in crate::cli) struct Document {
    /// `foureyes/hook-check/1`.
    pub(in crate::cli) schema: String,
    /// Version of the program.
    pub(in crate::cli) version: String,
    /// What it was built with: `core`, or `core` and `console`.
    pub(in crate::cli) features: Vec<String>,
    /// System and processor.
    pub(in crate::cli) system: String,
    /// The machine's clock when all was looked at.
    #[schemars(with = "String")]
    pub(in crate::cli) time: Timestamp,
    /// Whether nothing fails.
    pub(in crate::cli) well: bool,
    /// Which mode holds.
    pub(in crate::cli) mode: Standing,
    /// The model that is asked for.
    pub(in crate::cli) model: String,
    /// Hash of prompt, rubric and the words of the program together, which records name; `null` where they cannot be used.
    #[serde(default)]
    pub(in crate::cli) prompt_sha: Option<String>,
    /// Whether answers come from a file, and no model is asked.
    #[serde(default)]
    pub(in crate::cli) scripted: bool,
    /// Models that the endpoint names, at most 100; `null` where it was not asked or did not answer.
    pub(in crate::cli) models: Option<Vec<String>>,
    /// All that was looked at.
    pub(in crate::cli) checks: Vec<Finding>,
}

impl Document {
    /// A line for everything.
    pub(in crate::cli) fn plain(&self) -> String {
        self.checks.iter().map(Finding::plain).collect()
    }
}

/// How many are well, and how many are not, in a line.
pub(in crate::cli) fn count(checks: &[Finding]) -> String {
    let of = |state| checks.iter().filter(|c| c.state == state).count();
    let (ok, warn, fail) = (of(State::Ok), of(State::Warn), of(State::Fail));
    format!("ok: {ok}, warnings: {warn}, failures: {fail}\n")
}
