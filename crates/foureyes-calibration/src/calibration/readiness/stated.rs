//! Labels that state how their records were chosen: nothing but they tell that it was so.

use super::Fold;
use crate::calibration::days::Judged;
use crate::domain::{RecordId, Timestamp};
use crate::stats::binomial;
use crate::text::counted;
use std::collections::{BTreeSet, HashSet};

/// What passed and the plan leaves aside, beside what labels state of it.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct StatedLabels {
    /// Records that passed.
    passed: u64,
    /// Records whose labels state a probability.
    stated: u64,
    /// How many records these stand for: each as many as its probability leaves out, and itself.
    weight: f64,
    /// The variance of that, as the same records tell it.
    variance: f64,
    /// The smallest and the largest probability that is stated.
    range: Option<[f64; 2]>,
}

/// Chance of a stated probability that is right to be called wrong, by either end.
const ALPHA: f64 = 0.001;

impl StatedLabels {
    /// Takes a content of a day.
    pub(super) fn add(&mut self, j: &Judged) {
        if j.planned || j.flagged {
            return;
        }
        self.passed += j.times;
        if let Some(pi) = j.pi {
            self.stated += 1;
            self.weight += 1.0 / pi;
            self.variance += (1.0 - pi) / (pi * pi);
            self.widen([pi, pi]);
        }
    }

    fn widen(&mut self, [least, most]: [f64; 2]) {
        let [low, high] = self.range.unwrap_or([least, most]);
        self.range = Some([low.min(least), high.max(most)]);
    }

    /// How many records have labels that state how they were chosen, and count.
    pub(super) fn count(&self) -> u64 {
        self.stated
    }

    /// Adds what another one holds.
    pub(super) fn join(&mut self, other: Self) {
        self.passed += other.passed;
        self.stated += other.stated;
        self.weight += other.weight;
        self.variance += other.variance;
        other.range.into_iter().for_each(|range| self.widen(range));
    }
}

/// Labels given by hand, in no import, that count as they state.
pub(super) fn by_hand(fold: &Fold<'_>) -> Option<String> {
    let counts = |j: &&Judged| !j.planned && !j.flagged && j.pi.is_some();
    let counting: HashSet<RecordId> = fold.labelled.iter().filter(counts).map(|j| j.id).collect();
    let by_hand = fold
        .input
        .labels
        .iter()
        .filter(|l| l.stated.is_some() && l.import.is_none() && counting.contains(&l.record));
    let (mut records, mut names) = (HashSet::new(), BTreeSet::new());
    for label in by_hand {
        records.insert(label.record);
        names.insert(&*label.reviewer);
    }
    let names: Vec<&str> = names.into_iter().collect();
    (!records.is_empty()).then(|| {
        format!(
            "{} with a selection that was stated by hand (by {}): no audit draw confirms it",
            counted(records.len() as u64, "passed record counts", "passed records count"),
            names.join(", ")
        )
    })
}

/// The stated number contradicts the stated probabilities, by an exact binomial test: of what passed
/// so many could not have been chosen with the smallest of them, or the largest.
pub(super) fn contradicted(fold: &Fold<'_>) -> Option<String> {
    let StatedLabels { passed, stated, range, .. } = fold.stated_labels;
    let [least, most] = range?;
    let sure = 1.0 - ALPHA / 2.0;
    let few = binomial::upper(stated, passed, sure) < least;
    let many = binomial::lower(stated, passed, sure) > most;
    let pi = if few { least } else { most };
    (few || many).then(|| {
        format!(
            "labels state that passed records were chosen with a probability of {pi}, but {stated} \
             of {passed} were chosen: a probability is wrong, or some were never sampled"
        )
    })
}

/// Labels stand for many more or fewer records than passed: by more than four standard deviations.
pub(super) fn fraction(fold: &Fold<'_>) -> Option<String> {
    let StatedLabels { passed, stated, weight, variance, .. } = fold.stated_labels;
    let differs = (weight - passed as f64).abs() > 4.0 * variance.sqrt() + 1.0;
    (stated > 0 && differs).then(|| {
        format!(
            "{} how passed records were chosen; by their probabilities they represent {}, but \
             {passed} passed: a probability is wrong, or part of what passed was never sampled",
            counted(stated, "label states", "labels state"),
            counted(weight.round() as u64, "record", "records")
        )
    })
}

/// What the evidence on misses takes for granted where labels state how they were chosen.
pub(super) fn least(fold: &Fold<'_>) -> Option<String> {
    let least = fold.least?;
    Some(format!(
        "the evidence on misses assumes that the part of the passed content that is sampled least \
         has a label: {least} is the smallest probability that labels state. If another part is \
         sampled even less, and nothing of it was drawn so differs, its misses would not show"
    ))
}

/// Strata of closed days of which no label tells, each with how many records passed; `None` where all
/// are told.
pub(super) fn unseen(fold: &Fold<'_>) -> Option<String> {
    let named = |(stratum, (count, since)): (&u16, &(u64, Timestamp))| {
        let name = fold.input.strata.get(usize::from(*stratum));
        let name = name.map_or(String::new(), |name| format!("`{name}`: "));
        let s = if *count == 1 { "" } else { "s" };
        format!("{name}{count} record{s} since {}", since.day_text())
    };
    let names: Vec<String> = fold.unseen.iter().map(named).collect();
    (!names.is_empty()).then(|| names.join(", "))
}
