//! The contents of the window, each with what its labels say and how it was chosen.

use super::days::{DayState, Judged};
use super::input::Input;
use super::reader::Reader;
use super::weights::weights;
use super::{Evaluation, Word, rulings};
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
    /// Whether its day is of the unbroken run of closed days.
    pub closed: bool,
    /// How many contents of those days its label stands for in estimates; 0 where none of it decides.
    pub weight: f64,
    /// The same with all that the rates need.
    pub(super) judged: Judged,
}

impl Content {
    pub(super) fn new(judged: Judged) -> Self {
        let Judged { id, flagged, word, pi, .. } = judged;
        let covered = judged.covered && judged.smallest > 0.0;
        Self { id, flagged, word, pi, covered, closed: false, weight: 0.0, judged }
    }

    /// Whether it would be in a sample that is drawn at this rate: such contents are one sample, whatever
    /// the rates at which they were drawn.
    pub fn is_drawn_at(&self, rate: f64) -> bool {
        self.pi.is_some_and(|pi| pi >= rate) && self.judged.draw < rate
    }
}

/// The contents of the window in order of time, of open days too.
pub fn contents(input: &Input<'_>) -> Vec<Content> {
    let rulings = rulings(input.labels);
    let reader = Reader::new(input, &rulings);
    let read = |rows: &[Evaluation]| {
        let mut contents = Vec::new();
        let number = rows.first().map_or(i32::MIN, |e| e.at.day());
        let day = reader.read(number, rows, |_| {}, |j| contents.push(Content::new(*j)));
        (day.state != DayState::Open, contents)
    };
    let days = input.in_window().par_chunk_by(|a, b| a.at.day() == b.at.day());
    let days: Vec<(bool, Vec<Content>)> = days.map(read).collect();
    let closed = days.iter().take_while(|(closed, _)| *closed).map(|(_, all)| all.len()).sum();
    let mut contents: Vec<Content> = days.into_iter().flat_map(|(_, all)| all).collect();
    let judged: Vec<Judged> = contents.iter().take(closed).map(|c| c.judged).collect();
    for (content, weight) in contents.iter_mut().zip(weights(&judged)) {
        (content.closed, content.weight) = (true, weight);
    }
    contents
}
