//! Where a policy asks for less than the one that comes with the program.

use super::{Confirm, FalseNegative, Policy};
use crate::calibration::Measure;
use crate::domain::JudgementKind;
use std::cmp::Ordering;

/// Weekdays without data that need no word: a weekend.
const QUIET: usize = 2;

impl Policy {
    /// Each setting that is weaker than the default of a family, with the default in parentheses:
    /// `confidence 50 % (default 95 %)`. Empty where none is.
    ///
    /// Gating the false omission rate alone counts as weaker, since at 15 % poor content a rate
    /// below 5 % lets a quarter of it pass. Gating the false discovery rate alone does not: where most
    /// content passes it asks for more than the same limit on the false positive rate. Waivers are
    /// named by what they waive, elsewhere.
    pub fn weaker(&self, family: JudgementKind) -> Vec<String> {
        let default = Self::for_family(family);
        let mut found = self.weaker_measures(&default);
        found.extend(self.weaker_shares(&default));
        if self.median_latency_below_s > default.median_latency_below_s {
            let (is, was) = (self.median_latency_below_s, default.median_latency_below_s);
            found.push(format!("median latency below {is} s (default {was} s)"));
        }
        if self.days < default.days {
            let s = if self.days == 1 { "" } else { "s" };
            found.push(format!("{} day{s} of data (default {})", self.days, default.days));
        }
        if self.stale_after_hours > default.stale_after_hours {
            let (is, was) = (self.stale_after_hours, default.stale_after_hours);
            found.push(format!("data may be {is} hours old (default {was})"));
        }
        let days = [
            ("mean days to a false alarm", self.false_alarm_days, default.false_alarm_days),
            ("evidence may be days old:", self.fresh_days, default.fresh_days),
        ];
        let longer = days.into_iter().filter(|(_, is, was)| is > was);
        found.extend(longer.map(|(name, is, was)| format!("{name} {is} (default {was})")));
        let mut quiet: Vec<String> =
            self.quiet_weekdays.iter().map(|day| day.to_ascii_lowercase()).collect();
        quiet.sort_unstable();
        quiet.dedup();
        if quiet.len() > QUIET {
            found.push(format!("no data expected on {} weekdays (default 0)", quiet.len()));
        }
        if self.confirm == Some(Confirm::Poor) {
            let text = "poor counts only with a second label, which does not find misses that a \
                        reviewer labelled acceptable";
            found.push(text.to_owned());
        }
        found
    }

    fn weaker_measures(&self, default: &Self) -> Vec<String> {
        let weaker = self.false_negative == FalseNegative::For
            && default.false_negative != FalseNegative::For;
        let (is, was) = (Measure::FalseOmissionRate, Measure::FalseNegativeRate);
        let text = || format!("{} instead of {}", is.title(), was.title());
        // What the default only reports as well is not weaker.
        let lost = |m: &Measure| default.gates(*m) && self.reported.iter().any(|r| r == m.as_str());
        let reported = Measure::ALL.into_iter().filter(lost);
        let reported = reported.map(|m| format!("{} only reported", m.title()));
        weaker.then(text).into_iter().chain(reported).collect()
    }

    fn weaker_shares(&self, default: &Self) -> Vec<String> {
        let ([low, high], [lowest, highest]) = (self.go_rate, default.go_rate);
        let (above, below) = (Ordering::Greater, Ordering::Less);
        let all = [
            ("wrong blocks below", self.false_positive_below, default.false_positive_below, above),
            ("misses below", self.false_negative_below, default.false_negative_below, above),
            ("GO rate from", low, lowest, below),
            ("GO rate up to", high, highest, above),
            ("UNDETERMINED below", self.undetermined_below, default.undetermined_below, above),
            ("availability above", self.availability_above, default.availability_above, below),
            ("double labels", self.double_labels, default.double_labels, below),
            ("confidence", self.confidence, default.confidence, below),
        ];
        let weaker =
            all.into_iter().filter(|(_, is, was, weaker)| is.partial_cmp(was) == Some(*weaker));
        weaker
            .map(|(name, is, was, _)| format!("{name} {} (default {})", share(is), share(was)))
            .collect()
    }
}

/// A share as the policy means it, with as many digits as it takes: `99.5 %`.
fn share(v: f64) -> String {
    let text = format!("{:.4}", v * 100.0);
    format!("{} %", text.trim_end_matches('0').trim_end_matches('.'))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::FalsePositive;

    #[test]
    fn default_and_stricter_policies_are_not_weaker() {
        let stricter = Policy {
            false_positive: FalsePositive::Both,
            false_negative: FalseNegative::Both,
            false_positive_below: 0.05,
            false_negative_below: 0.01,
            go_rate: [0.75, 0.85],
            undetermined_below: 0.10,
            availability_above: 0.99,
            median_latency_below_s: 5.0,
            confidence: 0.99,
            days: 28,
            stale_after_hours: 24,
            quiet_weekdays: vec!["saturday".to_owned(), "Sunday".to_owned()],
            ..Policy::default()
        };
        for policy in [Policy::default(), stricter] {
            assert_eq!(policy.weaker(JudgementKind::Push), Vec::<String>::new());
        }
        let discovery = Policy { false_positive: FalsePositive::Fdr, ..Policy::default() };
        assert_eq!(discovery.weaker(JudgementKind::Push), Vec::<String>::new());
    }

    #[test]
    fn reported_measure_is_weaker_unless_the_default_reports_it() {
        let latency = vec!["median_latency".to_owned()];
        let policy = Policy { reported: latency, ..Policy::default() };
        assert_eq!(policy.weaker(JudgementKind::Push), ["median latency only reported"]);
        assert_eq!(policy.weaker(JudgementKind::Task), Vec::<String>::new());
        let task = Policy::for_family(JudgementKind::Task);
        assert_eq!(task.weaker(JudgementKind::Task), Vec::<String>::new());
    }

    #[test]
    fn each_weaker_setting_is_named_with_the_default() {
        let weak = Policy {
            false_negative: FalseNegative::For,
            false_positive_below: 0.125,
            false_negative_below: 0.30,
            go_rate: [0.5, 0.95],
            undetermined_below: 0.2,
            availability_above: 0.9,
            median_latency_below_s: 60.0,
            confidence: 0.5,
            days: 1,
            stale_after_hours: 96,
            quiet_weekdays: ["monday", "Monday", "tuesday", "friday"].map(str::to_owned).to_vec(),
            ..Policy::default()
        };
        let expected = [
            "false omission rate instead of false negative rate",
            "wrong blocks below 12.5 % (default 10 %)",
            "misses below 30 % (default 5 %)",
            "GO rate from 50 % (default 70 %)",
            "GO rate up to 95 % (default 90 %)",
            "UNDETERMINED below 20 % (default 15 %)",
            "availability above 90 % (default 95 %)",
            "confidence 50 % (default 95 %)",
            "median latency below 60 s (default 30 s)",
            "1 day of data (default 14)",
            "data may be 96 hours old (default 48)",
            "no data expected on 3 weekdays (default 0)",
        ];
        assert_eq!(weak.weaker(JudgementKind::Push), expected);
    }
}
