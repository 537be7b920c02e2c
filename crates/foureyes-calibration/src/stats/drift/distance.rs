//! How far two distributions lie apart.
//!
//! Stability index: the symmetric form of Kullback and Leibler, Annals of Mathematical Statistics
//! 22, 1951. Two-sample test of Kolmogorov and Smirnov: the large-sample distribution with the
//! correction of Stephens, Journal of the Royal Statistical Society B 32, 1970.

/// Population stability index of two histograms over the same bins.
///
/// Above 0.1 a change is usually looked at, above 0.25 acted on. Where a bin is empty on one side
/// only, half a count is put into every bin of both. `None` where the bins differ in number or a
/// side is empty.
pub fn stability_index(before: &[u64], after: &[u64]) -> Option<f64> {
    let (a, b): (u64, u64) = (before.iter().sum(), after.iter().sum());
    if before.len() != after.len() || a == 0 || b == 0 {
        return None;
    }
    let lopsided = before.iter().zip(after).any(|(x, y)| (*x == 0) != (*y == 0));
    let pad = if lopsided { 0.5 } else { 0.0 };
    let bins = before.len() as f64;
    let share = |count: u64, total: u64| (count as f64 + pad) / (total as f64 + pad * bins);
    let term = |(x, y): (&u64, &u64)| {
        let (p, q) = (share(*x, a), share(*y, b));
        if p == q { 0.0 } else { (q - p) * (q / p).ln() }
    };
    Some(before.iter().zip(after).map(term).sum())
}

/// Largest gap between two empirical distributions, and how likely so large a one is by chance.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Kolmogorov {
    /// The gap, in [0, 1].
    pub distance: f64,
    /// Its p-value in large samples; with ties, as scores have, too large rather than too small.
    pub p: f64,
}

/// Compares two samples; `None` where one is empty or holds what is no number.
pub fn kolmogorov(one: &[f64], two: &[f64]) -> Option<Kolmogorov> {
    if one.is_empty() || two.is_empty() || one.iter().chain(two).any(|v| v.is_nan()) {
        return None;
    }
    let sorted = |sample: &[f64]| {
        let mut values = sample.to_vec();
        values.sort_by(f64::total_cmp);
        values
    };
    let (a, b) = (sorted(one), sorted(two));
    let below =
        |values: &[f64], x: f64| values.partition_point(|v| *v <= x) as f64 / values.len() as f64;
    let gap = |x: &f64| (below(&a, *x) - below(&b, *x)).abs();
    let distance = a.iter().chain(&b).map(gap).fold(0.0, f64::max);
    let (n, m) = (a.len() as f64, b.len() as f64);
    let root = (n * m / (n + m)).sqrt();
    Some(Kolmogorov { distance, p: survival((root + 0.12 + 0.11 / root) * distance) })
}

/// Chance that the limit of the scaled gap exceeds `x`.
fn survival(x: f64) -> f64 {
    if x < 0.2 {
        // The series below converges slowly there, to 1 within 12 digits.
        return 1.0;
    }
    let term = |k: i32| {
        let sign = if k % 2 == 1 { 2.0 } else { -2.0 };
        sign * (-2.0 * f64::from(k * k) * x * x).exp()
    };
    (1..=100).map(term).sum::<f64>().clamp(0.0, 1.0)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    #[test]
    fn stability_index_of_three_bins() {
        near(stability_index(&[80, 15, 5], &[70, 20, 10]).unwrap(), 0.062_394_6, 5e-8);
        assert_eq!(stability_index(&[1], &[1, 2]), None);
        assert_eq!(stability_index(&[0], &[1]), None);
        assert!(stability_index(&[5, 0], &[0, 5]).unwrap().is_finite());
    }

    #[test]
    fn printed_quantiles_of_the_limit() {
        // Smirnov 1948: 1.3581 and 1.6276 are exceeded in 5 % and 1 %.
        near(survival(1.3581), 0.05, 1e-5);
        near(survival(1.6276), 0.01, 1e-5);
        near(survival(0.2), 1.0, 1e-9);
    }

    #[test]
    fn distant_samples_differ_and_equal_ones_do_not() {
        let low: Vec<f64> = (0..50).map(f64::from).collect();
        let high: Vec<f64> = (50..100).map(f64::from).collect();
        let apart = kolmogorov(&low, &high).unwrap();
        assert!(apart.distance == 1.0 && apart.p < 1e-9);
        let same = kolmogorov(&low, &low).unwrap();
        assert_eq!((same.distance, same.p), (0.0, 1.0));
        assert_eq!(kolmogorov(&[], &low), None);
        assert_eq!(kolmogorov(&[f64::NAN], &low), None);
    }

    proptest! {
        #[test]
        fn order_changes_nothing(
            a in prop::collection::vec(0_u64..50, 4), b in prop::collection::vec(0_u64..50, 4),
        ) {
            let (one, two) = (stability_index(&a, &b), stability_index(&b, &a));
            prop_assert_eq!(one.is_some(), two.is_some());
            if let (Some(one), Some(two)) = (one, two) {
                prop_assert!(one >= 0.0 && (one - two).abs() < 1e-9);
            }
        }
    }
}
