//! Verdicts of judges, counted by where and what judged them, with their tokens.

use super::{Timestamp, Usage};
use std::collections::BTreeMap;

/// What verdicts that are counted together have in common. Texts are raw.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct CallKey {
    /// The UTC day, as days since 1970; `None` without a usable time.
    pub day: Option<i32>,
    /// The box.
    pub box_name: String,
    /// The model that was asked.
    pub model: Option<String>,
    /// The model that answered, where it is known.
    pub served_model: Option<String>,
    /// The version of the question: prompt and rubric.
    pub prompt_sha: Option<String>,
    /// The version of everything else: endpoint, model, settings.
    pub judge_sha: Option<String>,
}

/// What is counted of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct CallSums {
    /// Verdicts.
    pub verdicts: u64,
    /// Those whose tokens are known, of question and answer.
    pub counted: u64,
    /// Tokens of the questions of those.
    pub prompt_tokens: u64,
    /// Tokens of their answers.
    pub completion_tokens: u64,
    /// When the first was given; `None` where none has a time.
    pub first: Option<Timestamp>,
    /// When the last was given.
    pub last: Option<Timestamp>,
}

/// Verdicts by what they have in common.
pub type Calls = BTreeMap<CallKey, CallSums>;

impl CallSums {
    /// Of one verdict.
    pub fn one(at: Option<Timestamp>, usage: Option<Usage>) -> Self {
        let usage = usage.unwrap_or_default();
        let tokens = usage.prompt_tokens.zip(usage.completion_tokens);
        let (prompt_tokens, completion_tokens) = tokens.unwrap_or_default();
        let counted = u64::from(tokens.is_some());
        Self { verdicts: 1, counted, prompt_tokens, completion_tokens, first: at, last: at }
    }

    /// Adds others.
    pub fn merge(&mut self, other: &Self) {
        self.verdicts += other.verdicts;
        self.counted += other.counted;
        self.prompt_tokens = self.prompt_tokens.saturating_add(other.prompt_tokens);
        self.completion_tokens = self.completion_tokens.saturating_add(other.completion_tokens);
        self.first = match (self.first, other.first) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.last = self.last.max(other.last);
    }

    /// The tokens, as those of one call.
    pub fn usage(&self) -> Usage {
        Usage {
            prompt_tokens: Some(self.prompt_tokens),
            completion_tokens: Some(self.completion_tokens),
        }
    }
}
