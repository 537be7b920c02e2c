//! Frames that a store elsewhere made: columns as they were fetched, equal rows once.

use super::{Frame, FrameError};
use polars::prelude::*;

/// The values of a column.
#[derive(Debug, Clone, PartialEq)]
pub enum Values {
    /// Codes and indices.
    Codes(Vec<u32>),
    /// Hashes and numbers.
    Words(Vec<u64>),
    /// Times and durations.
    Whole(Vec<Option<i64>>),
    /// Scores.
    Scores(Vec<Option<f32>>),
    /// Yes or no.
    Flags(Vec<bool>),
    /// Texts.
    Texts(Vec<Option<String>>),
}

/// So many rows a row stands for: `UInt64`. A frame without the column has each row once.
pub const TIMES: &str = "times";
/// So many units of its latency a row stands for, as [`TIMES`].
pub const TIMED: &str = "timed";

impl Frame {
    /// A frame of such columns.
    ///
    /// # Errors
    /// Columns of different lengths, or a name twice.
    pub fn of_columns(columns: Vec<(&str, Values)>) -> Result<Self, FrameError> {
        let rows = columns.first().map_or(0, |(_, values)| values.len());
        let (mut numbers, mut texts) = (Vec::new(), Vec::new());
        for (name, values) in columns {
            let name = PlSmallStr::from(name);
            numbers.push(match values {
                Values::Codes(all) => Column::new(name, all),
                Values::Words(all) => Column::new(name, all),
                Values::Whole(all) => Column::new(name, all),
                Values::Scores(all) => Column::new(name, all),
                Values::Flags(all) => Column::new(name, all),
                Values::Texts(all) => {
                    texts.push((name, all.iter().map(Option::as_deref).collect()));
                    continue;
                }
            });
        }
        let numbers = DataFrame::new(rows, numbers).map_err(FrameError::build)?;
        Self::new(rows, numbers, texts)
    }
}

impl Values {
    fn len(&self) -> usize {
        match self {
            Self::Codes(all) => all.len(),
            Self::Words(all) => all.len(),
            Self::Whole(all) => all.len(),
            Self::Scores(all) => all.len(),
            Self::Flags(all) => all.len(),
            Self::Texts(all) => all.len(),
        }
    }
}

/// How many rows each row stands for.
pub(super) fn times(frame: &Frame) -> PolarsResult<Vec<u64>> {
    numbers(frame, TIMES)
}

/// How many latencies each row stands for.
pub(super) fn timed(frame: &Frame) -> PolarsResult<Vec<u64>> {
    numbers(frame, TIMED)
}

fn numbers(frame: &Frame, name: &str) -> PolarsResult<Vec<u64>> {
    match frame.column(name) {
        Ok(column) => Ok(column.u64()?.into_no_null_iter().collect()),
        Err(_) => Ok(vec![1; frame.len()]),
    }
}

#[cfg(test)]
mod tests {
    use super::super::schema;
    use super::*;

    #[test]
    fn rows_stand_for_themselves_or_for_as_many_as_a_column_has() {
        let codes = || (schema::FAMILY, Values::Codes(vec![1, 2]));
        let alone = Frame::of_columns(vec![codes()]).unwrap();
        assert_eq!(times(&alone).unwrap(), [1, 1]);
        let alike = Frame::of_columns(vec![codes(), (TIMES, Values::Words(vec![0, 7]))]).unwrap();
        assert_eq!(times(&alike).unwrap(), [0, 7]);
        assert_eq!(timed(&alike).unwrap(), [1, 1]);
        let uneven = vec![codes(), (schema::ROLE, Values::Codes(vec![1]))];
        assert!(Frame::of_columns(uneven).is_err());
    }
}
