//! How many records there are. A record is on one shard, by its id, so each shard counts its own and only sums
//! travel; where a shard has records of another, all are compared.

use super::connection::Store;
use super::error::FleetError;
use super::row_binary::{Columns, Torn};
use super::{fold, schema, spans};
use crate::domain::Accounting;
use crate::store::cache::Lacking;
use std::collections::BTreeMap;

/// Rows of which the ids are compared at once, in what is fetched at once.
const COMPARED: u64 = 16;

/// The day of records without a time.
const UNDATED: i64 = i32::MIN as i64;

/// How many records there are.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Distinct records.
    pub(super) records: u64,
    /// Those without a time.
    pub(super) undated: u64,
    /// Their places in logs, doubles among them.
    pub(super) places: u64,
    /// Distinct records that were seen on each box.
    pub(super) on_box: BTreeMap<String, u64>,
}

/// Counts the records.
pub(super) async fn counts(store: &Store) -> Result<Counts, FleetError> {
    let mut counts = Counts::default();
    for days in days(store).await? {
        if !own(store, &days, &mut counts).await? {
            return all(store).await;
        }
    }
    Ok(counts)
}

/// Conditions that hold for all rows together, each for some days. A record is on one day wherever it is, and rows
/// are kept in the order of days, so few numbers are compared at a time.
async fn days(store: &Store) -> Result<Vec<String>, FleetError> {
    let spans = spans::with_at_most(store, "1", store.together().saturating_mul(COMPARED)).await?;
    Ok(spans.into_iter().map(|span| span.days).collect())
}

/// The rows of some days that count on a node, with these columns. Nearly all are read for good: whether the log
/// counts is looked up for the others alone.
fn rows(store: &Store, days: &str, columns: &str) -> String {
    let names = store.names();
    let part = names.part(schema::OCCURRENCES.name);
    format!(
        "(SELECT {columns} FROM {part} WHERE {} AND {days} UNION ALL SELECT {columns} FROM {part} \
         WHERE {} AND {days})",
        fold::settled(names, &part, days),
        fold::ends(names, days)
    )
}

/// Has each shard count its own records of some days; `false` where one has a record of another.
///
/// Numbers are compared in place of ids, which takes a third of the time. Different records may share one: then
/// there are fewer numbers than records, so of two kinds of numbers the one with more is right.
async fn own(store: &Store, days: &str, counts: &mut Counts) -> Result<bool, FleetError> {
    let from = rows(store, days, "day, head, id, file, byte");
    let select = |own: &str| {
        format!(
            "SELECT toInt64(day) AS number, toUInt64(uniqExact(head)), \
             toUInt64(uniqExact(reinterpretAsUInt64(substring(id, 9, 8)))), \
             toUInt64(uniqExact(file, byte, head)), toUInt8(max(NOT ({own}))) FROM {from} GROUP BY number"
        )
    };
    let read = |row: &mut Columns<'_>| {
        Ok((row.i64()?, row.u64()?.max(row.u64()?), row.u64()?, row.u8()? != 0))
    };
    for (day, records, places, astray) in store.by_shard("count the records", select, read).await? {
        if astray {
            return Ok(false);
        }
        counts.records += records;
        counts.places += places;
        counts.undated += if day == UNDATED { records } else { 0 };
    }
    let from = rows(store, days, "day, head, box");
    let select = |_: &str| {
        format!(
            "SELECT box, toUInt64(sum(seen)) FROM (SELECT box, uniqExact(head) AS seen FROM {from} \
             GROUP BY box, day) GROUP BY box"
        )
    };
    let read = |row: &mut Columns<'_>| Ok((row.text()?, row.u64()?));
    for (name, seen) in store.by_shard("count by box", select, read).await? {
        *counts.on_box.entry(name).or_default() += seen;
    }
    Ok(true)
}

