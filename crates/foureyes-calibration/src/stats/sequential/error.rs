//! Bets on an error rate whose records were labelled with known probabilities.
//!
//! A record enters the labels with its own probability p. A bet of size `b` on "the rate is below
//! t" multiplies the wealth by `1 - b/p` for an error and by `1 + b·t/((1-t)·p)` for what is
//! right: where the rate is t, the mean factor is 1 whatever the p, and where it is larger, less.
//! The size is `(1-c)·s`, with s the smallest p that an error can have, so that no factor is
//! negative, and c on a fixed grid. Not labelled, not multiplied: the reason why a wealth needs no
//! correction for what was not looked at (Waudby-Smith and Ramdas 2024, section 5).
//!
//! One table of factors serves all rates and plans:
//!
//! | rate | error | right | smallest p of errors, at the record's instant, over |
//! |---|---|---|---|
//! | false negatives | poor and passed | poor and stopped | all that passes |
//! | false positives | acceptable and stopped | acceptable and passed | all that is stopped |
//! | false discoveries | acceptable and NO-GO | poor and NO-GO | NO-GO |
//! | false omissions | poor and GO | acceptable and GO | GO |
//!
//! It is the smallest p that the plan has in force, whether or not any such record came: the smallest
//! among those that came would depend on what they are.

use super::{CELLS, Wealth};

/// What is kept back of each bet on a rate below the threshold.
const KEPT: [f64; CELLS] = [0.0, 0.1, 0.2, 0.35, 0.5];

/// How the first unit is spread over them: half on keeping nothing, the cheapest where all is clean.
const KEPT_WEIGHTS: [f64; CELLS] = [0.5, 0.2, 0.12, 0.1, 0.08];

/// How many times the threshold's odds the alternatives are, on a rate above the threshold.
pub(super) const ODDS_ABOVE: [f64; CELLS] = [1.25, 1.5, 2.0, 3.0, 5.0];

/// With which probabilities the records of a rate were to be labelled, each in (0, 1].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Inclusion {
    /// That of the record itself.
    pub record: f64,
    /// The smallest in force where errors can lie. An error has none that is smaller.
    pub errors: f64,
    /// The smallest in force where what is right can lie.
    pub right: f64,
}

impl Inclusion {
    /// Everything was labelled.
    pub const WHOLE: Self = Self { record: 1.0, errors: 1.0, right: 1.0 };

    /// The share s/p of a bet below the threshold; of an error at most 1.
    fn below(self) -> f64 {
        self.errors / self.record
    }

    /// The share of a bet above the threshold, at most 1 of what is right.
    fn above(self) -> f64 {
        self.right / self.record
    }

    /// How many times as often as right ones errors are among the labels, at equal numbers of both.
    pub fn ratio(self) -> f64 {
        self.errors / self.right
    }
}

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

    /// Takes so many labelled records, which are errors or right.
    pub fn take(&mut self, is_error: bool, how: Inclusion, times: f64) {
        let share = how.below();
        let factor = |c: f64| match is_error {
            true => 1.0 - (1.0 - c) * share,
            false => 1.0 + (1.0 - c) * self.odds * share,
        };
        self.wealth.take_times(KEPT.map(factor), times);
    }

    /// Takes whole clusters of records, each of which has this share of errors, in [0, 1].
    ///
    /// A cluster is one factor, and that is linear in its share of errors: so its mean is the same
    /// however the errors within a cluster depend on each other. The records of a cluster were all
    /// chosen with one probability.
    pub fn clusters(&mut self, errors: f64, times: f64) {
        self.cluster_sums(errors, 1.0 - errors, 1.0, times);
    }

    /// Takes whole clusters by their sums of errors and of what is right, where no cluster has more
    /// errors than `most`, at least 1: so a large cluster weighs more than a small one, and the rate
    /// is that of records. The records were all chosen with one probability.
    pub fn cluster_sums(&mut self, errors: f64, right: f64, most: f64, times: f64) {
        let gain = (self.odds * right - errors) / most;
        self.wealth.take_times(KEPT.map(|c| (1.0 + (1.0 - c) * gain).max(0.0)), times);
    }

    /// What the wealth is.
    pub fn wealth(&self) -> Wealth {
        self.wealth
    }
}

