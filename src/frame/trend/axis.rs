//! The rows of each kind of table.

use super::calendar::{self, Step};
use super::row::TrendRow;
use super::sums::{self, KEY};
use super::{PathBy, path};
use crate::frame::schema;
use polars::prelude::{
    ChunkApply, Column, Expr, IntoColumn, IntoLazy, LazyFrame, PolarsResult, col,
};
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

/// A row for each day or week; those without records say so in their numbers or in the notes.
pub(super) fn by_time(
    frame: LazyFrame,
    step: Step,
    notes: &mut Vec<String>,
) -> PolarsResult<Vec<TrendRow>> {
    // Polars has no floor division of integers without its feature for rounding.
    let index = move |ts: Column| Ok(ts.i64()?.apply_values(|ts| step.index(ts)).into_column());
    let key = col(schema::TS).map(index, |_, field| Ok(field.clone()));
    let (keys, rows) = sums::group(keyed(frame, key))?;
    let found: BTreeMap<_, _> = keys.column(KEY)?.i64()?.iter().zip(rows).collect();
    let (rows, gaps) = calendar::fill(step, found);
    notes.extend(gaps);
    Ok(rows)
}

/// A row for each box, those without records among them; and the first number without a name.
pub(super) fn by_box(
    frame: LazyFrame,
    boxes: &[String],
) -> PolarsResult<(Vec<TrendRow>, Option<u32>)> {
    let mut found = numbered(keyed(frame, col(schema::BOX)))?;
    let rows = named(boxes.to_vec(), &mut found);
    Ok((rows, found.into_keys().flatten().min()))
}

/// A row for each text of the key.
pub(super) fn by_name(frame: LazyFrame, key: Expr) -> PolarsResult<Vec<TrendRow>> {
    let (keys, rows) = sums::group(keyed(frame, key))?;
    let names = keys.column(KEY)?.str()?.iter().map(|k| k.map(str::to_owned));
    Ok(by_size(names.zip(rows).map(|(key, row)| TrendRow { key, ..row }).collect()))
}

/// A row for each path prefix, and one for records that have none.
pub(super) fn by_path(frame: LazyFrame, by: &PathBy) -> PolarsResult<Vec<TrendRow>> {
    let columns: Vec<_> = sums::READ.into_iter().chain([schema::FILES]).map(col).collect();
    let spread = path::spread(&frame.select(columns).collect()?, by)?;
    let mut found = numbered(spread.frame.lazy())?;
    let mut rows = named(spread.names, &mut found);
    if matches!(by, PathBy::Depth(_)) {
        rows = by_size(rows);
    }
    rows.extend(found.remove(&None));
    Ok(rows)
}

fn keyed(frame: LazyFrame, key: Expr) -> LazyFrame {
    let columns = sums::READ.into_iter().map(col).chain([key.alias(KEY)]);
    frame.select(columns.collect::<Vec<_>>())
}

/// Groups by a key that counts names.
fn numbered(frame: LazyFrame) -> PolarsResult<HashMap<Option<u32>, TrendRow>> {
    let (keys, rows) = sums::group(frame)?;
    Ok(keys.column(KEY)?.u32()?.iter().zip(rows).collect())
}

/// Takes the row of each name, or makes one without records.
fn named(names: Vec<String>, found: &mut HashMap<Option<u32>, TrendRow>) -> Vec<TrendRow> {
    let row = |(i, name): (u32, String)| {
        let row = found.remove(&Some(i)).unwrap_or_else(|| TrendRow::empty(None));
        TrendRow { key: Some(name), ..row }
    };
    (0..).zip(names).map(row).collect()
}

/// Rows with most evaluations first; the one without a key last.
fn by_size(mut rows: Vec<TrendRow>) -> Vec<TrendRow> {
    rows.sort_by_cached_key(|r| {
        (r.key.is_none(), Reverse(r.evaluations), Reverse(r.all.records), r.key.clone())
    });
    rows
}
