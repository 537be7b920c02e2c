//! Bets on an error rate whose records were labelled with known probabilities.
//!
//! A record enters the labels with its own probability p. A bet of size `b` on "the rate is below
//! t" multiplies the wealth by `1 - b/p` for an error and by `1 + b·t/((1-t)·p)` for what is
//! right: where the rate is t, the mean factor is 1 whatever the p, and where it is larger, less.
//! The size is `(1-c)·s`, with s the smallest p that an error can have, so that no factor is
//! negative, and c on a fixed grid. Not labelled, not multiplied: the reason why a wealth needs no
//! correction for what was not looked at (Waudby-Smith and Ramdas 2024, section 5).
//!
//! The callers give `share = s/p` for each record. For the four rates this is
//!
//! | rate | error | right |
//! |---|---|---|
//! | false negatives | missed: s/π | caught: s | with s the smallest π |
//! | false positives | flagged: 1 | passed: 1/π |
//! | false discoveries | flagged: 1 | caught: 1 |
//! | false omissions | missed: s/π | passed: s/π |

use super::{CELLS, Wealth};

/// What is kept back of each bet on a rate below the threshold.
const KEPT: [f64; CELLS] = [0.0, 0.1, 0.2, 0.35, 0.5];

/// How the first unit is spread over them: half on keeping nothing, the cheapest where all is clean.
const KEPT_WEIGHTS: [f64; CELLS] = [0.5, 0.2, 0.12, 0.1, 0.08];

/// How many times the threshold's odds the alternatives are, on a rate above the threshold.
pub(super) const ODDS_ABOVE: [f64; CELLS] = [1.25, 1.5, 2.0, 3.0, 5.0];

/// Evidence that an error rate is below a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Below {
    odds: f64,
    wealth: Wealth,
}

impl Below {
    /// Starts at 1. `threshold` lies in (0, 1).
    pub fn new(threshold: f64) -> Self {
        Self { odds: threshold / (1.0 - threshold), wealth: Wealth::new(KEPT_WEIGHTS) }
    }

    /// Takes errors of a share s/p, at most 1.
    pub fn errors(&mut self, share: f64, times: f64) {
        self.wealth.take_times(KEPT.map(|c| 1.0 - (1.0 - c) * share), times);
    }

    /// Takes records that are right, of a share s/p.
    pub fn correct(&mut self, share: f64, times: f64) {
        self.wealth.take_times(KEPT.map(|c| 1.0 + (1.0 - c) * self.odds * share), times);
    }

    /// Takes whole clusters of records, each of which has this share of errors, in [0, 1].
    ///
    /// A cluster is one factor, and that is linear in its share of errors: so its mean is the same
    /// however the errors within a cluster depend on each other. The records of a cluster were all
    /// chosen with one probability.
    pub fn clusters(&mut self, errors: f64, times: f64) {
        let gain = self.odds * (1.0 - errors) - errors;
        self.wealth.take_times(KEPT.map(|c| 1.0 + (1.0 - c) * gain), times);
    }

    /// What the wealth is.
    pub fn wealth(&self) -> Wealth {
        self.wealth
    }
}

/// Evidence that an error rate is above a threshold.
///
/// The mirror of [`Below`]: here `share = s/p` with s the smallest p of what is *right*.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Above {
    threshold: f64,
    wealth: Wealth,
}

impl Above {
    /// Starts at 1. `threshold` lies in (0, 1).
    pub fn new(threshold: f64) -> Self {
        Self { threshold, wealth: Wealth::new([0.2; CELLS]) }
    }

    /// Takes errors of a share s/p; `inclusion` is what the alternatives are laid out for.
    ///
    /// That is the smallest π in force for misses and wrong blocks, else 1.
    pub fn errors(&mut self, share: f64, inclusion: f64, times: f64) {
        let gain = (1.0 - self.threshold) / self.threshold * share;
        self.wealth.take_times(self.stakes(inclusion).map(|k| 1.0 + k * gain), times);
    }

    /// Takes records that are right, of a share s/p, at most 1.
    pub fn correct(&mut self, share: f64, inclusion: f64, times: f64) {
        self.wealth.take_times(self.stakes(inclusion).map(|k| 1.0 - k * share), times);
    }

    /// Takes whole clusters of records, each of which has this share of errors, in [0, 1]: the mirror
    /// of [`Below::clusters`].
    pub fn clusters(&mut self, errors: f64, times: f64) {
        let gain = (1.0 - self.threshold) / self.threshold * errors - (1.0 - errors);
        self.wealth.take_times(self.stakes(1.0).map(|k| 1.0 + k * gain), times);
    }

    /// What the wealth is.
    pub fn wealth(&self) -> Wealth {
        self.wealth
    }

    /// What each bet puts at stake.
    fn stakes(&self, inclusion: f64) -> [f64; CELLS] {
        let t = self.threshold;
        let null = t * inclusion / (t * inclusion + 1.0 - t);
        ODDS_ABOVE.map(|r| {
            let alternative = r * null / (r * null + 1.0 - null);
            (alternative - null) / (1.0 - null)
        })
    }
}

/// Labelled records of one inclusion probability.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// Probability with which each was labelled, above 0.
    pub inclusion: f64,
    /// Errors among them.
    pub errors: u64,
    /// What is right among them.
    pub correct: u64,
}

/// Bounds of an error rate that hold at every look, each with that confidence.
///
/// The largest threshold that the evidence puts the rate above, and the smallest that it puts it
/// below: 0 and 1 without labels.
pub fn bounds(groups: &[Group], confidence: f64) -> crate::stats::Interval {
    let needed = -(1.0 - confidence).ln();
    let smallest = groups.iter().map(|g| g.inclusion).fold(1.0, f64::min);
    let below = |t: f64| {
        let mut test = Below::new(t);
        for g in groups {
            test.errors(smallest / g.inclusion, g.errors as f64);
            test.correct(smallest / g.inclusion, g.correct as f64);
        }
        test.wealth().ln() >= needed
    };
    let above = |t: f64| {
        let mut test = Above::new(t);
        for g in groups {
            test.errors(smallest / g.inclusion, 1.0, g.errors as f64);
            test.correct(smallest / g.inclusion, 1.0, g.correct as f64);
        }
        test.wealth().ln() >= needed
    };
    let upper = edge(|t| !below(t));
    let lower = edge(above).min(upper);
    crate::stats::Interval { lower, upper: if below(1.0 - 1e-9) { upper } else { 1.0 } }
}

/// The largest share up to which something holds, by bisection; 0 where it never does.
pub(super) fn edge(holds: impl Fn(f64) -> bool) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    for _ in 0..50 {
        let middle = (low + high) * 0.5;
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

#[cfg(test)]
mod tests;
