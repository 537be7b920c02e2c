//! One evaluation or one override, of whichever family.

use super::{Cause, Family, Outcome, RecordId, Scores, Timestamp};
use serde::{Deserialize, Serialize};

/// A remark of a task judge on what to improve.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Improvement {
    /// Dimension, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// Where in the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// What is wrong; a plain string in a log stands here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

/// Tokens as the provider counted them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Usage {
    /// Tokens of the prompt.
    pub prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    pub completion_tokens: Option<u64>,
}

impl Usage {
    /// Whether both are known, so that a price makes a cost of them.
    pub fn is_whole(&self) -> bool {
        self.prompt_tokens.is_some() && self.completion_tokens.is_some()
    }

    /// The tokens of both, as far as they are known.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let sum = |a: Option<u64>, b: Option<u64>| match (a, b) {
            (Some(a), Some(b)) => Some(a.saturating_add(b)),
            (a, b) => a.or(b),
        };
        Self {
            prompt_tokens: sum(self.prompt_tokens, other.prompt_tokens),
            completion_tokens: sum(self.completion_tokens, other.completion_tokens),
        }
    }
}

/// What one record of a log says, in one shape for every family.
///
/// Every text in it may be hostile: escape it before it reaches a terminal or a document.
#[derive(Debug, Clone, PartialEq)]
pub struct Record {
    /// Hash of its content.
    pub id: RecordId,
    /// Whose format it has.
    pub family: Family,
    /// What it said; `None` for an override, which is never an evaluation.
    pub outcome: Option<Outcome>,
    /// The verdict as written, where it is text.
    pub verdict: Option<String>,
    /// Why it is UNDETERMINED, or that no judge was to be asked; `None` for other outcomes.
    pub cause: Option<Cause>,
    /// When; `None` where the record carries no usable time.
    pub timestamp: Option<Timestamp>,
    /// The time as written, where it could not be read.
    pub timestamp_text: Option<String>,
    /// The commit that was judged.
    pub commit: Option<String>,
    /// The commit with the NO-GO that it decides on, where it is no evaluation of its own commit.
    pub part_of: Option<String>,
    /// The task that was judged.
    pub task_id: Option<String>,
    /// Who wrote the content.
    pub author: Option<String>,
    /// The judge that was asked for (`judge_model`, or `model` of a task record).
    pub model: Option<String>,
    /// The judge that answered.
    pub served_model: Option<String>,
    /// Hook mode or tier, as written.
    pub mode: Option<String>,
    /// Tier of a task judge.
    pub judge_tier: Option<String>,
    /// Round of a task run, 1 to 4; 0 for an override.
    pub round: Option<u64>,
    /// Agreement after a tiebreaker.
    pub consensus: Option<String>,
    /// Files that were judged.
    pub files: Vec<String>,
    /// Scores as written.
    pub scores: Scores,
    /// Average as written.
    pub average: Option<f32>,
    /// Findings of a push judge, reasoning of a task judge.
    pub findings: Option<String>,
    /// Suggestions of a push judge, improvements of a task judge.
    pub improvements: Vec<Improvement>,
    /// Duration of the whole call in milliseconds.
    pub latency_ms: Option<u64>,
    /// The `error` field as written.
    pub error: Option<String>,
    /// Which prompt template was used.
    pub prompt_sha: Option<String>,
    /// Which content was judged.
    pub content_sha: Option<String>,
    /// Whether the model's own verdict differed from the rule's.
    pub inconsistent: bool,
    /// Tokens used.
    pub usage: Option<Usage>,
    /// Who decided, in an override.
    pub reviewer: Option<String>,
    /// Why, in an override.
    pub reason: Option<String>,
    /// The record an override answers.
    pub answers: Option<String>,
    /// Fields of no known name, as compact JSON, in the order of the log.
    pub extra: Vec<(String, String)>,
}

impl Record {
    /// Tells whether it is an evaluation, [`Family::is_evaluation`].
    pub fn is_evaluation(&self) -> bool {
        self.family.is_evaluation(self.cause, self.part_of.is_some())
    }

    /// Tells whether a person should look at it: NO-GO or UNDETERMINED by a judge.
    ///
    /// Of a task run only the last round is looked at; which it is one record cannot tell.
    pub fn is_flagged(&self) -> bool {
        matches!(self.outcome, Some(Outcome::NoGo | Outcome::Undetermined)) && !self.has_no_judge()
    }

    /// Tells whether no judge was to be asked: a bypass, history, or a script.
    fn has_no_judge(&self) -> bool {
        self.cause.is_some_and(Cause::has_no_judge)
    }
}
