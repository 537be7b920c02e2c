//! The families of record that the judge system writes.

use super::{Cause, JudgementKind, Outcome};
use serde::{Deserialize, Serialize};

/// Which writer's format a record has.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
#[repr(u8)]
pub enum Family {
    /// A push verdict: GO, NO-GO, UNDETERMINED.
    Push = 0,
    /// A task verdict: accept, improve, reject, escalate.
    Task = 1,
    /// A task verdict of newer runners: the five-step ladder.
    Ladder = 2,
    /// A person's decision. Never an evaluation, in no rate.
    Override = 3,
    /// Which memories were put into an agent's context for a prompt. In no rate of pushes or tasks: what
    /// people say of each memory is measured by itself.
    Pick = 4,
    /// The text of a pick's prompt, where it is kept: what reviewers see of it.
    Prompt = 5,
}

impl Family {
    /// All families, in the order of their codes.
    pub const ALL: [Self; 6] = crate::domain::variants();

    /// The name in JSON and in filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Push => "push",
            Self::Task => "task",
            Self::Ladder => "ladder",
            Self::Override => "override",
            Self::Pick => "pick",
            Self::Prompt => "prompt",
        }
    }

    /// The code in the columnar cache.
    pub fn code(self) -> u8 {
        self as u8
    }

    /// Reads a code of the columnar cache.
    pub fn from_code(code: u8) -> Option<Self> {
        Self::ALL.get(usize::from(code)).copied()
    }

    /// The kind of judgement that its verdicts are measured with; none of what is no verdict.
    pub fn kind(self) -> Option<JudgementKind> {
        match self {
            Self::Push => Some(JudgementKind::Push),
            Self::Task | Self::Ladder => Some(JudgementKind::Task),
            Self::Override | Self::Pick | Self::Prompt => None,
        }
    }

    /// The kind of judgement that a record of this family is an evaluation of: one that a judge
    /// gave on the commit's or the task's own content. What `is_partial` is none: a verdict on a part of
    /// another commit's NO-GO, or a round that leaves its run open.
    ///
    /// KPIs of a kind count its evaluations, of each unit the latest.
    pub fn evaluation(self, cause: Option<Cause>, is_partial: bool) -> Option<JudgementKind> {
        self.kind().filter(|_| !is_partial && !cause.is_some_and(Cause::has_no_judge))
    }

    /// Groups a verdict of this family; only the exact words count.
    ///
    /// What is no evaluation has no outcome, and a word of another family is no verdict here.
    pub fn outcome(self, verdict: &str) -> Option<Outcome> {
        match (self, verdict) {
            (Self::Push, "GO")
            | (Self::Task, "accept")
            | (Self::Ladder, "SAFE_TO_COMMIT" | "SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK") => {
                Some(Outcome::Go)
            }
            (Self::Push, "NO-GO")
            | (Self::Task, "improve" | "reject")
            | (Self::Ladder, "FIX_FIRST" | "BLOCK") => Some(Outcome::NoGo),
            (Self::Push, "UNDETERMINED")
            | (Self::Task, "escalate")
            | (Self::Ladder, "INSUFFICIENT_EVIDENCE") => Some(Outcome::Undetermined),
            _ => None,
        }
    }

    /// The family whose exact words hold this verdict.
    pub fn of_verdict(verdict: &str) -> Option<Self> {
        [Self::Push, Self::Task, Self::Ladder].into_iter().find(|f| f.outcome(verdict).is_some())
    }

    /// Why an exact UNDETERMINED word of this family was said, where nothing else tells.
    pub fn cause_of_word(self) -> Cause {
        match self {
            Self::Task => Cause::Escalated,
            Self::Ladder => Cause::InsufficientEvidence,
            Self::Push | Self::Override | Self::Pick | Self::Prompt => Cause::NoConfidence,
        }
    }
}
