//! Later words: what was said of a record after its first words and outside the second words that the
//! program draws. A miss may be made none by them, so they are held apart.

use super::Evaluations;
use crate::calibration::{LaterKind, LaterWord, WindowRules};
use crate::domain::review::{Given, LabelVote, Present, Requested, Word, settle};
use crate::domain::{Outcome, RecordId};
use std::collections::{BTreeMap, HashSet};

/// The labels of some records.
type Labels = BTreeMap<RecordId, Vec<Given>>;

/// Later words, and what would count of their records without those that nobody confirmed.
#[derive(Debug, Default)]
pub(super) struct Later {
    /// The words on evaluations of these logs.
    pub(super) words: Vec<LaterWord>,
    /// Labels of the records with an unconfirmed one, with doubt in the place of each.
    pub(super) without: Labels,
}

/// What the words of records are read by.
pub(super) struct Reading<'a> {
    /// The labels of each changed record with the words first given.
    pub(super) first: &'a Labels,
    /// Records whose change a blind repeat settles, where there is one reviewer alone.
    pub(super) repeated: &'a HashSet<RecordId>,
    /// The rules of the window.
    pub(super) rules: WindowRules,
}

impl Later {
    pub(super) fn new(all: &Evaluations, present: &Present, reading: &Reading<'_>) -> Self {
        let mut found = Self::default();
        for (record, counting) in &present.labels {
            let verdict = all.find(*record).and_then(|at| all.all().get(at)).map(|e| e.outcome);
            let Some(verdict) = verdict else { continue };
            let first = reading.first.get(record);
            let given = first.unwrap_or(counting).iter();
            let given: Vec<&Given> = given.filter(|one| !one.label.is_unseen()).collect();
            let of = RecordLabels { given: &given, changed: first.is_some(), rules: reading.rules };
            // What settles a change by its own rule needs nobody else.
            let passed = verdict == Outcome::Go && !reading.repeated.contains(record);
            let now = Some(settled_word(counting)).filter(|_| passed).flatten();
            found.add(*record, &of, now);
        }
        found
    }

    fn add(&mut self, record: RecordId, of: &RecordLabels<'_>, now: Option<Word>) {
        let doubted = of.doubted().filter(|_| now == Some(Word::Acceptable));
        for (at, given) in of.given.iter().enumerate() {
            let Some(kind) = of.kind(at) else { continue };
            self.words.push(LaterWord {
                record,
                reviewer: given.reviewer.as_str().into(),
                kind,
                word: given.label.label,
                unconfirmed: doubted.is_some() && of.is_unconfirmed(at),
            });
        }
        if let Some(labels) = doubted {
            self.without.insert(record, labels);
        }
    }
}

/// The words on one record, the earliest first.
struct RecordLabels<'a> {
    given: &'a [&'a Given],
    /// Whether a reviewer changed one: then who says the same settles it.
    changed: bool,
    rules: WindowRules,
}

impl RecordLabels<'_> {
    /// How a word came later; `None` of a first word and of a second one that the program draws.
    fn kind(&self, at: usize) -> Option<LaterKind> {
        let given = self.given.get(at)?;
        let asked = given.label.requested.filter(|_| given.import.is_none());
        match asked {
            _ if given.label.adjudicates => Some(LaterKind::Adjudication),
            Some(Requested::Double | Requested::Confirm | Requested::Compare) => None,
            Some(Requested::SecondLook) => Some(LaterKind::SecondLook),
            Some(Requested::Repeat) => Some(LaterKind::Repeat),
            None if at == 0 => None,
            None if self.has_spoken(at) => Some(LaterKind::Repeat),
            None if self.is_stated(given) => Some(LaterKind::Stated),
            None => self.changed.then_some(LaterKind::Settling),
        }
    }

    /// Whether a word is stated only, by what the window knows of that.
    fn is_stated(&self, given: &Given) -> bool {
        given.import.is_some() || (self.rules == WindowRules::Current && !given.is_seen())
    }

    /// Whether the reviewer had said before what the record is; doubt is no word.
    fn has_spoken(&self, at: usize) -> bool {
        let Some(given) = self.given.get(at) else { return false };
        let spoke =
            |one: &&&Given| one.reviewer == given.reviewer && one.label.label != Word::Unsure;
        self.given.iter().take(at).any(|one| spoke(&one))
    }

    /// Whether a later word calls the content acceptable, and is not one that the program asked for,
    /// showed blind, and got from a reviewer who had not spoken.
    fn is_unconfirmed(&self, at: usize) -> bool {
        let Some(given) = self.given.get(at).filter(|_| self.kind(at).is_some()) else {
            return false;
        };
        let asked = given.label.requested.is_some() && given.label.blind && !self.is_stated(given);
        given.label.label == Word::Acceptable && (!asked || self.has_spoken(at))
    }

    /// Whether a later word calls the content acceptable, and is one.
    fn is_confirmed(&self, at: usize) -> bool {
        let accepts = self.given.get(at).map(|given| given.label.label) == Some(Word::Acceptable);
        accepts && self.kind(at).is_some() && !self.is_unconfirmed(at)
    }

    /// The labels with doubt in the place of each unconfirmed word, where the content is not acceptable
    /// without these.
    fn doubted(&self) -> Option<Vec<Given>> {
        if self.changed && (0..self.given.len()).any(|at| self.is_confirmed(at)) {
            return None;
        }
        let open: Vec<bool> = (0..self.given.len()).map(|at| self.is_unconfirmed(at)).collect();
        let all = || self.given.iter().zip(&open).map(|(given, open)| ((*given).clone(), *open));
        let others: Vec<Given> = all().filter(|(_, open)| !open).map(|(given, _)| given).collect();
        let doubt = |(mut given, open): (Given, bool)| {
            if open {
                given.label.label = Word::Unsure;
            }
            given
        };
        let needed = open.contains(&true) && settled_word(&others) != Some(Word::Acceptable);
        needed.then(|| all().map(doubt).collect())
    }
}

