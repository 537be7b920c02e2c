//! Rows that a query matches, and frames without doubles.

use super::query::{Query, Scope};
use super::slim::DUPLICATE;
use super::{Columns, Frame, FrameError, schema};
use crate::domain::{Timestamp, Window};
use polars::prelude::*;

impl Frame {
    /// The rows of a window that a query matches, no doubles: time (lowest where undated), row.
    ///
    /// # Errors
    /// A frame without the query's columns, its time and its flags.
    pub fn matching(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
    ) -> Result<Vec<(i64, u32)>, FrameError> {
        let find = || -> PolarsResult<Vec<(i64, u32)>> {
            let mask =
                self.0.clone().lazy().select([query.expr(scope).alias("match")]).collect()?;
            let mask = mask.column("match")?.bool()?.clone();
            let doubles = self.0.column(DUPLICATE)?.bool()?;
            let ts = self.0.column(schema::TS)?.i64()?;
            let rows = mask.iter().zip(doubles.iter()).zip(ts.iter()).zip(0..);
            Ok(rows
                .filter(|(((hit, double), ts), _)| {
                    *hit == Some(true) && *double != Some(true) && window.holds(ts.map(Timestamp))
                })
                .map(|((_, ts), row)| (ts.unwrap_or(i64::MIN), row))
                .collect())
        };
        find().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// Some columns of the rows that are no doubles.
    ///
    /// # Errors
    /// A frame without those columns and its flags.
    pub fn distinct(&self, columns: &[&str]) -> Result<Self, FrameError> {
        let pick = || -> PolarsResult<DataFrame> {
            let keep = !self.0.column(DUPLICATE)?.bool()?;
            self.0.select(columns.iter().copied())?.filter(&keep)
        };
        pick().map(Self).map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// A frame of no rows with some columns.
    ///
    /// # Errors
    /// Names that are no columns.
    pub fn empty(columns: &[&str]) -> Result<Self, FrameError> {
        let (slim, text, _) = Columns::default().finish()?;
        let flags = super::Flags::none(0).to_frame()?;
        slim.beside(&text)?.beside(&flags)?.distinct(columns)
    }

    /// The table that a trend is made of.
    pub fn trend(
        &self,
        spec: &super::trend::TrendSpec,
        boxes: &[String],
        generated: Timestamp,
    ) -> Result<super::trend::Trend, super::trend::TrendError> {
        super::trend::document(&self.0, spec, boxes, generated)
    }
}
