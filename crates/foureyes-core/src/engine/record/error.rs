//! Why a record has no verdict.

use crate::engine::four_eyes::Refusal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Why there is no verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RecordError {
    /// No answer within the time.
    Timeout,
    /// Nobody there, or nobody who knows the model.
    Unavailable,
    /// The key was refused.
    Unauthorized,
    /// Too many calls, or no balance.
    RateLimited,
    /// The endpoint failed.
    ServerError,
    /// There was a reply, and it is no verdict that counts.
    InvalidAnswer,
    /// An earlier answer to the same question held against the content, and a later one passed it.
    ContradictedAnswer,
    /// Prompt, rubric or configuration cannot be used, or something else on this machine kept the judge
    /// from being asked: too many commits, content that is no text, a bug.
    PromptMissing,
    /// It might have cost more than the spend cap allows, or nobody knows what it costs.
    SpendCap,
    /// All calls were made that a task may take.
    CallLimit,
    /// The judge is of the author's family.
    FamilyRefused,
    /// The family of author or judge is not known, and four eyes require both.
    FamilyUnknown,
    /// There is no key to ask with.
    NoKey,
    /// Somebody skipped the evaluation.
    Bypassed,
    /// History that is pushed for the first time, beyond what one push may judge.
    History,
    /// Every file of the content is empty or blank: there is nothing to ask about.
    Empty,
}

impl RecordError {
    /// Whether the judge, or what it is asked through, did not answer.
    pub fn is_outage(self) -> bool {
        self.outage().is_some()
    }

    /// The word by which a finding of an outage begins, so that a search for it finds all of them.
    fn outage(self) -> Option<&'static str> {
        match self {
            Self::Timeout => Some("timeout: "),
            Self::Unavailable | Self::Unauthorized | Self::RateLimited | Self::ServerError => {
                Some("unavailable: ")
            }
            Self::InvalidAnswer
            | Self::ContradictedAnswer
            | Self::PromptMissing
            | Self::SpendCap
            | Self::CallLimit
            | Self::FamilyRefused
            | Self::FamilyUnknown
            | Self::NoKey
            | Self::Bypassed
            | Self::History
            | Self::Empty => None,
        }
    }

    /// A finding in one line, with that word before it.
    pub(super) fn on_one_line(self, findings: &str) -> String {
        let outage = self.outage().unwrap_or_default();
        format!("{outage}{}", one_line(findings))
    }
}

impl From<&Refusal> for RecordError {
    fn from(refusal: &Refusal) -> Self {
        match refusal {
            Refusal::Same { .. } => Self::FamilyRefused,
            Refusal::Unknown { .. } => Self::FamilyUnknown,
        }
    }
}

/// The lines of a text as one.
pub(super) fn one_line(text: &str) -> String {
    let lines: Vec<_> = text.lines().map(str::trim).collect();
    lines.join(" ").trim().to_owned()
}
