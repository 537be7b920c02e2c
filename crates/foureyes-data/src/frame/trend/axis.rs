//! The rows of each kind of table.

use super::calendar::{self, Step};
use super::path::Prefixes;
use super::row::TrendRow;
use super::sums::Counted;
use super::{By, PathBy, TrendError};
use crate::domain::team::{Team, team_of};
use crate::frame::fold::{Groups, Row};
use crate::frame::{Frame, schema};
use polars::prelude::PolarsResult;
use std::cmp::Reverse;
use std::collections::HashMap;
use std::hash::Hash;

/// A row that is wanted, the latency in milliseconds and how many units have it; `None` for one that is
/// not.
pub(super) type Item = Option<(Row, Latency)>;

/// A latency in milliseconds, and of how many units it is.
pub(super) type Latency = (Option<u64>, u64);

/// A row for each day or week; those without records say so in their numbers or in the notes.
pub(super) fn by_time(items: &[Item], step: Step, notes: &mut Vec<String>) -> Vec<TrendRow> {
    let mut groups = Groups::default();
    for (row, latency) in items.iter().flatten() {
        add(&mut groups, row.day.map(|day| step.index(day)), row, *latency);
    }
    let (rows, gaps) = calendar::fill(step, finish(groups, |key| key).into_iter().collect());
    notes.extend(gaps);
    rows
}

/// A row for each box, those without records among them.
///
/// # Errors
/// A box without a name; a frame without boxes.
pub(super) fn by_box(
    frame: &Frame,
    items: &[Item],
    boxes: &[String],
) -> Result<Vec<TrendRow>, TrendError> {
    let failed = |source| TrendError::Group { by: By::Box.as_str(), source };
    let column = frame.column(schema::BOX).and_then(|c| c.u32()).map_err(failed)?;
    let mut groups = Groups::default();
    for (item, index) in items.iter().zip(column.iter()) {
        if let Some((row, latency)) = item {
            add(&mut groups, index, row, *latency);
        }
    }
    let mut found = finish(groups, |key| key);
    let mut rows = named(boxes.to_vec(), &mut found);
    // Which box was read first is of no interest.
    rows.sort_by(|a, b| a.key.cmp(&b.key));
    match found.into_keys().flatten().min() {
        None => Ok(rows),
        Some(index) => Err(TrendError::UnknownBox { index, known: boxes.len() }),
    }
}

/// A row for each name, `None` among them.
pub(super) fn by_name<'a>(
    items: &[Item],
    names: impl Iterator<Item = Option<&'a str>>,
) -> Vec<TrendRow> {
    let mut groups = Groups::default();
    for (item, name) in items.iter().zip(names) {
        if let Some((row, latency)) = item {
            add(&mut groups, name, row, *latency);
        }
    }
    let rows = finish(groups, |name| name.map(str::to_owned)).into_iter();
    by_size(rows.map(|(key, row)| TrendRow { key, ..row }).collect())
}

/// A row for each team that has records, and one for records of none.
pub(super) fn by_team(
    frame: &Frame,
    items: &[Item],
    boxes: &[String],
    teams: &[Team],
) -> PolarsResult<Vec<TrendRow>> {
    let on = frame.column(schema::BOX)?.u32()?.iter();
    let text = |name: &str| frame.text(name);
    let (authors, files) = (text(schema::AUTHOR)?, text(schema::FILES)?);
    let teams = on.zip(authors.iter()).zip(files.iter()).map(|((on, author), files)| {
        let name = on.and_then(|on| boxes.get(on as usize)).map_or("", String::as_str);
        let files = files.unwrap_or_default().split('\0').filter(|file| !file.is_empty());
        team_of(teams, name, author, files)
    });
    Ok(by_name(items, teams))
}

/// A row for each path prefix, and one for records that have none.
pub(super) fn by_path(frame: &Frame, items: &[Item], by: &PathBy) -> PolarsResult<Vec<TrendRow>> {
    let mut prefixes = Prefixes::new(by);
    let mut groups = Groups::default();
    for (item, files) in items.iter().zip(frame.text(schema::FILES)?.iter()) {
        let Some((row, latency)) = item else { continue };
        let of_record = prefixes.ids(files.unwrap_or_default());
        for prefix in of_record.iter().copied().map(Some) {
            add(&mut groups, prefix, row, *latency);
        }
        if of_record.is_empty() {
            add(&mut groups, None, row, *latency);
        }
    }
    let mut found = finish(groups, |key| key);
    let mut rows = named(prefixes.names, &mut found);
    if matches!(by, PathBy::Depth(_)) {
        rows = by_size(rows);
    }
    rows.extend(found.remove(&None));
    Ok(rows)
}

fn add<K: Hash + Eq + Copy>(groups: &mut Groups<K, Counted>, key: K, row: &Row, latency: Latency) {
    groups.add(key, |counted| counted.add(row, latency));
}

fn finish<K: Hash + Eq + Copy, O: Hash + Eq>(
    groups: Groups<K, Counted>,
    own: impl Fn(K) -> O,
) -> HashMap<O, TrendRow> {
    groups.finish(own).into_iter().map(|(key, counted)| (key, counted.row())).collect()
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
