//! Exact one-look bounds of an error rate whose two classes were labelled at different rates.
//!
//! Say an error enters the labels with probability p and what is right with probability q. Then
//! each labelled item is an error with probability φ, odds(φ) = odds(θ)·p/q, independently of the
//! others; so the errors among them are binomial, and Clopper and Pearson's bounds of φ
//! (Biometrika 26, 1934) give those of the rate θ.

use super::{Interval, binomial};

/// Errors and what is right among labelled items of one class, and how the two were chosen.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sampled {
    /// Labelled errors.
    pub errors: u64,
    /// Labelled items that are no errors.
    pub correct: u64,
    /// Probability with which an error is labelled over that of the rest; above 0.
    pub ratio: f64,
}

impl Sampled {
    /// One-sided upper bound of the error rate; 1 where there is nothing to go by.
    ///
    /// `confidence` lies in [0.5, 1).
    pub fn upper(&self, confidence: f64) -> f64 {
        self.rate(binomial::upper(self.errors, self.errors + self.correct, confidence))
    }

    /// One-sided lower bound of the error rate; 0 where there is nothing to go by.
    ///
    /// `confidence` lies in [0.5, 1).
    pub fn lower(&self, confidence: f64) -> f64 {
        self.rate(binomial::lower(self.errors, self.errors + self.correct, confidence))
    }

    /// Both one-sided bounds, each of that confidence.
    pub fn bounds(&self, confidence: f64) -> Interval {
        Interval { lower: self.lower(confidence), upper: self.upper(confidence) }
    }

    /// As many items, all drawn at one rate, as would tell the error rate as well; 0 without any.
    ///
    /// By the variance of the logarithm of its odds, 1 / errors + 1 / correct (Woolf, Annals of Human
    /// Genetics 19, 1955), which for a plain sample of n is 1 / (n θ (1 - θ)). It is exact where both
    /// were drawn at one rate.
    pub fn plain(&self) -> f64 {
        let (errors, correct) = (self.errors as f64, self.correct as f64);
        let rarer = self.ratio.min(1.0 / self.ratio);
        let all =
            if self.ratio < 1.0 { errors / rarer + correct } else { errors + correct / rarer };
        if all > 0.0 { all * all * rarer / (errors + correct) } else { 0.0 }
    }

    /// The rate at which a labelled item is an error with probability `labelled`.
    fn rate(&self, labelled: f64) -> f64 {
        // odds(θ) = odds(φ) / ratio, written without a division by 1 - φ.
        labelled / (labelled + (1.0 - labelled) * self.ratio)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    #[test]
    fn sixty_caught_zero_missed_in_thirty_percent_sample() {
        let whole = Sampled { errors: 0, correct: 60, ratio: 1.0 };
        near(whole.upper(0.95), 0.048_703, 5e-7);
        // 0.145 776 93 with 30 digits; published as .145778.
        near(Sampled { ratio: 0.3, ..whole }.upper(0.95), 0.145_776_934, 5e-10);
    }

    #[test]
    fn fifty_nine_caught_zero_missed_is_below_five_percent() {
        near(Sampled { errors: 0, correct: 59, ratio: 1.0 }.upper(0.95), 0.049_508, 5e-7);
    }

    #[test]
    fn no_labels_give_full_interval() {
        let none = Sampled { errors: 0, correct: 0, ratio: 0.3 };
        assert_eq!(none.bounds(0.95), Interval { lower: 0.0, upper: 1.0 });
        let all = Sampled { errors: 5, correct: 0, ratio: 0.3 };
        assert_eq!(all.upper(0.95), 1.0);
    }

    #[test]
    fn two_rate_sample_equals_smaller_uniform_sample() {
        let whole = Sampled { errors: 4, correct: 60, ratio: 1.0 };
        near(whole.plain(), 64.0, 1e-12);
        // No miss among three tenths: like eighteen of whom none is missed.
        near(Sampled { errors: 0, correct: 60, ratio: 0.3 }.plain(), 18.0, 1e-12);
        near(Sampled { errors: 0, correct: 30, ratio: 1.0 / 0.3 }.plain(), 100.0, 1e-9);
        // The same odds and the same variance: 40 of which 10 / 0.25 = 40 of 80 are misses.
        let s = Sampled { errors: 10, correct: 40, ratio: 0.25 };
        near(s.plain(), 1.0 / (0.25 * (1.0 / 10.0 + 1.0 / 40.0)), 1e-12);
        near(Sampled { errors: 0, correct: 0, ratio: 0.3 }.plain(), 0.0, 1e-12);
    }

    proptest! {
        #[test]
        fn bounds_hold_the_rate_that_the_inclusion_probabilities_give(
            errors in 0_u64..200, correct in 1_u64..2_000, ratio in 0.01..100.0_f64,
        ) {
            let s = Sampled { errors, correct, ratio };
            let weighted = errors as f64 / ratio;
            let rate = weighted / (weighted + correct as f64);
            let b = s.bounds(0.95);
            prop_assert!(0.0 <= b.lower && b.lower <= rate && rate <= b.upper && b.upper <= 1.0);
        }

        #[test]
        fn more_labels_of_the_same_kind_never_widen(
            errors in 0_u64..50, correct in 0_u64..200, ratio in 0.05..20.0_f64, times in 2_u64..9,
        ) {
            let few = Sampled { errors, correct, ratio }.bounds(0.95);
            let many = Sampled { errors: errors * times, correct: correct * times, ratio };
            let many = many.bounds(0.95);
            prop_assert!(few.lower <= many.lower + 1e-12 && many.upper <= few.upper + 1e-12);
        }
    }
}
