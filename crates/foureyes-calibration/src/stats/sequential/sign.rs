//! The sign test, looked at as often as one likes.
//!
//! Of pairs that differ, so many go one way. Where both ways are as likely, the likelihood ratio of any
//! other chance against 1/2 has the mean 1, and so has a mixture of them; here that of all chances above
//! 1/2 with the same weight (Robbins, Annals of Mathematical Statistics 41, 1970).

use crate::stats::beta;
use statrs::function::beta::ln_beta;
use std::f64::consts::LN_2;

/// Evidence that a pair which differs goes the first way more often than the second: 1 to begin with, and at
/// 1/α the error is α.
pub fn evidence(first: u64, second: u64) -> f64 {
    let (a, b) = (first as f64 + 1.0, second as f64 + 1.0);
    // The density of the mixture is 2 on (1/2, 1), and the integral an incomplete beta function.
    let above = 1.0 - beta::cdf(0.5, a, b);
    let ln = (first + second) as f64 * LN_2 + ln_beta(a, b) + above.ln() + LN_2;
    ln.exp().min(f64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn evidence_is_the_mean_likelihood_ratio_over_the_upper_half() {
        let numeric = |first: i32, second: i32| {
            let steps = 200_000;
            let sum: f64 = (0..steps)
                .map(|at| {
                    let p = 0.5 + 0.5 * (f64::from(at) + 0.5) / f64::from(steps);
                    (2.0 * p).powi(first) * (2.0 * (1.0 - p)).powi(second)
                })
                .sum();
            sum / f64::from(steps)
        };
        for (first, second) in [(0, 0), (1, 0), (5, 1), (3, 9), (20, 8)] {
            let found = evidence(first as u64, second as u64);
            let expected = numeric(first, second);
            assert!((found / expected - 1.0).abs() < 1e-6, "{first}:{second} {found} {expected}");
        }
    }

    #[test]
    fn evidence_is_that_of_the_reference() {
        near(evidence(14, 0), 2_184.466_667, 5e-7);
        near(evidence(9, 3), 2.732_168, 5e-7);
        near(evidence(20, 5), 48.520_452, 5e-7);
    }

    #[test]
    fn mean_over_one_more_pair_of_equal_chances_does_not_grow() {
        for first in 0..30 {
            for second in 0..30 {
                let next = (evidence(first + 1, second) + evidence(first, second + 1)) / 2.0;
                assert!(next <= evidence(first, second) * (1.0 + 1e-9), "{first}:{second}");
            }
        }
    }
}
