//! Labels of the ledgers, as the statistics see them.

use super::Evaluations;
use crate::calibration::Labelled;
use crate::domain::review::{Given, Present};
use crate::domain::{IdMap, RecordId, Scores};
use std::collections::{BTreeMap, HashSet};
use std::sync::Arc;

/// The labels on evaluations of a kind, the judge's scores of those, and how many labels are on records
/// that are none. Those on evaluations of another kind are that one's, and counted in neither.
pub(super) fn labels(
    all: &Evaluations,
    present: &Present,
) -> (Vec<Labelled>, IdMap<Scores>, usize) {
    let mut names = Names::default();
    let (mut labels, mut scores, mut elsewhere) = (Vec::new(), IdMap::default(), 0);
    for (record, given) in &present.labels {
        let Some(at) = all.find(*record) else {
            elsewhere += if all.is_of_another_kind(*record) { 0 } else { given.len() };
            continue;
        };
        if let Some(own) = all.scores(at) {
            scores.insert(*record, own);
        }
        labels.extend(of_record(given, &mut names));
    }
    (labels, scores, elsewhere)
}

/// The records among the evaluations that somebody called poor in this program, taken back or not.
pub(super) fn called_poor(all: &Evaluations, present: &Present) -> HashSet<RecordId> {
    present.called_poor.iter().copied().filter(|record| all.find(*record).is_some()).collect()
}

/// All labels, on whatever records.
pub fn all_labels(present: &Present) -> Vec<Labelled> {
    let mut names = Names::default();
    present.labels.values().flat_map(|given| of_record(given, &mut names)).collect()
}

/// Labels, with those of some records in place of what counts there.
pub(super) fn replaced(
    all: &Evaluations,
    counting: &[Labelled],
    of: &BTreeMap<RecordId, Vec<Given>>,
) -> Vec<Labelled> {
    let mut names = Names::default();
    let kept = counting.iter().filter(|label| !of.contains_key(&label.record)).cloned();
    let here = of.iter().filter(|(record, _)| all.find(**record).is_some());
    kept.chain(here.flat_map(|(_, given)| of_record(given, &mut names))).collect()
}

/// The labels of one record, in their order.
///
/// A word that was typed where nothing was shown is no evidence, whatever it says.
fn of_record(given: &[Given], names: &mut Names) -> Vec<Labelled> {
    let mut spoke: HashSet<&str> = HashSet::new();
    let counting = given.iter().filter(|one| !one.label.is_unseen());
    counting.map(|one| labelled(one, !spoke.insert(&one.reviewer), names)).collect()
}

/// Each name of a reviewer or a file once.
#[derive(Default)]
struct Names(HashSet<Arc<str>>);

impl Names {
    fn take(&mut self, name: &str) -> Arc<str> {
        if let Some(known) = self.0.get(name) {
            return Arc::clone(known);
        }
        let own: Arc<str> = name.into();
        self.0.insert(Arc::clone(&own));
        own
    }
}

fn labelled(given: &Given, repeat: bool, names: &mut Names) -> Labelled {
    let label = &given.label;
    let [semantic, pragmatic, syntactic] =
        label.scores.unwrap_or_default().all().map(|score| score.map(f32::from));
    Labelled {
        record: label.record,
        at: given.time,
        reviewer: names.take(&given.reviewer),
        word: label.label,
        stated: label.drawn(),
        import: given.import.as_deref().map(|name| names.take(name)),
        blind: label.blind,
        seen: given.is_seen(),
        repeat,
        adjudicates: label.adjudicates,
        requested: label.requested,
        scores: Scores { semantic, pragmatic, syntactic },
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::rulings;
    use crate::domain::review::{EntryId, Label, Requested, Word};
    use crate::domain::{RecordId, Timestamp};
    use proptest::prelude::*;

    const ID: RecordId = RecordId([7; 32]);

    fn given((who, word, settles, at, asked): (u8, u8, bool, i64, usize)) -> Given {
        let word = [Word::Acceptable, Word::Poor, Word::Unsure][usize::from(word)];
        let requested = Requested::ALL.get(asked).copied();
        Given {
            entry: EntryId([0; 16]),
            time: Timestamp(at),
            reviewer: ["anna", "bert", "cleo", "dora"][usize::from(who)].to_owned(),
            label: Label { adjudicates: settles, requested, ..Label::new(ID, word) },
            import: None,
        }
    }

    proptest! {
        #[test]
        fn queue_and_gate_agree_on_every_record(
            labels in prop::collection::vec(
                (0_u8..4, 0_u8..3, any::<bool>(), 0_i64..6, 0_usize..9),
                1..14,
            ),
        ) {
            let mut all: Vec<Given> = labels.into_iter().map(given).collect();
            // As a fold of ledgers puts them: by time, and of equal times in their order.
            all.sort_by_key(|one| one.time);
            let gate = rulings(&of_record(&all, &mut Names::default()))[&ID];
            let mut present = Present::default();
            present.labels.insert(ID, all);
            let reviews = present.reviews();
            let queue = reviews.get(ID);
            prop_assert_eq!(queue.and_then(|review| review.label), Some(gate.word));
            prop_assert_eq!(queue.map(|review| review.conflict), Some(gate.conflict));
            prop_assert_eq!(queue.map(|review| review.reviewers.len()), Some(gate.reviewers));
            prop_assert!(!gate.conflict || gate.word == Word::Unsure);
        }
    }
}
