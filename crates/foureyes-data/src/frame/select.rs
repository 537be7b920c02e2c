//! Rows that a query matches, and frames without doubles.

use super::query::{self, Query, Scope};
use super::slim::DUPLICATE;
use super::{Columns, Frame, FrameError, schema};
use crate::domain::{Timestamp, Window};
use polars::prelude::*;
use std::ops::Range;

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
        self.matching_in(query, scope, window, 0..self.len())
    }

    /// The same of a part of the rows, so that a caller may stop in between.
    ///
    /// The empty query needs no column but the time and the flags.
    ///
    /// # Errors
    /// As [`Frame::matching`].
    pub fn matching_in(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
        part: Range<usize>,
    ) -> Result<Vec<(i64, u32)>, FrameError> {
        let find = || -> PolarsResult<Vec<(i64, u32)>> {
            let frame = self.slice(&part);
            let doubles = frame.column(DUPLICATE)?.bool()?;
            let ts = frame.column(schema::TS)?.i64()?;
            let first = u32::try_from(part.start).unwrap_or(u32::MAX);
            let inside = |row: usize, ts: Option<i64>| {
                let holds = window.holds(ts.map(Timestamp));
                holds.then(|| (ts.unwrap_or(i64::MIN), first + row as u32))
            };
            if query.is_all() {
                let all = doubles.iter().zip(ts.iter()).enumerate();
                let single = all.filter(|(_, (double, _))| *double != Some(true));
                return Ok(single.filter_map(|(row, (_, ts))| inside(row, ts)).collect());
            }
            let hits = query::rows(&(query.mask(&frame, scope)? & !doubles));
            let ts = ts.rechunk();
            let ts = ts.downcast_as_array();
            Ok(hits.into_iter().filter_map(|row| inside(row, ts.get(row))).collect())
        };
        find().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// Some columns of the rows that are no doubles.
    ///
    /// # Errors
    /// A frame without those columns and its flags.
    pub fn distinct(&self, columns: &[&str]) -> Result<Self, FrameError> {
        let pick = || -> PolarsResult<Self> {
            let keep = !self.column(DUPLICATE)?.bool()?;
            self.filter(columns, &keep)
        };
        pick().map_err(|e| FrameError::Read(Box::new(e)))
    }

    /// A frame of no rows with some columns.
    ///
    /// # Errors
    /// Names that are no columns.
    pub fn empty(columns: &[&str]) -> Result<Self, FrameError> {
        let (slim, text, keys) = Columns::default().finish();
        let flags = super::Flags::none(0).to_frame()?;
        slim.to_frame(&keys)?.beside(&text.to_frame()?)?.beside(&flags)?.distinct(columns)
    }

    /// A trend; `undated` are the records without a usable time, in the frame or not.
    pub fn trend(
        &self,
        spec: &super::trend::TrendSpec,
        boxes: &[String],
        undated: u64,
        generated: Timestamp,
    ) -> Result<super::trend::Trend, super::trend::TrendError> {
        super::trend::document(self, spec, boxes, undated, generated)
    }
}
