//! Krippendorff's alpha: any number of reviewers, with gaps, on any scale.
//!
//! Krippendorff, Computing Krippendorff's Alpha-Reliability, 2011.

use std::collections::BTreeMap;

/// How far apart two values are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Metric {
    /// The same or not.
    Nominal,
    /// By how many ranks lie between them.
    Ordinal,
    /// By their difference.
    Interval,
    /// By their difference against their sum.
    Ratio,
}

/// Alpha of items, each with the values that were given to it, in any order.
///
/// An item with fewer than two values is left out. `None` without a pair of values, or where all
/// values are the same. Values that are no finite numbers are left out.
pub fn alpha(items: &[Vec<f64>], metric: Metric) -> Option<f64> {
    let coincidences = Coincidences::new(items)?;
    let totals: Vec<f64> = coincidences.totals();
    let n: f64 = totals.iter().sum();
    let (mut seen, mut expected) = (0.0, 0.0);
    for c in 0..totals.len() {
        for k in 0..totals.len() {
            let apart = coincidences.distance(metric, &totals, c, k);
            seen += coincidences.counts[c][k] * apart;
            expected += totals[c] * totals[k] * apart;
        }
    }
    (expected > 0.0).then(|| 1.0 - (n - 1.0) * seen / expected)
}

/// How often two values met on an item, each item weighing as much as it has values.
struct Coincidences {
    values: Vec<f64>,
    counts: Vec<Vec<f64>>,
}

impl Coincidences {
    fn new(items: &[Vec<f64>]) -> Option<Self> {
        let usable =
            |item: &[f64]| -> Vec<f64> { item.iter().copied().filter(|v| v.is_finite()).collect() };
        let items: Vec<Vec<f64>> =
            items.iter().map(|i| usable(i)).filter(|i| i.len() > 1).collect();
        let mut values = items.concat();
        values.sort_by(f64::total_cmp);
        values.dedup();
        let places: BTreeMap<u64, usize> =
            values.iter().enumerate().map(|(i, v)| (v.to_bits(), i)).collect();
        let mut counts = vec![vec![0.0; values.len()]; values.len()];
        for item in &items {
            let each = 1.0 / (item.len() - 1) as f64;
            let at: Vec<usize> =
                item.iter().filter_map(|v| places.get(&v.to_bits())).copied().collect();
            for (i, c) in at.iter().enumerate() {
                for (j, k) in at.iter().enumerate() {
                    if i != j {
                        counts[*c][*k] += each;
                    }
                }
            }
        }
        (!values.is_empty()).then_some(Self { values, counts })
    }

    fn totals(&self) -> Vec<f64> {
        self.counts.iter().map(|row| row.iter().sum()).collect()
    }

    /// Squared distance of two values, by their places.
    fn distance(&self, metric: Metric, totals: &[f64], c: usize, k: usize) -> f64 {
        let (a, b) = (self.values[c], self.values[k]);
        match metric {
            _ if c == k => 0.0,
            Metric::Nominal => 1.0,
            Metric::Interval => (a - b).powi(2),
            Metric::Ratio if a + b == 0.0 => 0.0,
            Metric::Ratio => ((a - b) / (a + b)).powi(2),
            Metric::Ordinal => {
                let between: f64 = totals[c.min(k)..=c.max(k)].iter().sum();
                (between - (totals[c] + totals[k]) * 0.5).powi(2)
            }
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    /// Twelve items by four observers; 0 where one said nothing.
    const OBSERVERS: [[u8; 12]; 4] = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, 0, 0, 0],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, 0, 3],
        [0, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, 0],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, 0],
    ];

    fn items() -> Vec<Vec<f64>> {
        let given = |i: usize| OBSERVERS.iter().map(move |o| o[i]).filter(|v| *v > 0);
        (0..12).map(|i| given(i).map(f64::from).collect()).collect()
    }

    #[test]
    fn krippendorff_2011_four_observers() {
        for (metric, expected) in [
            (Metric::Nominal, 0.743_421),
            (Metric::Ordinal, 0.815_388),
            (Metric::Interval, 0.849_107),
            (Metric::Ratio, 0.797_403),
        ] {
            near(alpha(&items(), metric).unwrap(), expected, 5e-7);
        }
    }

    #[test]
    fn values_without_overlap_or_variance_have_no_alpha() {
        assert_eq!(alpha(&[], Metric::Nominal), None);
        assert_eq!(alpha(&[vec![1.0], vec![2.0]], Metric::Nominal), None);
        assert_eq!(alpha(&[vec![1.0, 1.0], vec![1.0, 1.0]], Metric::Nominal), None);
        assert_eq!(alpha(&[vec![1.0, f64::NAN]], Metric::Interval), None);
    }

    proptest! {
        #[test]
        fn order_of_reviewers_and_items_changes_nothing(
            mut items in prop::collection::vec(prop::collection::vec(1_u8..6, 0..5), 1..20),
        ) {
            let of = |items: &[Vec<u8>]| {
                let items: Vec<Vec<f64>> =
                    items.iter().map(|i| i.iter().map(|v| f64::from(*v)).collect()).collect();
                alpha(&items, Metric::Ordinal)
            };
            let one = of(&items);
            items.reverse();
            items.iter_mut().for_each(|i| i.reverse());
            let two = of(&items);
            prop_assert_eq!(one.is_some(), two.is_some());
            if let (Some(one), Some(two)) = (one, two) {
                prop_assert!((one - two).abs() < 1e-9 && one <= 1.0 + 1e-12);
            }
        }
    }
}
