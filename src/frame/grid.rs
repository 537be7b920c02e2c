//! Sums of a window by day and box, by judge, author and path, in one pass over its columns.

mod groups;
mod sums;

pub use sums::{Scored, Sums};

use super::trend::directory;
use super::{Flags, Frame, FrameError, schema};
use crate::domain::{Cause, Family, Outcome, Timestamp, Window};
use groups::Groups;
use polars::prelude::*;
use std::collections::HashMap;

/// Sums by a name; `None` for records without one. Names are hostile.
pub type Names = HashMap<Option<String>, Sums>;

/// What one pass counts.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Grid {
    /// By UTC day (days since 1970; `None` where undated) and index of the box.
    pub cells: HashMap<(Option<i32>, u32), Sums>,
    /// How often each score was given by the units of the KPIs, a row a dimension in the order of
    /// [`crate::domain::Dimension::ALL`].
    pub histogram: [[Bin; 5]; 3],
    /// UNDETERMINED units by [`Cause::code`]; index 0 is for those without a cause.
    pub causes: [u64; CAUSES],
    /// By the judge that answered where that is known, else the one asked for.
    pub judges: Names,
    /// By who wrote the content.
    pub authors: Names,
    /// By the first directory of the judged files, `./` for a file in none. A record with files
    /// in several is in each.
    pub paths: Names,
}

/// Scores that are nearest to one of 1 to 5; a half goes up.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Bin {
    /// So many.
    pub n: u64,
    /// So many of them are a whole number.
    pub whole: u64,
}

/// Causes, and none.
const CAUSES: usize = Cause::ALL.len() + 1;

/// What of a row is counted.
#[derive(Debug, Clone, Copy)]
struct Row {
    day: Option<i32>,
    box_index: u32,
    outcome: Option<Outcome>,
    cause: u8,
    /// The same record stands elsewhere and is counted there.
    double: bool,
    push: bool,
    /// It counts in the KPIs unless a later one replaces it.
    evaluation: bool,
    /// A later one repeats it.
    repeat: bool,
    /// A person's override in a log answers the run that it ends.
    settled: bool,
    scores: [Option<f32>; 3],
}

impl Row {
    /// Tells whether it is a unit of the KPIs.
    fn is_unit(&self) -> bool {
        self.evaluation && !self.repeat
    }

    fn is_bypass(&self) -> bool {
        self.cause == Cause::Bypassed.code()
    }

    fn has_no_judge(&self) -> bool {
        Cause::is_code_without_judge(u32::from(self.cause))
    }
}

impl Frame {
    /// The slim columns that [`Frame::grid`] reads.
    pub const GRID: [&'static str; 9] = [
        schema::TS,
        schema::BOX,
        schema::FAMILY,
        schema::OUTCOME,
        schema::CAUSE,
        schema::EVALUATION,
        schema::SCORES[0],
        schema::SCORES[1],
        schema::SCORES[2],
    ];