/// Has one node compare the records of all.
async fn all(store: &Store) -> Result<Counts, FleetError> {
    let select = format!(
        "SELECT toUInt64(count()), toUInt64(sum(undated)) FROM ({})",
        fold::records(store.names())
    );
    let read = |row: &mut Columns<'_>| Ok((row.u64()?, row.u64()?));
    let (records, undated) = store.one("count the records", &select, read).await?;
    let table = store.names().table(schema::OCCURRENCES.name);
    let counting = fold::counts(store.names(), fold::ALL);
    let select =
        format!("SELECT toUInt64(uniqExact(id, file, byte)) FROM {table} WHERE {counting}");
    let places = store.one("count places", &select, |row| row.u64()).await?;
    let select = format!(
        "SELECT box, toUInt64(count()) FROM \
         (SELECT id, box FROM {table} WHERE {counting} GROUP BY id, box) GROUP BY box"
    );
    let read = |row: &mut Columns<'_>| Ok((row.text()?, row.u64()?));
    let on_box = store.rows("count by box", &select, read).await?.into_iter().collect();
    Ok(Counts { records, undated, places, on_box })
}

/// Counts the rejects.
pub(super) async fn rejects(store: &Store) -> Result<u64, FleetError> {
    let select = format!(
        "SELECT toUInt64(uniqExact(file, byte, line, len, reason)) FROM {}",
        fold::rejects(store.names())
    );
    store.one("count what is no record", &select, |row| row.u64()).await
}

/// Where the lines of logs went, and what of it the store does not have.
#[derive(Debug)]
pub(super) struct Whole {
    /// Records, duplicates and rejects are those that are there; the rest is what logs say.
    pub(super) accounting: Accounting,
    pub(super) lacking: Lacking,
    pub(super) counts: Counts,
    /// Logs.
    pub(super) files: u64,
}

/// Counts what is there, and compares it with what the logs say.
pub(super) async fn whole(store: &Store) -> Result<Whole, FleetError> {
    let Stated { mut accounting, repeated, unkept, files } = stated(store).await?;
    let (counts, rejected) = (counts(store).await?, rejects(store).await?);
    // A log's own accounting counts doubles as records, as on one machine; some of them have no row.
    let due = accounting.records.saturating_sub(repeated);
    let lacking = Lacking {
        records: due.saturating_sub(counts.places),
        rejects: accounting.rejected.saturating_sub(rejected + unkept),
    };
    accounting.records = counts.records;
    accounting.duplicates = counts.places.saturating_sub(counts.records) + repeated;
    accounting.rejected = rejected + unkept;
    Ok(Whole { accounting, lacking, counts, files })
}

/// What logs say of their lines together.
struct Stated {
    accounting: Accounting,
    /// Records without a row, and rejects.
    repeated: u64,
    unkept: u64,
    /// Logs.
    files: u64,
}

async fn stated(store: &Store) -> Result<Stated, FleetError> {
    let select = format!(
        "SELECT toUInt64(sum(lines)), toUInt64(sum(split)), toUInt64(sum(records)), \
         toUInt64(sum(rejected)), toUInt64(sum(incomplete)), toUInt64(sum(joined)), \
         toUInt64(sum(blank)), toUInt64(sum(foreign_lines)), toUInt64(sum(repeated)), \
         toUInt64(sum(unkept)), toUInt64(count()) FROM ({})",
        fold::files(store.names())
    );
    let read = |row: &mut Columns<'_>| {
        Ok(Stated {
            accounting: lines(row)?,
            repeated: row.u64()?,
            unkept: row.u64()?,
            files: row.u64()?,
        })
    };
    store.one("count the lines of logs", &select, read).await
}

/// The counts of lines, in the order in which every statement selects them. Doubles are counted by whoever
/// knows all records.
pub(super) fn lines(row: &mut Columns<'_>) -> Result<Accounting, Torn> {
    Ok(Accounting {
        lines: row.u64()?,
        split: row.u64()?,
        records: row.u64()?,
        rejected: row.u64()?,
        incomplete: row.u64()?,
        joined: row.u64()?,
        blank: row.u64()?,
        foreign: row.u64()?,
        duplicates: 0,
    })
}
