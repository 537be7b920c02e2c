//! What is planted.

use crate::calibration::Undetermined;
use crate::calibration::price::{BacklogDay, implied_poor};
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
    /// Probability with which a NO-GO is drawn for a label.
    pub no_go_rate: f64,
    /// Of poor content, how much gets UNDETERMINED; the rates of misses are those of the rest.
    pub poor_undetermined: f64,
    /// Share of what gets NO-GO that is submitted again on the same day and gets GO, as bad as it was.
    pub retried: f64,
    /// Probability with which such a GO is drawn for a label.
    pub retried_rate: f64,
    /// Days at the start of the first window that were judged before it was begun: its natural start.
    pub backlog_days: u32,
    /// Probability with which what was judged on them is drawn; without one the thin rate that follows from
    /// the number of their NO-GOs.
    pub backlog_rate: Option<f64>,
    /// Day of a window, from 1, on which the judge changes; without one it never does.
    pub changes_on: Option<u32>,
    /// Of poor content, how much passes from that day on.
    pub later_false_negative: f64,
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
            no_go_rate: 1.0,
            poor_undetermined: 0.0,
            retried: 0.0,
            retried_rate: 1.0,
            backlog_days: 0,
            backlog_rate: None,
            changes_on: None,
            later_false_negative: 0.01,
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
    /// The same judge on the traffic of a backlog that nobody has labelled, which is drawn at a rate, as is
    /// what comes after it.
    ///
    /// The share of poor content is what its NO-GOs say under the planted error rates.
    pub fn on_backlog(self, days: &[BacklogDay], rate: f64) -> Self {
        let judged: u64 = days.iter().map(|day| day.judged).sum();
        let count = days.len().max(1) as f64;
        Self {
            poor: implied_poor(days, self.false_negative, self.false_positive),
            per_day: (judged as f64 / count).round().max(1.0) as u32,
            backlog_days: u32::try_from(days.len()).unwrap_or(u32::MAX),
            backlog_rate: Some(rate),
            pi: rate,
            no_go_rate: rate,
            ..self
        }
    }

    /// The rates of misses and of wrong blocks that the gate tests: over all records, those of retried and of
    /// UNDETERMINED among them where they count.
    pub fn tested_rates(&self, undetermined: Undetermined) -> [f64; 2] {
        let (no_verdict, of_poor) = (self.undetermined, self.undetermined_of_poor());
        // Of one poor and of one acceptable content: errors, and all that counts with what is retried.
        let (missed, caught) = (self.false_negative, 1.0 - self.false_negative);
        let (wrong, right) = (self.false_positive, 1.0 - self.false_positive);
        let poor = [missed + caught * self.retried, 1.0 + caught * self.retried];
        let acceptable = [wrong, right + wrong * (1.0 + self.retried)];
        let among = |[errors, all]: [f64; 2], apart: f64, counts: Option<bool>| {
            let of = |n: f64| n * (1.0 - apart);
            let (more, rest) = counts.map_or((0.0, 0.0), |error| (apart * f64::from(error), apart));
            (of(errors) + more) / (of(all) + rest)
        };
        let [passes, blocks] = match undetermined {
            Undetermined::Apart => [None, None],
            Undetermined::Passes => [Some(true), Some(false)],
            Undetermined::Blocks => [Some(false), Some(true)],
        };
        [among(poor, of_poor, passes), among(acceptable, no_verdict, blocks)]
    }

    /// The share of poor content that gets UNDETERMINED, for whatever reason.
    pub(super) fn undetermined_of_poor(&self) -> f64 {
        1.0 - (1.0 - self.undetermined) * (1.0 - self.poor_undetermined)
    }

    /// The judge after it changed.
    pub(super) fn changed(self) -> Self {
        Self { false_negative: self.later_false_negative, ..self }
    }

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
    fn tested_rates_count_retried_and_undetermined_records() {
        let truth = Truth { false_negative: 0.02, false_positive: 0.04, ..Truth::default() };
        let rates = |truth: Truth, undetermined| truth.tested_rates(undetermined);
        assert_eq!(rates(truth, Undetermined::Apart), [0.02, 0.04]);
        // Of 100 poor ones 98 are stopped, and 49 of them pass later: 51 misses of 149 records.
        let [misses, wrong] = rates(Truth { retried: 0.5, ..truth }, Undetermined::Apart);
        near(misses, 51.0 / 149.0, 1e-12);
        near(wrong, 4.0 / 102.0, 1e-12);
        let truth = Truth { poor_undetermined: 0.1, undetermined: 0.2, ..truth };
        // 28 of 100 poor ones have no verdict, and 20 of the rest.
        assert_eq!(rates(truth, Undetermined::Apart), [0.02, 0.04]);
        let [misses, wrong] = rates(truth, Undetermined::Passes);
        near(misses, 0.28 + 0.72 * 0.02, 1e-12);
        near(wrong, 0.8 * 0.04, 1e-12);
        let [misses, wrong] = rates(truth, Undetermined::Blocks);
        near(misses, 0.72 * 0.02, 1e-12);
        near(wrong, 0.2 + 0.8 * 0.04, 1e-12);
    }

    #[test]
    fn backlog_gives_traffic_and_share_of_poor_content() {
        let days = [BacklogDay { judged: 90, no_go: 20 }, BacklogDay { judged: 110, no_go: 18 }];
        let truth = Truth::default().on_backlog(&days, 0.5);
        assert_eq!((truth.per_day, truth.backlog_days), (100, 2));
        assert_eq!((truth.backlog_rate, truth.pi, truth.no_go_rate), (Some(0.5), 0.5, 0.5));
        // A share of 19 % is flagged: .99 of what is poor and .04 of the rest.
        near(truth.poor * 0.99 + (1.0 - truth.poor) * 0.04, 0.19, 1e-12);
    }

    #[test]
    fn large_bad_days_lower_daily_mean_below_overall_rate() {
        let truth = Truth { false_negative: 0.05, correlation: 0.2, ..Truth::default() };
        near(truth.mean_of_days(), 0.05, 1e-12);
        let mean = |size_by_rate| Truth { size_by_rate, ..truth }.mean_of_days();
        assert!(mean(0.5) < 0.03 && mean(-0.5) > 0.07, "{} {}", mean(0.5), mean(-0.5));
    }
}
