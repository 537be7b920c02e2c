//! One thing that was looked at on a machine that judges.

use crate::text::escape::line as visible;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How something is.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum State {
    /// Nothing to do.
    Ok,
    /// It works, and something should be known.
    Warn,
    /// It does not work.
    Fail,
}

/// One thing that was looked at. Texts may be hostile.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Finding {
    /// What was looked at: a stable name.
    pub name: String,
    /// How it is.
    pub state: State,
    /// What was found, in a sentence.
    pub text: String,
    /// What to do.
    pub hint: Option<String>,
}

impl Finding {
    /// There is nothing to do.
    pub fn ok(name: &str, text: impl Into<String>) -> Self {
        Self { name: name.to_owned(), state: State::Ok, text: text.into(), hint: None }
    }

    /// It works, and something should be known.
    pub fn warn(name: &str, text: impl Into<String>) -> Self {
        Self { state: State::Warn, ..Self::ok(name, text) }
    }

    /// It does not work.
    pub fn fail(name: &str, text: impl Into<String>) -> Self {
        Self { state: State::Fail, ..Self::ok(name, text) }
    }

    /// Adds what to do.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<String>) -> Self {
        self.hint = Some(hint.into());
        self
    }

    /// A line, and what to do below it.
    pub fn plain(&self) -> String {
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
