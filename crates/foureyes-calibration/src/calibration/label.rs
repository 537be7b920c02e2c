//! Labels, and what counts of several on one record.

use crate::domain::review::{Drawn, LabelVote, Majority, Requested, Word, settle};
use crate::domain::{IdMap, RecordId, Scores, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What the statistics need of a label that stands: what was undone or corrected is not given.
#[derive(Debug, Clone, PartialEq)]
pub struct Labelled {
    /// The record it is about.
    pub record: RecordId,
    /// When it was given.
    pub at: Timestamp,
    /// By whom.
    pub reviewer: Arc<str>,
    /// What it says.
    pub word: Word,
    /// How the record was chosen, where the label itself states it; else the audit plan tells.
    pub stated: Option<Drawn>,
    /// The file it came from, where it did; raw text.
    pub import: Option<Arc<str>>,
    /// Whether the verdict was hidden while it was given, as the label says.
    pub blind: bool,
    /// Whether it was typed in this program where the content was shown; else it is stated.
    pub seen: bool,
    /// Whether the same reviewer labelled the record before. It is compared with the first label,
    /// to see how steady labels are; as the reviewer's latest it is also what counts.
    pub repeat: bool,
    /// Whether it settles a difference between reviewers.
    pub adjudicates: bool,
    /// Why the program asked for it, where it did.
    pub requested: Option<Requested>,
    /// Scores that the reviewer gave.
    pub scores: Scores,
}

/// What counts of all labels on a record.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ruling {
    /// The word: unsure where reviewers differ.
    pub word: Word,
    /// Whether reviewers differ and nobody has settled it.
    pub conflict: bool,
    /// Reviewers who said something.
    pub reviewers: usize,
    /// How the latest label that states it says the record was chosen.
    pub stated: Option<Drawn>,
    /// Whether a label that counts came from a file.
    pub imported: bool,
    /// The first word that is not unsure, of those that nobody asked for.
    pub first: Option<Word>,
    /// Whether the words that count differ, settled or not, where there are two: of two people, or a
    /// double label of one.
    pub double: Option<bool>,
    /// Whether a label adjudicates, whatever was said after it.
    pub adjudicated: bool,
    /// Whether a second word differs from the first that is only compared with it, where there is one.
    pub compared: Option<bool>,
    /// The first word that counts and the second one, of another reviewer or asked for, where there are
    /// two.
    pub(super) pair: Option<Pair>,
    /// What the words on a record that was called poor come to, where the policy asks for several.
    pub(super) majority: Option<Majority>,
    /// Whether it waits for the words of others, since somebody called the record poor.
    pub(super) unconfirmed: Unconfirmed,
}

/// Whether the word on a record that was called poor waits for the words of others.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) enum Unconfirmed {
    /// It counts as it stands.
    #[default]
    No,
    /// It waits, and its first word is younger than three days.
    Recently,
    /// It waits for longer.
    Overdue,
}

impl Ruling {
    /// Whether a second or a third word is asked for, since somebody called the record poor.
    pub(super) fn waits(&self) -> bool {
        matches!(self.majority, Some(Majority::Open { .. }))
    }
}

/// Two words on a record that were given apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Pair {
    /// The earlier word and the later one.
    pub(super) words: [Word; 2],
    /// Whether one person gave both.
    pub(super) by_one: bool,
}

/// What counts for each labelled record, by the rule of [`settle`]. Of equal times the later in the
/// list counts.
pub fn rulings(labels: &[Labelled]) -> IdMap<Ruling> {
    let mut by_record: IdMap<Vec<&Labelled>> = IdMap::default();
    for label in labels {
        by_record.entry(label.record).or_default().push(label);
    }
    let ruled = |(id, mut labels): (RecordId, Vec<&Labelled>)| {
        labels.sort_by_key(|l| l.at);
        Some((id, ruling(&labels)?))
    };
    by_record.into_iter().filter_map(ruled).collect()
}

/// What counts of the labels on one record, oldest first; `None` without any.
fn ruling(labels: &[&Labelled]) -> Option<Ruling> {
    let votes: Vec<LabelVote<'_>> = labels
        .iter()
        .map(|l| LabelVote {
            reviewer: &l.reviewer,
            word: l.word,
            adjudicates: l.adjudicates,
            requested: l.requested,
        })
        .collect();
    let settled = settle(&votes)?;
    Some(Ruling {
        word: settled.word,
        conflict: settled.conflict,
        reviewers: settled.reviewers,
        stated: labels.iter().rev().find_map(|l| l.stated),
        imported: labels.iter().any(|l| l.import.is_some()),
        first: first(labels),
        double: double(labels),
        adjudicated: labels.iter().any(|l| l.adjudicates),
        compared: compared(labels),
        pair: pair(labels),
        majority: None,
        unconfirmed: Unconfirmed::No,
    })
}

