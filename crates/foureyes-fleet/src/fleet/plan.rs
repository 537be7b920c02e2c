//! What the store lacks of what this machine knows.

use super::Known;
use super::connection::Store;
use super::error::FleetError;
use super::identity::{Identity, Key, identities};
use super::ledgers::{self, Placed};
use super::row_binary::Columns;
use super::schema;
use super::sql;
use crate::store::cache::{Collection, FileReport, Occurrence};
use std::collections::HashMap;
use std::ops::Range;

/// Logs that are asked for in one statement.
const ASKED: usize = 1000;

/// A log of which the store has less than this machine.
#[derive(Debug)]
pub(super) struct Behind {
    /// Its index in the archive.
    pub(super) file: usize,
    /// Its bytes in the store.
    pub(super) bytes: u64,
    /// Bytes that are read for good in the store: rejects before are there.
    pub(super) done: u64,
}

/// What the store lacks.
pub(super) struct Plan<'a> {
    /// The identities of all logs, by their index.
    pub(super) identities: Vec<Identity>,
    /// Logs of which it has less.
    pub(super) behind: Vec<Behind>,
    /// Entries that it does not have, each with its ledger and its place there.
    pub(super) entries: Vec<Placed<'a>>,
}

/// Compares the store with what this machine knows; with `all` as if it had nothing.
pub(super) async fn plan<'a>(
    store: &Store,
    known: Known<'a>,
    all: bool,
) -> Result<Plan<'a>, FleetError> {
    let identities = identities(known.archive)?;
    let there = if all { HashMap::new() } else { files_there(store, &identities).await? };
    let files = known.archive.files().iter().enumerate().zip(&identities);
    let behind = files.filter_map(|((file, report), identity)| {
        let (bytes, done) = there.get(&identity.key).copied().unwrap_or_default();
        let is_known = there.contains_key(&identity.key);
        (!is_known || bytes < report.bytes).then_some(Behind { file, bytes, done })
    });
    let behind = behind.collect();
    let entries = ledgers::lacking(store, known.ledger, all).await?;
    Ok(Plan { identities, behind, entries })
}

/// Bytes, and those read for good, of the logs that the store knows among these.
async fn files_there(
    store: &Store,
    identities: &[Identity],
) -> Result<HashMap<Key, (u64, u64)>, FleetError> {
    let mut there = HashMap::new();
    for some in identities.chunks(ASKED) {
        let keys = sql::list(some.iter().map(|identity| sql::fixed(&identity.key)));
        let select = format!(
            "SELECT file, toUInt64(max(bytes)), toUInt64(max(done)) FROM {} WHERE file IN ({keys}) GROUP BY file",
            store.names().table(schema::FILES.name)
        );
        let read = |row: &mut Columns<'_>| Ok((row.fixed()?, (row.u64()?, row.u64()?)));
        there.extend(store.rows("ask which logs are there", &select, read).await?);
    }
    Ok(there)
}

/// What of a log is to be sent.
pub(super) struct Rest<'o> {
    /// Its records that are read for good.
    pub(super) settled: &'o [Occurrence],
    /// Those at its end, which may be read anew.
    pub(super) tail: &'o [Occurrence],
}

/// Records that are looked at together, more or less: what is kept of each takes some 40 bytes.
const TOGETHER: u64 = 4_000_000;

impl Plan<'_> {
    /// The logs behind in groups of bounded size, as ranges of their places in the plan.
    pub(super) fn groups(&self, archive: &Collection) -> Vec<Range<usize>> {
        let records = |b: &Behind| archive.files().get(b.file).map_or(0, |f| f.accounting.records);
        grouped(self.behind.iter().map(records), TOGETHER)
    }

    /// Where the records of a group of logs are, in the order of logs and bytes.
    pub(super) fn occurrences(
        &self,
        archive: &Collection,
        group: Range<usize>,
    ) -> Result<Vec<Occurrence>, FleetError> {
        let mut wanted = vec![false; archive.files().len()];
        for behind in self.behind.get(group).unwrap_or_default() {
            wanted[behind.file] = true;
        }
        Ok(archive.occurrences(&wanted)?)
    }
}

