//! Assignments: which reviewer is to label which records, and until when.
//!
//! An assignment holds from its time until its end; then the record is free again. While somebody has a
//! place, a later assignment of that place comes to nothing: of several the earliest time, then the lowest
//! id, has it. Nobody has to label what is assigned to them, and everybody may label what is assigned to
//! another.

use super::{Dated, EntryId};
use crate::domain::{RecordId, Timestamp};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A reviewer is to label records.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Assignment {
    /// Who is to label them. Raw text.
    pub reviewer: String,
    /// When it ends, whatever was labelled by then.
    pub until: Timestamp,
    /// Records of which theirs is the first label.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub records: Vec<RecordId>,
    /// Records that two reviewers label, and theirs is the second place.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub second: Vec<RecordId>,
}

/// A place that a reviewer got.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The entry of the assignment.
    pub entry: EntryId,
    /// Who has the place. Raw text.
    pub reviewer: String,
    /// From when on.
    pub since: Timestamp,
    /// Until when.
    pub until: Timestamp,
    /// Whether it is the second one.
    pub second: bool,
}

impl Place {
    /// Whether it is had at a time.
    pub fn holds(&self, at: Timestamp) -> bool {
        self.since <= at && at < self.until
    }
}

/// All places that reviewers ever got, by record, in the order in which they got them.
pub type Places = BTreeMap<RecordId, Vec<Place>>;

