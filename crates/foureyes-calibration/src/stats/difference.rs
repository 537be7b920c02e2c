//! The interval of a difference of two independent estimates, from their own intervals: square and add.
//!
//! For two shares with their score bounds it is method 10 of Newcombe, Statistics in Medicine 17, 1998, pages 873 to
//! 890. Zou and Donner, Statistics in Medicine 27, 2008, pages 1693 to 1702, show that it holds for any two
//! estimates with intervals of the same confidence, medians among them. Right only on average: for reading, never
//! to decide by.

use super::Interval;

/// The first estimate less the second one, and its interval; it has the confidence of the two that are given.
pub fn difference(
    (first, one): (f64, Interval),
    (second, other): (f64, Interval),
) -> (f64, Interval) {
    let estimate = first - second;
    let below = (first - one.lower).hypot(other.upper - second);
    let above = (one.upper - first).hypot(second - other.lower);
    (estimate, Interval { lower: estimate - below, upper: estimate + above })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::{near, wilson};
    use proptest::prelude::*;

    fn shares([a, n]: [u64; 2], [b, m]: [u64; 2]) -> (f64, Interval) {
        let share =
            |hits, all| (hits as f64 / all as f64, wilson::two_sided(hits, all, 0.95).unwrap());
        difference(share(a, n), share(b, m))
    }

    #[test]
    fn newcombe_1998_examples_by_method_10() {
        let examples = [
            ([56, 70], [48, 80], 0.0524, 0.3339),
            ([9, 10], [3, 10], 0.1705, 0.8090),
            ([5, 56], [0, 29], -0.0381, 0.1926),
            ([0, 10], [0, 20], -0.1611, 0.2775),
            ([10, 10], [0, 20], 0.6791, 1.0),
        ];
        for (first, second, lower, upper) in examples {
            let (_, got) = shares(first, second);
            near(got.lower, lower, 5e-5);
            near(got.upper, upper, 5e-5);
        }
    }

    proptest! {
        #[test]
        fn sides_may_be_exchanged(a in 0_u64..40, b in 0_u64..40, more in 1_u64..60) {
            let (one, two) = ([a, a + more], [b, b + 30]);
            let ((d, i), (e, j)) = (shares(one, two), shares(two, one));
            prop_assert!((d + e).abs() < 1e-12 && (i.lower + j.upper).abs() < 1e-12);
            prop_assert!(-1.0 - 1e-12 <= i.lower && i.lower <= d && d <= i.upper && i.upper <= 1.0 + 1e-12);
        }
    }
}