fn settled_word(labels: &[Given]) -> Option<Word> {
    let votes = labels.iter().filter(|given| !given.label.is_unseen()).map(Given::vote);
    let votes: Vec<LabelVote<'_>> = votes.collect();
    settle(&votes).map(|settled| settled.word)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Timestamp;
    use crate::domain::review::{ContentHash, EntryId, Label, Shown};
    use Word::{Acceptable, Poor, Unsure};

    const ID: RecordId = RecordId([7; 32]);

    fn given(reviewer: &str, word: Word) -> Given {
        let shown = Some(Shown::Content(ContentHash([1; 32])));
        Given {
            entry: EntryId([0; 16]),
            time: Timestamp(0),
            reviewer: reviewer.to_owned(),
            label: Label { blind: true, shown, ..Label::new(ID, word) },
            import: None,
        }
    }

    fn with(mut given: Given, how: impl FnOnce(&mut Label)) -> Given {
        how(&mut given.label);
        given
    }

    fn second_look(reviewer: &str, word: Word) -> Given {
        with(given(reviewer, word), |label| label.requested = Some(Requested::SecondLook))
    }

    /// What counts of the words once the unconfirmed ones are in doubt; `None` where none is.
    fn without(all: &[Given], changed: bool, rules: WindowRules) -> Option<Word> {
        let given: Vec<&Given> = all.iter().collect();
        settled_word(&RecordLabels { given: &given, changed, rules }.doubted()?)
    }

    fn current(all: &[Given]) -> Option<Word> {
        without(all, false, WindowRules::Current)
    }

    #[test]
    fn adjudication_for_the_judge_is_doubt_without_it() {
        let differ = [given("ada", Poor), given("bert", Acceptable)];
        let ruling = |word| with(given("cleo", word), |label| label.adjudicates = true);
        assert_eq!(current(&[&differ[..], &[ruling(Acceptable)]].concat()), Some(Unsure));
        assert_eq!(current(&[&differ[..], &[ruling(Poor)]].concat()), None);
        // Where the others agree without it nothing rests on it.
        let agree = [given("ada", Acceptable), given("bert", Acceptable), ruling(Acceptable)];
        assert_eq!(current(&agree), None);
    }

    #[test]
    fn second_look_counts_where_it_was_asked_for_blind_and_of_somebody_else() {
        let doubt = given("ada", Unsure);
        let of = |later: Given| current(&[doubt.clone(), later]);
        assert_eq!(of(second_look("bert", Acceptable)), None);
        assert_eq!(
            of(second_look("ada", Acceptable)),
            None,
            "doubt is no word: this one is her first"
        );
        assert_eq!(of(with(second_look("bert", Acceptable), |l| l.blind = false)), Some(Unsure));
        assert_eq!(of(with(second_look("bert", Acceptable), |l| l.shown = None)), Some(Unsure));
        let imported = Given { import: Some("f".to_owned()), ..second_look("bert", Acceptable) };
        assert_eq!(of(imported.clone()), Some(Unsure), "what a file says of that is not believed");
        // A window of an earlier version knows nothing of what was shown.
        let old = |later: Given| without(&[doubt.clone(), later], false, WindowRules::Shared);
        assert_eq!(old(with(second_look("bert", Acceptable), |l| l.shown = None)), None);
        assert_eq!(old(imported), Some(Unsure));
        let spoke = [given("bert", Poor), doubt, second_look("bert", Acceptable)];
        assert_eq!(current(&spoke), Some(Unsure));
    }

    #[test]
    fn second_words_of_the_program_and_first_words_are_no_later_ones() {
        let double = with(given("bert", Acceptable), |l| l.requested = Some(Requested::Double));
        let repeat = with(given("ada", Acceptable), |l| l.requested = Some(Requested::Repeat));
        let first = given("ada", Acceptable);
        assert_eq!(current(&[first.clone(), double]), None);
        assert_eq!(current(&[first.clone(), repeat]), None, "it says the same");
        let given = [&first, &given("bert", Poor)];
        let of = RecordLabels { given: &given, changed: false, rules: WindowRules::Current };
        assert_eq!((of.kind(0), of.kind(1)), (None, None));
    }

    #[test]
    fn who_settles_a_change_unasked_confirms_nothing() {
        let settled = |by: Given| without(&[given("ada", Poor), by], true, WindowRules::Current);
        assert_eq!(settled(given("bert", Acceptable)), Some(Unsure));
        assert_eq!(settled(second_look("bert", Acceptable)), None);
    }
}
