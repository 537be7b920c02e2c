//! What other lines decide of lines of tasks. The rules are those of one machine, so the keys of the lines
//! are fetched and no text of them.

use super::connection::Store;
use super::error::FleetError;
use super::filter::TaskFlags;
use super::flag_cache::AllFlags;
use super::fold;
use super::list::within;
use crate::domain::{RecordId, Window};
use crate::store::cache::{TaskLine, decided};
use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

/// Where a place of a record stands among all: the order of [`fold::ORDER`].
pub(super) type Spot = (String, String, String, u64);

/// The flags of the lines of tasks of which a line is of a window and holds a condition on its own columns.
/// Those of all lines of the window are taken where they are known.
pub(super) async fn flags_within(
    store: &Store,
    condition: &str,
    window: Window,
) -> Result<Arc<AllFlags>, FleetError> {
    match store.flags().get(&within(window)) {
        Some(known) => Ok(known),
        None => flags(store, condition).await,
    }
}

/// The flags of the lines of tasks of which a line holds a condition on its own columns, each by the first
/// of its places.
pub(super) async fn flags(store: &Store, condition: &str) -> Result<Arc<AllFlags>, FleetError> {
    if let Some(known) = store.flags().get(condition) {
        return Ok(known);
    }
    let found = Arc::new(fetch(store, condition).await?);
    store.flags().put(condition, &found);
    Ok(found)
}

async fn fetch(store: &Store, condition: &str) -> Result<AllFlags, FleetError> {
    let names = store.names();
    let columns = ", ts, unit, role, round, cause, run, judge";
    let table = names.table(super::schema::OCCURRENCES.name);
    let of_tasks = format!(
        "role != 0 AND unit GLOBAL IN (SELECT unit FROM {table} WHERE role != 0 AND ({condition}))"
    );
    let select = format!(
        "SELECT id, ts, base, box, name, byte, unit, role, round, cause, run, judge FROM ({}) \
         ORDER BY id, {} LIMIT 1 BY id, {}",
        fold::places(names, columns, &of_tasks),
        fold::ORDER,
        fold::ORDER
    );
    let rows = store.rows("look at runs of tasks", &select, |row| {
        let (id, ts) = (RecordId(row.fixed()?), row.nullable(|row| row.i64())?);
        let spot: Spot = (row.text()?, row.text()?, row.text()?, row.u64()?);
        let line = TaskLine {
            id,
            ts,
            box_index: 0,
            rank: 0,
            byte: spot.3,
            unit: row.u64()?,
            role: u32::from(row.u8()?),
            round: row.u32()?,
            cause: row.u8()?,
            run: row.u64()?,
            judge: row.u64()?,
        };
        Ok((spot, line))
    });
    let lines = placed(rows.await?);
    let flags = decided(&lines);
    let mut found = HashMap::new();
    let rows = lines.iter().zip(flags.duplicate.iter().zip(&flags.repeat));
    let rows = rows.zip(flags.settled.iter().zip(&flags.overtaken));
    for ((line, (duplicate, repeat)), (settled, overtaken)) in rows {
        if !duplicate {
            let (repeat, overtaken, settled) = (*repeat, *overtaken, *settled);
            found.insert(line.id, TaskFlags { repeat, overtaken, settled });
        }
    }
    Ok(found)
}

/// The lines with numbers of their boxes and logs.
fn placed(rows: Vec<(Spot, TaskLine)>) -> Vec<TaskLine> {
    let numbered = |keys: Vec<[&str; 3]>| -> BTreeMap<[String; 3], u32> {
        let mut keys: Vec<[String; 3]> =
            keys.into_iter().map(|key| key.map(str::to_owned)).collect();
        keys.sort_unstable();
        keys.dedup();
        keys.into_iter().zip(0..).collect()
    };
    let log = |(base, on, name, _): &Spot| [base.clone(), on.clone(), name.clone()];
    let on = |spot: &Spot| [spot.1.clone(), String::new(), String::new()];
    let logs = numbered(rows.iter().map(|(s, _)| [&*s.0, &*s.1, &*s.2]).collect());
    let boxes = numbered(rows.iter().map(|(s, _)| [&*s.1, "", ""]).collect());
    let number = |of: &BTreeMap<[String; 3], u32>, key| of.get(&key).copied().unwrap_or(u32::MAX);
    let line = |(spot, line): (Spot, TaskLine)| TaskLine {
        box_index: number(&boxes, on(&spot)),
        rank: number(&logs, log(&spot)),
        ..line
    };
    rows.into_iter().map(line).collect()
}
