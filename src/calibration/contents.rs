//! The contents of the window, each with what its labels say and how it was chosen.

use super::days::Reader;
use super::readiness::Input;
use super::{Drawn, Word, rulings};
use crate::domain::RecordId;

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
    /// Probability with which contents like it are chosen; 0 where nobody knows.
    pub rate: f64,
}

/// The contents of the window in order of time, of open days too.
pub fn contents(input: &Input<'_>) -> Vec<Content> {
    let rulings = rulings(input.labels);
    let stated = rulings.values().any(|r| r.stated.map(Drawn::pi).is_some());
    let reader = Reader { input, rulings: &rulings, stated };
    let mut found = Vec::new();
    for day in input.in_window().chunk_by(|a, b| a.at.day() == b.at.day()) {
        let Some(first) = day.first() else { continue };
        let (_, judged) = reader.read(first.at.day(), day);
        found.extend(judged.iter().map(|j| Content {
            id: j.id,
            flagged: j.flagged,
            word: j.word,
            pi: j.pi,
            rate: if j.flagged { 1.0 } else { j.rate.max(j.pi.unwrap_or(0.0)) },
        }));
    }
    found
}
