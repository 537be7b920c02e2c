//! Lists of rows: which, and in which order.

use super::collection::{Collection, Segment};
use super::rows::Row;
use super::{CacheError, Cached, Cancel};
use crate::domain::{RecordId, Window};
use crate::frame::query::{Query, Scope};
use crate::frame::{Frame, schema};
use rayon::prelude::*;

/// Rows that are tested between two looks at whether to stop.
const PART: usize = 1 << 16;

impl Collection {
    /// The records of a window that a query matches, in the order of [`Collection::first`]; `None`
    /// where it was cancelled.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn list(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
        cancel: Cancel<'_>,
    ) -> Cached<Option<Vec<Row>>> {
        let Some(mut rows) = self.select(query, scope, window, cancel)? else { return Ok(None) };
        if cancel() {
            return Ok(None);
        }
        self.sort(&mut rows)?;
        Ok((!cancel()).then_some(rows))
    }

    /// How many records of a window a query matches; `None` where it was cancelled.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn count(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
        cancel: Cancel<'_>,
    ) -> Cached<Option<usize>> {
        Ok(self.select(query, scope, window, cancel)?.map(|rows| rows.len()))
    }

    /// The row of a record; `None` where the archive does not hold it.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn find_row(&self, id: RecordId) -> Cached<Option<Row>> {
        let found = (0..self.segments.len()).into_par_iter().zip(&self.segments);
        let found = found.map(|(at, segment)| {
            let frame = self.slim(segment, &[schema::ID[0]])?;
            let rows = frame.heads(id.head()).map_err(CacheError::frame(&self.dir))?;
            Ok(Row::of_segment(at, &rows.iter().map(|row| (0, *row)).collect::<Vec<_>>()).collect())
        });
        let mut rows: Vec<Row> = found.collect::<Cached<Vec<Vec<Row>>>>()?.concat();
        let times = self.gather(&rows, &[], Frame::times)?;
        let ids = self.ids(&rows)?;
        let mut rows = rows.iter_mut().zip(times).zip(ids);
        let ours = rows.find(|((_, (_, double)), found)| !double && *found == id);
        Ok(ours.map(|((row, (ts, _)), _)| Row { ts, ..*row }))
    }

    /// Where a record is in a list; `None` where it is not.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn position(&self, rows: &[Row], id: RecordId) -> Cached<Option<usize>> {
        let row = self.find_row(id)?;
        Ok(row.and_then(|row| rows.par_iter().position_first(|r| *r == row)))
    }

    /// The rows of a window that a query matches, in no order; `None` where it was cancelled.
    pub(super) fn select(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
        cancel: Cancel<'_>,
    ) -> Cached<Option<Vec<Row>>> {
        let segments: Vec<_> = self.segments(window).collect();
        let found = segments.into_par_iter().map(|(at, segment)| {
            if cancel() {
                return Ok(None);
            }
            let columns = if query.is_all() { Vec::new() } else { query.columns() };
            let Some(frame) = self.until(segment, &columns, cancel)? else { return Ok(None) };
            let starts: Vec<usize> = (0..frame.len()).step_by(PART).collect();
            let parts = starts.into_par_iter().map(|from| {
                if cancel() {
                    return Ok(None);
                }
                let part = from..frame.len().min(from + PART);
                let rows = frame.matching_in(query, scope, window, part);
                let rows = rows.map_err(CacheError::frame(&self.dir))?;
                Ok(Some(Row::of_segment(at, &rows).collect()))
            });
            parts.collect::<Cached<Option<Vec<Vec<Row>>>>>()
        });
        let found: Option<Vec<Vec<Vec<Row>>>> = found.collect::<Cached<_>>()?;
        Ok(found.map(|segments| segments.into_iter().flatten().flatten().collect()))
    }

    /// Columns of a segment, read one after the other so that a cancel is heeded in between.
    fn until(
        &self,
        segment: &Segment,
        columns: &[&str],
        cancel: Cancel<'_>,
    ) -> Cached<Option<Frame>> {
        if self.kept.is_some() {
            for column in columns {
                if cancel() {
                    return Ok(None);
                }
                if !self.is_kept(segment, column) {
                    self.whole(segment, &[column])?;
                }
            }
        }
        self.whole(segment, columns).map(Some)
    }

    /// Puts rows in order: the newest first, undated ones last, equal times in the order of the
    /// logs.
    pub(super) fn sort(&self, rows: &mut [Row]) -> Cached<()> {
        rows.par_sort_unstable();
        let runs = || rows.chunk_by(|a, b| a.ts == b.ts).filter(|run| run.len() > 1);
        let tied: Vec<Row> = runs().flatten().copied().collect();
        if tied.is_empty() {
            return Ok(());
        }
        let known: Option<Vec<_>> = self.known_places(&tied).into_iter().collect();
        let orders = match known {
            Some(places) => places.iter().map(|place| (place.part, place.byte)).collect(),
            None => self.gather(&tied, &[schema::FILE, schema::BYTE], Frame::offsets)?,
        };
        let rank = |part: u32| self.ranks.get(part as usize).copied().unwrap_or(u32::MAX);
        let orders = orders.into_iter().map(|(part, byte)| (rank(part), byte));
        let mut ordered: Vec<((u32, u64), Row)> = orders.zip(tied).collect();
        // The times stand in order already; only rows within a run change places.
        ordered.chunk_by_mut(|(_, a), (_, b)| a.ts == b.ts).for_each(|run| {
            if !run.is_sorted_by_key(|(order, _)| *order) {
                run.sort_unstable_by_key(|(order, _)| *order);
            }
        });
        let mut ordered = ordered.into_iter().map(|(_, row)| row);
        for run in rows.chunk_by_mut(|a, b| a.ts == b.ts).filter(|run| run.len() > 1) {
            run.iter_mut().zip(&mut ordered).for_each(|(row, new)| *row = new);
        }
        Ok(())
    }
}
