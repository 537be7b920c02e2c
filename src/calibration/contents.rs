//! The contents of the window, each with what its labels say and how it was chosen.

use super::days::Judged;
use super::reader::Reader;
use super::readiness::Input;
use super::{Word, rulings};
use crate::domain::RecordId;
use rayon::prelude::*;

/// One content of the window with its first verdict.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Content {
    /// The record of that verdict.
    pub id: RecordId,
    /// Whether it said NO-GO.
    pub flagged: bool,
    /// What its labels say.
    pub word: Option<Word>,
    /// Probability with which it was chosen; `None` where it was not, or nobody knows.
    pub pi: Option<f64>,
    /// Whether what passed was looked at when it was judged: else its label says nothing on misses.
    pub covered: bool,
    /// The same with all that the rates need.
    pub(super) judged: Judged,
}

impl Content {
    pub(super) fn of(judged: Judged) -> Self {
        let Judged { id, flagged, word, pi, .. } = judged;
        let covered = judged.covered && judged.smallest > 0.0;
        Self { id, flagged, word, pi, covered, judged }
    }
}

/// The contents of the window in order of time, of open days too.
pub fn contents(input: &Input<'_>) -> Vec<Content> {
    let rulings = rulings(input.labels);
    let reader = Reader::new(input, &rulings);
    let read = |day| {
        let mut contents = Vec::new();
        reader.contents(day, |j| contents.push(Content::of(*j)));
        contents
    };
    let days = input.in_window().par_chunk_by(|a, b| a.at.day() == b.at.day());
    days.flat_map_iter(read).collect()
}
