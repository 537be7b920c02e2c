//! Whether events come together: a permutation test of how they are spread over clusters.
//!
//! The statistic is the number of pairs of events that share a cluster. Where events do not depend
//! on each other, every order of them is as likely as any other, whatever their rate and the sizes of
//! clusters (Good, Permutation, Parametric and Bootstrap Tests, 2005). It is looked at when the
//! [`FIRST`] event is there, and each time that there are twice as many; the k-th look may be wrong
//! with a chance of level·2⁻ᵏ, so that all of them together are with that level at most. The record
//! at which a look falls due is an event by that rule, so it stays in its place.
//!
//! Random orders stop as soon as they cannot tell any more (Besag and Clifford, Biometrika 78, 1991).

use super::sample::{KEY_BYTES, Stream};
use std::collections::HashMap;
use std::hash::Hash;

/// Events at the first look.
pub const FIRST: u64 = 4;

/// Looks: the last one is at 128 events, beyond which the orders would cost too much.
const LOOKS: i32 = 6;

/// Random orders for each of the smallest share of them that decides.
const ORDERS: f64 = 5.0;

/// A look at which events were found to come together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Together {
    /// Events by then.
    pub events: u64,
    /// The most of them in one cluster.
    pub most: u64,
    /// Clusters with records by then.
    pub clusters: u64,
    /// Share of random orders in which as many pairs share a cluster, the order that was seen among
    /// them.
    pub p: f64,
    /// What that had to be below.
    pub limit: f64,
    /// Random orders.
    pub orders: u64,
}

/// The first look at which events come together; `None` where none does.
///
/// `records` come in order, each with its cluster and whether it is an event. All looks together are
/// wrong with a chance of at most `level`. The random orders depend on `key` alone.
pub fn together<C: Hash + Eq + Copy>(
    records: &[(C, bool)],
    key: &[u8; KEY_BYTES],
    level: f64,
) -> Option<Together> {
    let mut numbers = HashMap::new();
    let mut stream = Stream::new(key);
    let (mut seen, mut counts, mut pairs) = (Vec::new(), Vec::new(), 0_u64);
    let (mut events, mut look) = (0_u64, 0);
    for (cluster, event) in records {
        let next = numbers.len();
        let cluster = *numbers.entry(*cluster).or_insert(next);
        if cluster == counts.len() {
            counts.push(0_u64);
        }
        seen.push(cluster);
        if !event {
            continue;
        }
        pairs += counts[cluster];
        counts[cluster] += 1;
        events += 1;
        if events < FIRST << look || look >= LOOKS {
            continue;
        }
        look += 1;
        let limit = level * 0.5_f64.powi(look);
        if let Some((p, orders)) = rare(&mut seen.clone(), events, pairs, limit, &mut stream) {
            let most = counts.iter().copied().max().unwrap_or_default();
            let clusters = counts.len() as u64;
            return Some(Together { events, most, clusters, p, limit, orders });
        }
    }
    None
}

/// The share of random orders with as many pairs, and their number, where it is below a limit.
///
/// `seen` has the cluster of each record, the last of which is an event in every order.
fn rare(
    seen: &mut [usize],
    events: u64,
    pairs: u64,
    limit: f64,
    stream: &mut Stream,
) -> Option<(f64, u64)> {
    let (last, others) = seen.split_last_mut()?;
    let orders = (ORDERS / limit).ceil() as u64;
    let most = limit * (orders + 1) as f64;
    let mut counts = vec![0_u64; others.iter().copied().max().unwrap_or_default().max(*last) + 1];
    let mut as_many = 1_u64;
    for _ in 0..orders {
        counts.fill(0);
        counts[*last] = 1;
        let mut shared = 0;
        for at in 0..usize::try_from(events - 1).unwrap_or_default().min(others.len()) {
            others.swap(at, at + stream.below(others.len() - at));
            shared += counts[others[at]];
            counts[others[at]] += 1;
        }
        as_many += u64::from(shared >= pairs);
        if as_many as f64 >= most {
            return None;
        }
    }
    Some((as_many as f64 / (orders + 1) as f64, orders))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::sample;

    const KEY: [u8; KEY_BYTES] = [7; KEY_BYTES];

    /// Days of five records, of which those of a share are events, by a draw.
    fn records(days: u32, run: u32, rate: impl Fn(u32) -> f64) -> Vec<(u32, bool)> {
        let draw = |n: u32| sample::draw(&[3; KEY_BYTES], &[run, n].map(u32::to_be_bytes).concat());
        (0..days * 5).map(|n| (n / 5, draw(n) < rate(n / 5))).collect()
    }

    #[test]
    fn all_events_of_a_few_days_are_found_and_one_a_day_is_not() {
        let burst = records(60, 1, |day| if day % 20 == 7 { 1.0 } else { 0.0 });
        let found = together(&burst, &KEY, 0.005).unwrap_or_else(|| unreachable!());
        assert_eq!((found.events, found.most, found.clusters), (4, 4, 8));
        assert!(found.p < found.limit && found.limit == 0.0025, "{found:?}");
        let even: Vec<_> = (0..300).map(|n| (n / 5, n % 5 == n / 5 % 5)).collect();
        assert_eq!(together(&even, &KEY, 0.01), None);
    }

    #[test]
    fn fewer_than_four_events_are_inconclusive() {
        let few: Vec<_> = (0..300).map(|n| (n / 5, n == 20 || n == 21 || n == 22)).collect();
        assert_eq!(together(&few, &KEY, 0.05), None);
        assert_eq!(together::<u8>(&[], &KEY, 0.05), None);
    }

    #[test]
    fn independent_events_are_rarely_called_clustered() {
        // A tenth for a level, so that few runs tell whether it holds.
        let runs = 300_u32;
        let wrong = (0..runs).filter(|run| {
            let key = *blake3::hash(&run.to_be_bytes()).as_bytes();
            together(&records(80, *run, |_| 0.1), &key, 0.1).is_some()
        });
        let wrong = wrong.count();
        assert!(wrong <= 30, "{wrong} of {runs}");
    }

    #[test]
    fn a_rate_that_moves_from_day_to_day_is_mostly_found() {
        // A fifth of the days have nearly all of the errors.
        let found = (100..150).filter(|run| {
            let rate = |day: u32| if (day * 7 + run).is_multiple_of(5) { 0.4 } else { 0.01 };
            together(&records(80, *run, rate), &KEY, 0.01).is_some()
        });
        let found = found.count();
        assert!(found >= 40, "{found} of 50");
    }

    #[test]
    fn the_same_key_gives_the_same_answer() {
        let burst = records(60, 1, |day| if day % 20 == 7 { 1.0 } else { 0.0 });
        assert_eq!(together(&burst, &KEY, 0.01), together(&burst, &KEY, 0.01));
    }
}
