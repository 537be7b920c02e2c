//! The order of lists: the newest first, undated ones last, equal times in the order of the logs.

use super::collection::{Collection, Segment};
use super::rows::Row;
use rayon::prelude::*;

/// Where each row of a collection stands in the list of all. Four bytes a row spare lists of others the look at
/// where rows of equal times stand in the logs.
pub(super) struct Positions {
    /// Where the rows of each segment begin in `places`.
    starts: Vec<usize>,
    /// Those of doubles, which are in no list, are last.
    places: Vec<u32>,
}

impl Positions {
    /// Of the list of all rows, and how many rows each segment has.
    fn new(list: &[Row], lengths: impl Iterator<Item = usize>) -> Self {
        let (mut starts, mut all) = (Vec::new(), 0);
        for length in lengths {
            starts.push(all);
            all += length;
        }
        let mut positions = Self { starts, places: vec![u32::MAX; all] };
        for (place, row) in (0..).zip(list) {
            let at = positions.at(row);
            if let Some(known) = at.and_then(|at| positions.places.get_mut(at)) {
                *known = place;
            }
        }
        positions
    }

    fn at(&self, row: &Row) -> Option<usize> {
        Some(self.starts.get(row.segment as usize)? + row.row as usize)
    }

    /// Where a row stands.
    pub(super) fn of(&self, row: &Row) -> u32 {
        let place = self.at(row).and_then(|at| self.places.get(at));
        place.copied().unwrap_or(u32::MAX)
    }
}

impl Collection {
    /// Remembers the order of the list of all rows, if they can be numbered.
    pub(super) fn remember_order(&self, list: &[Row]) {
        let lengths = || self.segments.iter().map(|segment: &Segment| segment.entry.rows as usize);
        if u32::try_from(lengths().sum::<usize>()).is_ok() {
            self.positions.get_or_init(|| Positions::new(list, lengths()));
        }
    }
}

/// Sorts rows by a key, those of equal keys in no order. They are made of runs in order, one of each log or
/// more: those that overlap are merged, or sorted by all threads where there are `large` or more that overlap.
pub(super) fn merge_runs<K: Ord + Copy + Send>(
    mut rows: &mut [Row],
    large: usize,
    key: impl Fn(&Row) -> K + Sync,
) {
    let mut all = Vec::new();
    for length in stretches(rows, &key) {
        let (stretch, rest) = rows.split_at_mut(length);
        all.push(stretch);
        rows = rest;
    }
    let is_open = |stretch: &&mut [Row]| !stretch.is_sorted_by_key(&key);
    all.into_par_iter().filter(is_open).for_each(|stretch| {
        if stretch.len() < large {
            // The standard sort merges runs, on one thread.
            stretch.sort_by_key(&key);
        } else {
            stretch.par_sort_unstable_by_key(&key);
        }
    });
}

/// The lengths of stretches of whole runs, as short as can be, of which each comes before all after it.
fn stretches<K: Ord + Copy>(rows: &[Row], key: impl Fn(&Row) -> K) -> Vec<usize> {
    let runs: Vec<&[Row]> = rows.chunk_by(|a, b| key(a) <= key(b)).collect();
    let first = |run: &[Row]| run.first().map(&key);
    // Of what comes after each run, the last run first.
    let after = runs.iter().rev().scan(None, |after, run| {
        let here = *after;
        *after = here.into_iter().chain(first(run)).min();
        Some(here)
    });
    let mut after: Vec<Option<K>> = after.collect();
    let (mut lengths, mut length, mut last) = (Vec::new(), 0, None);
    for run in runs {
        length += run.len();
        last = last.max(run.last().map(&key));
        if after.pop().flatten().is_none_or(|after| Some(after) >= last) {
            lengths.push(std::mem::take(&mut length));
        }
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::cmp::Reverse;

    proptest! {
        #[test]
        fn runs_are_merged_and_cut_where_nothing_overlaps(
            runs in prop::collection::vec(prop::collection::vec(-50i64..50, 0..20), 0..12),
            shift in 0i64..40,
            large in 0usize..60,
        ) {
            let mut rows = Vec::new();
            for (run, mut times) in runs.into_iter().enumerate() {
                times.sort_unstable_by_key(|ts| Reverse(*ts));
                let row = |(at, ts): (usize, i64)| {
                    Row { ts: ts - shift * run as i64, segment: run as u32, row: at as u32 }
                };
                rows.extend(times.into_iter().enumerate().map(row));
            }
            let newest = |row: &Row| Reverse(row.ts);
            let lengths = stretches(&rows, newest);
            prop_assert_eq!(lengths.iter().sum::<usize>(), rows.len());
            let mut start = 0;
            for length in &lengths {
                let (before, after) = rows.split_at(start + length);
                let oldest = before.iter().map(|row| row.ts).min();
                prop_assert!(after.iter().map(|row| row.ts).max() <= oldest);
                start += length;
            }
            let mut expected = rows.clone();
            merge_runs(&mut rows, large, newest);
            prop_assert!(rows.is_sorted_by_key(newest));
            rows.sort_unstable();
            expected.sort_unstable();
            prop_assert_eq!(rows, expected);
        }
    }
}
