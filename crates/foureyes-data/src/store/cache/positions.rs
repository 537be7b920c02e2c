//! The order of lists: the newest first, undated ones last, equal times in the order of the logs.

use super::row::Row;
use rayon::prelude::*;
use std::cmp::Reverse;

/// The fewest rows that all threads sort together.
const LARGE: usize = 1 << 20;

/// The most places that rows are put into to sort them: 16 MiB.
const MOST_PLACES: usize = 1 << 20;

/// So many places for each row are looked through sooner than rows are merged.
const FEW: usize = 8;

/// A place without a row.
const VACANT: Row = Row { ts: 0, segment: u32::MAX, row: u32::MAX };

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
    pub(super) fn new(list: &[Row], lengths: impl Iterator<Item = usize>) -> Self {
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
    fn of(&self, row: &Row) -> u32 {
        let place = self.at(row).and_then(|at| self.places.get(at));
        place.copied().unwrap_or(u32::MAX)
    }

    /// Sorts rows, best those made of runs.
    pub(super) fn put_in_order(&self, rows: &mut [Row]) {
        rows.sort_by_key(|row| self.of(row));
    }
}

/// Rows in runs, one of each log or more, each run in order.
#[derive(Debug, Default)]
pub(super) struct Runs {
    pub(super) rows: Vec<Row>,
    /// How many rows each has.
    lengths: Vec<usize>,
}

/// Runs that overlap each other, and no others.
struct Stretch<K> {
    rows: usize,
    runs: usize,
    first: K,
    last: K,
}

impl Runs {
    /// Makes room, if there is so much; else they grow, and what grows is copied.
    pub(super) fn expect(&mut self, rows: usize) {
        let _ = self.rows.try_reserve_exact(rows);
    }

    pub(super) fn push(&mut self, run: &[Row]) {
        self.rows.extend_from_slice(run);
        self.lengths.extend((!run.is_empty()).then_some(run.len()));
    }

    pub(super) fn append(&mut self, other: Self) {
        self.rows.extend(other.rows);
        self.lengths.extend(other.lengths);
    }

    /// All rows by where they stand; that is the order in each run.
    pub(super) fn by_positions(mut self, positions: &Positions) -> Vec<Row> {
        let of = |row: &Row| positions.of(row);
        self.merge(of, |rows, first, last| {
            let places = (last - first) as usize + 1;
            if last == u32::MAX || places > MOST_PLACES.min(FEW * rows.len()) {
                return merge_runs(rows, of);
            }
            let mut placed = vec![VACANT; places];
            for row in &*rows {
                placed[(of(row) - first) as usize] = *row;
            }
            let placed = placed.into_iter().filter(|row| *row != VACANT);
            rows.iter_mut().zip(placed).for_each(|(row, placed)| *row = placed);
        });
        self.rows
    }

    /// All rows by their times, equal ones in no order; that is the order in each run.
    pub(super) fn by_times(mut self) -> Vec<Row> {
        let newest = |row: &Row| Reverse(row.ts);
        self.merge(newest, |rows, _, _| merge_runs(rows, newest));
        self.rows
    }

    /// Has those merged that overlap.
    fn merge<K: Ord + Copy + Send>(
        &mut self,
        key: impl Fn(&Row) -> K,
        merge: impl Fn(&mut [Row], K, K) + Sync,
    ) {
        let (mut rest, mut overlapping) = (&mut self.rows[..], Vec::new());
        for of in stretches(rest, &self.lengths, key) {
            let (rows, after) = rest.split_at_mut(of.rows);
            overlapping.extend((of.runs > 1).then_some((rows, of.first, of.last)));
            rest = after;
        }
        overlapping.into_par_iter().for_each(|(rows, first, last)| merge(rows, first, last));
    }
}

