//! What other lines decide of lines of tasks. The rules are those of one machine, so the keys of the lines
//! are fetched and no text of them.

use super::connection::Store;
use super::error::FleetError;
use super::filter::TaskFlags;
use super::flag_cache::AllFlags;
use super::fold;
use super::identity::Key;
use super::lookup::within;
use super::row_binary::{Columns, Torn};
use super::slices::slices;
use crate::domain::{RecordId, Window};
use crate::store::cache::{TaskLine, decided};
use std::collections::{BTreeMap, BTreeSet, HashMap};
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
    let count = format!(
        "SELECT toUInt64(count()) FROM {} WHERE role != 0 AND ({condition})",
        store.names().table(super::schema::OCCURRENCES.name)
    );
    let count = store.one("count lines of tasks", &count, |row| row.u64()).await?;
    let mut found = AllFlags::default();
    if count > 0 {
        for slice in slices(count, store.together()) {
            part(store, condition, &slice.of("unit"), &mut found).await?;
        }
    }
    Ok(found)
}

/// Decides of the lines of some tasks; `units` is a condition that holds for all lines of a task or for none.
async fn part(
    store: &Store,
    condition: &str,
    units: &str,
    found: &mut AllFlags,
) -> Result<(), FleetError> {
    let names = store.names();
    let table = names.table(super::schema::OCCURRENCES.name);
    let several = fold::several(names, condition, units);
    let of_runs = format!("role != 0 AND {units}");
    let of_tasks = format!(
        "{} AND {of_runs} AND (unit = 0 OR unit GLOBAL IN ({several}))",
        fold::counts(names, &of_runs)
    );
    let select = format!(
        "SELECT {} AS short, ts, file, byte, unit, role, round, cause, run, judge, latency FROM {table} \
         WHERE {of_tasks} ORDER BY short, file, byte LIMIT 1 BY short, file, byte",
        fold::SHORT
    );
    let rows = store.rows("look at runs of tasks", &select, line).await?;
    if rows.is_empty() {
        return Ok(());
    }
    let logs = format!(
        "SELECT file, base, box, name FROM (SELECT file, any(box) AS box FROM {table} WHERE {of_tasks} \
         GROUP BY file) AS f ANY LEFT JOIN ({}) AS l USING (file)",
        fold::log_names(names)
    );
    let read = |row: &mut Columns<'_>| Ok((row.fixed()?, [row.text()?, row.text()?, row.text()?]));
    let logs = store.rows("look at the logs of runs", &logs, read).await?.into_iter().collect();
    let lines = placed(rows, &logs);
    let flags = decided(&lines);
    let rows = lines.iter().zip(flags.duplicate.iter().zip(&flags.repeat));
    let rows = rows.zip(flags.settled.iter().zip(&flags.overtaken)).zip(&flags.run_latency);
    for (((line, (duplicate, repeat)), (settled, overtaken)), run_latency) in rows {
        if !duplicate {
            let (repeat, overtaken, settled) = (*repeat, *overtaken, *settled);
            let run_latency = *run_latency;
            found.add(line.id, TaskFlags { repeat, overtaken, settled, run_latency });
        }
    }
    Ok(())
}

/// A line, and the key of its log.
fn line(row: &mut Columns<'_>) -> Result<(Key, TaskLine), Torn> {
    let mut id = RecordId([0; 32]);
    // Records are told apart by this half.
    id.0.split_at_mut(16).0.copy_from_slice(&row.fixed::<16>()?);
    let (ts, log) = (row.nullable(|row| row.i64())?, row.fixed()?);
    let line = TaskLine {
        id,
        ts,
        box_index: 0,
        rank: 0,
        byte: row.u64()?,
        unit: row.u64()?,
        role: u32::from(row.u8()?),
        round: row.u32()?,
        cause: row.u8()?,
        run: row.u64()?,
        judge: row.u64()?,
        latency: row.nullable(Columns::i64)?,
    };
    Ok((log, line))
}

/// The lines with numbers of their boxes and logs: base, box and path of a log are its place among all.
fn placed(rows: Vec<(Key, TaskLine)>, logs: &HashMap<Key, [String; 3]>) -> Vec<TaskLine> {
    let names: BTreeSet<&[String; 3]> = logs.values().collect();
    let ranks: BTreeMap<&[String; 3], u32> = names.into_iter().zip(0..).collect();
    let names: BTreeSet<&str> = logs.values().map(|[_, on, _]| on.as_str()).collect();
    let boxes: BTreeMap<&str, u32> = names.into_iter().zip(0..).collect();
    let line = |(log, line): (Key, TaskLine)| {
        let of = logs.get(&log);
        let rank = of.and_then(|of| ranks.get(of)).copied().unwrap_or(u32::MAX);
        let on = of.and_then(|[_, on, _]| boxes.get(on.as_str()));
        TaskLine { rank, box_index: on.copied().unwrap_or(u32::MAX), ..line }
    };
    rows.into_iter().map(line).collect()
}
