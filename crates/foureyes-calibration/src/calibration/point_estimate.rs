//! What the old runbook would have said: point estimates against thresholds.
//!
//! It stands beside our result, named as what it is. It pools every label, however chosen, and
//! knows no chance.

use super::gate::Counts;
use super::{Literal, LiteralRow, Measure, Policy, Word};
use crate::stats::order::Median;

/// Labels pooled over both outcomes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Pooled {
    true_positive: u64,
    false_positive: u64,
    false_negative: u64,
    true_negative: u64,
}

impl Pooled {
    /// Takes a labelled evaluation; doubt counts for neither.
    pub(super) fn add(&mut self, flagged: bool, word: Word) {
        match (flagged, word) {
            (true, Word::Poor) => self.true_positive += 1,
            (true, Word::Acceptable) => self.false_positive += 1,
            (false, Word::Poor) => self.false_negative += 1,
            (false, Word::Acceptable) => self.true_negative += 1,
            (_, Word::Unsure) => {}
        }
    }

    /// The pooled share of a measure.
    pub(super) fn rate(&self, measure: Measure) -> Option<f64> {
        let (part, rest) = match measure {
            Measure::FalsePositiveRate => (self.false_positive, self.true_negative),
            Measure::FalseDiscoveryRate => (self.false_positive, self.true_positive),
            Measure::FalseNegativeRate => (self.false_negative, self.true_positive),
            Measure::FalseOmissionRate => (self.false_negative, self.true_negative),
            Measure::GoRate
            | Measure::UndeterminedRate
            | Measure::Availability
            | Measure::MedianLatency => return None,
        };
        (part + rest > 0).then(|| part as f64 / (part + rest) as f64)
    }
}

/// Each of the six KPIs as an estimate against its threshold.
pub(super) fn literal(
    counts: &Counts,
    median: Option<Median>,
    pooled: Pooled,
    policy: &Policy,
) -> Literal {
    let row = |id: Measure| {
        let estimate = estimate(id, counts, median, pooled);
        LiteralRow { id, estimate, passes: estimate.map(|e| policy.threshold(id).is_met_by(e)) }
    };
    let kpis: Vec<LiteralRow> = Measure::kpis().map(row).collect();
    let all = kpis.iter().try_fold(true, |all, k| Some(all && k.passes?));
    // One that fails is enough to fail, whatever is missing.
    let fails = kpis.iter().any(|k| k.passes == Some(false));
    Literal { passes: if fails { Some(false) } else { all }, kpis }
}

fn estimate(id: Measure, counts: &Counts, median: Option<Median>, pooled: Pooled) -> Option<f64> {
    match id {
        Measure::MedianLatency => Some(median?.estimate / 1000.0),
        Measure::FalsePositiveRate
        | Measure::FalseDiscoveryRate
        | Measure::FalseNegativeRate
        | Measure::FalseOmissionRate => pooled.rate(id),
        Measure::GoRate | Measure::UndeterminedRate | Measure::Availability => {
            let (part, whole) = counts.parts(id);
            (whole > 0).then(|| part as f64 / whole as f64)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pooled_labels_of_flagged_content_make_misses_look_rare() {
        let mut pooled = Pooled::default();
        (0..40).for_each(|_| pooled.add(true, Word::Poor));
        pooled.add(false, Word::Poor);
        pooled.add(false, Word::Unsure);
        let rate = pooled.rate(Measure::FalseNegativeRate);
        assert_eq!(rate, Some(1.0 / 41.0));
        let threshold = Policy::default().threshold(Measure::FalseNegativeRate);
        assert!(threshold.is_met_by(1.0 / 41.0));
        assert_eq!(pooled.rate(Measure::FalsePositiveRate), None);
    }

    #[test]
    fn without_any_count_nothing_passes_and_nothing_fails() {
        let none = literal(&Counts::default(), None, Pooled::default(), &Policy::default());
        assert_eq!(none.passes, None);
    }
}
