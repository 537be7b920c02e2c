//! Entries of ledgers: sent, and read again as what all operators wrote together.
//!
//! Of two assignments of one place that did not know of each other, the one that the store received first
//! holds. Its clock counts seconds, and what is on its way within one may have any order: so whoever assigns
//! shows what holds once that second is over.

use super::Nodes;
use super::connection::Store;
use super::error::FleetError;
use super::row_binary::{Columns, Rows};
use super::{schema, sql, verify, write};
use crate::domain::Timestamp;
use crate::domain::review::{Act, Entry, EntryId, LineHash, Present};
use crate::store::ledger::Ledger;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};
use std::time::Duration;

/// Entries that are sent at once.
const TOGETHER: usize = 20_000;
/// Entries that are asked for in one statement.
const ASKED: usize = 1000;
/// How long after the second of an arrival another one of the same second may become visible.
const SETTLES: Duration = Duration::from_secs(2);
/// How often the clock of the store is asked meanwhile.
const AGAIN: Duration = Duration::from_millis(250);

/// An entry, with its ledger and its place there.
pub(super) type Placed<'a> = (&'a str, u64, &'a Entry);

/// The entries that the store does not have, or all.
pub(super) async fn lacking<'a>(
    store: &Store,
    ledger: &'a Ledger,
    all: bool,
) -> Result<Vec<Placed<'a>>, FleetError> {
    let there = if all { HashSet::new() } else { hashes(store).await? };
    let mut entries = Vec::new();
    for (name, of) in ledger.ledgers() {
        let placed = (1..).zip(of).filter(|(_, entry)| !there.contains(&entry.hash.0));
        entries.extend(placed.map(|(place, entry)| (name, place, entry)));
    }
    Ok(entries)
}

async fn hashes(store: &Store) -> Result<HashSet<[u8; 32]>, FleetError> {
    let select =
        format!("SELECT hash FROM {} GROUP BY hash", store.names().table(schema::ENTRIES.name));
    let read = |row: &mut Columns<'_>| row.fixed();
    Ok(store.rows("ask which entries are there", &select, read).await?.into_iter().collect())
}