/// Who got which places: assignments count in the order of their times, then of their ids.
pub fn places(assignments: &[Dated<Assignment>]) -> Places {
    let mut ordered: Vec<&Dated<Assignment>> = assignments.iter().collect();
    ordered.sort_by_key(|one| (one.time, one.entry));
    let mut places = Places::new();
    for one in ordered {
        let (first, second) = (&one.what.records, &one.what.second);
        let all = first.iter().map(|id| (id, false)).chain(second.iter().map(|id| (id, true)));
        for (record, second) in all {
            let of_record = places.entry(*record).or_default();
            let taken = |place: &Place| {
                let is_it = place.second == second || place.reviewer == one.what.reviewer;
                is_it && place.holds(one.time)
            };
            if one.time < one.what.until && !of_record.iter().any(taken) {
                of_record.push(Place {
                    entry: one.entry,
                    reviewer: one.what.reviewer.clone(),
                    since: one.time,
                    until: one.what.until,
                    second,
                });
            }
        }
    }
    places.retain(|_, of_record| !of_record.is_empty());
    places
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::{
        Act, Entry, Given, Label, LineHash, Present, Release, Sequence, Word, present,
    };

    const RECORD: RecordId = RecordId([7; 32]);
    const OTHER: RecordId = RecordId([8; 32]);

    fn assigned(n: u8, time: i64, to: &str, until: i64, second: bool) -> Dated<Assignment> {
        let (records, second) =
            if second { (Vec::new(), vec![RECORD]) } else { (vec![RECORD], Vec::new()) };
        let what = Assignment { reviewer: to.to_owned(), until: Timestamp(until), records, second };
        let (entry, time) = (EntryId([n; 16]), Timestamp(time));
        Dated { entry, time, reviewer: "lead".to_owned(), what }
    }

    /// Who has places of the record at a time: `anna` the first, `+bert` the second.
    fn at(all: &[Dated<Assignment>], now: i64) -> Vec<String> {
        let mut have: Vec<String> = Vec::new();
        for place in places(all).get(&RECORD).into_iter().flatten() {
            if place.holds(Timestamp(now)) {
                have.push(format!("{}{}", if place.second { "+" } else { "" }, place.reviewer));
            }
        }
        have
    }

    #[test]
    fn earliest_time_then_lowest_id_has_the_place_until_it_ends() {
        let anna = assigned(2, 10, "anna", 100, false);
        let bert = assigned(1, 10, "bert", 100, false);
        let cleo = assigned(3, 50, "cleo", 300, false);
        let dora = assigned(0, 100, "dora", 200, false);
        for all in [[&anna, &bert, &cleo, &dora], [&dora, &cleo, &bert, &anna]] {
            let all: Vec<_> = all.into_iter().cloned().collect();
            assert_eq!(at(&all, 9), [""; 0]);
            assert_eq!(at(&all, 10), ["bert"]);
            assert_eq!(at(&all, 99), ["bert"], "what came meanwhile is lost");
            assert_eq!(at(&all, 100), ["dora"], "and does not hold afterwards");
            assert_eq!(at(&all, 200), [""; 0]);
        }
    }

    #[test]
    fn both_places_are_of_different_reviewers() {
        let all = [
            assigned(1, 10, "anna", 100, false),
            assigned(2, 11, "anna", 100, true),
            assigned(3, 12, "bert", 100, true),
            assigned(4, 13, "bert", 100, false),
        ];
        assert_eq!(at(&all, 20), ["anna", "+bert"]);
        assert_eq!(at(&[assigned(1, 10, "anna", 10, false)], 10), [""; 0], "it ended at once");
    }

    fn entry(n: u8, time: i64, act: Act) -> Entry {
        Entry {
            id: EntryId([n; 16]),
            time: Timestamp(time),
            reviewer: "lead".to_owned(),
            machine: "desk".to_owned(),
            act,
            prev: None,
            seen: Vec::new(),
            hash: LineHash([n; 32]),
        }
    }

    #[test]
    fn release_ends_an_assignment_and_leaves_a_claim_alone() {
        let act = |one: Dated<Assignment>| Act::Assignment(one.what);
        let release = Act::Release(Release { claim: EntryId([1; 16]) });
        let entries = [
            entry(1, 10, act(assigned(1, 10, "anna", 100, false))),
            entry(2, 40, release.clone()),
            entry(3, 41, act(assigned(3, 41, "bert", 100, false))),
            entry(4, 60, release),
        ];
        let sequence =
            Sequence { name: "a", entries: entries.iter().collect(), doubted: Vec::new() };
        let mut present = present(&[sequence]);
        present.as_of = Timestamp(50);
        assert_eq!(present.assigned_to("anna").count(), 0);
        assert_eq!(present.assigned_to("bert").collect::<Vec<_>>(), [RECORD]);
        let ends: Vec<i64> = present.places[&RECORD].iter().map(|place| place.until.0).collect();
        assert_eq!(ends, [40, 100]);
        assert!(present.stacks["lead"].done.is_empty(), "it is released, not undone");
        present.as_of = Timestamp(100);
        assert_eq!(present.assigned_to("bert").count(), 0);
    }

    fn label(present: &mut Present, record: RecordId, who: &str) {
        present.labels.entry(record).or_default().push(Given {
            entry: EntryId([9; 16]),
            time: Timestamp(20),
            reviewer: who.to_owned(),
            label: Label::new(record, Word::Poor),
            import: None,
        });
    }

    #[test]
    fn place_waits_until_its_reviewer_or_enough_others_labelled() {
        let mut present = Present { as_of: Timestamp(50), ..Present::default() };
        present.receive(&[assigned(1, 10, "anna", 100, false), assigned(2, 10, "bert", 100, true)]);
        let waits = |present: &Present, who: &str| present.assigned_to(who).count() == 1;
        assert!(waits(&present, "anna") && waits(&present, "bert"));
        label(&mut present, OTHER, "anna");
        assert!(waits(&present, "anna"));
        label(&mut present, RECORD, "anna");
        assert!(!waits(&present, "anna") && waits(&present, "bert"));
        label(&mut present, RECORD, "cleo");
        assert!(!waits(&present, "bert"), "two have labelled it");
        assert_eq!(present.reviews().get(OTHER).unwrap().assigned_to, [""; 0]);
    }

    #[test]
    fn clock_of_the_store_decides_over_that_of_whoever_assigned() {
        let mut present = Present { as_of: Timestamp(50), ..Present::default() };
        present.assignments = vec![assigned(1, 10, "anna", 100, false)];
        present
            .receive(&[assigned(1, 31, "anna", 100, false), assigned(2, 30, "bert", 100, false)]);
        assert_eq!(present.assigned_to("bert").count(), 1);
        assert_eq!(present.assigned_to("anna").count(), 0);
        assert_eq!(present.reviews().get(RECORD).unwrap().assigned_to, ["bert"]);
        assert!(present.reviews().get(RECORD).unwrap().reviewers.is_empty());
    }

    #[test]
    fn body_is_what_the_file_has_and_comes_back() {
        let act = Act::Assignment(assigned(1, 10, "a\u{202e}\n", 100, false).what);
        assert_eq!(act.kind(), "assignment");
        assert_eq!(Act::read("assignment", act.body().unwrap()), act);
        assert!(!act.is_undoable() && !act.is_rule());
    }
}
