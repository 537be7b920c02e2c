//! What a judgement speaks of, beside what it scores.

use super::{Dimensions, Term, Thesaurus, Topic};
use crate::domain::{Dimension, Improvement, Scores};

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

/// What terms show of an answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Enrichment<'v> {
    /// Terms, each once, in the order in which they are listed.
    pub terms: Vec<&'v Term>,
    /// Dimensions that are marked down and of which the words name no term.
    pub unexplained: Dimensions,
    /// Elements of the checklist that an answer which marks down a dimension has nothing of.
    pub missing: Vec<&'v str>,
}

/// What a judge answered.
#[derive(Debug, Clone, Copy)]
pub struct Answer<'a> {
    /// Scores as written.
    pub scores: &'a Scores,
    /// Findings of a push judge, reasoning of a task judge.
    pub findings: Option<&'a str>,
    /// What to improve.
    pub improvements: &'a [Improvement],
}

impl Answer<'_> {
    /// Findings, then improvements, a NUL between parts: no term is in two of them.
    fn words(&self) -> String {
        let improvements = self.improvements.iter().flat_map(Improvement::words);
        self.findings.into_iter().chain(improvements).collect::<Vec<_>>().join("\0")
    }
}

impl Thesaurus {
    /// What an answer speaks of; `None` where no judge scored anything.
    pub fn enrich(&self, answer: Answer<'_>) -> Option<Enrichment<'_>> {
        if answer.scores.is_empty() {
            return None;
        }
        let found = self.in_words(&answer.words());
        let named: Dimensions = found.iter().filter_map(|term| term.topic.dimension()).collect();
        let present = |element: &str| match element {
            PLACE if answer.improvements.iter().any(|one| one.location.is_some()) => true,
            REMEDY if !answer.improvements.is_empty() => true,
            _ => found.iter().any(|t| t.topic == Topic::Checklist && t.normalized == element),
        };
        let low = marked_down(answer.scores);
        let elements = if low.is_empty() { Vec::new() } else { self.elements() };
        let missing = elements.into_iter().filter(|element| !present(element)).collect();
        let unexplained = low.without(named);
        Some(Enrichment { terms: found, unexplained, missing })
    }

    /// Terms in words, each once, as they are listed.
    fn in_words(&self, words: &str) -> Vec<&Term> {
        let mut found: Vec<_> = self.matcher.terms(words).collect();
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

impl Enrichment<'_> {
    /// Headings and dimensions of the terms in lower case, a NUL before each.
    pub fn names(&self) -> String {
        let mut names: Vec<String> = Vec::new();
        for term in &self.terms {
            let dimension = term.topic.dimension().map(|d| d.as_str().to_owned());
            for name in dimension.into_iter().chain([term.normalized.to_lowercase()]) {
                if !names.contains(&name) {
                    names.push(name);
                }
            }
        }
        names.iter().flat_map(|name| ["\0", name]).collect()
    }

    /// The terms by heading, such as `semantic: facts, wrong`.
    pub fn lines(&self) -> Vec<String> {
        let groups = self.terms.chunk_by(|a, b| a.normalized == b.normalized);
        let line = |group: &[&Term]| {
            let heading = group.first().map_or("", |term| term.normalized.as_str());
            let texts: Vec<_> = group.iter().map(|term| term.text.as_str()).collect();
            format!("{heading}: {}", texts.join(", "))
        };
        groups.map(line).collect()
    }
}
