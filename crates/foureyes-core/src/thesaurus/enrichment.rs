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

impl<'a> Answer<'a> {
    /// Findings, then improvements.
    fn words(self) -> impl Iterator<Item = &'a str> {
        self.findings.into_iter().chain(self.improvements.iter().flat_map(Improvement::words))
    }
}

impl Thesaurus {
    /// What an answer speaks of; `None` where no judge scored anything.
    pub fn enrich(&self, answer: Answer<'_>) -> Option<Enrichment<'_>> {
        if answer.scores.is_empty() {
            return None;
        }
        let found = self.numbers(answer.words());
        let found: Vec<_> = found.into_iter().filter_map(|i| self.terms.get(i)).collect();
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

    /// Headings and dimensions, in lower case, of the terms with these sorted numbers: each once, a NUL before each.
    pub fn names(&self, terms: &[usize]) -> String {
        let mut names = String::new();
        for name in terms.iter().filter_map(|i| self.names.get(*i)).flatten() {
            if !names.split('\0').skip(1).any(|known| known == name) {
                names.push('\0');
                names.push_str(name);
            }
        }
        names
    }

    /// Adds the numbers of the terms in a text, as they are listed from 0 on.
    pub fn add_numbers(&self, text: &str, numbers: &mut Vec<usize>) {
        self.matcher.find(text, |term, _| numbers.push(term));
    }

    /// Numbers of the terms in words, each once, as they are listed. No term begins in one of the words and
    /// ends in the next.
    pub fn numbers(&self, words: impl IntoIterator<Item = impl AsRef<str>>) -> Vec<usize> {
        let mut found = Vec::new();
        words.into_iter().for_each(|one| self.add_numbers(one.as_ref(), &mut found));
        found.sort_unstable();
        found.dedup();
        found
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