/// Stretches of runs of these lengths, as short as can be, of which each comes before all after it.
fn stretches<K: Ord + Copy>(
    mut rows: &[Row],
    lengths: &[usize],
    key: impl Fn(&Row) -> K,
) -> Vec<Stretch<K>> {
    let run = |length: &usize| {
        let (run, rest) = rows.split_at_checked(*length)?;
        rows = rest;
        Some(Stretch { rows: run.len(), runs: 1, first: key(run.first()?), last: key(run.last()?) })
    };
    let runs: Vec<Stretch<K>> = lengths.iter().map_while(run).collect();
    let mut all: Vec<Stretch<K>> = Vec::new();
    // The last run first: what overlaps one stretch may overlap the next as well.
    for mut run in runs.into_iter().rev() {
        while let Some(next) = all.pop_if(|next| next.first < run.last) {
            run.rows += next.rows;
            run.runs += next.runs;
            run.first = run.first.min(next.first);
            run.last = run.last.max(next.last);
        }
        all.push(run);
    }
    all.reverse();
    all
}

/// Sorts rows that are made of runs.
fn merge_runs<K: Ord + Send>(rows: &mut [Row], key: impl Fn(&Row) -> K + Sync) {
    if rows.len() < LARGE {
        // The standard sort merges runs, on one thread.
        rows.sort_by_key(key);
    } else {
        rows.par_sort_unstable_by_key(key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Runs, each in order, and all their rows.
    fn runs() -> impl Strategy<Value = Runs> {
        let times = prop::collection::vec(prop::collection::vec(-50i64..50, 0..20), 0..12);
        (times, 0i64..40).prop_map(|(times, shift)| {
            let mut runs = Runs::default();
            for (segment, times) in (0..).zip(times) {
                let row = |(row, ts)| Row { ts: ts - shift * i64::from(segment), segment, row };
                let mut run: Vec<Row> = (0..).zip(times).map(row).collect();
                run.sort_unstable();
                runs.push(&run);
            }
            runs
        })
    }

    proptest! {
        #[test]
        fn stretches_overlap_no_others_and_are_as_short_as_can_be(runs in runs()) {
            let newest = |row: &Row| Reverse(row.ts);
            let all = stretches(&runs.rows, &runs.lengths, newest);
            prop_assert_eq!(all.iter().map(|of| of.rows).sum::<usize>(), runs.rows.len());
            let mut start = 0;
            let mut lengths = runs.lengths.iter();
            let overlap = |at: usize| {
                let oldest = runs.rows[..at].iter().map(newest).max();
                oldest > runs.rows[at..].iter().map(newest).min()
            };
            for of in &all {
                let mut end = start;
                for (run, length) in lengths.by_ref().take(of.runs).enumerate() {
                    prop_assert!(run == 0 || overlap(end), "it could have been cut");
                    end += length;
                }
                prop_assert_eq!(end, start + of.rows);
                prop_assert!(end == runs.rows.len() || !overlap(end));
                let keys = || runs.rows[start..end].iter().map(newest);
                prop_assert_eq!((keys().min(), keys().max()), (Some(of.first), Some(of.last)));
                start = end;
            }
        }

        #[test]
        fn runs_are_merged_by_times(runs in runs()) {
            let mut expected = runs.rows.clone();
            expected.sort_by_key(|row| Reverse(row.ts));
            prop_assert_eq!(runs.by_times(), expected);
        }

        #[test]
        fn some_rows_are_in_the_order_of_all(
            all in runs(),
            some in prop::collection::vec(any::<bool>(), 240),
        ) {
            let rows = |segment| all.rows.iter().filter(|row| row.segment == segment).count();
            let mut list = all.rows.clone();
            list.sort_unstable();
            let positions = Positions::new(&list, (0..12).map(rows));
            let is_some = |row: &Row| some[row.segment as usize * 20 + row.row as usize];
            let mut found = Runs::default();
            for run in all.rows.chunk_by(|a, b| a.segment == b.segment) {
                let run: Vec<Row> = run.iter().copied().filter(is_some).collect();
                found.push(&run);
            }
            list.retain(is_some);
            prop_assert_eq!(found.by_positions(&positions), list);
        }
    }
}
