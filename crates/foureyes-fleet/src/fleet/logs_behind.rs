//! Logs of which the store has less than this machine, and what is in them.

use crate::domain::RejectRow;
use crate::store::cache::{FileReport, Occurrence};
use std::ops::Range;

/// A log of which the store has less than this machine.
#[derive(Debug)]
pub(super) struct Behind {
    /// Its index in the archive.
    pub(super) file: usize,
    /// Its bytes in the store.
    pub(super) bytes: u64,
    /// Bytes that are read for good in the store: rejects before are there.
    pub(super) done: u64,
    /// The epoch of the row that is to say that it is there.
    pub(super) epoch: u64,
    /// So many of its records that are read for good are there, all up to the last of them.
    pub(super) whole: usize,
    /// It takes the place of a row whose own records are not there.
    pub(super) superseded: bool,
}

/// Records that are looked at together, more or less: what is kept of each takes some 40 bytes.
pub(super) const TOGETHER: u64 = 4_000_000;

/// Neighbours in groups of at most so many together, or one alone.
pub(super) fn grouped(sizes: impl Iterator<Item = u64>, most: u64) -> Vec<Range<usize>> {
    let (mut groups, mut start, mut sum, mut end) = (Vec::new(), 0, 0, 0);
    for (at, size) in sizes.enumerate() {
        if sum + size > most && at > start {
            groups.push(start..at);
            (start, sum) = (at, 0);
        }
        sum += size;
        end = at + 1;
    }
    groups.extend((end > start).then_some(start..end));
    groups
}

/// Whether a reject is at the end of a log that may be read anew.
pub(super) fn is_tail(report: &FileReport, reject: &RejectRow) -> bool {
    !report.gzip && reject.byte >= report.done
}

/// The records of a log: those read for good, and those at its end.
pub(super) fn of_log<'o>(
    all: &'o [Occurrence],
    file: usize,
    report: &FileReport,
) -> (&'o [Occurrence], &'o [Occurrence]) {
    let from = all.partition_point(|one| (one.file as usize) < file);
    let upto = all.partition_point(|one| (one.file as usize) <= file);
    let own = all.get(from..upto).unwrap_or_default();
    own.split_at(own.partition_point(|one| one.byte < report.done))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_are_bounded_and_leave_nothing_out() {
        let groups = |sizes: &[u64]| grouped(sizes.iter().copied(), 10);
        assert!(groups(&[]).is_empty());
        assert_eq!(groups(&[4, 6, 1, 30, 0, 10]), [0..2, 2..3, 3..4, 4..6]);
        assert_eq!(groups(&[0, 0, 11]), [0..2, 2..3]);
    }
}
