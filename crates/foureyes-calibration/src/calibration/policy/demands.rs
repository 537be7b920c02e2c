//! What thresholds ask of each other where so much of the content is poor.

use super::Policy;
use crate::calibration::Measure;

/// A threshold that asks for more than another one allows, at some share of poor content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Demand {
    /// The measure whose threshold it is.
    pub measure: Measure,
    /// What it asks for, in one sentence.
    pub text: String,
}

/// Poor content, as a share, to say something with where none was seen yet.
pub const ASSUMED_POOR: f64 = 0.15;

impl Policy {
    /// The thresholds that cannot be used up together where a share `poor` of the content, in (0, 1),
    /// is poor; empty where they agree.
    ///
    /// Of N contents a judge that misses a share m of the poor ones catches N·poor·(1 − m). So
    /// FDR < t holds only where FPR < t/(1 − t) · poor·(1 − m)/(1 − poor). The GO rate of a judge
    /// that keeps both error rates lies between 1 − poor − (1 − poor)·FPR and 1 − poor·(1 − m),
    /// UNDETERMINED taken from the lower end.
    pub fn demands(&self, poor: f64) -> Vec<Demand> {
        if !(poor > 0.0 && poor < 1.0) {
            return Vec::new();
        }
        let of = |measure, text: Option<String>| Some(Demand { measure, text: text? });
        let found = [
            of(Measure::FalseDiscoveryRate, self.of_discoveries(poor)),
            of(Measure::GoRate, self.of_go_rate(poor)),
        ];
        found.into_iter().flatten().collect()
    }

    fn of_discoveries(&self, poor: f64) -> Option<String> {
        let (t, most) = (self.false_positive_below, self.false_positive_below);
        let caught = poor * (1.0 - self.misses());
        let needs = t / (1.0 - t) * caught / (1.0 - poor);
        let stricter = self.gates(Measure::FalseDiscoveryRate) && needs < most;
        let beside = if self.gates(Measure::FalsePositiveRate) {
            format!("; FPR below {} alone would allow more", percent(most))
        } else {
            String::new()
        };
        stricter.then(|| {
            format!(
                "With {} poor content, FDR below {} needs an FPR below {}{beside}.",
                percent(poor),
                percent(t),
                percent(needs)
            )
        })
    }

    fn of_go_rate(&self, poor: f64) -> Option<String> {
        let [low, high] = self.go_rate;
        let most = 1.0 - poor * (1.0 - self.misses());
        let passed = 1.0 - poor - (1.0 - poor) * self.false_positive_below;
        let least = passed * (1.0 - self.undetermined_below);
        let (end, rate) = match (most < low, least > high) {
            (true, _) => ("at most", most),
            (_, true) => ("at least", least),
            _ => return None,
        };
        Some(format!(
            "With {} poor content, a judge that meets the error rates has a GO rate of {end} {}, \
             outside {} to {}.",
            percent(poor),
            percent(rate),
            percent(low),
            percent(high)
        ))
    }

    /// The largest share of poor content that may pass.
    fn misses(&self) -> f64 {
        if self.gates(Measure::FalseNegativeRate) { self.false_negative_below } else { 0.0 }
    }
}

fn percent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::{FalseNegative, FalsePositive};

    fn texts(policy: &Policy, poor: f64) -> Vec<String> {
        policy.demands(poor).into_iter().map(|d| d.text).collect()
    }

    #[test]
    fn a_discovery_rate_asks_for_a_much_smaller_rate_of_wrong_blocks() {
        let both = Policy { false_positive: FalsePositive::Both, ..Policy::default() };
        let expected = "With 15.0 % poor content, FDR below 10.0 % needs an FPR below 1.9 %; FPR \
                        below 10.0 % alone would allow more.";
        assert_eq!(texts(&both, 0.15), [expected]);
        // Where half is poor the two ask for about the same.
        assert_eq!(
            texts(&both, 0.6),
            ["With 60.0 % poor content, a judge that meets the error rates has a GO rate of at \
             most 43.0 %, outside 70.0 % to 90.0 %."]
        );
        let alone = Policy { false_positive: FalsePositive::Fdr, ..Policy::default() };
        assert_eq!(
            texts(&alone, 0.15),
            ["With 15.0 % poor content, FDR below 10.0 % needs an FPR \
                                          below 1.9 %."]
        );
        assert_eq!(texts(&Policy::default(), 0.15), Vec::<String>::new());
    }

    #[test]
    fn a_range_of_the_go_rate_fits_only_some_shares_of_poor_content() {
        let strict = Policy {
            false_negative: FalseNegative::For,
            undetermined_below: 0.01,
            false_positive_below: 0.02,
            ..Policy::default()
        };
        let text = &texts(&strict, 0.02)[0];
        assert!(text.contains("at least 95.1 %, outside 70.0 % to 90.0 %"), "{text}");
        for none in [0.0, 1.0, -1.0, f64::NAN] {
            assert_eq!(texts(&strict, none), Vec::<String>::new());
        }
    }
}
