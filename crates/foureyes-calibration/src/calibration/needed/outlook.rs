//! Whether more labels can decide a measure at all.
//!
//! Up to a largest rate a wealth grows on average, and beyond it none does, however many labels come. Only an
//! interval that lies beyond it says that none will do: an estimate alone is too often there by chance.

use super::{Measure, Traffic, probabilities};
use crate::calibration::gate::{ErrorShare, Gate, Track};
use crate::calibration::{Outlook, Policy};
use crate::stats::sequential::{error, share};
use crate::stats::{Interval, binomial};

/// What can be said of a measure by its interval for one look.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Prospect {
    pub(super) verdict: Outlook,
    /// The largest rate of errors that can be shown to be below the threshold.
    pub(super) limit: f64,
    /// The interval of that rate.
    pub(super) lower: f64,
    pub(super) upper: f64,
}

impl Prospect {
    fn new(limit: f64, Interval { lower, upper }: Interval, was_close: bool) -> Self {
        let verdict = match (lower > limit, was_close && upper >= limit) {
            (true, _) => Outlook::Hopeless,
            (_, true) => Outlook::TooClose,
            _ => Outlook::Priced,
        };
        Self { verdict, limit, lower, upper }
    }

    /// Whether the rate may be one that no number of labels can show to be below the threshold.
    pub(super) fn is_open(&self) -> bool {
        self.upper >= self.limit
    }
}

/// Of an error rate; `None` in an answer of an earlier version, or where nothing is labelled.
pub(super) fn of_errors(
    gate: &Gate<'_>,
    policy: &Policy,
    track: &Track,
    traffic: &Traffic,
) -> Option<Prospect> {
    let sampled = gate.tally.sampled(track.measure);
    let labels = sampled.errors + sampled.correct;
    let limit = limit(track.measure, policy, traffic).filter(|_| labels > 0)?;
    let interval = sampled.bounds(policy.confidence);
    traffic.has_outlook.then(|| Prospect::new(limit, interval, track.is_close))
}

fn limit(measure: Measure, policy: &Policy, traffic: &Traffic) -> Option<f64> {
    let (errors, right) = probabilities(measure, traffic.pi, traffic.stopped);
    let t = policy.threshold(measure).value;
    (errors > 0.0 && right > 0.0).then(|| error::largest_provable(t, errors, right))
}

/// Of a share of all evaluations, the side of it that is further from its limit; `None` without any.
pub(super) fn of_evaluations(
    gate: &Gate<'_>,
    policy: &Policy,
    track: &Track,
    traffic: &Traffic,
) -> Option<Prospect> {
    let one = |side: ErrorShare| {
        let confidence = policy.confidence;
        let interval = Interval {
            lower: binomial::lower(side.errors, side.of, confidence),
            upper: binomial::upper(side.errors, side.of, confidence),
        };
        Prospect::new(share::largest_provable(side.below), interval, track.is_close)
    };
    let sides = gate.counts.error_shares(track.measure, policy).into_iter();
    let sides = sides.filter(|side| side.of > 0 && traffic.has_outlook).map(one);
    sides.max_by(|a, b| (a.lower - a.limit).total_cmp(&(b.lower - b.limit)))
}
