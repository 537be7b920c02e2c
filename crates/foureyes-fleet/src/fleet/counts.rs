//! How many records there are. A record is on one shard, by its id, so each shard counts its own and only sums
//! travel; where a shard has records of another, all are compared.

use super::connection::Store;
use super::error::FleetError;
use super::row_binary::Columns;
use super::{fold, schema, spans};
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

/// Counts the places of records, doubles among them.
pub(super) async fn places(store: &Store) -> Result<u64, FleetError> {
    let mut places = 0;
    for days in days(store).await? {
        let select = format!(
            "SELECT toUInt64(uniqExact(id, file, byte)) FROM {} WHERE {} AND {days}",
            store.names().table(schema::OCCURRENCES.name),
            fold::counts(store.names())
        );
        places += store.rows("count places", &select, |row| row.u64()).await?.iter().sum::<u64>();
    }
    Ok(places)
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
        "(SELECT {columns} FROM {part} WHERE upto = 0 AND {days} UNION ALL SELECT {columns} FROM {part} \
         WHERE upto != 0 AND {} AND {days})",
        fold::counts(names)
    )
}

/// Has each shard count its own records of some days; `false` where one has a record of another.
///
/// Numbers are compared in place of ids, which takes a third of the time. Different records may share one: then
/// there are fewer numbers than records, so of two kinds of numbers the one with more is right.
async fn own(store: &Store, days: &str, counts: &mut Counts) -> Result<bool, FleetError> {
    let from = rows(store, days, "day, head, id");
    let select = |own: &str| {
        format!(
            "SELECT toInt64(day) AS number, toUInt64(uniqExact(head)), \
             toUInt64(uniqExact(reinterpretAsUInt64(substring(id, 9, 8)))), \
             toUInt8(max(NOT ({own}))) FROM {from} GROUP BY number"
        )
    };
    let read = |row: &mut Columns<'_>| Ok((row.i64()?, row.u64()?.max(row.u64()?), row.u8()? != 0));
    for (day, records, astray) in store.by_shard("count the records", select, read).await? {
        if astray {
            return Ok(false);
        }
        counts.records += records;
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
    let found = store.rows("count the records", &select, read).await?;
    let (records, undated) = found.first().copied().unwrap_or_default();
    let select = format!(
        "SELECT box, toUInt64(count()) FROM \
         (SELECT id, box FROM {} WHERE {} GROUP BY id, box) GROUP BY box",
        store.names().table(schema::OCCURRENCES.name),
        fold::counts(store.names())
    );
    let read = |row: &mut Columns<'_>| Ok((row.text()?, row.u64()?));
    let on_box = store.rows("count by box", &select, read).await?.into_iter().collect();
    Ok(Counts { records, undated, on_box })
}
