//! Which rows are doubles.

use super::row::Row;
use rayon::prelude::*;

/// The doubles of an archive: first word of the id, segment, row; in that order.
pub(super) struct Doubles(Vec<(u64, u32, u32)>);

impl Doubles {
    /// Those found, in no order.
    pub(super) fn sorted(mut found: Vec<(u64, u32, u32)>) -> Self {
        found.par_sort_unstable();
        Self(found)
    }

    /// The doubles of which the id begins with this word.
    pub(super) fn rows(&self, head: u64) -> impl Iterator<Item = Row> + '_ {
        let from = self.0.partition_point(|(word, ..)| *word < head);
        let same = self.0[from..].iter().take_while(move |(word, ..)| *word == head);
        same.map(|(_, segment, row)| Row { ts: 0, segment: *segment, row: *row })
    }
}
