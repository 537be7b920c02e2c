//! Labels of the ledgers, as the statistics see them.

use super::Evaluations;
use crate::calibration::Labelled;
use crate::domain::review::{Given, Present};
use crate::domain::{IdMap, Scores};
use std::collections::HashSet;
use std::sync::Arc;

/// The labels on push evaluations, the judge's scores of those, and how many labels are on records
/// that are none.
pub(super) fn labels(
    all: &Evaluations,
    present: &Present,
) -> (Vec<Labelled>, IdMap<Scores>, usize) {
    let mut names = Names::default();
    let (mut labels, mut scores, mut elsewhere) = (Vec::new(), IdMap::default(), 0);
    for (record, given) in &present.labels {
        let Some(at) = all.find(*record) else {
            elsewhere += given.len();
            continue;
        };
        if let Some(own) = all.scores().get(at) {
            scores.insert(*record, *own);
        }
        let mut seen: HashSet<&str> = HashSet::new();
        for one in given {
            let repeat = !seen.insert(&one.reviewer);
            labels.push(labelled(one, repeat, &mut names));
        }
    }
    (labels, scores, elsewhere)
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
        repeat,
        adjudicates: label.adjudicates,
        scores: Scores { semantic, pragmatic, syntactic },
    }
}
