//! A kind of judgement: its words, the form of its answers, and the rule that it asks by.

use super::Verdict;
use crate::engine::rubric::Rubric;

/// A kind of judgement. Prompt, fencing, call word, reading of answers, four eyes and cost are the same
/// for all; this is what differs.
#[derive(Debug, Clone, Copy)]
pub struct Kind<V: 'static> {
    /// The words of answers and records, each with its verdict; a verdict has one word.
    pub words: &'static [(&'static str, V)],
    /// The texts of an answer.
    pub texts: Texts,
    /// The rule from scores to verdicts, as it stands in a prompt.
    pub rule: fn(&Rubric) -> String,
}

/// Where the texts of an answer stand, and their form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Texts {
    /// The key of what decided the scores.
    pub findings: &'static str,
    /// The key of what to change.
    pub suggestions: &'static str,
    /// Whether suggestions are objects, with dimension, place, issue and suggestion, or texts.
    pub objects: bool,
}

impl<V: Verdict> Kind<V> {
    /// The word of a verdict; that of no verdict where this kind has none for it.
    pub fn word(&self, verdict: V) -> &'static str {
        let of = |wanted: V| self.words.iter().find(|(_, v)| *v == wanted).map(|(word, _)| *word);
        of(verdict).or_else(|| of(V::NONE)).unwrap_or_default()
    }

    /// The verdict of a word, to the letter.
    pub fn verdict(&self, word: &str) -> Option<V> {
        self.words.iter().find(|(known, _)| *known == word).map(|(_, verdict)| *verdict)
    }

    /// The verdict of a word as a model writes it: case, blanks and lines between its parts do not matter.
    /// The scores decide beside it, so that no spelling makes a verdict milder.
    pub fn verdict_in_answer(&self, word: &str) -> Option<V> {
        let folded = |word: &str| {
            let parts = word.split(['-', '_', ' ', '\u{2010}', '\u{2011}', '\u{2013}']);
            parts.collect::<String>().to_ascii_lowercase()
        };
        let padded = word.trim().len() != word.len();
        let same = |known: &str| !padded && folded(known) == folded(word);
        self.words.iter().find(|(known, _)| same(known)).map(|(_, verdict)| *verdict)
    }

    /// All words, in their order.
    pub fn all_words(&self) -> impl Iterator<Item = &'static str> + use<V> {
        self.words.iter().map(|(word, _)| *word)
    }
}
