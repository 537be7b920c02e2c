//! Whether a rate is too close to its threshold for any number of labels, as it was said and stays so.
//!
//! An estimate goes to and fro around the largest rate that can be shown to be below the threshold. What was
//! said when it was beyond holds until the interval is on one side of it: else labels would be asked for and
//! given up by turns.
//!
//! It is said only where the estimate lies between that largest rate and the threshold, and the interval
//! begins above half of that rate. One miss of the first dozen says nothing of closeness, and whoever stops
//! labelling then never learns better. Simulated (40 a day, 15 % poor, all labelled, threshold 5 %, 300 runs): a
//! judge of FNR 1 % hears it in 0.3 % of runs before it is met, one of 2 % in 10 %, one of 3.5 % in 65 %, by day
//! 25 in the median. Without the second condition: 24, 45 and 80 %, by day 4 to 6.

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
        track.is_close = near.holds_limit && (track.is_close || near.is_close);
    }
}

/// Where a rate lies beside the largest one that can be shown to be below its threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Near {
    /// Whether that is within its interval for one look.
    holds_limit: bool,
    /// Whether its estimate is beyond and not beyond the threshold, and a much smaller rate is excluded.
    is_close: bool,
}

/// The part of the largest rate that can be shown, above which the interval of a rate that is close begins.
const MUCH_SMALLER: f64 = 0.5;

impl Near {
    /// `limit` is the largest rate that can be shown to be below `threshold`.
    fn new(rate: f64, interval: Interval, limit: f64, threshold: f64) -> Self {
        let Interval { lower, upper } = interval;
        // A rate just at its threshold is close, whatever the last bit of either says.
        let is_between = rate > limit && rate <= threshold + 1e-12;
        Self {
            holds_limit: lower <= limit && limit <= upper,
            is_close: is_between && lower > MUCH_SMALLER * limit,
        }
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
    let threshold = gate.policy.threshold(measure).value;
    let limit = error::largest_provable(threshold, e, r);
    let interval = sampled.bounds(gate.policy.confidence);
    (all > 0.0).then(|| Near::new(errors as f64 / e / all, interval, limit, threshold))
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
        Near::new(rate, interval, share::largest_provable(side.below), side.below)
    });
    near.reduce(|a, b| Near {
        holds_limit: a.holds_limit || b.holds_limit,
        is_close: a.is_close || b.is_close,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Of a threshold of 5 % where everything is labelled, after so many misses of so many.
    fn near(errors: u64, of: u64) -> Near {
        let limit = error::largest_provable(0.05, 1.0, 1.0);
        let interval = Interval {
            lower: binomial::lower(errors, of, 0.95),
            upper: binomial::upper(errors, of, 0.95),
        };
        Near::new(errors as f64 / of as f64, interval, limit, 0.05)
    }

    #[test]
    fn few_misses_of_few_are_not_close() {
        for (errors, of) in [(1, 12), (1, 25), (2, 50), (3, 70), (2, 12)] {
            assert!(!near(errors, of).is_close, "{errors} of {of}");
        }
        for (errors, of) in [(5, 101), (8, 219), (11, 290)] {
            assert!(near(errors, of).is_close, "{errors} of {of}");
        }
        assert!(!near(7, 219).is_close, "it can be shown at this rate");
    }
}
