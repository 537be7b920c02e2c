//! Upper tail of the binomial distribution, and the share at which it takes a given value.
//!
//! The tail is summed term by term from its largest term. `statrs` gives the log-gamma function;
//! its incomplete beta function stops after 140 steps of a continued fraction, and its inverse
//! does not end for one success in ten million trials, so neither is called here.

use statrs::function::gamma::ln_gamma;

/// A term this small beside the sum no longer changes it.
const NEGLIGIBLE: f64 = 1e-18;

/// Steps of the search; bisection alone would need about 60, Newton's takes fewer than ten.
const STEPS: usize = 200;

/// `P(X >= least)` for X binomial, as a function of the share of successes.
#[derive(Debug, Clone, Copy)]
pub(super) struct UpperTail {
    least: f64,
    trials: f64,
    ln_choose: f64,
}

impl UpperTail {
    /// The tail from `least` successes (1 to `trials`) upwards.
    pub(super) fn new(least: u64, trials: u64) -> Self {
        let (least, trials) = (least as f64, trials as f64);
        let ln_choose =
            ln_gamma(trials + 1.0) - ln_gamma(least + 1.0) - ln_gamma(trials - least + 1.0);
        Self { least, trials, ln_choose }
    }

    /// Logarithm of the probability of exactly `least` successes, for a share in (0, 1).
    fn ln_first(&self, share: f64) -> f64 {
        // `ln_1p` keeps the digits of a share near 0; `0 * ln 0` must be 0 where all succeed.
        let failures = self.trials - self.least;
        let rest = if failures > 0.0 { failures * (-share).ln_1p() } else { 0.0 };
        self.ln_choose + self.least * share.ln() + rest
    }

    /// The whole tail in units of its first term, at least 1.
    fn in_first_terms(&self, share: f64) -> f64 {
        let odds = share / (1.0 - share);
        let (mut term, mut sum, mut at) = (1.0, 1.0, self.least);
        while at < self.trials {
            at += 1.0;
            term *= (self.trials - at + 1.0) / at * odds;
            sum += term;
            if term < sum * NEGLIGIBLE {
                break;
            }
        }
        sum
    }

    /// The tail's probability, for a share in (0, 1) at or below `least / trials`.
    pub(super) fn at(&self, share: f64) -> f64 {
        (self.ln_first(share) + self.in_first_terms(share).ln()).exp()
    }

    /// The share at which the tail is `probability`, itself in (0, 1/2].
    ///
    /// Newton's method on the logarithm, inside a bracket that bisection narrows where a step
    /// would leave it. The derivative of the tail is `least / share` times its first term.
    pub(super) fn share_at(&self, probability: f64) -> f64 {
        let target = probability.ln();
        let (mut low, mut high) = (0.0, self.least / self.trials);
        let mut share = high * 0.5;
        for _ in 0..STEPS {
            let in_terms = self.in_first_terms(share);
            let excess = self.ln_first(share) + in_terms.ln() - target;
            if excess > 0.0 {
                high = share;
            } else {
                low = share;
            }
            let newton = share - excess * in_terms * share / self.least;
            let next =
                if newton > low && newton < high { newton } else { low + (high - low) * 0.5 };
            if (next - share).abs() <= share * f64::EPSILON {
                return next;
            }
            share = next;
        }
        share
    }
}