/// Evidence that an error rate is above a threshold: the mirror of [`Below`].
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

    /// Takes so many labelled records, which are errors or right.
    pub fn take(&mut self, is_error: bool, how: Inclusion, times: f64) {
        self.take_laid_out(is_error, how, how.ratio(), times);
    }

    /// The same with the alternatives laid out for another ratio of errors to right ones among the
    /// labels. Whatever it is, the evidence holds; a wrong one makes it weak.
    pub fn take_laid_out(&mut self, is_error: bool, how: Inclusion, ratio: f64, times: f64) {
        self.wealth.take_times(above_factors(self.threshold, is_error, how, ratio), times);
    }

    /// Takes whole clusters of records, each of which has this share of errors, in [0, 1]: the mirror
    /// of [`Below::clusters`].
    pub fn clusters(&mut self, errors: f64, times: f64) {
        self.cluster_sums(errors, 1.0 - errors, 1.0, times);
    }

    /// Takes whole clusters by their sums: the mirror of [`Below::cluster_sums`].
    pub fn cluster_sums(&mut self, errors: f64, right: f64, most: f64, times: f64) {
        let gain = ((1.0 - self.threshold) / self.threshold * errors - right) / most;
        let factors = stakes(self.threshold, 1.0).map(|k| (1.0 + k * gain).max(0.0));
        self.wealth.take_times(factors, times);
    }

    /// What the wealth is.
    pub fn wealth(&self) -> Wealth {
        self.wealth
    }
}

/// The factors of one record in the bets on a rate above the threshold, which [`Detector`] takes too.
///
/// [`Detector`]: super::Detector
pub fn mirror_factors(threshold: f64, is_error: bool, how: Inclusion) -> [f64; CELLS] {
    above_factors(threshold, is_error, how, how.ratio())
}

fn above_factors(threshold: f64, is_error: bool, how: Inclusion, ratio: f64) -> [f64; CELLS] {
    let gain = if is_error { (1.0 - threshold) / threshold } else { -1.0 };
    let gain = gain * how.above();
    stakes(threshold, ratio).map(|k| 1.0 + k * gain)
}

/// What each bet on a rate above the threshold puts at stake.
fn stakes(t: f64, ratio: f64) -> [f64; CELLS] {
    let null = t * ratio / (t * ratio + 1.0 - t);
    ODDS_ABOVE.map(|r| {
        let alternative = r * null / (r * null + 1.0 - null);
        (alternative - null) / (1.0 - null)
    })
}

/// The largest error rate at which a bet of the grid on "below the threshold" still grows, where
/// errors and what is right are labelled with these smallest probabilities: a larger rate is shown to
/// be below the threshold by no number of labels. `threshold` lies in (0, 1).
pub fn largest_provable(threshold: f64, errors: f64, right: f64) -> f64 {
    let odds = threshold / (1.0 - threshold);
    let turns = KEPT.map(|c| {
        let bet = (1.0 - c) * errors;
        let gain = right * (odds * bet / right).ln_1p();
        let loss = errors * (-bet / errors).ln_1p();
        if loss.is_finite() { gain / (gain - loss) } else { 0.0 }
    });
    turns.into_iter().fold(0.0, f64::max)
}

/// Labelled records that were chosen alike.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Group {
    /// With which probabilities.
    pub inclusion: Inclusion,
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
    let below = |t: f64| {
        let mut test = Below::new(t);
        for g in groups {
            test.take(true, g.inclusion, g.errors as f64);
            test.take(false, g.inclusion, g.correct as f64);
        }
        test.wealth().ln() >= needed
    };
    let above = |t: f64| {
        let mut test = Above::new(t);
        for g in groups {
            test.take(true, g.inclusion, g.errors as f64);
            test.take(false, g.inclusion, g.correct as f64);
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
