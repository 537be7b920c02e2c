//! Exact intervals for a share (Clopper and Pearson 1934).

use statrs::distribution::{Beta, ContinuousCDF};

/// An interval of shares, both ends in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

/// The exact two-sided interval; `None` without trials, or for numbers that are no share.
pub fn two_sided(successes: u64, trials: u64, confidence: f64) -> Option<Interval> {
    if trials == 0 || successes > trials || !(0.0..1.0).contains(&confidence) {
        return None;
    }
    let tail = (1.0 - confidence) / 2.0;
    let (x, n) = (successes as f64, trials as f64);
    let lower = match successes {
        0 => 0.0,
        _ => Beta::new(x, n - x + 1.0).ok()?.inverse_cdf(tail),
    };
    let upper = match trials - successes {
        0 => 1.0,
        _ => Beta::new(x + 1.0, n - x).ok()?.inverse_cdf(1.0 - tail),
    };
    Some(Interval { lower, upper })
}
