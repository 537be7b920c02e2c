//! Rows by their hashes, so that each partition can be looked at with a small table of its own: that stays
//! near the processor.

use rayon::prelude::*;

/// About so many rows are in a partition.
const ROWS: usize = 1 << 13;
/// There are no more partitions than that.
const MOST: usize = 1 << 10;

/// Rows of several lists; those with one hash are in the same partition, in their order.
pub(super) struct Partitions<R> {
    lists: Vec<List<R>>,
    count: usize,
}

/// The rows of a list, those of the first partition first.
struct List<R> {
    rows: Vec<R>,
    /// Where each partition ends.
    ends: Vec<usize>,
}

impl<R: Copy + Default> List<R> {
    /// Of rows with their hashes; they are counted first, so that all of them take one piece of memory. `count` is
    /// a power of two.
    fn new(rows: impl Iterator<Item = (u64, R)> + Clone, count: usize) -> Self {
        // By bits that no table goes by.
        let partition = |hash: u64| (hash >> 32) as usize & (count - 1);
        let mut sizes = vec![0; count];
        rows.clone().for_each(|(hash, _)| sizes[partition(hash)] += 1);
        // Where the next row of each goes: at first where it begins, at last where it ends.
        let starts = sizes.iter().scan(0, |sum, size| Some(std::mem::replace(sum, *sum + size)));
        let mut ends: Vec<usize> = starts.collect();
        let mut all = vec![R::default(); sizes.iter().sum()];
        for (hash, row) in rows {
            let next = &mut ends[partition(hash)];
            all[*next] = row;
            *next += 1;
        }
        Self { rows: all, ends }
    }

    fn partition(&self, at: usize) -> &[R] {
        let start = at.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.rows[start..self.ends[at]]
    }
}

impl<R: Copy + Default + Send + Sync> Partitions<R> {
    /// Of rows with their hashes, about so many in all.
    pub(super) fn new<I>(rows: usize, lists: Vec<I>) -> Self
    where
        I: Iterator<Item = (u64, R)> + Clone + Send,
    {
        let count = (rows / ROWS).next_power_of_two().min(MOST);
        let lists = lists.into_par_iter().map(|rows| List::new(rows, count));
        Self { lists: lists.collect(), count }
    }

    /// Does something for the rows of each partition, side by side, and gives them up.
    pub(super) fn map<T: Send>(self, of: impl Fn(&[&[R]]) -> T + Sync) -> Vec<T> {
        let rows =
            |at: usize| -> Vec<&[R]> { self.lists.iter().map(|list| list.partition(at)).collect() };
        (0..self.count).into_par_iter().map(|partition| of(&rows(partition))).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_of_one_hash_are_in_one_partition_in_their_order() {
        let hash = |n: u64| (n % 501) << 30;
        let lists = [0..30_000, 30_000..60_000].map(|list| list.map(|n| (hash(n), n))).to_vec();
        let partitions = Partitions::new(64 * ROWS, lists).map(|rows| rows.concat());
        assert_eq!(partitions.len(), 64);
        assert!(partitions.iter().all(|rows| rows.is_sorted()));
        assert!(partitions.iter().filter(|rows| !rows.is_empty()).count() > 32);
        let mut hashes = Vec::new();
        for rows in &partitions {
            let mut own: Vec<_> = rows.iter().map(|row| hash(*row)).collect();
            own.sort_unstable();
            own.dedup();
            hashes.extend(own);
        }
        // None is in two.
        assert_eq!(hashes.len(), 501);
        assert_eq!(partitions.concat().len(), 60_000);
    }
}
