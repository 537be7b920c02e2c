//! Which places of which records are free.

use crate::assess::Due;
use crate::calibration::Plan;
use crate::domain::RecordId;
use crate::domain::review::Present;
use crate::stats::sample;
use std::collections::HashSet;

/// A place of a record that nobody has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WantedPlace {
    /// Which record.
    pub record: RecordId,
    /// Whether it is the second place.
    pub second: bool,
    /// Who cannot get it: they labelled the record, or have its other place.
    pub not: Vec<String>,
}

/// Whether two reviewers are to label a record: drawn with a key that follows from the seed of the audit
/// sample, so that nobody without it can tell. A larger share draws all that a smaller one does.
pub fn is_doubled(plan: &Plan, record: &RecordId, overlap: f64) -> bool {
    let key = blake3::derive_key("foureyes 2026 overlap of assignments", &plan.seed());
    sample::draw(&key, &record.0) < overlap
}

/// The free places of what waits for a label, in its order; then second places that ended without a label.
pub fn wanted(due: &[Due], plan: &Plan, present: &Present, overlap: f64) -> Vec<WantedPlace> {
    let listed: HashSet<RecordId> = due.iter().map(|due| due.record).collect();
    let had_second = |record: &RecordId| {
        let places = present.places.get(record).into_iter().flatten();
        places.into_iter().any(|place| place.second)
    };
    let again = present.places.keys().filter(|r| !listed.contains(r)).filter(|r| had_second(r));
    let all = due.iter().map(|due| due.record).chain(again.copied());
    all.flat_map(|record| free(record, plan, present, overlap)).collect()
}

fn free(record: RecordId, plan: &Plan, present: &Present, overlap: f64) -> Vec<WantedPlace> {
    let labelled = present.words(record).into_iter().map(|given| given.reviewer.clone());
    let mut not: Vec<String> = labelled.collect();
    let labels = not.len();
    not.extend(present.places(record).map(|place| place.reviewer.clone()));
    let is_free = |second| !present.places(record).any(|place| place.second == second);
    let place = |second| WantedPlace { record, second, not: not.clone() };
    let mut places = Vec::new();
    if labels == 0 && is_free(false) {
        places.push(place(false));
    }
    // A label that is asked for beside another one is a second place.
    let two = labels == 1 || (labels == 0 && is_doubled(plan, &record, overlap));
    if two && is_free(true) {
        places.push(place(true));
    }
    places
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::{Rate, Stratum};
    use crate::domain::Timestamp;
    use crate::domain::review::{Assignment, Dated, EntryId, Given, Label, Word};

    fn id(n: u32) -> RecordId {
        RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes())
    }

    fn plan(seed: u8) -> Plan {
        let rate = Rate { from: Timestamp(0), stratum: Stratum::Go, pi: 1.0, key: [seed; 32] };
        Plan { rates: vec![rate] }
    }

    fn due(record: RecordId) -> Due {
        Due { record, repeat: false, requested: None }
    }

    #[test]
    fn share_of_second_places_is_drawn_by_the_key_and_nested() {
        let all: Vec<RecordId> = (0..4000).map(id).collect();
        let drawn = |seed, overlap| {
            let plan = plan(seed);
            all.iter().filter(|id| is_doubled(&plan, id, overlap)).collect::<Vec<_>>()
        };
        let tenth = drawn(1, 0.1);
        assert!((320..=480).contains(&tenth.len()), "{} of 4000", tenth.len());
        assert!(tenth.iter().all(|id| drawn(1, 0.2).contains(id)));
        assert_ne!(tenth, drawn(2, 0.1));
        assert_eq!((drawn(1, 0.0).len(), drawn(1, 1.0).len()), (0, 4000));
        // Who is drawn for the audit sample is another matter.
        let audited = |id: &&&RecordId| sample::draw(&[1; 32], &id.0) < 0.1;
        assert!((15..=70).contains(&tenth.iter().filter(audited).count()));
    }

    #[test]
    fn places_that_are_taken_or_have_their_label_are_not_free() {
        let mut present = Present { as_of: Timestamp(50), ..Present::default() };
        let assignment = |n: u8, to: &str, until, records, second| Dated {
            entry: EntryId([n; 16]),
            time: Timestamp(10),
            reviewer: "lead".to_owned(),
            what: Assignment { reviewer: to.to_owned(), until, records, second },
        };
        let later = Timestamp(100);
        present.receive(&[
            assignment(1, "anna", later, vec![id(1)], vec![]),
            assignment(2, "bert", Timestamp(20), vec![id(2)], vec![id(3)]),
        ]);
        for n in [3, 4] {
            let given = Given {
                entry: EntryId([9; 16]),
                time: Timestamp(15),
                reviewer: "cleo".to_owned(),
                label: Label::new(id(n), Word::Poor),
                import: None,
            };
            present.labels.insert(id(n), vec![given]);
        }
        let found = |overlap| {
            let free = wanted(&[due(id(1)), due(id(2)), due(id(4))], &plan(1), &present, overlap);
            free.into_iter()
                .map(|place| (place.record, place.second, place.not))
                .collect::<Vec<_>>()
        };
        let cleo = vec!["cleo".to_owned()];
        let without = [(id(2), false, vec![]), (id(4), true, cleo.clone()), (id(3), true, cleo)];
        assert_eq!(found(0.0), without, "what is asked for beside a label, and what ended");
        let anna = vec!["anna".to_owned()];
        assert!(found(1.0).contains(&(id(1), true, anna)), "another one than who has the first");
    }
}
