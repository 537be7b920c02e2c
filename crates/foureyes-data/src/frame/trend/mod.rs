//! The trend table: how the judge did by day, week, box, model, agent, team or path prefix.

mod axis;
mod calendar;
mod judge;
mod path;
mod row;
mod sums;

pub use path::directory;
pub use row::{AllFamilies, CONFIDENCE, Estimate, MeanScores, Rate, TREND_SCHEMA, Trend, TrendRow};

use crate::domain::team::Team;
use crate::domain::{JudgementKind, Timestamp, Window};
use crate::frame::fold::{self, RowFlags};
use crate::frame::{Frame, grouped, schema};
use calendar::Step;
use polars::prelude::{PolarsError, PolarsResult};

/// What a row of the table is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum By {
    /// A UTC day.
    Day,
    /// An ISO week.
    Week,
    /// A box.
    Box,
    /// A judge: the one that answered where that is known, else the one asked for.
    Model,
    /// Who wrote the content.
    Author,
    /// A team: the first of these that a record is of.
    Team(Vec<Team>),
    /// A path prefix.
    Path(PathBy),
}

/// Which path prefixes make a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PathBy {
    /// The first so many directories, at least one.
    Depth(usize),
    /// These prefixes, each a row, in this order.
    Prefixes(Vec<String>),
}

impl By {
    /// The name in JSON and on the command line.
    pub fn as_str(&self) -> &'static str {
        match self {
            Self::Day => "day",
            Self::Week => "week",
            Self::Box => "box",
            Self::Model => "model",
            Self::Author => "agent",
            Self::Team(_) => "team",
            Self::Path(_) => "path",
        }
    }
}

/// What table is wanted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TrendSpec {
    /// What a row is.
    pub by: By,
    /// Whose evaluations are counted.
    pub family: JudgementKind,
    /// Which records; those without a time are in [`Window::ALL`] only.
    pub window: Window,
}

/// Why there is no table.
#[derive(Debug, thiserror::Error)]
pub enum TrendError {
    /// The frame lacks a column, or polars failed.
    #[error("grouping records by {by}")]
    Group {
        /// What a row was to be.
        by: &'static str,
        /// What polars said.
        #[source]
        source: PolarsError,
    },
    /// A record is of a box that has no name.
    #[error("naming box {index} of a record, where {known} boxes are known")]
    UnknownBox {
        /// Its number.
        index: u32,
        /// How many names there are.
        known: usize,
    },
}

/// Makes the table as a document. `boxes` are the names that the `box` column counts, and `undated` the
/// records without a usable time, in the frame or not.
///
/// # Errors
///
/// A frame without the columns of [`columns`], or a box without a name.
pub(super) fn document(
    frame: &Frame,
    spec: &TrendSpec,
    boxes: &[String],
    undated: u64,
    generated: Timestamp,
) -> Result<Trend, TrendError> {
    let (rows, notes) = table(frame, spec, boxes, undated, generated)?;
    Ok(Trend {
        schema: TREND_SCHEMA.to_owned(),
        generated,
        by: spec.by.as_str().to_owned(),
        family: spec.family,
        window: spec.window,
        confidence: CONFIDENCE,
        rows,
        notes,
    })
}

/// Makes the rows of the table and the notes on them. What is dated ahead of the clock is in no row.
///
/// # Errors
///
/// As [`document`].
fn table(
    frame: &Frame,
    spec: &TrendSpec,
    boxes: &[String],
    undated: u64,
    now: Timestamp,
) -> Result<(Vec<TrendRow>, Vec<String>), TrendError> {
    let failed = |source| TrendError::Group { by: spec.by.as_str(), source };
    let mut notes = notes(frame, spec, undated, now).map_err(failed)?;
    let items = items(frame, spec, now).map_err(failed)?;
    let rows = match &spec.by {
        By::Day => Ok(axis::by_time(&items, Step::Day, &mut notes)),
        By::Week => Ok(axis::by_time(&items, Step::Week, &mut notes)),
        By::Model => {
            let names = judge::names(frame, spec.family);
            names.map(|names| axis::by_name(&items, names.into_iter()))
        }
        By::Author => {
            let names = frame.text(schema::AUTHOR);
            names.map(|names| axis::by_name(&items, names.iter()))
        }
        By::Team(teams) => axis::by_team(frame, &items, boxes, teams),
        By::Path(by) => axis::by_path(frame, &items, by),
        By::Box => Ok(axis::by_box(frame, &items, boxes)?),
    };
    let rows = rows.map_err(failed)?;
    notes.extend(unmatched(spec, &rows));
    Ok((rows, notes))
}

