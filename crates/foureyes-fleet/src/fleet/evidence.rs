//! What the store has of logs: the row that counts of each, and its records.

use super::connection::Store;
use super::error::FleetError;
use super::identity::Key;
use super::row_binary::Columns;
use super::{fold, schema, sql};
use crate::store::cache::Occurrence;
use std::collections::{BTreeMap, HashMap, HashSet};

/// Logs that are asked for in one statement.
const ASKED: usize = 1000;

/// A hash of the bytes of a log.
pub(super) type Digest = [u8; 16];
/// That of a log which an earlier version published.
pub(super) const UNKNOWN: Digest = [0; 16];

/// The row of a log that counts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Top {
    pub(super) bytes: u64,
    /// Bytes that are read for good.
    pub(super) done: u64,
    pub(super) digest: Digest,
    pub(super) epoch: u64,
    /// Records that must be in the store, and rejects.
    pub(super) records: u64,
    pub(super) rejected: u64,
    /// Some of its records may have no row, and nobody knows how many: an earlier version published it.
    pub(super) may_repeat: bool,
}

/// Those of the logs that the store knows among these.
pub(super) async fn tops(store: &Store, keys: &[Key]) -> Result<HashMap<Key, Top>, FleetError> {
    let mut there = HashMap::new();
    for some in keys.chunks(ASKED) {
        let select = format!(
            "SELECT file, bytes, done, digest, epoch, records, repeated, rejected, unkept, gzip FROM {} WHERE file IN ({}) \
             ORDER BY {} LIMIT 1 BY file",
            store.names().table(schema::FILES.name),
            sql::list(some.iter().map(sql::fixed)),
            fold::TOP
        );
        let read = |row: &mut Columns<'_>| {
            let (key, bytes, done) = (row.fixed()?, row.u64()?, row.u64()?);
            let (digest, epoch) = (row.fixed()?, row.u64()?);
            let records = row.u64()?.saturating_sub(row.u64()?);
            let rejected = row.u64()?.saturating_sub(row.u64()?);
            let gzip = row.u8()? != 0;
            let may_repeat = gzip && digest == UNKNOWN;
            Ok((key, Top { bytes, done, digest, epoch, records, rejected, may_repeat }))
        };
        there.extend(store.rows("ask which logs are there", &select, read).await?);
    }
    Ok(there)
}

/// How many records the store has of a part of a log, and which.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Sum {
    /// Offset of the last one.
    pub(super) last: u64,
    pub(super) count: u64,
    /// The heads of their ids, each bit added to the others.
    pub(super) heads: u64,
}

impl Sum {
    /// That of records here.
    pub(super) fn of(records: &[Occurrence]) -> Self {
        let mut sum = Self::default();
        records.iter().for_each(|one| sum.add(one.byte, one.head));
        sum
    }

    /// Adds a record.
    pub(super) fn add(&mut self, byte: u64, head: u64) {
        self.last = self.last.max(byte);
        self.count += 1;
        self.heads ^= head;
    }

    /// How many of the records need not be sent: those up to its last one where it has all of them, and no
    /// others; else none.
    pub(super) fn whole(&self, settled: &[Occurrence]) -> usize {
        let count = settled.partition_point(|one| one.byte <= self.last);
        let own = Self::of(settled.get(..count).unwrap_or_default());
        if (own.count, own.heads) == (self.count, self.heads) { count } else { 0 }
    }
}

/// The records of logs, by where these end: 0 for those that are read for good.
pub(super) type Sums = HashMap<Key, BTreeMap<u64, Sum>>;

/// Sums up the records that the store has of logs.
pub(super) async fn sums(store: &Store, keys: &[Key]) -> Result<Sums, FleetError> {
    summed(store, "head", keys, places).await
}

/// The same of rejects, of which the places are told apart and no heads.
pub(super) async fn reject_sums(store: &Store, keys: &[Key]) -> Result<Sums, FleetError> {
    summed(store, "byte", keys, rejects).await
}

async fn summed(
    store: &Store,
    heads: &str,
    keys: &[Key],
    from: impl Fn(&Store, &[Key]) -> String,
) -> Result<Sums, FleetError> {
    let mut there = Sums::new();
    for some in keys.chunks(ASKED) {
        let select = format!(
            "SELECT file, upto, toUInt64(max(byte)), toUInt64(count()), toUInt64(groupBitXor({heads})) \
             FROM ({}) GROUP BY file, upto",
            from(store, some)
        );
        let read = |row: &mut Columns<'_>| {
            let (key, upto) = (row.fixed()?, row.u64()?);
            Ok((key, upto, Sum { last: row.u64()?, count: row.u64()?, heads: row.u64()? }))
        };
        for (key, upto, sum) in store.rows("ask which records are there", &select, read).await? {
            there.entry(key).or_default().insert(upto, sum);
        }
    }
    Ok(there)
}

