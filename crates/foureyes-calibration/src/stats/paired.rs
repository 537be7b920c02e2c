//! Two judges on the same items.
//!
//! Only the items on which they differ tell them apart: McNemar, Psychometrika 12, 1947, with the
//! binomial distribution itself; mid-p as in Fagerland, Lydersen and Laake, BMC Medical Research
//! Methodology 13, 2013.

use super::{Interval, binomial};
use statrs::distribution::{Binomial, Discrete, DiscreteCDF};

/// How two judges differ on the same items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Paired {
    /// Items that only the first one flags.
    pub first_only: u64,
    /// Items that only the second one flags.
    pub second_only: u64,
    /// All items, alike or not.
    pub items: u64,
}

impl Paired {
    /// Two-sided p-value of the exact test; 1 where they never differ.
    pub fn exact(&self) -> f64 {
        let (p, _) = self.tail();
        (2.0 * p).min(1.0)
    }

    /// Two-sided mid-p-value: the exact one less the chance of just what was seen.
    pub fn mid(&self) -> f64 {
        if self.first_only + self.second_only == 0 {
            return 1.0;
        }
        if self.first_only == self.second_only {
            // The two tails overlap in the middle term.
            let (_, middle) = self.tail();
            return 1.0 - middle * 0.5;
        }
        let (p, point) = self.tail();
        (2.0 * p - point).clamp(0.0, 1.0)
    }

    /// The share that only the second flags less the share that only the first one does.
    ///
    /// With an interval of at least that confidence, by Bonferroni from two exact ones; `None`
    /// where there are fewer items than differ, or none.
    pub fn difference(&self, confidence: f64) -> Option<(f64, Interval)> {
        if self.items < self.first_only.checked_add(self.second_only)? {
            return None;
        }
        let each = 1.0 - (1.0 - confidence) * 0.5;
        let first = binomial::two_sided(self.first_only, self.items, each)?;
        let second = binomial::two_sided(self.second_only, self.items, each)?;
        let n = self.items as f64;
        let estimate = (self.second_only as f64 - self.first_only as f64) / n;
        let interval =
            Interval { lower: second.lower - first.upper, upper: second.upper - first.lower };
        Some((estimate, interval))
    }

    /// Chance of the smaller count or less, and of just that count, if both were as likely.
    fn tail(&self) -> (f64, f64) {
        let smaller = self.first_only.min(self.second_only);
        match Binomial::new(0.5, self.first_only + self.second_only) {
            Ok(even) => (even.cdf(smaller), even.pmf(smaller)),
            Err(_) => (1.0, 1.0),
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    #[test]
    fn fagerland_2013_one_against_seven() {
        let p = Paired { first_only: 1, second_only: 7, items: 20 };
        near(p.exact(), 0.070_312_5, 1e-9);
        near(p.mid(), 0.039_062_5, 1e-9);
    }

    #[test]
    fn identical_judges_are_indistinguishable() {
        let p = Paired { first_only: 0, second_only: 0, items: 9 };
        assert_eq!(p.exact(), 1.0);
        assert_eq!(p.mid(), 1.0);
        assert_eq!(p.difference(0.95).unwrap().0, 0.0);
        assert_eq!(Paired { items: 0, ..p }.difference(0.95), None);
        assert_eq!(Paired { first_only: 9, second_only: 1, items: 9 }.difference(0.95), None);
    }

    proptest! {
        #[test]
        fn order_of_the_judges_changes_nothing_but_the_sign(
            a in 0_u64..60, b in 0_u64..60, same in 1_u64..100,
        ) {
            let one = Paired { first_only: a, second_only: b, items: a + b + same };
            let two = Paired { first_only: b, second_only: a, ..one };
            prop_assert_eq!(one.exact(), two.exact());
            prop_assert!(one.mid() <= one.exact() && one.mid() >= 0.0);
            let (d, i) = one.difference(0.95).unwrap();
            prop_assert_eq!(d, -two.difference(0.95).unwrap().0);
            prop_assert!(-1.0 <= i.lower && i.lower <= d && d <= i.upper && i.upper <= 1.0);
        }
    }
}
