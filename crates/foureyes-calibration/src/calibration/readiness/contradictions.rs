//! Evidence that contradicts itself, or that nothing but itself vouches for.

use super::{Fold, stated};
use crate::calibration::{Absent, Input, Measure, WindowRules};
use crate::domain::{JudgementKind, RecordId};
use crate::text::counted;
use std::collections::HashSet;

/// The rules of it. In a window of a version that did not know a rule it holds from 0.3 on, where it can
/// only take READY away.
pub(super) fn blocks(fold: &Fold<'_>) -> Vec<(&'static str, String)> {
    let input = fold.input;
    if input.rules == WindowRules::NotStarted {
        return Vec::new();
    }
    let known = input.rules.has_label_rules();
    let found = [
        ("stated_fraction", fraction(fold).filter(|_| known)),
        ("stated_alone", fold.alone().text(input)),
        ("labels_elsewhere", labelled(input)),
        ("ledger_gone", entries(input)),
        ("logs_shrunk", held(input.absent, input.family).filter(|_| known)),
    ];
    found.into_iter().filter_map(|(id, text)| Some((id, text?))).collect()
}

/// Once a window's days are closed, what labels state is held against what passed.
fn fraction(fold: &Fold<'_>) -> Option<String> {
    let closed = fold.traffic.days >= u64::from(fold.input.policy.days);
    stated::contradicted(fold).filter(|_| closed)
}

/// Evidence that nothing but its own statement vouches for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Alone {
    /// GO contents of closed days whose labels state how they were chosen.
    passed: u64,
    /// Labelled NO-GOs, and those of them with labels from files alone.
    flagged: [u64; 2],
}

impl Alone {
    pub(super) fn new(fold: &Fold<'_>) -> Self {
        let labels = fold.input.labels.iter();
        let own: HashSet<RecordId> =
            labels.filter(|l| l.import.is_none()).map(|l| l.record).collect();
        let flagged = || fold.labelled.iter().filter(|j| j.flagged);
        let from_files = flagged().filter(|j| !own.contains(&j.id)).count() as u64;
        Self { passed: fold.stated_labels.count(), flagged: [flagged().count() as u64, from_files] }
    }

    /// Whether the census of NO-GO is one that files state: more than half of it, or any of it beside a
    /// sample of GO that is stated too.
    fn is_census_stated(self) -> bool {
        let [all, from_files] = self.flagged;
        from_files * 2 > all || (from_files > 0 && self.passed > 0)
    }

    /// Whether a measure would be decided by what is only stated. 0.2 asked for the census alone, and
    /// for no measure.
    pub(super) fn carries(self, measure: Measure) -> bool {
        let (go, no_go) = (self.passed > 0, self.is_census_stated());
        match measure {
            Measure::FalseNegativeRate | Measure::FalsePositiveRate => go || no_go,
            Measure::FalseOmissionRate => go,
            Measure::FalseDiscoveryRate => no_go,
            _ => false,
        }
    }

    fn text(self, input: &Input<'_>) -> Option<String> {
        if !input.has_new_rules() {
            let known = input.rules.has_label_rules() && self.passed > 0 && self.flagged[1] > 0;
            return known.then(|| {
                format!(
                    "only labels state how the passed records were chosen, and {}: label the NO-GOs in \
                     this program",
                    self.census()
                )
            });
        }
        let go = (self.passed > 0).then(|| {
            format!(
                "only labels state how {} chosen: no audit draw confirms it, so set a rate with \
                 `foureyes gate audit RATE{}` and label what it draws",
                counted(self.passed, "passed record was", "passed records were"),
                input.family.option()
            )
        });
        let half = "at least half must be labelled in this program";
        let no_go = self.is_census_stated().then(|| format!("{}, and {half}", self.census()));
        let parts: Vec<String> = go.into_iter().chain(no_go).collect();
        let new = if input.rules.has_label_rules() && self.flagged[1] > 0 && self.passed > 0 {
            ""
        } else {
            input.newness()
        };
        (!parts.is_empty()).then(|| parts.join("; ") + new)
    }

    fn census(self) -> String {
        let [all, from_files] = self.flagged;
        format!("{from_files} of {all} labelled NO-GOs have labels from files only")
    }
}

/// Records that had a label, taken back or not, and are gone: with the words first given.
fn labelled(input: &Input<'_>) -> Option<String> {
    let Absent { labelled: count, first_words, .. } = input.absent;
    (count > 0 && (input.has_new_rules() || input.rules.has_label_rules())).then(|| {
        format!(
            "{} in none of these logs: logs are missing or were cut{}{}",
            counted(
                count,
                "record that was labelled since the window's start is",
                "records that were labelled since the window's start are"
            ),
            first_words_text(first_words),
            if input.rules.has_label_rules() { "" } else { input.newness() }
        )
    })
}

/// A ledger was cut back, or is not here: the others show it.
fn entries(input: &Input<'_>) -> Option<String> {
    let count = input.absent.entries;
    (count > 0).then(|| {
        format!(
            "{} named by others in no ledger here: a ledger was cut back, or is missing. `foureyes ledger \
             pull` restores it where a copy is{}",
            counted(count, "ledger entry is", "ledger entries are"),
            input.newness()
        )
    })
}

/// `; first called poor: 3, acceptable: 1`.
fn first_words_text([acceptable, poor, unsure]: [u64; 3]) -> String {
    let counts = [("poor", poor), ("acceptable", acceptable), ("unsure", unsure)];
    let named = counts.into_iter().filter(|(_, count)| *count > 0);
    let named: Vec<String> = named.map(|(word, count)| format!("{word}: {count}")).collect();
    if named.is_empty() { String::new() } else { format!("; first called {}", named.join(", ")) }
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
