//! Evidence that contradicts itself, or that nothing but itself vouches for.

use super::{Fold, stated};
use crate::calibration::Absent;
use crate::calibration::number_text::counted;
use crate::domain::{JudgementKind, RecordId};
use std::collections::HashSet;

/// The rules of it; they hold for windows that were begun under them.
pub(super) fn blocks(fold: &Fold<'_>) -> Vec<(&'static str, String)> {
    if !fold.input.rules.has_label_rules() {
        return Vec::new();
    }
    let found = [
        ("stated_fraction", fraction(fold)),
        ("stated_alone", alone(fold)),
        ("labels_elsewhere", labelled(fold.input.absent)),
        ("logs_shrunk", held(fold.input.absent, fold.input.family)),
    ];
    found.into_iter().filter_map(|(id, text)| Some((id, text?))).collect()
}

/// Once a window's days are closed, what labels state is held against what passed.
fn fraction(fold: &Fold<'_>) -> Option<String> {
    let closed = fold.traffic.days >= u64::from(fold.input.policy.days);
    stated::contradicted(fold).filter(|_| closed)
}

/// Nobody vouches for a sample that a file states, so the census beside it must be made here: by a
/// label of its own on each NO-GO.
fn alone(fold: &Fold<'_>) -> Option<String> {
    if !fold.stated_labels.any() {
        return None;
    }
    let own: HashSet<RecordId> =
        fold.input.labels.iter().filter(|l| l.import.is_none()).map(|l| l.record).collect();
    let flagged = || fold.labelled.iter().filter(|j| j.flagged);
    let imported = flagged().filter(|j| !own.contains(&j.id)).count();
    (imported > 0).then(|| {
        format!(
            "only labels state how the passed records were chosen, and {imported} of {} labelled \
             NO-GOs have labels from files only: label the NO-GOs in this program",
            flagged().count()
        )
    })
}

fn labelled(absent: Absent) -> Option<String> {
    let count = absent.labelled;
    (count > 0).then(|| {
        format!(
            "{} in none of these logs: logs are missing or were cut",
            counted(
                count,
                "record that was labelled since the window's start is",
                "records that were labelled since the window's start are"
            )
        )
    })
}

fn held(absent: Absent, family: JudgementKind) -> Option<String> {
    let count = absent.held;
    (count > 0).then(|| {
        let evaluations = family.evaluations();
        format!(
            "these logs lack {count} {evaluations} of the window that the logs of the configured \
             boxes have"
        )
    })
}
