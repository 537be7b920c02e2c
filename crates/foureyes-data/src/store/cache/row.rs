//! A record by where it stands in the cache.

use std::cmp::Ordering;

/// A record of the archive by its row. The order is the newest first, undated ones last; that of
/// equal times is [`Collection::first`](super::Collection::first)'s.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Row {
    /// Microseconds since 1970; the lowest number where undated.
    pub ts: i64,
    /// Index of the segment.
    pub segment: u32,
    /// Row in the segment.
    pub row: u32,
}

impl Row {
    pub(super) fn of_segment(
        segment: usize,
        rows: &[(i64, u32)],
    ) -> impl Iterator<Item = Self> + '_ {
        rows.iter().map(move |(ts, row)| Self { ts: *ts, segment: segment as u32, row: *row })
    }
}

impl Ord for Row {
    fn cmp(&self, other: &Self) -> Ordering {
        let place = |r: &Self| (r.segment, r.row);
        other.ts.cmp(&self.ts).then_with(|| place(self).cmp(&place(other)))
    }
}

impl PartialOrd for Row {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