fn first(labels: &[&Labelled]) -> Option<Word> {
    let own = labels.iter().filter(|l| l.requested.is_none() && !l.adjudicates);
    own.map(|l| l.word).find(|word| *word != Word::Unsure)
}

fn double(labels: &[&Labelled]) -> Option<bool> {
    let mut words: BTreeMap<(&str, bool), Word> = BTreeMap::new();
    let counting =
        labels.iter().filter(|l| !l.adjudicates && l.requested != Some(Requested::Compare));
    for label in counting {
        words.insert((&label.reviewer, is_second(label)), label.word);
    }
    let mut words = words.values();
    let word = words.next()?;
    (words.len() > 0).then(|| words.any(|other| other != word))
}

fn pair(labels: &[&Labelled]) -> Option<Pair> {
    let counting = |l: &&&Labelled| !l.adjudicates && l.requested != Some(Requested::Compare);
    let mut counting = labels.iter().filter(counting);
    let first = counting.next()?;
    let second = counting.find(|l| l.reviewer != first.reviewer || is_second(l))?;
    let by_one = second.reviewer == first.reviewer;
    Some(Pair { words: [first.word, second.word], by_one })
}

/// Whether a label stands beside an earlier one of the same reviewer.
fn is_second(label: &Labelled) -> bool {
    matches!(label.requested, Some(Requested::Double | Requested::Confirm))
}

fn compared(labels: &[&Labelled]) -> Option<bool> {
    let first = first(labels);
    let mut second = labels.iter().filter(|l| l.requested == Some(Requested::Compare)).peekable();
    second.peek()?;
    Some(second.any(|l| Some(l.word) != first))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use proptest::prelude::*;

    /// A plain label by a reviewer at a second.
    pub(crate) fn label(record: RecordId, reviewer: &str, second: i64, word: Word) -> Labelled {
        Labelled {
            record,
            at: Timestamp(second * 1_000_000),
            reviewer: reviewer.into(),
            word,
            stated: None,
            import: None,
            blind: true,
            seen: true,
            repeat: false,
            adjudicates: false,
            requested: None,
            scores: Scores::default(),
        }
    }

    const ID: RecordId = RecordId([1; 32]);

    fn word(labels: &[Labelled]) -> (Word, bool) {
        let got = rulings(labels)[&ID];
        (got.word, got.conflict)
    }

    #[test]
    fn the_latest_of_a_reviewer_counts() {
        let labels = [label(ID, "a", 2, Word::Poor), label(ID, "a", 1, Word::Acceptable)];
        assert_eq!(word(&labels), (Word::Poor, false));
    }

    #[test]
    fn disagreement_is_unsure_until_adjudicated() {
        let mut labels = vec![label(ID, "a", 1, Word::Poor), label(ID, "b", 2, Word::Acceptable)];
        assert_eq!(word(&labels), (Word::Unsure, true));
        labels.push(Labelled { adjudicates: true, ..label(ID, "c", 3, Word::Poor) });
        assert_eq!(word(&labels), (Word::Poor, false));
        labels.push(Labelled { adjudicates: true, ..label(ID, "a", 4, Word::Acceptable) });
        assert_eq!(word(&labels), (Word::Acceptable, false));
    }

    #[test]
    fn a_repeat_is_the_latest_word_of_its_reviewer() {
        let again = Labelled { repeat: true, ..label(ID, "a", 9, Word::Poor) };
        assert_eq!(word(&[label(ID, "a", 1, Word::Acceptable), again]).0, Word::Poor);
    }

    #[test]
    fn label_without_statement_keeps_earlier_statement() {
        let stated = Labelled { stated: Some(Drawn::Audit(0.5)), ..label(ID, "a", 1, Word::Poor) };
        let got = rulings(&[stated, label(ID, "a", 2, Word::Acceptable)])[&ID];
        assert_eq!((got.word, got.stated), (Word::Acceptable, Some(Drawn::Audit(0.5))));
    }

    proptest! {
        #[test]
        fn renaming_reviewers_changes_nothing(
            given in prop::collection::vec((0_u8..4, 0_u8..3, any::<bool>()), 1..12),
        ) {
            let of = |names: [&str; 4]| {
                let labels: Vec<Labelled> = given.iter().enumerate().map(|(i, (who, word, settles))| {
                    let word = [Word::Acceptable, Word::Poor, Word::Unsure][usize::from(*word)];
                    let plain = label(ID, names[usize::from(*who)], i as i64, word);
                    Labelled { adjudicates: *settles, ..plain }
                }).collect();
                rulings(&labels)[&ID]
            };
            prop_assert_eq!(of(["a", "b", "c", "d"]), of(["z", "m", "q", "b"]));
        }
    }
}
