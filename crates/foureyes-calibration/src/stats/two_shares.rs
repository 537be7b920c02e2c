//! Whether two shares differ: Fisher's exact test (Fisher, The Design of Experiments, 1935).
//!
//! Given how many items there are on each side and how many of all are hits, hits on the first side are
//! hypergeometric if the true shares are equal. The two-sided p-value adds up every count that is as
//! improbable as the one seen or more so, as `fisher.test` of R does. It is never too small, whatever the
//! numbers.

/// Counts that are this much more probable than the one seen are taken as equally so: rounding.
const SAME: f64 = 1.0 + 1e-7;

/// Two-sided p-value of equal shares: hits of so many items on one side, and on the other. 1 where one side
/// has no item.
pub fn exact([hits, of]: [u64; 2], [other_hits, other_of]: [u64; 2]) -> f64 {
    let all_hits = hits + other_hits;
    let (lowest, highest) = (all_hits.saturating_sub(other_of), all_hits.min(of));
    if of == 0 || other_of == 0 || hits > of || other_hits > other_of || lowest == highest {
        return 1.0;
    }
    let [n, m, k] = [of, other_of, all_hits].map(|count| count as f64);
    // How probable one hit more on this side is, in units of the count itself.
    let up = |x: u64| {
        let x = x as f64;
        (n - x) * (k - x) / ((x + 1.0) * (m - k + x + 1.0))
    };
    let mode = (((n + 1.0) * (k + 1.0) / (n + m + 2.0)) as u64).clamp(lowest, highest);
    // Probabilities in units of that of the mode; far out they are 0.
    let above = (mode..highest).scan(1.0, |p, x| {
        *p *= up(x);
        (*p > 0.0).then_some((x + 1, *p))
    });
    let below = (lowest..mode).rev().scan(1.0, |p, x| {
        *p /= up(x);
        (*p > 0.0).then_some((x, *p))
    });
    let all: Vec<(u64, f64)> = [(mode, 1.0)].into_iter().chain(above).chain(below).collect();
    let seen = all.iter().find(|(x, _)| *x == hits).map_or(0.0, |(_, p)| *p);
    let sum = |most: f64| all.iter().map(|(_, p)| *p).filter(|p| *p <= most).sum::<f64>();
    (sum(seen * SAME) / sum(f64::INFINITY)).min(1.0)
}

#[cfg(test)]
mod tests {
    use super::super::near;
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn published_tables_have_their_p_values() {
        // The lady tasting tea, and convictions of twins: both in the examples of R's `fisher.test`.
        near(exact([3, 4], [1, 4]), 0.485_714_285_7, 1e-9);
        near(exact([2, 17], [10, 13]), 0.000_536_724_1, 1e-9);
        // All that is possible is as improbable as what was seen.
        near(exact([1, 2], [1, 2]), 1.0, 1e-12);
    }

    #[test]
    fn no_data_on_a_side_is_no_evidence() {
        for (a, b) in [([0, 0], [3, 9]), ([3, 9], [0, 0]), ([0, 5], [0, 7]), ([5, 5], [7, 7])] {
            assert_eq!(exact(a, b), 1.0, "{a:?} {b:?}");
        }
    }

    #[test]
    fn large_tables_take_no_longer_than_their_spread() {
        let p = exact([300_000, 1_000_000], [2_700_000, 9_000_000]);
        near(p, 1.0, 1e-9);
        assert!(exact([310_000, 1_000_000], [2_700_000, 9_000_000]) < 1e-80);
    }

    /// The same by its definition, with binomial coefficients.
    fn by_definition([a, n]: [u64; 2], [b, m]: [u64; 2]) -> f64 {
        let choose = |n: u64, k: u64| (0..k).fold(1.0, |c, i| c * (n - i) as f64 / (i + 1) as f64);
        let k = a + b;
        let weight = |x: u64| choose(n, x) * choose(m, k - x);
        let all: Vec<f64> = (k.saturating_sub(m)..=k.min(n)).map(weight).collect();
        let seen = weight(a);
        all.iter().filter(|w| **w <= seen * (1.0 + 1e-7)).sum::<f64>() / all.iter().sum::<f64>()
    }

    proptest! {
        #[test]
        fn recurrence_is_the_definition(n in 1_u64..30, m in 1_u64..30, a in 0_u64..30, b in 0_u64..30) {
            let (a, b) = (a.min(n), b.min(m));
            let (got, expected) = (exact([a, n], [b, m]), by_definition([a, n], [b, m]));
            prop_assert!((got - expected).abs() < 1e-9, "{} {}", got, expected);
            prop_assert!((exact([b, m], [a, n]) - got).abs() < 1e-9, "sides may be exchanged");
        }
    }
}
