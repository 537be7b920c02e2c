//! Who labelled how much of what is assigned to them, and how reviewers agree.

use crate::assess;
use crate::calibration::{Pair, reviewer_pairs};
use crate::domain::review::{Place, Present};
use crate::domain::{RecordId, Timestamp};
use crate::frame::trend::Rate;
use std::collections::{BTreeMap, BTreeSet};

/// The work of all reviewers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Work {
    /// Everybody who labelled something or got something assigned, and the reviewers of the configuration,
    /// in the order of their names.
    pub reviewers: Vec<ReviewerWork>,
    /// Each two reviewers who labelled the same records.
    pub pairs: Vec<Pair>,
}

/// The work of a reviewer. A record counts once, by the last place that they got:
/// `assigned = waiting + done + by_others + ended`.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewerWork {
    /// The name. Raw text.
    pub name: String,
    /// Records that were ever assigned to them.
    pub assigned: u64,
    /// Those that wait for their label.
    pub waiting: u64,
    /// Those that they labelled.
    pub done: u64,
    /// Those that others labelled in their place.
    pub by_others: u64,
    /// Those whose time ended without a label.
    pub ended: u64,
    /// When the next of those that wait ends.
    pub next_end: Option<Timestamp>,
    /// Records that they labelled, assigned or not.
    pub labelled: u64,
    /// Those of them that were assigned to others alone.
    pub of_others: u64,
    /// Labels that agree, among comparisons with labels of others on the same record. Several comparisons
    /// of one record are not independent of each other.
    pub agreement: Rate,
}

/// The work by these ledgers; `configured` are the reviewers of the configuration.
pub fn work<'n>(present: &Present, configured: impl Iterator<Item = &'n str>) -> Work {
    let pairs = reviewer_pairs(&assess::all_labels(present));
    let mut names: BTreeSet<&str> = configured.collect();
    names.extend(present.places.values().flatten().map(|place| place.reviewer.as_str()));
    names.extend(present.labels.values().flatten().map(|given| given.reviewer.as_str()));
    let last = last_places(present);
    let none = BTreeMap::new();
    let of = |name: &&str| one(name, last.get(name).unwrap_or(&none), present, &pairs);
    Work { reviewers: names.iter().map(of).collect(), pairs }
}

/// The last place of each reviewer on each record.
fn last_places(present: &Present) -> BTreeMap<&str, BTreeMap<RecordId, &Place>> {
    let mut last: BTreeMap<&str, BTreeMap<RecordId, &Place>> = BTreeMap::new();
    for (record, places) in &present.places {
        for place in places {
            last.entry(&place.reviewer).or_default().insert(*record, place);
        }
    }
    last
}

fn one(
    name: &str,
    own: &BTreeMap<RecordId, &Place>,
    present: &Present,
    pairs: &[Pair],
) -> ReviewerWork {
    let labelled = present.labelled_by(name);
    let to_others =
        |record: &&RecordId| !own.contains_key(*record) && present.places.contains_key(*record);
    let mut work = ReviewerWork {
        name: name.to_owned(),
        assigned: own.len() as u64,
        waiting: 0,
        done: 0,
        by_others: 0,
        ended: 0,
        next_end: None,
        labelled: labelled.len() as u64,
        of_others: labelled.iter().filter(to_others).count() as u64,
        agreement: agreement(name, pairs),
    };
    for (record, place) in own {
        let counter = if labelled.contains(record) {
            &mut work.done
        } else if present.waits(*record, place) {
            let end = work.next_end.get_or_insert(place.until);
            *end = place.until.min(*end);
            &mut work.waiting
        } else if place.holds(present.as_of) {
            &mut work.by_others
        } else {
            &mut work.ended
        };
        *counter += 1;
    }
    work
}

fn agreement(name: &str, pairs: &[Pair]) -> Rate {
    let own = pairs.iter().filter(|pair| pair.first == name || pair.second == name);
    let (same, all) = own.fold((0, 0), |(same, all), pair| {
        let [both, .., neither] = pair.counts;
        (same + both + neither, all + pair.items)
    });
    Rate::new(same, all)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::review::{Assignment, Dated, EntryId, Given, Label, Word};

    fn id(n: u8) -> RecordId {
        RecordId([n; 32])
    }

    fn label(present: &mut Present, n: u8, who: &str, word: Word) {
        present.labels.entry(id(n)).or_default().push(Given {
            entry: EntryId([n; 16]),
            time: Timestamp(20),
            reviewer: who.to_owned(),
            label: Label::new(id(n), word),
            import: None,
        });
    }

    #[test]
    fn every_assigned_record_is_in_one_column_and_labels_of_others_are_counted() {
        let mut present = Present { as_of: Timestamp(50), ..Present::default() };
        let assign = |n: u8, to: &str, until, records: &[u8], second: &[u8]| Dated {
            entry: EntryId([n; 16]),
            time: Timestamp(10),
            reviewer: "lead".to_owned(),
            what: Assignment {
                reviewer: to.to_owned(),
                until: Timestamp(until),
                records: records.iter().map(|n| id(*n)).collect(),
                second: second.iter().map(|n| id(*n)).collect(),
            },
        };
        present.receive(&[
            assign(1, "anna", 100, &[1, 2, 3], &[]),
            assign(2, "anna", 40, &[4], &[]),
            assign(3, "bert", 90, &[], &[1, 3]),
        ]);
        label(&mut present, 1, "anna", Word::Poor);
        label(&mut present, 1, "bert", Word::Acceptable);
        label(&mut present, 2, "cleo", Word::Poor);
        label(&mut present, 9, "cleo", Word::Poor);
        label(&mut present, 9, "anna", Word::Poor);
        let found = work(&present, ["dora"].into_iter());
        let of = |name: &str| found.reviewers.iter().find(|one| one.name == name).unwrap();
        let counts = |name: &str| {
            let w = of(name);
            assert_eq!(w.assigned, w.waiting + w.done + w.by_others + w.ended, "{name}");
            [w.waiting, w.done, w.by_others, w.ended, w.labelled, w.of_others]
        };
        // 1 is done, 2 cleo did, 3 waits for both, 4 ended.
        assert_eq!(counts("anna"), [1, 1, 1, 1, 2, 0]);
        assert_eq!(counts("bert"), [1, 1, 0, 0, 1, 0]);
        assert_eq!(counts("cleo"), [0, 0, 0, 0, 2, 1]);
        assert_eq!(counts("dora"), [0; 6]);
        assert_eq!(of("bert").next_end, Some(Timestamp(90)));
        let agreement = of("anna").agreement;
        assert_eq!((agreement.numerator, agreement.denominator), (1, 2));
        assert_eq!(of("dora").agreement.estimate, None, "no data, no share");
        assert_eq!(found.pairs.len(), 2);
    }
}
