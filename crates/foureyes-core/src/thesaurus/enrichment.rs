//! What a judgement speaks of, beside what it scores.

use super::{Dimensions, Term, Thesaurus, Topic};
use crate::domain::{Dimension, Record, Scores};

/// A score of at most this is marked down: the judge is told to name a defect for it.
pub const MARKED_DOWN: f32 = 2.0;

/// Elements of the checklist that parts of a record are, whatever they contain.
const PLACE: &str = "place";
const REMEDY: &str = "remedy";

/// The dimensions whose usable score is at most [`MARKED_DOWN`].
pub fn marked_down(scores: &Scores) -> Dimensions {
    let low = |d: &Dimension| scores.usable(*d).is_some_and(|score| score <= MARKED_DOWN);
    Dimension::ALL.into_iter().filter(low).collect()
}

/// What the thesaurus finds in the words of a judge.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrichment<'v> {
    /// Terms, each once, in the order in which they are listed.
    pub terms: Vec<&'v Term>,
    /// Dimensions that are marked down and of which the words name no term.
    pub unexplained: Dimensions,
    /// Elements of the checklist that the answer has nothing of.
    pub missing: Vec<&'v str>,
}

impl Thesaurus {
    /// What a record's findings and improvements speak of; `None` where no judge scored anything.
    pub fn enrich(&self, record: &Record) -> Option<Enrichment<'_>> {
        if record.scores.is_empty() {
            return None;
        }
        let found = self.in_words(&record.judge_words());
        let named: Dimensions = found.iter().filter_map(|term| term.topic.dimension()).collect();
        let present = |element: &str| match element {
            PLACE if record.improvements.iter().any(|one| one.location.is_some()) => true,
            REMEDY if !record.improvements.is_empty() => true,
            _ => found.iter().any(|t| t.topic == Topic::Checklist && t.normalized == element),
        };
        let missing = self.elements().into_iter().filter(|element| !present(element)).collect();
        let unexplained = marked_down(&record.scores).without(named);
        Some(Enrichment { terms: found, unexplained, missing })
    }

    /// Terms in words, each once, as they are listed.
    fn in_words(&self, words: &str) -> Vec<&Term> {
        let mut found: Vec<_> =
            self.matcher.find(words).into_iter().map(|(term, _)| term).collect();
        found.sort_unstable();
        found.dedup();
        found.into_iter().filter_map(|i| self.terms.get(i)).collect()
    }

    /// The elements of the checklist, each once, as they are listed.
    fn elements(&self) -> Vec<&str> {
        let of_checklist = self.terms.iter().filter(|term| term.topic == Topic::Checklist);
        let mut elements: Vec<_> = of_checklist.map(|term| term.normalized.as_str()).collect();
        elements.dedup();
        elements
    }
}
