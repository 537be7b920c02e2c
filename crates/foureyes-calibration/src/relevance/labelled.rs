//! What reviewers say of a pick together.

use super::Pick;
use crate::domain::review::{Dated, Relevance};
use std::collections::BTreeMap;

/// What is known of a pick's candidates.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelled {
    /// Whether each helps, in the order of the candidates; `None` where nobody says so, or reviewers
    /// differ.
    pub relevant: Vec<Option<bool>>,
    /// Candidates of which reviewers differ.
    pub conflicts: usize,
    /// Whether it was drawn: only then is it evidence.
    pub is_drawn: bool,
    /// Whether any word on it was given because it was drawn, also one that its reviewer replaced.
    pub was_drawn: bool,
}

impl Labelled {
    /// What was said of a pick, the earliest first. Of a reviewer the last entry counts.
    pub fn new(pick: &Pick, given: &[Dated<Relevance>]) -> Self {
        let mut latest: BTreeMap<&str, &Relevance> = BTreeMap::new();
        for one in given {
            latest.insert(&one.reviewer, &one.what);
        }
        let mut conflicts = 0;
        let relevant = pick.candidates.iter().map(|candidate| {
            let is_in = |paths: &[String]| paths.contains(&candidate.memory);
            let yes = latest.values().any(|words| is_in(&words.relevant));
            let no = latest.values().any(|words| is_in(&words.not_relevant));
            conflicts += usize::from(yes && no);
            (yes != no).then_some(yes)
        });
        let relevant = relevant.collect();
        Self {
            relevant,
            conflicts,
            is_drawn: latest.values().any(|words| words.drawn),
            was_drawn: given.iter().any(|one| one.what.drawn),
        }
    }

    /// The same for a window. Nobody takes a drawn pick out of the evidence by labelling it once more, or one
    /// that the draw has reached by naming it before.
    #[must_use]
    pub fn in_window(self, is_reached: bool) -> Self {
        Self { is_drawn: self.was_drawn || is_reached, ..self }
    }

    /// Whether all candidates have a label on which reviewers agree.
    pub fn is_complete(&self) -> bool {
        self.relevant.iter().all(Option::is_some)
    }

    /// Whether each candidate helps, where all have a label on which reviewers agree.
    pub(super) fn agreed(&self) -> Option<Vec<bool>> {
        self.relevant.iter().copied().collect()
    }
}
