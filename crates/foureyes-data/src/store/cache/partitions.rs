//! Rows by their hashes, so that each partition can be looked at with a small table of its own: that stays
//! near the processor.

use rayon::prelude::*;

/// About so many rows are in a partition.
const ROWS: usize = 1 << 13;
/// There are no more partitions than that.
const MOST: usize = 1 << 10;

/// Rows of several lists; those with one hash are in the same partition, in their order.
pub(super) struct Partitions<R> {
    /// Of each list those of each partition.
    lists: Vec<Vec<Vec<R>>>,
    count: usize,
}

impl<R: Send + Sync> Partitions<R> {
    /// Of rows with their hashes, about so many in all.
    pub(super) fn new<I: Iterator<Item = (u64, R)> + Send>(rows: usize, lists: Vec<I>) -> Self {
        let count = (rows / ROWS).next_power_of_two().min(MOST);
        let partition = |rows: I| {
            // One row too many costs a copy.
            let each = rows.size_hint().1.unwrap_or_default() / count / 8 * 9;
            let mut all: Vec<_> = (0..count).map(|_| Vec::with_capacity(each)).collect();
            for (hash, row) in rows {
                // By bits that no table goes by.
                if let Some(rows) = all.get_mut((hash >> 32) as usize % count) {
                    rows.push(row);
                }
            }
            all
        };
        Self { lists: lists.into_par_iter().map(partition).collect(), count }
    }

    /// Does something for the rows of each partition, side by side, and gives them up.
    pub(super) fn map<T: Send>(self, of: impl Fn(&[&[R]]) -> T + Sync) -> Vec<T> {
        let rows = |partition: usize| -> Vec<&[R]> {
            self.lists.iter().filter_map(|all| all.get(partition).map(Vec::as_slice)).collect()
        };
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