    /// The text columns that [`Frame::grid`] reads.
    pub const GRID_TEXTS: [&'static str; 4] =
        [schema::AUTHOR, schema::MODEL, schema::SERVED_MODEL, schema::FILES];

    /// Sums the rows of a window; `texts` are the text columns of the same rows.
    ///
    /// # Errors
    /// A frame without [`Frame::GRID`], or texts without [`Frame::GRID_TEXTS`].
    pub fn grid(&self, texts: &Self, flags: &Flags, window: Window) -> Result<Grid, FrameError> {
        let sum = || -> PolarsResult<Grid> {
            let rows = self.rows(flags, window)?;
            let mut grid = Grid::of(&rows);
            let text = |name: &str| texts.0.column(name)?.str();
            let judges = text(schema::SERVED_MODEL)?.iter().zip(text(schema::MODEL)?.iter());
            grid.judges = by_name(&rows, judges.map(|(served, asked)| served.or(asked)));
            grid.authors = by_name(&rows, text(schema::AUTHOR)?.iter());
            grid.paths = by_path(&rows, text(schema::FILES)?.iter());
            Ok(grid)
        };
        sum().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// The rows of the frame, `None` for those outside the window.
    fn rows(&self, flags: &Flags, window: Window) -> PolarsResult<Vec<Option<Row>>> {
        let codes = |name: &str| self.0.column(name)?.u32()?.cont_slice();
        let score = |name: &str| self.0.column(name)?.f32();
        let kinds = codes(schema::FAMILY)?.iter().zip(codes(schema::OUTCOME)?);
        let kinds = kinds.zip(codes(schema::CAUSE)?).zip(codes(schema::BOX)?);
        let [semantic, pragmatic, syntactic] = schema::SCORES.map(score);
        let scores = semantic?.iter().zip(pragmatic?.iter()).zip(syntactic?.iter());
        let flags = flags.duplicate.iter().zip(flags.passed_over());
        let ts = self.0.column(schema::TS)?.i64()?;
        let evaluations = self.0.column(schema::EVALUATION)?.bool()?;
        let push = u32::from(Family::Push.code());
        let all = kinds.zip(scores).zip(evaluations.iter()).zip(flags.zip(ts.iter()));
        let rows = all.map(|((kind, evaluation), (flags, ts))| {
            let ((((family, outcome), cause), box_index), scores) = kind;
            let time = ts.map(Timestamp);
            let ((semantic, pragmatic), syntactic) = scores;
            window.holds(time).then(|| Row {
                day: time.map(Timestamp::day),
                box_index: *box_index,
                outcome: Outcome::from_code(*outcome as u8),
                cause: *cause as u8,
                double: *flags.0,
                push: *family == push,
                evaluation: evaluation == Some(true),
                repeat: flags.1.0,
                settled: flags.1.1,
                scores: [semantic, pragmatic, syntactic],
            })
        });
        Ok(rows.collect())
    }
}

impl Grid {
    /// All but the sums by name.
    fn of(rows: &[Option<Row>]) -> Self {
        let mut grid = Self::default();
        let mut cells = Groups::default();
        for row in rows.iter().flatten() {
            cells.add((row.day, row.box_index), row);
            if row.is_unit() && !row.double {
                grid.add_unit(row);
            }
        }
        grid.cells = cells.finish(|key| key);
        grid
    }

    fn add_unit(&mut self, row: &Row) {
        if row.outcome == Some(Outcome::Undetermined)
            && let Some(count) = self.causes.get_mut(usize::from(row.cause))
        {
            *count += 1;
        }
        for (bins, score) in self.histogram.iter_mut().zip(row.scores) {
            let Some(score) = score else { continue };
            // Scores that are no 1 to 5 are not in the column.
            let nearest = (score + 0.5).floor().clamp(1.0, 5.0) as usize;
            if let Some(bin) = bins.get_mut(nearest - 1) {
                bin.n += 1;
                bin.whole += u64::from(score.fract() == 0.0);
            }
        }
    }

    /// Adds the sums of other rows.
    pub fn merge(&mut self, other: Self) {
        merge(&mut self.cells, other.cells);
        merge(&mut self.judges, other.judges);
        merge(&mut self.authors, other.authors);
        merge(&mut self.paths, other.paths);
        for (count, more) in self.causes.iter_mut().zip(other.causes) {
            *count += more;
        }
        let bins = self.histogram.iter_mut().flatten();
        for (bin, more) in bins.zip(other.histogram.iter().flatten()) {
            bin.n += more.n;
            bin.whole += more.whole;
        }
    }
}

fn merge<K: std::hash::Hash + Eq>(all: &mut HashMap<K, Sums>, more: HashMap<K, Sums>) {
    for (key, sums) in more {
        all.entry(key).or_default().merge(&sums);
    }
}

fn by_name<'a>(rows: &[Option<Row>], names: impl Iterator<Item = Option<&'a str>>) -> Names {
    let mut groups = Groups::default();
    for (row, name) in rows.iter().zip(names) {
        if let Some(row) = row.as_ref().filter(|r| !r.double) {
            groups.add(name, row);
        }
    }
    groups.finish(|name| name.map(str::to_owned))
}

fn by_path<'a>(rows: &[Option<Row>], files: impl Iterator<Item = Option<&'a str>>) -> Names {
    let mut groups = Groups::default();
    let mut of_record: Vec<&str> = Vec::new();
    for (row, files) in rows.iter().zip(files) {
        let Some(row) = row.as_ref().filter(|r| !r.double) else { continue };
        of_record.clear();
        for file in files.unwrap_or_default().split('\0').filter(|f| !f.is_empty()) {
            let directory = directory(file, 1);
            if !of_record.contains(&directory) {
                of_record.push(directory);
                groups.add(Some(directory), row);
            }
        }
        if of_record.is_empty() {
            groups.add(None, row);
        }
    }
    groups.finish(|name| name.map(str::to_owned))
}
