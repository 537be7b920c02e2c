//! The verdict on a task, in either of two vocabularies.

use super::{Kind, Texts, Verdict};
use crate::engine::rubric::{Rubric, Scores};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The verdict on a finished task.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum TaskVerdict {
    /// It is good enough.
    Accept,
    /// It is good enough, once something was checked where it runs. Only the ladder has a word for it.
    AcceptAfterCheck,
    /// It can be mended.
    Improve,
    /// It is not to be used.
    Reject,
    /// The judge cannot tell, its answer is none, or it could not be asked.
    Escalate,
}

impl Verdict for TaskVerdict {
    const NONE: Self = Self::Escalate;

    fn by_rule(rubric: &Rubric, scores: &Scores) -> Self {
        rubric.task_verdict(scores)
    }

    fn strictness(self) -> u8 {
        match self {
            Self::Accept => 0,
            Self::AcceptAfterCheck => 1,
            Self::Escalate => 2,
            Self::Improve => 3,
            Self::Reject => 4,
        }
    }

    fn passes(self) -> bool {
        matches!(self, Self::Accept | Self::AcceptAfterCheck)
    }

    fn fails(self) -> bool {
        matches!(self, Self::Improve | Self::Reject)
    }

    /// A judge that cannot tell only takes back an accept: no word makes a verdict softer than its scores.
    fn reconciled_with(self, own: Option<Self>) -> (Self, bool) {
        let Some(own) = own else { return (self, false) };
        let stricter = if own.strictness() > self.strictness() { own } else { self };
        let agrees = own == self || self.passes() && (own.passes() || own == Self::NONE);
        (stricter, !agrees)
    }
}

/// The words of a run: those of its question, its answers and its records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Vocabulary {
    /// accept, improve, reject, escalate.
    #[default]
    Task,
    /// The five steps from `SAFE_TO_COMMIT` to `INSUFFICIENT_EVIDENCE`.
    Ladder,
}

impl Vocabulary {
    /// The judgement of a task in these words.
    pub fn kind(self) -> &'static Kind<TaskVerdict> {
        match self {
            Self::Task => &TASK,
            Self::Ladder => &LADDER,
        }
    }
}

const TEXTS: Texts = Texts { findings: "reasoning", suggestions: "improvements", objects: true };

/// The judgement of a task, in four words.
pub const TASK: Kind<TaskVerdict> = Kind {
    words: &[
        ("accept", TaskVerdict::Accept),
        ("improve", TaskVerdict::Improve),
        ("reject", TaskVerdict::Reject),
        ("escalate", TaskVerdict::Escalate),
    ],
    texts: TEXTS,
    rule: Rubric::task_text,
};

/// The judgement of a task, in the five steps of the ladder.
pub const LADDER: Kind<TaskVerdict> = Kind {
    words: &[
        ("SAFE_TO_COMMIT", TaskVerdict::Accept),
        ("SAFE_TO_DEPLOY_AFTER_RUNTIME_CHECK", TaskVerdict::AcceptAfterCheck),
        ("FIX_FIRST", TaskVerdict::Improve),
        ("BLOCK", TaskVerdict::Reject),
        ("INSUFFICIENT_EVIDENCE", TaskVerdict::Escalate),
    ],
    texts: TEXTS,
    rule: Rubric::ladder_text,
};

#[cfg(test)]
mod tests {
    use super::TaskVerdict::{Accept, AcceptAfterCheck, Escalate, Improve, Reject};
    use super::*;
    use crate::domain::{Family, Outcome};

    #[test]
    fn word_of_a_judge_never_softens_its_scores() {
        let words = [Accept, AcceptAfterCheck, Improve, Reject, Escalate];
        // What holds for each of these words, and whether it contradicts the scores.
        for (rule, held) in [
            (Accept, [Accept, AcceptAfterCheck, Improve, Reject, Escalate]),
            (AcceptAfterCheck, [AcceptAfterCheck, AcceptAfterCheck, Improve, Reject, Escalate]),
            (Improve, [Improve, Improve, Improve, Reject, Improve]),
            (Reject, [Reject; 5]),
            (Escalate, [Escalate, Escalate, Improve, Reject, Escalate]),
        ] {
            assert_eq!(rule.reconciled_with(None), (rule, false));
            for (own, holds) in words.into_iter().zip(held) {
                let agrees = match rule {
                    Accept | AcceptAfterCheck => own.passes() || own == Escalate,
                    _ => own == rule,
                };
                assert_eq!(rule.reconciled_with(Some(own)), (holds, !agrees), "{rule:?} {own:?}");
                assert!(holds.strictness() >= rule.strictness().max(own.strictness()));
            }
        }
    }

    #[test]
    fn words_of_both_vocabularies_group_as_records_do() {
        for (kind, family) in [(&TASK, Family::Task), (&LADDER, Family::Ladder)] {
            for (word, verdict) in kind.words {
                let outcome = match verdict {
                    v if v.passes() => Outcome::Go,
                    v if v.fails() => Outcome::NoGo,
                    _ => Outcome::Undetermined,
                };
                assert_eq!(family.outcome(word), Some(outcome), "{word}");
                assert_eq!(kind.verdict(word), Some(*verdict));
                assert_eq!(kind.word(*verdict), *word);
            }
        }
        assert_eq!(TASK.verdict("SAFE_TO_COMMIT"), None);
        assert_eq!(LADDER.verdict("accept"), None);
    }
}
