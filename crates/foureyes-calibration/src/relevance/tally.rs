//! What choices come to for one prompt, all of whose candidates are labelled.

use super::{Candidate, Choice, Pick, Share};
use std::ops::AddAssign;

/// Memories that a chooser kept, those of them that help, and all that help.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Tally {
    pub(super) kept: u64,
    pub(super) hits: u64,
    pub(super) relevant: u64,
}

impl Tally {
    /// Of the candidates of a prompt, each by whether it was kept and whether it helps.
    fn new(candidates: impl Iterator<Item = (bool, bool)>) -> Self {
        let mut tally = Self::default();
        for (kept, relevant) in candidates {
            tally.kept += u64::from(kept);
            tally.hits += u64::from(kept && relevant);
            tally.relevant += u64::from(relevant);
        }
        tally
    }

    /// What a choice is worth: the memories in it that help, less those that do not.
    pub(super) fn worth(self) -> i64 {
        2 * self.hits as i64 - self.kept as i64
    }

    /// Precision and recall over all candidates.
    pub(super) fn choice(self) -> Choice {
        let precision = Share::new(self.hits, self.kept);
        Choice { precision, recall: Share::new(self.hits, self.relevant) }
    }
}

impl AddAssign for Tally {
    fn add_assign(&mut self, other: Self) {
        self.kept += other.kept;
        self.hits += other.hits;
        self.relevant += other.relevant;
    }
}

/// Both choosers on one prompt.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Prompt {
    pub(super) judge: Tally,
    pub(super) search: Tally,
}

impl Prompt {
    /// The judge's choice, and the first of search, as many as the judge could keep; by whether each
    /// candidate helps.
    pub(super) fn new(pick: &Pick, relevant: &[bool]) -> Self {
        let both = || pick.candidates.iter().zip(relevant.iter().copied());
        let is_first = |one: &Candidate| (1..=pick.most()).contains(&one.rank);
        Self {
            judge: Tally::new(both().map(|(one, helps)| (one.is_chosen(), helps))),
            search: Tally::new(both().map(|(one, helps)| (is_first(one), helps))),
        }
    }
}
