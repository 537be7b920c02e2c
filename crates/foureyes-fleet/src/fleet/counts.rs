//! How many records there are. A record is on one shard, by its id, so each shard counts its own and only sums
//! travel; where a shard has records of another, all are compared.

use super::connection::Store;
use super::error::FleetError;
use super::row_binary::Columns;
use super::slices::slices;
use super::{fold, schema};
use std::collections::BTreeMap;

/// Rows of which a shard compares the ids at once, in what is fetched at once.
const COMPARED: u64 = 16;

/// How many records there are.
#[derive(Debug, Default)]
pub(super) struct Counts {
    /// Places of records, doubles among them.
    pub(super) places: u64,
    /// Distinct records.
    pub(super) records: u64,
    /// Those without a time.
    pub(super) undated: u64,
    /// Distinct records that were seen on each box.
    pub(super) on_box: BTreeMap<String, u64>,
}

impl Counts {
    fn add(&mut self, [places, records, undated]: [u64; 3]) {
        self.places += places;
        self.records += records;
        self.undated += undated;
    }
}

/// Counts the records.
pub(super) async fn counts(store: &Store) -> Result<Counts, FleetError> {
    let mut counts = Counts::default();
    let rows =
        format!("SELECT toUInt64(count()) FROM {}", store.names().part(schema::OCCURRENCES.name));
    let rows = store.by_shard("count rows", |_| rows.clone(), |row| row.u64()).await?;
    let most = rows.into_iter().max().unwrap_or(0);
    for slice in slices(most, store.together().saturating_mul(COMPARED)) {
        let slice = slice.of("head");
        if !own(store, &slice, &mut counts).await? {
            counts = Counts::default();
            all(store, &mut counts).await?;
            break;
        }
    }
    Ok(counts)
}

/// Has each shard count its own records; `false` where one has a record of another.
///
/// Numbers are compared in place of ids, which takes a third of the time. Different records may share one: then
/// there are fewer numbers than records, so of two kinds of numbers the one with more is right.
async fn own(store: &Store, slice: &str, counts: &mut Counts) -> Result<bool, FleetError> {
    let names = store.names();
    let from = format!(
        "FROM {} WHERE {} AND {slice}",
        names.part(schema::OCCURRENCES.name),
        fold::counts(names)
    );
    let select = |own: &str| {
        format!(
            "SELECT toUInt64(count()), toUInt64(uniqExact(cityHash64(head, file, byte))), \
             toUInt64(uniqExact(head)), toUInt64(uniqExact(reinterpretAsUInt64(substring(id, 9, 8)))), \
             toUInt64(uniqExactIf(head, isNull(ts))), toUInt8(max(NOT ({own}))) {from}"
        )
    };
    let read = |row: &mut Columns<'_>| {
        let [rows, places] = [row.u64()?, row.u64()?];
        let records = row.u64()?.max(row.u64()?);
        Ok(([places, records, row.u64()?], rows > places, row.u8()? != 0))
    };
    let mut are_repeated = false;
    let mut found = [0; 3];
    for (some, repeated, astray) in store.by_shard("count the records", select, read).await? {
        if astray {
            return Ok(false);
        }
        are_repeated |= repeated;
        found.iter_mut().zip(some).for_each(|(sum, one)| *sum += one);
    }
    if are_repeated {
        // Rows that were sent again, or places that share a number.
        let select = |_: &str| format!("SELECT toUInt64(uniqExact(id, file, byte)) {from}");
        found[0] = store.by_shard("count places", select, |row| row.u64()).await?.iter().sum();
    }
    counts.add(found);
    let select = |_: &str| format!("SELECT box, toUInt64(uniqExact(head)) {from} GROUP BY box");
    let read = |row: &mut Columns<'_>| Ok((row.text()?, row.u64()?));
    for (name, seen) in store.by_shard("count by box", select, read).await? {
        *counts.on_box.entry(name).or_default() += seen;
    }
    Ok(true)
}

/// Has one node compare the records of all.
async fn all(store: &Store, counts: &mut Counts) -> Result<(), FleetError> {
    let select = format!(
        "SELECT toUInt64(sum(places)), toUInt64(count()), toUInt64(sum(undated)) FROM ({})",
        fold::records(store.names())
    );
    let read = |row: &mut Columns<'_>| Ok([row.u64()?, row.u64()?, row.u64()?]);
    for found in store.rows("count the records", &select, read).await? {
        counts.add(found);
    }
    let select = format!(
        "SELECT box, toUInt64(count()) FROM \
         (SELECT id, box FROM {} WHERE {} GROUP BY id, box) GROUP BY box",
        store.names().table(schema::OCCURRENCES.name),
        fold::counts(store.names())
    );
    let read = |row: &mut Columns<'_>| Ok((row.text()?, row.u64()?));
    counts.on_box = store.rows("count by box", &select, read).await?.into_iter().collect();
    Ok(())
}
