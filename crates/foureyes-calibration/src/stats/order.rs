//! Median of a sample, and its exact interval by order statistics.
//!
//! How many of n values lie below the true median is binomial with share 1/2, whatever their
//! distribution. So the r-th smallest and the r-th largest value hold it with a probability that
//! depends on n and r alone (David and Nagaraja, Order Statistics, 2003, section 7.1). Ties only
//! widen the coverage.

use super::tail::UpperTail;
use std::collections::BTreeMap;

/// Median of a sample and the ends of its interval, in the unit of the values.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Median {
    /// The middle value, or the mean of the two middle ones.
    pub estimate: f64,
    /// Lower and upper end; `None` where the sample is too small for that confidence.
    pub interval: Option<(u64, u64)>,
}

/// Median with an interval of at least that confidence; `None` without values.
///
/// `confidence` lies in (0, 1). Reorders the values; takes time proportional to their number.
pub fn median(values: &mut [u64], confidence: f64) -> Option<Median> {
    let count = values.len();
    let middle = count / 2;
    if count == 0 {
        return None;
    }
    let (below, upper, above) = values.select_nth_unstable(middle);
    let upper = *upper;
    // Of an even number the lower middle value is the largest below the upper one.
    let lower = if count % 2 == 1 { upper } else { below.iter().copied().max()? };
    let estimate = lower as f64 + (upper - lower) as f64 * 0.5;
    let interval = rank(count as u64, confidence).and_then(|r| {
        let r = usize::try_from(r).ok()?;
        // No rank is beyond the middle, so each end lies on its own side of it.
        let high = match (count - r).checked_sub(middle + 1) {
            Some(place) => nth(above, place)?,
            None => upper,
        };
        Some((nth(below, r - 1)?, high))
    });
    Some(Median { estimate, interval })
}

/// The same of how often each value is.
pub fn median_of(values: &BTreeMap<u64, u64>, confidence: f64) -> Option<Median> {
    let count: u64 = values.values().sum();
    let nth = |place: u64| {
        let mut upto = 0;
        let holds = |(_, times): &(&u64, &u64)| {
            upto += **times;
            upto > place
        };
        values.iter().find(holds).map(|(value, _)| *value)
    };
    let upper = nth(count / 2)?;
    let lower = nth(count.saturating_sub(1) / 2)?;
    let estimate = lower as f64 + (upper - lower) as f64 * 0.5;
    let interval = rank(count, confidence).and_then(|r| Some((nth(r - 1)?, nth(count - r)?)));
    Some(Median { estimate, interval })
}

/// The value at a place in sorted order, from 0.
fn nth(values: &mut [u64], place: usize) -> Option<u64> {
    (place < values.len()).then(|| *values.select_nth_unstable(place).1)
}

/// The largest rank r, from 1, whose r-th smallest and r-th largest of `count` values hold the
/// median with at least that confidence; `None` where even the extremes do not.
pub fn rank(count: u64, confidence: f64) -> Option<u64> {
    if !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let error = (1.0 - confidence) * 0.5;
    // Fewer than r of `count` below the median is as likely as more than `count - r` of them.
    let holds = |r: u64| UpperTail::new(count - r + 1, count).at(0.5) <= error;
    if count == 0 || !holds(1) {
        return None;
    }
    let (mut good, mut bad) = (1, count / 2 + 1);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        if holds(middle) {
            good = middle;
        } else {
            bad = middle;
        }
    }
    Some(good)
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn ranks_are_those_of_the_printed_tables() {
        // Conover, Practical Nonparametric Statistics, and the usual table of the sign test.
        let ranks = [5, 6, 8, 9, 10, 15, 20, 25, 50, 100].map(|n| rank(n, 0.95));
        let table = [None, Some(1), Some(1), Some(2), Some(2), Some(4), Some(6), Some(8)];
        assert_eq!(ranks[..8], table);
        assert_eq!(ranks[8..], [Some(18), Some(40)]);
    }

    #[test]
    fn small_samples_have_median_without_interval() {
        assert_eq!(median(&mut [], 0.95), None);
        assert_eq!(median(&mut [7], 0.95), Some(Median { estimate: 7.0, interval: None }));
        assert_eq!(median(&mut [4, 1], 0.95).unwrap().estimate, 2.5);
        let six = median(&mut [6, 5, 4, 3, 2, 1], 0.95).unwrap();
        assert_eq!(six, Median { estimate: 3.5, interval: Some((1, 6)) });
    }

    #[test]
    fn huge_values_do_not_overflow() {
        let middle = median(&mut [u64::MAX, u64::MAX - 2], 0.95).unwrap().estimate;
        assert_eq!(middle, (u64::MAX - 1) as f64);
    }

    #[test]
    fn ten_million_values_have_the_rank_of_the_normal_limit() {
        // At this size n/2 - 1.96 sqrt(n)/2 is right to a few ranks.
        let r = rank(10_000_000, 0.95).unwrap();
        let expected = 5_000_000.0 - 1.959_964 * 10_000_000_f64.sqrt() / 2.0;
        assert!((r as f64 - expected).abs() < 3.0, "{r}");
    }

    /// Coverage of the r-th smallest to the r-th largest, by adding up Pascal's triangle.
    fn coverage(count: u64, r: u64) -> f64 {
        let mut below = 0.0;
        let mut choose = 1.0;
        for k in 0..r {
            below += choose;
            choose *= (count - k) as f64 / (k + 1) as f64;
        }
        1.0 - 2.0 * below / 2_f64.powi(count as i32)
    }

    proptest! {
        #[test]
        fn a_rank_covers_and_the_next_one_does_not(count in 6_u64..900) {
            let r = rank(count, 0.95).unwrap();
            prop_assert!(coverage(count, r) >= 0.95);
            prop_assert!(coverage(count, r + 1) < 0.95);
        }

        #[test]
        fn median_is_exact_and_inside_its_interval(
            mut values in prop::collection::vec(0_u64..10_000, 1..400), confidence in 0.01..0.99,
        ) {
            let got = median(&mut values.clone(), confidence).unwrap();
            values.sort_unstable();
            let (low, high) = (values[(values.len() - 1) / 2], values[values.len() / 2]);
            prop_assert_eq!(got.estimate, (low + high) as f64 / 2.0);
            if let Some((lower, upper)) = got.interval {
                prop_assert!(lower as f64 <= got.estimate && got.estimate <= upper as f64);
            }
            let mut counted = BTreeMap::new();
            values.iter().for_each(|value| *counted.entry(*value).or_default() += 1);
            prop_assert_eq!(median_of(&counted, confidence), Some(got));
            let ends = rank(values.len() as u64, confidence)
                .map(|r| (values[r as usize - 1], values[values.len() - r as usize]));
            prop_assert_eq!(got.interval, ends);
        }
    }
}
