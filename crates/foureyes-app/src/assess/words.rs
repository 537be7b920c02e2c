//! Words that were changed, as the statistics see them.

use super::later::{Later, Reading};
use super::{Ask, Evaluations, labels};
use crate::calibration::{COMPANIONS, ChangedWord, Labelled, LaterWord, Release, WindowRules};
use crate::domain::review::{Change, Given, Present, Requested, Word, first_words};
use crate::domain::{Outcome, RecordId};
use std::collections::HashSet;

/// One day in microseconds.
const DAY: i64 = 86_400_000_000;

/// The words that were changed, and what would count without that.
#[derive(Debug, Default)]
pub(super) struct Words {
    /// The changes on push evaluations of these logs, and on records that are gone from them.
    pub(super) changed: Vec<ChangedWord>,
    /// What was said after the first words.
    pub(super) later: Vec<LaterWord>,
    /// The labels with the words first given, where a change is not settled or a later word not confirmed.
    pub(super) first: Option<Vec<Labelled>>,
}

impl Words {
    pub(super) fn new(
        all: &Evaluations,
        present: &Present,
        counting: &[Labelled],
        (rules, ask): (WindowRules, &Ask<'_>),
    ) -> Self {
        let here = |change: &&Change| all.find(change.record()).is_some();
        let changes: Vec<&Change> = present.changes.iter().filter(here).collect();
        let repeats = Repeats::new(all, present);
        let repeated: Vec<bool> = changes.iter().map(|change| repeats.settle(change)).collect();
        let is_settled =
            |(change, repeated): (&&Change, &bool)| change.settled_by.is_some() || *repeated;
        let settled: Vec<bool> = changes.iter().zip(&repeated).map(is_settled).collect();
        let open = changes.iter().zip(&settled).filter(|(_, settled)| !**settled);
        let mut firsts = first_words(open.map(|(change, _)| *change), &present.labels);
        let repeated = changes.iter().zip(&repeated).filter(|(_, repeated)| **repeated);
        let repeated = repeated.map(|(change, _)| change.record()).collect();
        let later = match ask.release {
            Release::V02 => Later::default(),
            Release::V03 => {
                let first = &first_words(changes.iter().copied(), &present.labels);
                Later::new(all, present, &Reading { first, repeated: &repeated, rules })
            }
        };
        firsts.extend(later.without);
        let first = (!firsts.is_empty()).then(|| labels::replaced(all, counting, &firsts));
        let here =
            changes.iter().zip(settled).map(|(change, settled)| changed(change, settled, false));
        let gone = gone(present, ask).map(|change| changed(change, false, true));
        Self { changed: here.chain(gone).collect(), later: later.words, first }
    }
}

/// Changes on records that had a label since the window's start and are gone from the logs.
fn gone<'a>(present: &'a Present, ask: &Ask<'a>) -> impl Iterator<Item = &'a Change> {
    let gone = ask.gone.ever.iter().filter(|_| ask.release >= Release::V03);
    let records: HashSet<RecordId> = gone.map(|(record, _)| *record).collect();
    present.changes.iter().filter(move |change| records.contains(&change.record()))
}

fn changed(change: &Change, settled: bool, gone: bool) -> ChangedWord {
    ChangedWord {
        record: change.record(),
        reviewer: change.first.reviewer.as_str().into(),
        first: change.first.label.label,
        first_at: change.first.time,
        first_seen: change.first.is_seen(),
        first_blind: change.first.label.blind,
        now: change.now,
        adjudicated: change.adjudicated,
        at: change.at,
        settled,
        gone,
    }
}

/// Blind repeats that the program asked for.
struct Repeats<'a> {
    all: &'a Evaluations,
    present: &'a Present,
    given: Vec<&'a Given>,
    changed: HashSet<RecordId>,
    /// Whether anybody but one reviewer ever labelled: then another one settles changes.
    several: bool,
}

impl<'a> Repeats<'a> {
    fn new(all: &'a Evaluations, present: &'a Present) -> Self {
        let is_repeat = |given: &&Given| {
            let label = &given.label;
            let asked = label.requested == Some(Requested::Repeat) && given.import.is_none();
            asked && label.blind && label.label != Word::Unsure
        };
        let given = || present.labels.values().flatten();
        let mut names = given().map(|given| given.reviewer.as_str());
        let first = names.next();
        let several = names.any(|name| Some(name) != first);
        let changed = present.changes.iter().map(Change::record).collect();
        Self { all, present, given: given().filter(is_repeat).collect(), changed, several }
    }

