//! Pieces of logs that are no record: all are counted, and the places of the first ones kept, since a small log may
//! hold millions.

use crate::domain::{RecordId, Reject};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// So many rejects of a log are kept.
pub(super) const OF_LOG: u64 = 1_000;
/// So many of all logs together.
pub(super) const OF_ALL: usize = 10_000;
/// So many foreign objects are known by their ids.
const FOREIGN: usize = 4_096;

/// A reject and the index of its file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(super) struct FiledReject {
    pub(super) file: u32,
    #[serde(flatten)]
    pub(super) reject: Reject,
}

/// What logs hold beside records, up to a bound.
#[derive(Debug, Default)]
pub(super) struct NoRecords {
    pub(super) rejects: Vec<FiledReject>,
    /// Rejects that were counted and are not kept.
    pub(super) unkept: u64,
    /// Heads of the ids that foreign objects have where somebody names them.
    pub(super) foreign: BTreeSet<u64>,
}

impl NoRecords {
    /// Takes a reject of a log of which so many came before.
    pub(super) fn reject(&mut self, before: u64, reject: FiledReject) {
        if before < OF_LOG {
            self.rejects.push(reject);
        } else {
            self.unkept += 1;
        }
    }

    /// Takes a foreign object.
    pub(super) fn foreign(&mut self, id: Option<RecordId>) {
        self.foreign.extend(id.filter(|_| self.foreign.len() < FOREIGN).map(|id| id.head()));
    }

    /// Takes what follows in the same log, of which so many rejects came before all of it.
    pub(super) fn append(&mut self, before: u64, more: Self) {
        self.take(more);
        self.cut(OF_LOG.saturating_sub(before) as usize);
    }

    /// Takes what is of other logs, and keeps what is first in the order of the logs.
    pub(super) fn add(&mut self, more: Self, ranks: &[u32]) {
        self.take(more);
        if self.rejects.len() > 2 * OF_ALL {
            self.first(ranks);
        }
    }

    /// Keeps what is first in the order of the logs.
    pub(super) fn first(&mut self, ranks: &[u32]) {
        sort(&mut self.rejects, ranks);
        self.cut(OF_ALL);
    }

    pub(super) fn take(&mut self, more: Self) {
        self.rejects.extend(more.rejects);
        self.unkept += more.unkept;
        self.foreign.extend(more.foreign);
        while self.foreign.len() > FOREIGN {
            self.foreign.pop_last();
        }
    }

    fn cut(&mut self, most: usize) {
        self.unkept += self.rejects.len().saturating_sub(most) as u64;
        self.rejects.truncate(most);
    }
}

/// Puts rejects in the order of the logs.
pub(super) fn sort(rejects: &mut [FiledReject], ranks: &[u32]) {
    let rank = |file: u32| ranks.get(file as usize).copied().unwrap_or(u32::MAX);
    rejects.sort_by_key(|r| (rank(r.file), r.reject.byte));
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reject(file: u32, byte: u64) -> FiledReject {
        FiledReject { file, reject: Reject { line: 1, byte, len: 1, reason: String::new() } }
    }

    fn of_log(file: u32, count: u64) -> NoRecords {
        let mut all = NoRecords::default();
        (0..count).for_each(|n| all.reject(n, reject(file, n)));
        all
    }

    #[test]
    fn first_rejects_of_each_log_and_of_all_are_kept_and_all_are_counted() {
        let of_one = of_log(0, 3 * OF_LOG);
        assert_eq!((of_one.rejects.len() as u64, of_one.unkept), (OF_LOG, 2 * OF_LOG));
        // The last log comes first, and whatever the order in which they are read, its rejects are kept.
        let logs = 30;
        let ranks: Vec<u32> = (0..logs).rev().collect();
        let kept = |order: &mut dyn Iterator<Item = u32>| {
            let mut all = NoRecords::default();
            order.for_each(|file| all.add(of_log(file, OF_LOG + 1), &ranks));
            assert!(all.rejects.len() <= 2 * OF_ALL);
            all.first(&ranks);
            all
        };
        let (one, other) = (kept(&mut (0..logs)), kept(&mut (0..logs).rev()));
        assert_eq!(one.rejects, other.rejects);
        assert_eq!(one.rejects.first(), Some(&reject(29, 0)));
        assert_eq!(one.rejects.len(), OF_ALL);
        assert_eq!(one.unkept + OF_ALL as u64, u64::from(logs) * (OF_LOG + 1));
        assert_eq!(other.unkept, one.unkept);
    }

    #[test]
    fn pieces_of_a_log_keep_no_more_than_the_log() {
        let mut log = of_log(0, 600);
        log.append(0, of_log(0, 600));
        assert_eq!((log.rejects.len(), log.unkept), (1_000, 200));
        let mut behind = of_log(0, 600);
        behind.append(900, of_log(0, 600));
        assert_eq!((behind.rejects.len(), behind.unkept), (100, 1_100), "900 came before");
    }
}
