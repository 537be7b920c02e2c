//! Records as columns: the only room that names polars.
//!
//! A segment of the cache is two frames: the *slim* one of fixed-width columns, which triage
//! reads, and the *text* one, which filters and breakdowns read. Flags that depend on other
//! segments (a double, a repeat) stand in a third, small one.

mod build;
mod by_row;
mod configured;
mod digits;
mod evaluations;
mod fold;
mod format;
pub mod grid;
pub mod grouped;
mod hashes;
mod lifted;
mod lists;
mod log_spans;
mod packed;
mod pick;
mod pushed;
pub mod query;
mod role;
mod run_lengths;
pub mod schema;
mod select;
mod slim;
mod slim_columns;
mod tally;
mod text_builder;
mod text_columns;
mod text_test;
mod texts;
pub mod trend;
mod whole;
mod words;
mod works;

pub use build::{Columns, Keys, LogIndex};
pub use by_row::NumbersByRow;
pub use configured::Configured;
pub use evaluations::{EvaluationRow, EvaluationRows, OtherEvaluations};
pub use format::{FrameError, PackedColumn, read, read_packed, write};
pub use lifted::{Judged, Verdict, VerdictOn, Verdicts, lifted};
pub use log_spans::LogSpan;
pub use pick::Grade;
pub use pushed::Pushed;
pub use role::{Answer, Role, Roles, Round, Step};
pub use run_lengths::RunLengths;
pub use slim::{Flags, Place};
pub use slim_columns::SlimColumns;
pub use tally::Tally;
pub use text_columns::TextColumns;
pub use whole::WholeRow;
pub use works::Works;

use lists::List;
use polars::prelude::{BooleanChunked, Column, DataFrame, PlSmallStr, PolarsResult, polars_err};
use std::ops::Range;
use text_columns::TextColumn;

/// Records as columns, with the names and types of [`schema`].
#[derive(Debug, Clone, Default)]
pub struct Frame {
    numbers: DataFrame,
    /// As many rows each as `numbers`.
    texts: Vec<(PlSmallStr, TextColumn)>,
}

impl Frame {
    /// A frame of so many rows.
    fn new(
        rows: usize,
        numbers: DataFrame,
        texts: Vec<(PlSmallStr, TextColumn)>,
    ) -> Result<Self, FrameError> {
        let names = texts.iter().enumerate();
        let twice = |(at, (name, _)): (usize, &(PlSmallStr, _))| {
            texts.iter().take(at).any(|(other, _)| other == name)
        };
        let lengths = texts.iter().map(|(_, texts)| texts.len()).chain([numbers.height()]);
        if lengths.into_iter().any(|length| length != rows) || names.into_iter().any(twice) {
            let why = polars_err!(ShapeMismatch: "columns of different lengths or of one name");
            return Err(FrameError::build(why));
        }
        Ok(Self { numbers, texts })
    }

    /// A frame of such columns, none of them texts.
    fn of_numbers(rows: usize, columns: Vec<Column>) -> Result<Self, FrameError> {
        let numbers = DataFrame::new(rows, columns).map_err(FrameError::build)?;
        Ok(Self { numbers, texts: Vec::new() })
    }

    /// A frame of lists of so many rows.
    fn of_lists(rows: usize, lists: &[(&str, List<'_>)]) -> Result<Self, FrameError> {
        let columns = lists.iter().map(|(name, list)| list.column(name));
        Self::of_numbers(rows, columns.collect())
    }

    /// Rows.
    pub fn len(&self) -> usize {
        self.numbers.height()
    }

    /// Whether it has no rows.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// A frame of one column of texts.
    #[cfg(test)]
    pub(crate) fn of_texts<'t>(
        name: &str,
        texts: impl Iterator<Item = Option<&'t str>>,
    ) -> Result<Self, FrameError> {
        let texts: TextColumn = texts.collect();
        let rows = texts.len();
        Self::new(rows, DataFrame::empty_with_height(rows), vec![(name.into(), texts)])
    }

    /// A column that holds no texts.
    fn column(&self, name: &str) -> PolarsResult<&Column> {
        self.numbers.column(name)
    }

    /// A column of texts.
    fn text(&self, name: &str) -> PolarsResult<&TextColumn> {
        let column = self.texts.iter().find(|(own, _)| own == name);
        let missing = || polars_err!(ColumnNotFound: "{name}");
        column.map(|(_, texts)| texts).ok_or_else(missing)
    }

    /// Some of the rows.
    fn slice(&self, rows: &Range<usize>) -> Self {
        let texts = self.texts.iter().map(|(name, texts)| (name.clone(), texts.slice(rows)));
        Self { numbers: self.numbers.slice(rows.start as i64, rows.len()), texts: texts.collect() }
    }

    /// Some columns of the rows for which a mask holds.
    fn filter(&self, columns: &[&str], mask: &BooleanChunked) -> PolarsResult<Self> {
        let is_text = |name: &&&str| self.texts.iter().any(|(own, _)| own == **name);
        let (texts, numbers): (Vec<&str>, Vec<&str>) = columns.iter().partition(is_text);
        let texts = texts.into_iter().map(|name| Ok((name.into(), self.text(name)?.filter(mask))));
        Ok(Self {
            texts: texts.collect::<PolarsResult<_>>()?,
            numbers: self.numbers.select(numbers)?.filter(mask)?,
        })
    }

    /// One frame of the rows of several, in their order.
    ///
    /// # Errors
    /// Frames of different columns.
    pub fn concat(frames: Vec<Self>) -> Result<Self, FrameError> {
        let mut frames = frames.into_iter();
        let Some(mut whole) = frames.next() else { return Ok(Self::default()) };
        for frame in frames {
            whole.numbers.vstack_mut(&frame.numbers).map_err(FrameError::build)?;
            for (name, texts) in &mut whole.texts {
                texts.append(frame.text(name).map_err(FrameError::build)?);
            }
        }
        whole.numbers.rechunk_mut();
        Ok(whole)
    }

    /// The columns of this frame and of another of as many rows.
    ///
    /// # Errors
    /// Different lengths, or a name in both.
    pub fn beside(&self, other: &Self) -> Result<Self, FrameError> {
        let numbers = self.numbers.hstack(other.numbers.columns()).map_err(FrameError::build)?;
        let texts = self.texts.iter().chain(&other.texts).cloned().collect();
        Self::new(self.len(), numbers, texts)
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn time_zones_of_the_world_are_left_out() {
        let names: Vec<_> = chrono_tz::TZ_VARIANTS.iter().map(|zone| zone.name()).collect();
        let why = "`.cargo/config.toml` counts only below the project's directory";
        assert!(names.len() < 60 && !names.contains(&"Europe/Berlin"), "{names:?}: {why}");
    }
}