/// The rows inside the window that are not ahead of the clock, with their latencies.
fn items(frame: &Frame, spec: &TrendSpec, now: Timestamp) -> PolarsResult<Vec<axis::Item>> {
    let clock = spec.window.ahead_of(now).from;
    let ahead = |time: Timestamp| clock.is_some_and(|clock| time >= clock);
    let repeats = frame.column(schema::REPEAT)?.bool()?.iter();
    let flags =
        repeats.map(|repeat| RowFlags { repeat: repeat == Some(true), ..RowFlags::default() });
    let wanted = |time| spec.window.holds(time) && !time.is_some_and(ahead);
    let rows = fold::rows(frame, spec.family, flags, wanted)?;
    let of_runs = frame.column(schema::RUN_LATENCY)?.u32()?.cont_slice()?;
    let of_runs = of_runs.iter().map(|more| more.checked_sub(1).map(u64::from));
    let own = frame.column(schema::LATENCY)?.i64()?.iter();
    let own = own.map(|ms| ms.and_then(|ms| u64::try_from(ms).ok()));
    let latencies = of_runs.zip(own).map(|(of_run, own)| of_run.or(own));
    let latencies = latencies.zip(grouped::timed(frame)?);
    Ok(rows.into_iter().zip(latencies).map(|(row, latency)| Some((row?, latency))).collect())
}

/// The columns that a table reads, so that only those need to be loaded.
pub fn columns(by: &By) -> Vec<&'static str> {
    let mut columns =
        [&fold::COLUMNS[..], &[schema::REPEAT, schema::LATENCY, schema::RUN_LATENCY]].concat();
    match by {
        By::Day | By::Week => {}
        By::Box => columns.push(schema::BOX),
        By::Model => columns.extend(judge::COLUMNS),
        By::Author => columns.push(schema::AUTHOR),
        By::Team(_) => columns.extend([schema::BOX, schema::AUTHOR, schema::FILES]),
        By::Path(_) => columns.push(schema::FILES),
    }
    columns
}

/// Says that prefixes which were asked for are those of no file.
fn unmatched(spec: &TrendSpec, rows: &[TrendRow]) -> Option<String> {
    let By::Path(PathBy::Prefixes(prefixes)) = &spec.by else { return None };
    let none = rows.iter().filter(|r| r.key.is_some() && r.all.records == 0).count();
    (none > 0).then(|| {
        let given = match prefixes.len() {
            1 => "The prefix given matches no judged file".to_owned(),
            all => format!("Of {all} prefixes given, {none} without a judged file"),
        };
        format!("{given}: a prefix is how a path begins, to the letter.")
    })
}

fn notes(
    frame: &Frame,
    spec: &TrendSpec,
    undated: u64,
    now: Timestamp,
) -> PolarsResult<Vec<String>> {
    let dated = frame.column(schema::TS)?.i64()?;
    let times = grouped::times(frame)?;
    let ahead = spec.window.ahead_of(now);
    let is_ahead = |time: Option<i64>| time.is_some_and(|t| ahead.holds(Some(Timestamp(t))));
    let ahead = dated.iter().zip(times).filter(|(time, _)| is_ahead(*time));
    let ahead = match ahead.map(|(_, times)| times).sum::<u64>() {
        0 => None,
        1 => Some(
            "1 record is dated ahead of this machine's clock and counts here nowhere.".to_owned(),
        ),
        n => Some(format!(
            "{n} records are dated ahead of this machine's clock and count here nowhere."
        )),
    };
    let left_out = (undated > 0 && !spec.window.is_all()).then(|| match undated {
        1 => "1 record without a usable time is in no window.".to_owned(),
        _ => format!("{undated} records without a usable time are in no window."),
    });
    let of_axis = match &spec.by {
        By::Path(_) => {
            Some("A record with several files counts in the row of each, so rows do not add up.")
        }
        By::Model => Some(
            "The model is the one that answered where a record names it, else the one asked for.",
        ),
        _ => None,
    };
    Ok(left_out.into_iter().chain(ahead).chain(of_axis.map(str::to_owned)).collect())
}
