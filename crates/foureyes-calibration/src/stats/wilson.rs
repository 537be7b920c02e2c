//! Score bounds of a share (Wilson, Journal of the American Statistical Association 22, 1927).
//!
//! Shorter than the exact bounds and right only on average: good enough to compare with published
//! figures, never to decide by.

use super::{Interval, normal};

/// Two-sided score bounds of a share; `None` where there are no trials.
///
/// `confidence` lies in (0, 1).
pub fn two_sided(successes: u64, trials: u64, confidence: f64) -> Option<Interval> {
    if trials == 0 || successes > trials || !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let z = normal::reach(confidence);
    let (n, share) = (trials as f64, successes as f64 / trials as f64);
    let scale = 1.0 + z * z / n;
    let centre = (share + z * z / (2.0 * n)) / scale;
    let half = z / scale * (share * (1.0 - share) / n + z * z / (4.0 * n * n)).sqrt();
    // The ends are exact where nothing or everything succeeded; rounding must not move them.
    let lower = if successes == 0 { 0.0 } else { (centre - half).max(0.0) };
    let upper = if successes == trials { 1.0 } else { (centre + half).min(1.0) };
    Some(Interval { lower, upper })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn close(successes: u64, trials: u64, low: f64, high: f64, tolerance: f64) {
        let got = two_sided(successes, trials, 0.95).unwrap();
        let near = (got.lower - low).abs() <= tolerance && (got.upper - high).abs() <= tolerance;
        assert!(near, "{successes}/{trials}: {got:?}");
    }

    /// The fewest trials whose one-sided 95 % score bound is at most `share`.
    fn fewest(errors: u64, share: f64) -> u64 {
        let small = |n: &u64| two_sided(errors, *n, 0.90).unwrap().upper <= share;
        (errors + 1..).find(small).unwrap()
    }

    #[test]
    fn newcombe_1998_tables() {
        close(81, 263, 0.2553, 0.3662, 5e-5);
        close(0, 20, 0.0, 0.1611, 5e-5);
    }

    #[test]
    fn small_samples_of_the_reference() {
        close(8, 10, 0.4902, 0.9433, 5e-5);
        close(17, 20, 0.640, 0.948, 5e-4);
        close(5, 5, 0.566, 1.0, 5e-4);
    }

    #[test]
    fn score_bounds_ask_for_too_few_trials() {
        assert_eq!([0, 1, 2, 3, 4].map(|e| fewest(e, 0.05)), [52, 87, 118, 147, 175]);
        assert_eq!([0, 1, 2, 3, 4].map(|e| fewest(e, 0.10)), [25, 42, 58, 72, 86]);
    }

    #[test]
    fn no_data_gives_full_interval() {
        assert_eq!(two_sided(0, 0, 0.95), None);
    }
}
