//! Sums of a window by day and box, by judge, author and path, in one pass over its columns.

pub use super::fold::{Scored, Sums};

use super::fold::{self, Groups, Row};
use super::trend::directory;
use super::{Flags, Frame, FrameError, schema};
use crate::domain::{Cause, JudgementKind, Outcome, Window};
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
    /// By the headings and dimensions of the terms of quality in the judge's words. A record is in each of
    /// its own, and in none where none was found or sought.
    pub terms: Names,
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

impl Frame {
    /// The slim columns that [`Frame::grid`] reads.
    pub const GRID: [&'static str; 10] = {
        let [a, b, c, d, e, f, g, h, i] = fold::COLUMNS;
        [a, b, c, d, e, f, g, h, i, schema::BOX]
    };

    /// The text columns that [`Frame::grid`] reads.
    pub const GRID_TEXTS: [&'static str; 5] =
        [schema::AUTHOR, schema::MODEL, schema::SERVED_MODEL, schema::FILES, schema::TERMS];

    /// Sums the rows of a window, with the units of a kind of judgement; `texts` are the text columns of
    /// the same rows.
    ///
    /// # Errors
    /// A frame without [`Frame::GRID`], or texts without [`Frame::GRID_TEXTS`].
    pub fn grid(
        &self,
        texts: &Self,
        flags: &Flags,
        of: JudgementKind,
        window: Window,
    ) -> Result<Grid, FrameError> {
        let sum = || -> PolarsResult<Grid> {
            let rows = fold::rows(self, of, flags.rows(), |time| window.holds(time))?;
            let boxes = self.column(schema::BOX)?.u32()?.into_no_null_iter();
            let mut grid = Grid::new(&rows, boxes);
            for part in [Part::Judges, Part::Authors, Part::Paths, Part::Terms] {
                *grid.part(part) = names(part, &rows, texts)?;
            }
            Ok(grid)
        };
        sum().map_err(|e| FrameError::Read(Box::new(e)))
    }
}

/// What rows are summed by that has names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    /// [`Grid::judges`].
    Judges,
    /// [`Grid::authors`].
    Authors,
    /// [`Grid::paths`].
    Paths,
    /// [`Grid::terms`].
    Terms,
}

/// The sums of rows by names that are in columns of texts.
fn names(part: Part, rows: &[Option<Row>], texts: &Frame) -> PolarsResult<Names> {
    let text = |name: &str| texts.text(name);
    Ok(match part {
        Part::Judges => {
            let judges = text(schema::SERVED_MODEL)?.iter().zip(text(schema::MODEL)?.iter());
            by_name(rows, judges.map(|(served, asked)| served.or(asked)))
        }
        Part::Authors => by_name(rows, text(schema::AUTHOR)?.iter()),
        Part::Paths => by_each(rows, text(schema::FILES)?.iter(), |file| directory(file, 1)),
        Part::Terms => {
            let mut terms = by_each(rows, text(schema::TERMS)?.iter(), |term| term);
            terms.remove(&None);
            terms
        }
    })
}

impl Grid {
    /// The sums by day and box of all rows of a frame, and what has no names, with the units of a kind.
    ///
    /// # Errors
    /// A frame without the columns of these.
    pub fn of_cells(frame: &Frame, flags: &Flags, of: JudgementKind) -> Result<Self, FrameError> {
        let sum = || -> PolarsResult<Self> {
            let rows = fold::rows(frame, of, flags.rows(), |_| true)?;
            Ok(Self::new(&rows, frame.column(schema::BOX)?.u32()?.into_no_null_iter()))
        };
        sum().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// Takes the sums by names of all rows of a frame and its texts.
    ///
    /// # Errors
    /// A frame or texts without the columns of these.
    pub fn add_names(
        &mut self,
        part: Part,
        (frame, texts): (&Frame, &Frame),
        flags: &Flags,
        of: JudgementKind,
    ) -> Result<(), FrameError> {
        let sum = || -> PolarsResult<Names> {
            let rows = fold::rows(frame, of, flags.rows(), |_| true)?;
            names(part, &rows, texts)
        };
        let sums = sum().map_err(|e| FrameError::Read(Box::new(e)))?;
        merge(self.part(part), sums);
        Ok(())
    }

    /// Takes how many places records of a day and a box have: those beyond its records are doubles.
    pub fn add_places(&mut self, day: Option<i32>, box_index: u32, places: u64) {
        let sums = self.cells.entry((day, box_index)).or_default();
        sums.doubles = places.saturating_sub(sums.records);
    }

    fn part(&mut self, part: Part) -> &mut Names {
        match part {
            Part::Judges => &mut self.judges,
            Part::Authors => &mut self.authors,
            Part::Paths => &mut self.paths,
            Part::Terms => &mut self.terms,
        }
    }

    /// All but the sums by name.
    fn new(rows: &[Option<Row>], boxes: impl Iterator<Item = u32>) -> Self {
        let mut grid = Self::default();
        let mut cells = Groups::<_, Sums>::default();
        for (row, box_index) in rows.iter().zip(boxes) {
            let Some(row) = row else { continue };
            cells.add((row.day, box_index), |sums| sums.add(row));
            if row.is_unit && !row.kind.flags.duplicate {
                grid.add_unit(row);
            }
        }
        grid.cells = cells.finish(|key| key);
        grid
    }

    fn add_unit(&mut self, row: &Row) {
        if row.kind.outcome == Some(Outcome::Undetermined)
            && let Some(count) =
                self.causes.get_mut(row.kind.cause.map_or(0, |cause| usize::from(cause.code())))
        {
            *count += row.times;
        }
        for (bins, score) in self.histogram.iter_mut().zip(row.scores) {
            let Some(score) = score else { continue };
            // Scores that are no 1 to 5 are not in the column.
            let nearest = (score + 0.5).floor().clamp(1.0, 5.0) as usize;
            if let Some(bin) = bins.get_mut(nearest - 1) {
                bin.n += row.times;
                bin.whole += if score.fract() == 0.0 { row.times } else { 0 };
            }
        }
    }

    /// Adds the sums of other rows.
    pub fn merge(&mut self, other: Self) {
        merge(&mut self.cells, other.cells);
        merge(&mut self.judges, other.judges);
        merge(&mut self.authors, other.authors);
        merge(&mut self.paths, other.paths);
        merge(&mut self.terms, other.terms);
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
    let mut groups = Groups::<_, Sums>::default();
    for (row, name) in rows.iter().zip(names) {
        if let Some(row) = row.as_ref().filter(|r| !r.kind.flags.duplicate) {
            groups.add(name, |sums| sums.add(row));
        }
    }
    groups.finish(|name| name.map(str::to_owned))
}

/// Sums by what each of a record's texts stands for; they have a NUL before each.
fn by_each<'a>(
    rows: &[Option<Row>],
    texts: impl Iterator<Item = Option<&'a str>>,
    name: impl Fn(&'a str) -> &'a str,
) -> Names {
    let mut groups = Groups::<_, Sums>::default();
    let mut of_record: Vec<&str> = Vec::new();
    for (row, texts) in rows.iter().zip(texts) {
        let Some(row) = row.as_ref().filter(|r| !r.kind.flags.duplicate) else { continue };
        of_record.clear();
        for text in texts.unwrap_or_default().split('\0').filter(|text| !text.is_empty()) {
            let name = name(text);
            if !of_record.contains(&name) {
                of_record.push(name);
                groups.add(Some(name), |sums| sums.add(row));
            }
        }
        if of_record.is_empty() {
            groups.add(None, |sums| sums.add(row));
        }
    }
    groups.finish(|name| name.map(str::to_owned))
}