/// Sends entries; that they arrived goes before them, so that no entry is there without it.
pub(super) async fn send(store: &Store, entries: &[Placed<'_>]) -> Result<u64, FleetError> {
    let mut sent = 0;
    for some in entries.chunks(TOGETHER) {
        let (mut rows, mut arrivals) = (Rows::default(), Rows::default());
        for (ledger, place, entry) in some {
            write::entry(&mut rows, ledger, *place, entry);
            if entry.act.is_timed_by_store() {
                write::arrival(&mut arrivals, entry);
            }
        }
        sent += rows.count();
        store.insert(&schema::ARRIVALS, arrivals).await?;
        store.insert(&schema::ENTRIES, rows).await?;
    }
    for some in entries.chunks(ASKED) {
        arrived(store, some).await?;
    }
    Ok(sent)
}

/// Looks whether entries are there that were sent.
async fn arrived(store: &Store, some: &[Placed<'_>]) -> Result<(), FleetError> {
    let timed = some.iter().filter(|(.., entry)| entry.act.is_timed_by_store());
    let timed: BTreeSet<&[u8; 16]> = timed.map(|(.., entry)| &entry.id.0).collect();
    if !timed.is_empty() {
        let there = format!("entry IN ({})", sql::list(timed.iter().map(|id| sql::fixed(id))));
        let sent = timed.len() as u64;
        let what = "publish when entries arrived";
        verify::rows(store, what, &schema::ARRIVALS, ("entry", &there), sent).await?;
    }
    let hashes: BTreeSet<&[u8; 32]> = some.iter().map(|(.., entry)| &entry.hash.0).collect();
    let there = format!("hash IN ({})", sql::list(hashes.iter().map(|hash| sql::fixed(hash))));
    let sent = hashes.len() as u64;
    verify::rows(store, "publish entries", &schema::ENTRIES, ("hash", &there), sent).await
}

/// Sends the entries of ledgers that the store lacks; tells how many those were.
///
/// # Errors
/// A node that does not answer or refuses, or a store of another version.
pub async fn share_ledgers(nodes: Nodes, ledger: &Ledger) -> Result<u64, FleetError> {
    let store = nodes.connect_to_all().await?.checked()?;
    let lacking = lacking(&store, ledger, false).await?;
    send(&store, &lacking).await
}

/// What all operators wrote in their ledgers and published, without seeds and secrets.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct SharedLedgers {
    ledgers: BTreeMap<String, Vec<Entry>>,
}

impl SharedLedgers {
    /// What they and the ledgers of this machine, which have seeds as well, come to at a time.
    pub fn present(&self, own: &Ledger, now: Timestamp) -> Present {
        let mut all = own.clone();
        all.count_published(self.ledgers.clone());
        all.present(now)
    }
}

/// Reads what all operators published of their ledgers. Assignments have the time at which the store first
/// received them.
///
/// # Errors
/// A node that does not answer or refuses, or a store of another version.
pub async fn shared_ledgers(nodes: Nodes) -> Result<SharedLedgers, FleetError> {
    let store = nodes.connect().await?.checked()?;
    Ok(SharedLedgers { ledgers: published(&store).await? })
}

/// The entries that were published of each ledger, in its order.
pub(super) async fn published(store: &Store) -> Result<BTreeMap<String, Vec<Entry>>, FleetError> {
    let arrivals = arrivals(store).await?;
    let select = format!(
        "SELECT ledger, place, entry, hash, prev, seen, reviewer, machine, time, kind, body FROM {} \
         ORDER BY ledger, place, hash",
        store.names().table(schema::ENTRIES.name)
    );
    let rows = store.rows("read the ledgers", &select, row).await?;
    let mut ledgers: BTreeMap<String, Vec<Entry>> = BTreeMap::new();
    for (ledger, mut entry) in rows {
        if entry.act.is_timed_by_store() {
            entry.time = arrivals.get(&entry.id).copied().unwrap_or(entry.time);
        }
        let of = ledgers.entry(ledger).or_default();
        // A row may be there several times.
        if of.last().is_none_or(|last| last.hash != entry.hash) {
            of.push(entry);
        }
    }
    Ok(ledgers)
}

fn row(row: &mut Columns<'_>) -> Result<(String, Entry), super::row_binary::Torn> {
    let (ledger, _place) = (row.text()?, row.u64()?);
    let (id, hash) = (EntryId(row.fixed()?), LineHash(row.fixed()?));
    let (prev, seen) = (row.text()?, row.text()?);
    let (reviewer, machine, time) = (row.text()?, row.text()?, Timestamp(row.i64()?));
    let (kind, body) = (row.text()?, row.text()?);
    let body = serde_json::from_str(&body).unwrap_or_default();
    let seen = seen.split(' ').filter_map(|hash| hash.parse().ok()).collect();
    let act = Act::read(&kind, body);
    let prev = prev.parse().ok();
    Ok((ledger, Entry { id, time, reviewer, machine, act, prev, seen, hash }))
}

/// When entries first arrived.
async fn arrivals(store: &Store) -> Result<HashMap<EntryId, Timestamp>, FleetError> {
    let select = format!(
        "SELECT entry, toInt64(min(arrived)) FROM {} GROUP BY entry",
        store.names().table(schema::ARRIVALS.name)
    );
    let read = |row: &mut Columns<'_>| Ok((EntryId(row.fixed()?), Timestamp(row.i64()?)));
    Ok(store.rows("ask when entries arrived", &select, read).await?.into_iter().collect())
}

/// Waits until what arrived in the store by now has its order.
///
/// # Errors
/// A node that does not answer or refuses, or a store of another version.
pub async fn settled(nodes: Nodes) -> Result<(), FleetError> {
    let store = nodes.connect().await?.checked()?;
    let began = clock(&store).await?;
    let settles = i64::try_from(SETTLES.as_micros()).unwrap_or(i64::MAX);
    while clock(&store).await? <= began.saturating_add(settles) {
        tokio::time::sleep(AGAIN).await;
    }
    Ok(())
}

/// The time of the store.
async fn clock(store: &Store) -> Result<i64, FleetError> {
    store.one("ask for the time", "SELECT toInt64(now()) * 1000000", |row| row.i64()).await
}
