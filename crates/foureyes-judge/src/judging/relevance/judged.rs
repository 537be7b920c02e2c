//! What came of asking a judge of relevance.

use crate::domain::Usage;
use crate::engine::record::RecordError;
use crate::engine::relevance::{Fallback, Mode, combined};

/// What a judge answered, and what it took.
#[derive(Debug, Clone, PartialEq)]
pub struct Judged {
    /// The numbers of the list that it keeps.
    pub kept: Result<Vec<usize>, NoChoice>,
    /// The model that answered.
    pub served_model: Option<String>,
    /// Tokens, as answers count them.
    pub usage: Option<Usage>,
    /// What it cost, where that is known.
    pub cost: Option<f64>,
    /// What calls cost at most that nobody counted.
    pub cost_at_most: Option<f64>,
    /// Calls.
    pub attempts: u32,
    /// What a service reports of its judge, where one was asked.
    pub service: Option<Service>,
}

/// Why there is no choice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NoChoice {
    /// Its class.
    pub error: RecordError,
    /// The same in words.
    pub why: String,
}

/// What only a service knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Service {
    /// The model that it asks for.
    pub model: String,
    /// Version of its question.
    pub prompt_sha: String,
    /// Whether it has a file of answers in place of a judge.
    pub scripted: bool,
}

impl NoChoice {
    /// What is done in place of a choice.
    pub fn fallback(&self) -> Fallback {
        match self.error {
            RecordError::Timeout => Fallback::Timeout,
            RecordError::InvalidAnswer | RecordError::ContradictedAnswer => Fallback::Invalid,
            RecordError::NoKey => Fallback::NoKey,
            RecordError::Unavailable
            | RecordError::Unauthorized
            | RecordError::RateLimited
            | RecordError::ServerError
            | RecordError::PromptMissing
            | RecordError::SpendCap
            | RecordError::CallLimit
            | RecordError::FamilyRefused
            | RecordError::FamilyUnknown
            | RecordError::Bypassed
            | RecordError::History
            | RecordError::Empty => Fallback::Error,
        }
    }
}

impl Judged {
    /// No answer.
    pub fn failed(error: RecordError, why: &str) -> Self {
        Self {
            kept: Err(NoChoice { error, why: why.to_owned() }),
            served_model: None,
            usage: None,
            cost: None,
            cost_at_most: None,
            attempts: 0,
            service: None,
        }
    }

    pub(super) fn limited(self, (mode, keep): (Mode, usize)) -> Self {
        Self { kept: self.kept.map(|kept| combined(mode, keep, &kept, None)), ..self }
    }

    /// This answer about relevance with the one about usefulness. Where one is missing, neither decides.
    pub(super) fn with(self, useful: Self, (mode, keep): (Mode, usize)) -> Self {
        let sum = |a: Option<f64>, b: Option<f64>| match (a, b) {
            (Some(a), Some(b)) => Some(a + b),
            (one, other) => one.or(other),
        };
        Self {
            kept: match (self.kept, useful.kept) {
                (Ok(relevant), Ok(useful)) => Ok(combined(mode, keep, &relevant, Some(&useful))),
                (Err(why), _) | (Ok(_), Err(why)) => Err(why),
            },
            served_model: self.served_model.or(useful.served_model),
            usage: match (self.usage, useful.usage) {
                (Some(one), Some(other)) => Some(one.plus(other)),
                (one, other) => one.or(other),
            },
            cost: sum(self.cost, useful.cost),
            cost_at_most: sum(self.cost_at_most, useful.cost_at_most),
            attempts: self.attempts + useful.attempts,
            service: None,
        }
    }
}
