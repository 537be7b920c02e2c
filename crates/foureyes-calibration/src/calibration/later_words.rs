//! Later words: what reviewers said of a record after its first words and outside the second words that
//! the program draws. Each may turn a miss into none, so each is shown with its author and direction.

use super::Word;
use crate::domain::{IdMap, RecordId};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// How a later word came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum LaterKind {
    /// It settles a difference between reviewers.
    Adjudication,
    /// It answers a doubt.
    SecondLook,
    /// Its reviewer labelled the record again.
    Repeat,
    /// It came from a file or a command line, after another word.
    Stated,
    /// It settles what another reviewer changed.
    Settling,
}

impl LaterKind {
    /// Its name in documents.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Adjudication => "adjudication",
            Self::SecondLook => "second_look",
            Self::Repeat => "repeat",
            Self::Stated => "stated",
            Self::Settling => "settling",
        }
    }
}

/// A later word that counts.
#[derive(Debug, Clone, PartialEq)]
pub struct LaterWord {
    /// Of which record.
    pub record: RecordId,
    /// By whom. Raw text.
    pub reviewer: Arc<str>,
    /// How it came about.
    pub kind: LaterKind,
    /// What it says.
    pub word: Word,
    /// Whether a GO is acceptable through it alone, and it is not one that the program asked for, showed
    /// blind, and got from a reviewer who had not spoken: with first words the record is unsure.
    pub unconfirmed: bool,
}

/// The later words of one reviewer, of one kind, on contents of one verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LaterWords {
    /// Who. Raw text.
    pub reviewer: String,
    /// `adjudication`, `second_look`, `repeat`, `stated` or `settling`.
    pub kind: String,
    /// What the judge said: `no_go` or `go`.
    pub verdict: String,
    /// Words that agree with the judge.
    pub for_judge: u64,
    /// Words that do not.
    pub against_judge: u64,
    /// Words of doubt.
    pub unsure: u64,
    /// Those for the judge through which alone a GO is acceptable, and which nobody confirmed: with first
    /// words such a record counts as unsure.
    pub unconfirmed: u64,
}

/// The later words on contents of the window; `flagged` tells of each whether it is a NO-GO.
pub(super) fn later_words(later: &[LaterWord], flagged: &IdMap<bool>) -> Vec<LaterWords> {
    let mut kinds: BTreeMap<(&str, LaterKind, bool), LaterWords> = BTreeMap::new();
    for word in later {
        let Some(flagged) = flagged.get(&word.record).copied() else { continue };
        let key = (word.reviewer.as_ref(), word.kind, flagged);
        kinds.entry(key).or_insert_with(|| LaterWords::new(word, flagged)).add(word, flagged);
    }
    kinds.into_values().collect()
}

impl LaterWords {
    fn new(word: &LaterWord, flagged: bool) -> Self {
        Self {
            reviewer: word.reviewer.to_string(),
            kind: word.kind.as_str().to_owned(),
            verdict: if flagged { "no_go" } else { "go" }.to_owned(),
            for_judge: 0,
            against_judge: 0,
            unsure: 0,
            unconfirmed: 0,
        }
    }

    fn add(&mut self, word: &LaterWord, flagged: bool) {
        let count = match (word.word, flagged) {
            (Word::Unsure, _) => &mut self.unsure,
            (Word::Poor, true) | (Word::Acceptable, false) => &mut self.for_judge,
            (Word::Poor, false) | (Word::Acceptable, true) => &mut self.against_judge,
        };
        *count += 1;
        self.unconfirmed += u64::from(word.unconfirmed);
    }
}

/// What READY may rest on.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Unconfirmed {
    /// How many words.
    pub(super) words: u64,
    /// By whom, in order. Raw text.
    pub(super) names: Vec<String>,
    /// On how many GO contents.
    pub(super) contents: u64,
}

/// The later words of the window that nobody confirmed.
pub(super) fn unconfirmed(
    later: &[LaterWord],
    is_inside: impl Fn(RecordId) -> bool,
) -> Unconfirmed {
    let open = later.iter().filter(|word| word.unconfirmed && is_inside(word.record));
    let (mut names, mut contents, mut words) = (BTreeSet::new(), BTreeSet::new(), 0);
    for word in open {
        words += 1;
        names.insert(word.reviewer.to_string());
        contents.insert(word.record);
    }
    Unconfirmed { words, names: names.into_iter().collect(), contents: contents.len() as u64 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_words_have_a_reviewer_a_kind_and_a_direction() {
        let word = |n: u8, reviewer: &str, word, unconfirmed| LaterWord {
            record: RecordId([n; 32]),
            reviewer: reviewer.into(),
            kind: LaterKind::Adjudication,
            word,
            unconfirmed,
        };
        let later = [
            word(1, "cleo", Word::Acceptable, true),
            word(2, "cleo", Word::Poor, false),
            word(3, "cleo", Word::Poor, false),
            word(4, "cleo", Word::Unsure, false),
            word(9, "cleo", Word::Acceptable, true),
        ];
        let flagged = [(1, false), (2, false), (3, true), (4, false)];
        let flagged: IdMap<bool> =
            flagged.into_iter().map(|(n, flagged)| (RecordId([n; 32]), flagged)).collect();
        let found = later_words(&later, &flagged);
        let counts = |w: &LaterWords| [w.for_judge, w.against_judge, w.unsure, w.unconfirmed];
        assert_eq!(found.iter().map(counts).collect::<Vec<_>>(), [[1, 1, 1, 1], [1, 0, 0, 0]]);
        let open = unconfirmed(&later, |record| flagged.contains_key(&record));
        assert_eq!((open.words, open.contents, open.names), (1, 1, vec!["cleo".to_owned()]));
    }
}