fn places(store: &Store, keys: &[Key]) -> String {
    format!(
        "SELECT file, upto, byte, head, id FROM {} WHERE file IN ({}) GROUP BY file, upto, byte, head, id",
        store.names().table(schema::OCCURRENCES.name),
        sql::list(keys.iter().map(sql::fixed))
    )
}

fn rejects(store: &Store, keys: &[Key]) -> String {
    format!(
        "SELECT file, upto, byte FROM {} WHERE file IN ({}) GROUP BY file, upto, byte, line, len, reason",
        store.names().table(schema::REJECTS.name),
        sql::list(keys.iter().map(sql::fixed))
    )
}

/// The records of a log in the store, one by one.
#[derive(Debug, Default)]
pub(super) struct Listing {
    /// Offset and head of those that are read for good.
    pub(super) settled: HashSet<(u64, u64)>,
    /// Those at the end of the log, with its length, and of which others may be.
    pub(super) tails: HashSet<(u64, u64, u64)>,
    /// Offsets of rejects, with the length of the log where these are at its end.
    pub(super) rejects: Vec<(u64, u64)>,
}

impl Listing {
    /// The records of a log of so many bytes of which so many are read for good, by offset and head, and how many
    /// rejects.
    pub(super) fn those_of(&self, bytes: u64, done: u64) -> (HashSet<(u64, u64)>, u64) {
        let settled = self.settled.iter().copied().filter(|(byte, _)| *byte < done);
        let tails = self.tails.iter().filter(|(upto, ..)| *upto == bytes);
        let all = settled.chain(tails.map(|(_, byte, head)| (*byte, *head))).collect();
        let rejects = self.rejects.iter().filter(|(upto, byte)| match *upto {
            0 => *byte < done,
            upto => upto == bytes,
        });
        (all, rejects.count() as u64)
    }
}

/// Lists the records and rejects of logs.
pub(super) async fn listings(
    store: &Store,
    keys: &[Key],
) -> Result<HashMap<Key, Listing>, FleetError> {
    let mut all: HashMap<Key, Listing> =
        keys.iter().map(|key| (*key, Listing::default())).collect();
    for some in keys.chunks(ASKED) {
        let select = format!("SELECT file, upto, byte, head FROM ({})", places(store, some));
        let read =
            |row: &mut Columns<'_>| Ok((row.fixed::<16>()?, row.u64()?, row.u64()?, row.u64()?));
        for (key, upto, byte, head) in store.rows("compare records", &select, read).await? {
            let listing = all.entry(key).or_default();
            match upto {
                0 => listing.settled.insert((byte, head)),
                upto => listing.tails.insert((upto, byte, head)),
            };
        }
        let select = format!("SELECT file, upto, byte FROM ({})", rejects(store, some));
        let read = |row: &mut Columns<'_>| Ok((row.fixed::<16>()?, row.u64()?, row.u64()?));
        for (key, upto, byte) in store.rows("compare rejects", &select, read).await? {
            all.entry(key).or_default().rejects.push((upto, byte));
        }
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::cache::Row;

    #[test]
    fn only_a_beginning_without_hole_is_not_sent_again() {
        let one = |byte, head| {
            let row = Row { ts: 0, segment: 0, row: 0 };
            Occurrence { row, file: 0, byte, head }
        };
        let settled = [one(0, 3), one(10, 5), one(20, 9)];
        let there = |last, count, heads| Sum { last, count, heads }.whole(&settled);
        assert_eq!(there(10, 2, 3 ^ 5), 2);
        assert_eq!(there(20, 3, 3 ^ 5 ^ 9), 3);
        // A hole, another record, and one more than there are.
        assert_eq!(there(20, 2, 3 ^ 9), 0);
        assert_eq!(there(10, 2, 3 ^ 7), 0);
        assert_eq!(there(10, 3, 3 ^ 5), 0);
        // Somebody has more of it.
        assert_eq!(there(40, 3, 3 ^ 5 ^ 9), 3);
    }

    #[test]
    fn what_is_behind_the_row_that_counts_counts_nowhere() {
        let listing = Listing {
            settled: [(0, 3), (10, 5), (20, 9)].into(),
            tails: [(30, 20, 9), (30, 25, 7), (12, 10, 5)].into(),
            rejects: vec![(0, 5), (0, 22), (30, 27), (40, 27)],
        };
        let top = |bytes, done| {
            let (records, rejects) = listing.those_of(bytes, done);
            (records.len(), rejects)
        };
        assert_eq!(top(30, 20), (4, 2), "one stands at the end and for good");
        assert_eq!(top(12, 10), (2, 1));
        assert_eq!((top(11, 11), top(0, 0)), ((2, 1), (0, 0)));
        assert_eq!(top(50, 50), (3, 2));
    }
}