/// Neighbours in groups of at most so many together, or one alone.
fn grouped(sizes: impl Iterator<Item = u64>, most: u64) -> Vec<Range<usize>> {
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

/// What of each log of a group is to be sent, given the records of all of them in the order of logs and
/// bytes.
///
/// A log of which the store has a beginning that is whole, by number and content, goes on behind it. Else it
/// is sent anew: a publisher that was killed may have left a hole.
pub(super) async fn rests<'o>(
    store: &Store,
    archive: &Collection,
    plan: &Plan<'_>,
    group: Range<usize>,
    occurrences: &'o [Occurrence],
    all: bool,
) -> Result<Vec<Rest<'o>>, FleetError> {
    let logs = plan.behind.get(group).unwrap_or_default();
    let keys: Vec<Key> =
        logs.iter().filter_map(|b| Some(plan.identities.get(b.file)?.key)).collect();
    let there = if all { HashMap::new() } else { beginnings(store, &keys).await? };
    let mut rests = Vec::new();
    for (behind, key) in logs.iter().zip(&keys) {
        let Some(report) = archive.files().get(behind.file) else { continue };
        let (settled, tail) = of_log(occurrences, behind.file, report);
        let whole = there.get(key).map_or(0, |beginning| beginning.whole(settled));
        rests.push(Rest { settled: settled.get(whole..).unwrap_or_default(), tail });
    }
    Ok(rests)
}

/// The records of a log: those read for good, and those at its end.
fn of_log<'o>(
    all: &'o [Occurrence],
    file: usize,
    report: &FileReport,
) -> (&'o [Occurrence], &'o [Occurrence]) {
    let from = all.partition_point(|one| (one.file as usize) < file);
    let upto = all.partition_point(|one| (one.file as usize) <= file);
    let own = all.get(from..upto).unwrap_or_default();
    own.split_at(own.partition_point(|one| one.byte < report.done))
}

/// What the store has of a log.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Beginning {
    /// Offset of its last record.
    last: u64,
    /// How many.
    count: u64,
    /// The heads of their ids, each bit added to the others.
    heads: u64,
}

impl Beginning {
    /// How many of the records need not be sent: those up to its last one where it has all of them, and no
    /// others; else none.
    fn whole(&self, settled: &[Occurrence]) -> usize {
        let count = settled.partition_point(|one| one.byte <= self.last);
        let own = settled.get(..count).unwrap_or_default();
        let heads = own.iter().fold(0, |sum, one| sum ^ one.head);
        if (count as u64, heads) == (self.count, self.heads) { count } else { 0 }
    }
}

async fn beginnings(store: &Store, keys: &[Key]) -> Result<HashMap<Key, Beginning>, FleetError> {
    let mut there = HashMap::new();
    for some in keys.chunks(ASKED) {
        let keys = sql::list(some.iter().map(sql::fixed));
        let select = format!(
            "SELECT file, toUInt64(max(byte)), toUInt64(count()), toUInt64(groupBitXor(head)) FROM \
             (SELECT file, byte, head, id FROM {} WHERE upto = 0 AND file IN ({keys}) \
             GROUP BY file, byte, head, id) GROUP BY file",
            store.names().table(schema::OCCURRENCES.name)
        );
        let read = |row: &mut Columns<'_>| {
            let key = row.fixed()?;
            Ok((key, Beginning { last: row.u64()?, count: row.u64()?, heads: row.u64()? }))
        };
        there.extend(store.rows("ask which records are there", &select, read).await?);
    }
    Ok(there)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::cache::Row;

    #[test]
    fn groups_are_bounded_and_leave_nothing_out() {
        let groups = |sizes: &[u64]| grouped(sizes.iter().copied(), 10);
        assert!(groups(&[]).is_empty());
        assert_eq!(groups(&[4, 6, 1, 30, 0, 10]), [0..2, 2..3, 3..4, 4..6]);
        assert_eq!(groups(&[0, 0, 11]), [0..2, 2..3]);
    }

    #[test]
    fn only_a_beginning_without_hole_is_not_sent_again() {
        let one = |byte, head| {
            let row = Row { ts: 0, segment: 0, row: 0 };
            Occurrence { row, file: 0, byte, head }
        };
        let settled = [one(0, 3), one(10, 5), one(20, 9)];
        let there = |last, count, heads| Beginning { last, count, heads }.whole(&settled);
        assert_eq!(there(10, 2, 3 ^ 5), 2);
        assert_eq!(there(20, 3, 3 ^ 5 ^ 9), 3);
        // A hole, another record, and one more than there are.
        assert_eq!(there(20, 2, 3 ^ 9), 0);
        assert_eq!(there(10, 2, 3 ^ 7), 0);
        assert_eq!(there(10, 3, 3 ^ 5), 0);
        // Somebody has more of it.
        assert_eq!(there(40, 3, 3 ^ 5 ^ 9), 3);
    }
}
