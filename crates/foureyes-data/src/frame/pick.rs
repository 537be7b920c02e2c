//! Columns one by one, and what some rows of a frame say.

use super::slim::DUPLICATE;
use super::{Frame, FrameError, schema};
use crate::domain::{Distinct, Numbering, Outcome, RecordId};
use polars::prelude::*;

/// How bad a row is, for an order of the worst first.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Grade {
    /// What it said; `None` for what is no evaluation.
    pub outcome: Option<Outcome>,
    /// Mean of the scores from 1 to 5; infinite where there is none.
    pub mean: f32,
    /// The lowest of them; infinite where there is none.
    pub worst: f32,
}

impl Grade {
    /// That of an outcome and scores.
    pub fn of(outcome: Option<Outcome>, scores: [Option<f32>; 3]) -> Self {
        let (mut sum, mut count, mut worst) = (0.0, 0.0, f32::INFINITY);
        for score in scores.into_iter().flatten() {
            (sum, count, worst) = (sum + score, count + 1.0, worst.min(score));
        }
        let mean = if count > 0.0 { sum / count } else { f32::INFINITY };
        Self { outcome, mean, worst }
    }
}

impl Frame {
    /// The columns of [`super::Flags`].
    pub const FLAGS: [&'static str; 5] =
        [DUPLICATE, schema::REPEAT, schema::SETTLED, schema::OVERTAKEN, schema::RUN_LATENCY];

    /// One frame of the columns of several.
    ///
    /// # Errors
    /// Different lengths, or a name twice.
    pub fn together(frames: Vec<Self>) -> Result<Self, FrameError> {
        let rows = frames.first().map_or(0, Self::len);
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        for frame in frames {
            numbers.extend(frame.numbers.into_columns());
            texts.extend(frame.texts);
        }
        let numbers = DataFrame::new(rows, numbers).map_err(FrameError::build)?;
        Self::new(rows, numbers, texts)
    }

    /// Some rows of a frame without texts.
    ///
    /// # Errors
    /// A row beyond its end, or a frame with texts of other rows.
    pub fn pick(&self, rows: &[u32]) -> Result<Self, FrameError> {
        let numbers = self.numbers.take(&IdxCa::from_vec(PlSmallStr::EMPTY, rows.to_vec()));
        Self::new(rows.len(), numbers.map_err(read)?, self.texts.clone())
    }

    /// About how many bytes it takes in memory.
    pub fn bytes(&self) -> usize {
        let size = |column: &Column| column.as_materialized_series().estimated_size();
        let numbers = self.numbers.columns().iter().map(size);
        numbers.chain(self.texts.iter().map(|(_, texts)| texts.bytes())).sum()
    }

    /// The rows of which the id begins with this word; needs the first column of [`schema::ID`].
    ///
    /// # Errors
    /// A frame without it.
    pub fn heads(&self, word: u64) -> Result<Vec<u32>, FrameError> {
        let words = self.words(schema::ID[0]).map_err(read)?;
        Ok((0..).zip(words).filter(|(_, w)| **w == word).map(|(row, _)| row).collect())
    }

    /// The first word of the ids of the rows that are doubles, with the rows.
    ///
    /// # Errors
    /// A frame without flags and the first column of [`schema::ID`].
    pub fn doubles(&self) -> Result<Vec<(u64, u32)>, FrameError> {
        let find = || -> PolarsResult<Vec<(u64, u32)>> {
            let flags = self.column(DUPLICATE)?.bool()?;
            let rows = self.words(schema::ID[0])?.iter().zip(0..).zip(flags.iter());
            Ok(rows.filter(|(_, d)| *d == Some(true)).map(|((w, row), _)| (*w, row)).collect())
        };
        find().map_err(read)
    }

    /// The columns that [`Frame::times`] reads.
    pub const TIMES: [&'static str; 2] = [schema::TS, DUPLICATE];

    /// The times of rows, lowest where undated, and whether they are doubles.
    ///
    /// # Errors
    /// A frame without [`Frame::TIMES`], or a row beyond its end.
    pub fn times(&self, rows: &[u32]) -> Result<Vec<(i64, bool)>, FrameError> {
        let find = || -> PolarsResult<Vec<(i64, bool)>> {
            let flags = self.column(DUPLICATE)?.bool()?;
            let ts = self.column(schema::TS)?.i64()?;
            let of = |row| Some((ts.get(row).unwrap_or(i64::MIN), flags.get(row)?));
            each(rows, of)
        };
        find().map_err(read)
    }

    /// The ids of rows; needs [`schema::ID`].
    ///
    /// # Errors
    /// A frame without them, or a row beyond its end.
    pub fn ids(&self, rows: &[u32]) -> Result<Vec<RecordId>, FrameError> {
        let find = || -> PolarsResult<Vec<RecordId>> {
            let [a, b, c, d] = schema::ID;
            let words = [self.words(a)?, self.words(b)?, self.words(c)?, self.words(d)?];
            each(rows, |row| {
                let mut id = [0; 4];
                for (word, column) in id.iter_mut().zip(words) {
                    *word = *column.get(row)?;
                }
                Some(RecordId::from_words(id))
            })
        };
        find().map_err(read)
    }

    /// The columns that [`Frame::grades`] reads.
    pub const GRADES: [&'static str; 4] =
        [schema::OUTCOME, schema::SCORES[0], schema::SCORES[1], schema::SCORES[2]];

    /// How bad rows are.
    ///
    /// # Errors
    /// A frame without [`Frame::GRADES`], or a row beyond its end.
    pub fn grades(&self, rows: &[u32]) -> Result<Vec<Grade>, FrameError> {
        let find = || -> PolarsResult<Vec<Grade>> {
            let outcomes = self.column(schema::OUTCOME)?.u32()?.cont_slice()?;
            let [a, b, c] = schema::SCORES;
            let scores = |name| PolarsResult::Ok(self.column(name)?.f32()?.rechunk());
            let scores = [scores(a)?, scores(b)?, scores(c)?];
            let scores = scores.each_ref().map(|column| column.downcast_as_array());
            each(rows, |row| {
                let outcome = Outcome::from_code(*outcomes.get(row)? as u8);
                Some(Grade::of(outcome, scores.map(|column| column.get(row))))
            })
        };
        find().map_err(read)
    }

    /// What a column of whole numbers has in rows, the box or the latency; `None` where it has nothing.
    ///
    /// # Errors
    /// A frame without that column, or a row beyond its end.
    pub fn whole_numbers(
        &self,
        column: &str,
        rows: &[u32],
    ) -> Result<Vec<Option<i64>>, FrameError> {
        let find = || -> PolarsResult<Vec<Option<i64>>> {
            let numbers = self.column(column)?.cast(&DataType::Int64)?;
            let numbers = numbers.i64()?.rechunk();
            let numbers = numbers.downcast_as_array();
            each(rows, |row| (row < numbers.len()).then(|| numbers.get(row)))
        };
        find().map_err(read)
    }

    /// A part of the texts of a column in rows.
    ///
    /// # Errors
    /// A frame without that column of texts, or a row beyond its end.
    pub fn texts(
        &self,
        column: &str,
        rows: &[u32],
        part: fn(&str) -> Option<&str>,
    ) -> Result<Distinct<Option<String>>, FrameError> {
        let find = || -> PolarsResult<Distinct<Option<&str>>> {
            let mut parts = Numbering::default();
            let texts = self.text(column)?;
            let places = texts.numbered(rows, |text| parts.number(text.and_then(part)));
            let places = places.ok_or_else(beyond)?;
            Ok(Distinct::new(parts.values(), places))
        };
        Ok(find().map_err(read)?.map(|text| text.map(str::to_owned)))
    }

    /// Head of the id, file and byte of each row.
    ///
    /// # Errors
    /// A frame without these columns.
    pub fn occurrences(&self) -> Result<Vec<(u64, u32, u64)>, FrameError> {
        let find = || -> PolarsResult<Vec<(u64, u32, u64)>> {
            let files = self.column(schema::FILE)?.u32()?.cont_slice()?;
            let places = files.iter().zip(self.words(schema::BYTE)?);
            let rows = self.words(schema::ID[0])?.iter().zip(places);
            Ok(rows.map(|(head, (file, byte))| (*head, *file, *byte)).collect())
        };
        find().map_err(read)
    }

    fn words(&self, name: &str) -> PolarsResult<&[u64]> {
        self.column(name)?.u64()?.cont_slice()
    }
}

fn beyond() -> PolarsError {
    polars_err!(OutOfBounds: "a row beyond the end of the frame")
}

/// What holds of each of some rows.
pub(super) fn each<T>(
    rows: &[u32],
    mut of: impl FnMut(usize) -> Option<T>,
) -> PolarsResult<Vec<T>> {
    rows.iter().map(|row| of(*row as usize).ok_or_else(beyond)).collect()
}

pub(super) fn read(error: PolarsError) -> FrameError {
    FrameError::Read(Box::new(error))
}
