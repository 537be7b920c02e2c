//! Whether a rate is too close to its threshold for any number of labels, as it was said and stays so.
//!
//! An estimate goes to and fro around the largest rate that can be shown to be below the threshold. What was
//! said when it was beyond holds until the interval is on one side of it: else labels would be asked for and
//! given up by turns.

use super::Gate;
use crate::calibration::Measure;
use crate::calibration::reading::Reading;
use crate::stats::sequential::{error, share};
use crate::stats::{Interval, binomial};

/// Looks at the end of a day; `unbroken` tells whether all days up to it are closed.
pub(super) fn look(gate: &mut Gate<'_>, unbroken: bool) {
    for at in 0..gate.tracks.len() {
        let Some(measure) = gate.tracks.get(at).map(|track| track.measure) else { continue };
        let near = match measure.needs_labels() {
            true if !unbroken => continue,
            true => by_labels(gate, measure),
            false => by_counts(gate, measure),
        };
        let (Some(track), Some(near)) = (gate.tracks.get_mut(at), near) else { continue };
        track.is_close = near.holds_limit && (track.is_close || near.is_beyond);
    }
}

/// Where a rate lies beside the largest one that can be shown to be below its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Near {
    /// Whether that is within its interval for one look.
    holds_limit: bool,
    /// Whether its estimate is beyond.
    is_beyond: bool,
}

impl Near {
    fn new(rate: f64, Interval { lower, upper }: Interval, limit: f64) -> Self {
        Self { holds_limit: lower <= limit && limit <= upper, is_beyond: rate > limit }
    }
}

fn by_labels(gate: &Gate<'_>, measure: Measure) -> Option<Near> {
    let (errors, correct) = gate.tally.seen(measure, Reading::Worst);
    let sampled = gate.tally.sampled(measure);
    let limits = gate.tally.smallest();
    let (e, r) = match measure {
        Measure::FalseNegativeRate => (limits.passed, limits.stopped),
        Measure::FalsePositiveRate => (limits.stopped, limits.passed),
        Measure::FalseOmissionRate => (limits.passed, limits.passed),
        _ => (limits.stopped, limits.stopped),
    };
    let all = errors as f64 / e + correct as f64 / r;
    let limit = error::largest_provable(gate.policy.threshold(measure).value, e, r);
    let interval = sampled.bounds(gate.policy.confidence);
    (all > 0.0).then(|| Near::new(errors as f64 / e / all, interval, limit))
}

fn by_counts(gate: &Gate<'_>, measure: Measure) -> Option<Near> {
    let confidence = gate.policy.confidence;
    let sides = gate.counts.error_shares(measure, gate.policy).into_iter();
    let near = sides.filter(|side| side.of > 0).map(|side| {
        let interval = Interval {
            lower: binomial::lower(side.errors, side.of, confidence),
            upper: binomial::upper(side.errors, side.of, confidence),
        };
        let rate = side.errors as f64 / side.of as f64;
        Near::new(rate, interval, share::largest_provable(side.below))
    });
    near.reduce(|a, b| Near {
        holds_limit: a.holds_limit || b.holds_limit,
        is_beyond: a.is_beyond || b.is_beyond,
    })
}
