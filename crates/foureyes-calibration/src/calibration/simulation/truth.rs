//! What is planted.

use crate::stats::beta;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A judge, its traffic, its reviewers, and whoever looks at it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default)]
pub struct Truth {
    /// Share of content that is poor.
    pub poor: f64,
    /// Of acceptable content, how much is flagged.
    pub false_positive: f64,
    /// Of poor content, how much passes.
    pub false_negative: f64,
    /// Share of evaluations that are UNDETERMINED.
    pub undetermined: f64,
    /// Evaluations per day.
    pub per_day: u32,
    /// Rate of the audit sample.
    pub pi: f64,
    /// Correlation of misses within a day, and of false alarms, in [0, 1): each day has rates of its own,
    /// by a beta distribution.
    pub correlation: f64,
    /// Share of days on which the judge misses as much as it can, and nothing on others; 0 for none.
    pub bursts: f64,
    /// How much larger days are on which the judge misses more than usual, and how much smaller the
    /// others: 0.5 for half as much again, and half as many; below 0 the other way round.
    pub size_by_rate: f64,
    /// Of poor content, how much reviewers call acceptable.
    pub poor_as_acceptable: f64,
    /// Of acceptable content, how much reviewers call poor.
    pub acceptable_as_poor: f64,
    /// Share of labels that are unsure.
    pub unsure: f64,
    /// Windows, each begun when the one before it did not become READY.
    pub windows: u32,
}

impl Default for Truth {
    /// What the reference table has: 15 % poor, 30 evaluations a day, everything audited, reviewers who
    /// do not err.
    fn default() -> Self {
        Self {
            poor: 0.15,
            false_positive: 0.04,
            false_negative: 0.01,
            undetermined: 0.0,
            per_day: 30,
            pi: 1.0,
            correlation: 0.0,
            bursts: 0.0,
            size_by_rate: 0.0,
            poor_as_acceptable: 0.0,
            acceptable_as_poor: 0.0,
            unsure: 0.0,
            windows: 1,
        }
    }
}

/// How many evaluations a day has: on days with more misses than usual, and on others.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Sizes {
    pub(super) bad: u32,
    pub(super) good: u32,
}

impl Truth {
    pub(super) fn sizes(&self) -> Sizes {
        let size = |factor: f64| (f64::from(self.per_day) * factor).round().max(1.0) as u32;
        Sizes { bad: size(1.0 + self.size_by_rate), good: size(1.0 - self.size_by_rate) }
    }

    /// Whether reviewers call anything other than it is.
    pub(super) fn has_slips(&self) -> bool {
        self.poor_as_acceptable > 0.0 || self.acceptable_as_poor > 0.0
    }

    /// What misses are on days with a burst and on others, where days have bursts.
    ///
    /// Over all records the rate is the planted one.
    pub(super) fn burst_rates(&self) -> (f64, f64) {
        let Sizes { bad, good } = self.sizes();
        let (bad, good) = (self.bursts * f64::from(bad), (1.0 - self.bursts) * f64::from(good));
        let part = bad / (bad + good);
        let in_burst = (self.false_negative / part).min(1.0);
        let rest = (self.false_negative - part * in_burst).max(0.0);
        (in_burst, if part < 1.0 { rest / (1.0 - part) } else { 0.0 })
    }

    /// The mean over days of the share of misses, at which the rate over all records is the planted one.
    ///
    /// The two differ where the size of a day goes with its rate: more than a mean of m lie days whose
    /// mean is known by the incomplete beta function.
    pub(super) fn mean_of_days(&self) -> f64 {
        let wanted = self.false_negative;
        if self.correlation == 0.0 || self.size_by_rate == 0.0 || wanted <= 0.0 || wanted >= 1.0 {
            return wanted;
        }
        let Sizes { bad, good } = self.sizes();
        let (bad, good) = (f64::from(bad), f64::from(good));
        let over_records = |m: f64| {
            let (a, b) = self.beta(m);
            let (days, rates) = (beta::cdf(m, a, b), m * beta::cdf(m, a + 1.0, b));
            (bad * (m - rates) + good * rates) / (bad * (1.0 - days) + good * days)
        };
        let (mut low, mut high) = (1e-9, 1.0 - 1e-9);
        for _ in 0..60 {
            let middle = (low + high) * 0.5;
            if over_records(middle) < wanted { low = middle } else { high = middle }
        }
        (low + high) * 0.5
    }

    /// The beta distribution of a rate with a mean, by the correlation.
    pub(super) fn beta(&self, mean: f64) -> (f64, f64) {
        let sum = (1.0 - self.correlation) / self.correlation;
        (mean * sum, (1.0 - mean) * sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn days_with_bursts_have_the_planted_rate_over_all_records() {
        let truth = Truth { false_negative: 0.05, bursts: 0.05, ..Truth::default() };
        near(truth.burst_rates().0, 1.0, 1e-12);
        near(truth.burst_rates().1, 0.0, 1e-12);
        let larger = Truth { size_by_rate: 0.5, ..truth };
        let Sizes { bad, good } = larger.sizes();
        assert_eq!((bad, good), (45, 15));
        let (in_burst, rest) = larger.burst_rates();
        let mean = 0.05 * 45.0 * in_burst + 0.95 * 15.0 * rest;
        near(mean / (0.05 * 45.0 + 0.95 * 15.0), 0.05, 1e-12);
    }

    #[test]
    fn large_bad_days_lower_daily_mean_below_overall_rate() {
        let truth = Truth { false_negative: 0.05, correlation: 0.2, ..Truth::default() };
        near(truth.mean_of_days(), 0.05, 1e-12);
        let mean = |size_by_rate| Truth { size_by_rate, ..truth }.mean_of_days();
        assert!(mean(0.5) < 0.03 && mean(-0.5) > 0.07, "{} {}", mean(0.5), mean(-0.5));
    }
}
