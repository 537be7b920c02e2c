//! Verdicts, and what differs between the kinds of judgement that give them.

mod kind;
mod push;
mod task;

pub use kind::{Kind, Texts};
pub use push::{PUSH, PushVerdict};
pub use task::{LADDER, TASK, TaskVerdict, Vocabulary};

use super::rubric::{Rubric, Scores};
use std::fmt::Debug;

/// A verdict of one kind of judgement.
pub trait Verdict: Copy + Eq + Debug + Send + Sync + 'static {
    /// What stands where there is no answer, or the judge lacks confidence.
    const NONE: Self;

    /// What scores come to by a rubric.
    fn by_rule(rubric: &Rubric, scores: &Scores) -> Self;

    /// Which of several verdicts on one content stands: the one with the highest number.
    fn strictness(self) -> u8;

    /// Whether it lets the content pass. No judge passes what it has not seen.
    fn passes(self) -> bool;

    /// Whether it holds against the content, whatever else is not known.
    fn fails(self) -> bool;

    /// What holds where the rule gives one verdict and the model states another, and whether the two
    /// contradict each other.
    ///
    /// The stricter of both holds. A model that says [`Verdict::NONE`] lacks confidence, which is a
    /// rule of its own and no contradiction.
    #[must_use]
    fn reconciled_with(self, own: Option<Self>) -> (Self, bool) {
        match own {
            None => (self, false),
            Some(own) if own == self || own == Self::NONE => (own, false),
            Some(own) => {
                let stricter = if own.strictness() > self.strictness() { own } else { self };
                (stricter, !(self.passes() && own.passes()))
            }
        }
    }
}