    /// Whether a repeat a day or more after a change settles it: the majority of the word that was
    /// first, the one it was changed to, and this one is what the repeat says.
    fn settle(&self, change: &Change) -> bool {
        if self.several || change.adjudicated {
            return false;
        }
        let own = |given: &&&Given| given.reviewer == change.first.reviewer;
        let after = |given: &&&Given| given.time.0.saturating_sub(change.at.0) >= DAY;
        let counts = self.present.labels.get(&change.record()).and_then(|given| given.last());
        let of_record = |given: &&&Given| given.label.record == change.record();
        let mut repeats = self.given.iter().filter(own).filter(of_record).filter(after);
        repeats.any(|repeat| {
            // It settles as long as it is the word that counts.
            let counts = counts.is_some_and(|last| last.entry == repeat.entry);
            counts && self.beside(repeat, change) >= COMPANIONS
        })
    }

    /// How many repeats of unchanged records with the same verdict were given within a day of one.
    fn beside(&self, repeat: &Given, change: &Change) -> usize {
        let verdict = self.verdict(change.record());
        let near = |other: &&&Given| {
            let record = other.label.record;
            (other.time.0 - repeat.time.0).abs() < DAY
                && other.reviewer == repeat.reviewer
                && !self.changed.contains(&record)
                && self.verdict(record) == verdict
        };
        self.given.iter().filter(near).count()
    }

    fn verdict(&self, record: RecordId) -> Option<Outcome> {
        Some(self.all.all().get(self.all.find(record)?)?.outcome)
    }
}

#[cfg(test)]
mod tests {
    use super::super::evaluations::an_evaluation;
    use super::*;
    use crate::calibration::Evaluation;
    use crate::domain::Timestamp;
    use crate::domain::review::{EntryId, Label};

    fn id(n: u8) -> RecordId {
        RecordId([n; 32])
    }

    fn given(n: u8, word: Word, day: i32, requested: Option<Requested>) -> Given {
        Given {
            entry: EntryId([n.wrapping_mul(16) ^ day as u8; 16]),
            time: Timestamp::of_day(day),
            reviewer: "anna".to_owned(),
            label: Label { requested, blind: true, ..Label::new(id(n), word) },
            import: None,
        }
    }

    fn repeat(n: u8, word: Word, day: i32) -> Given {
        given(n, word, day, Some(Requested::Repeat))
    }

    /// Whether the change of record 1, from poor to acceptable on day 11, is settled by these labels of
    /// one reviewer. Records 1 to 3 are NO-GO, record 4 is GO.
    fn is_settled(later: impl IntoIterator<Item = Given>) -> bool {
        let outcome = |n| if n == 4 { Outcome::Go } else { Outcome::NoGo };
        let one = |n| Evaluation { outcome: outcome(n), ..an_evaluation(id(n)) };
        let all = Evaluations::planted((1..=4).map(one).collect(), Vec::new());
        let mut present = Present::default();
        let before = (1..=4).map(|n| given(n, Word::Poor, 10, None));
        let changed = given(1, Word::Acceptable, 11, None);
        for one in before.chain([changed]).chain(later) {
            present.labels.entry(one.label.record).or_default().push(one);
        }
        present.changes.push(Change {
            first: given(1, Word::Poor, 10, None),
            now: Some(Word::Acceptable),
            at: Timestamp::of_day(11),
            adjudicated: false,
            settled_by: None,
        });
        let ask = Ask::new(Default::default(), Timestamp(i64::MAX), Timestamp(i64::MAX), &[]);
        Words::new(&all, &present, &[], (WindowRules::Shared, &ask)).changed[0].settled
    }

    #[test]
    fn blind_repeat_among_unchanged_ones_settles_a_change() {
        use Word::{Acceptable, Poor};
        let beside = |day| [repeat(2, Poor, day), repeat(3, Poor, day)];
        let again = || repeat(1, Acceptable, 12);
        assert!(is_settled(beside(12).into_iter().chain([again()])));
        // Whatever it says: the majority of three is then what the repeat says.
        assert!(is_settled(beside(12).into_iter().chain([repeat(1, Poor, 12)])));
        assert!(!is_settled([again()]));
        assert!(!is_settled([again(), repeat(2, Poor, 12)]), "one companion tells which it is");
        assert!(!is_settled([again(), repeat(2, Poor, 12), repeat(4, Poor, 12)]));
        assert!(!is_settled(beside(14).into_iter().chain([again()])), "not on the same day");
        assert!(!is_settled(beside(11).into_iter().chain([repeat(1, Acceptable, 11)])));
        let mut seen = again();
        seen.label.blind = false;
        assert!(!is_settled(beside(12).into_iter().chain([seen])));
        let changed_again = given(1, Poor, 13, None);
        assert!(!is_settled(beside(12).into_iter().chain([again(), changed_again])));
        // Where there is another reviewer, that one settles it.
        let other = Given { reviewer: "bert".to_owned(), ..given(4, Poor, 12, None) };
        assert!(!is_settled(beside(12).into_iter().chain([again(), other])));
    }
}
