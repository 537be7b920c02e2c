//! Whether what was sent is there: it is counted in the store, since an answer alone is no proof.

use super::Operator;
use super::connection::Store;
use super::error::FleetError;
use super::evidence::{self, Sum, Sums};
use super::identity::Key;
use super::schema::Table;
use super::{mask, sql};
use crate::store::cache::Occurrence;
use std::collections::HashMap;

/// A log, and what must be there of it.
pub(super) struct Due<'o> {
    pub(super) key: Key,
    pub(super) bytes: u64,
    /// Bytes that are read for good.
    pub(super) done: u64,
    pub(super) epoch: u64,
    /// Its records that are read for good, and those at its end.
    pub(super) settled: &'o [Occurrence],
    pub(super) tail: &'o [Occurrence],
    /// The same of rejects.
    pub(super) rejects: [Sum; 2],
}

impl Due<'_> {
    /// Whether sums of the store are those of what is due, of what is read for good and of the end.
    fn is(&self, sums: &Sums, [settled, tail]: [Sum; 2]) -> bool {
        let there = |upto| {
            let of_log = sums.get(&self.key).and_then(|there| there.get(&upto));
            of_log.copied().unwrap_or_default()
        };
        there(0) == settled && (tail == Sum::default() || there(self.bytes) == tail)
    }
}

/// Counts the records and rejects of logs in the store; gives how many more records there are of some: doubles that
/// have no row where a compressed log is read.
///
/// # Errors
/// Some that are not there.
pub(super) async fn logs(store: &Store, due: &[Due<'_>]) -> Result<HashMap<Key, u64>, FleetError> {
    let keys: Vec<Key> = due.iter().map(|log| log.key).collect();
    let sums = evidence::sums(store, &keys).await?;
    let of_rejects = |log: &&Due<'_>| log.rejects != [Sum::default(); 2];
    let keys: Vec<Key> = due.iter().filter(of_rejects).map(|log| log.key).collect();
    let rejects = evidence::reject_sums(store, &keys).await?;
    let is_there = |log: &&Due<'_>| {
        log.is(&sums, [log.settled, log.tail].map(Sum::of))
            && (!of_rejects(log) || log.is(&rejects, log.rejects))
    };
    // Of a log of which somebody else has more, one by one.
    let unclear: Vec<&Due<'_>> = due.iter().filter(|log| !is_there(log)).collect();
    let keys: Vec<Key> = unclear.iter().map(|log| log.key).collect();
    let listings = evidence::listings(store, &keys).await?;
    let [mut records, mut rejects] = [(0, 0); 2];
    let mut more = HashMap::new();
    for log in unclear {
        let Some(listing) = listings.get(&log.key) else { continue };
        let (there, rejected) = listing.those_of(log.bytes, log.done);
        let own = log.settled.iter().chain(log.tail);
        let found = own.filter(|one| there.contains(&(one.byte, one.head))).count();
        records.0 += (log.settled.len() + log.tail.len()) as u64;
        records.1 += found as u64;
        more.insert(log.key, there.len().saturating_sub(found) as u64);
        let offered = log.rejects[0].count + log.rejects[1].count;
        rejects.0 += offered;
        rejects.1 += rejected.min(offered);
    }
    for (attempt, (sent, there)) in [("publish records", records), ("publish rejects", rejects)] {
        if there < sent {
            return Err(FleetError::Lost { attempt, sent, there });
        }
    }
    Ok(more)
}

/// Whether the store says that logs are there.
///
/// # Errors
/// Some of which it does not.
pub(super) async fn marks(store: &Store, due: &[Due<'_>]) -> Result<(), FleetError> {
    let keys: Vec<Key> = due.iter().map(|log| log.key).collect();
    let tops = evidence::tops(store, &keys).await?;
    let is_there = |log: &&Due<'_>| {
        let top = tops.get(&log.key);
        top.is_some_and(|top| (top.epoch, top.bytes) >= (log.epoch, log.bytes))
    };
    lost("publish logs", due.len() as u64, due.iter().filter(is_there).count() as u64)
}

/// Counts rows that hold a condition, by a column in which each differs.
///
/// # Errors
/// Fewer than were sent.
pub(super) async fn rows(
    store: &Store,
    attempt: &'static str,
    table: &Table,
    (column, condition): (&str, &str),
    sent: u64,
) -> Result<(), FleetError> {
    let table = store.names().table(table.name);
    let select = format!("SELECT toUInt64(uniqExact({column})) FROM {table} WHERE {condition}");
    let there = store.one(attempt, &select, |row| row.u64()).await?;
    lost(attempt, sent, there)
}

fn lost(attempt: &'static str, sent: u64, there: u64) -> Result<(), FleetError> {
    if there < sent { Err(FleetError::Lost { attempt, sent, there }) } else { Ok(()) }
}

/// The condition that rows are those of an operator.
pub(super) fn by(operator: &Operator) -> String {
    let [name, machine] =
        [&operator.name, &operator.machine].map(|text| sql::text(mask::text(text).as_bytes()));
    format!("operator = {name} AND machine = {machine}")
}
