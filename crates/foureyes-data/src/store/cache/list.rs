//! Lists of rows: which, and in which order.

use super::collection::{Collection, Segment};
use super::positions::{Positions, Runs};
use super::row::Row;
use super::{CacheError, Cached, Cancel};
use crate::domain::{RecordId, Window};
use crate::frame::query::{Query, Scope};
use crate::frame::{Frame, NumbersByRow, schema};
use rayon::prelude::*;
use std::cmp::Reverse;
use std::collections::HashMap;

/// Rows that are tested between two looks at whether to stop.
const PART: usize = 1 << 16;

/// Segments of which the rows are found before they are added to the list, or more if there are many threads.
const AT_ONCE: usize = 16;

impl Collection {
    /// Remembers the order of the list of all rows, if they can be numbered.
    pub(super) fn remember_order(&self, list: &[Row]) {
        let lengths = || self.segments.iter().map(|segment: &Segment| segment.entry.rows as usize);
        if u32::try_from(lengths().sum::<usize>()).is_ok() {
            self.positions.get_or_init(|| Positions::new(list, lengths()));
        }
    }

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
        let positions = self.positions.get();
        let runs = self.select((query, scope), window, positions, cancel)?;
        let Some(runs) = runs.filter(|_| !cancel()) else { return Ok(None) };
        let rows = match positions {
            Some(positions) => runs.by_positions(positions),
            None => {
                let mut rows = runs.by_times();
                self.order_ties(&mut rows)?;
                rows
            }
        };
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
        let mut count = 0;
        let asked = (query, scope);
        let counted =
            self.each_selected(asked, window, None, cancel, |rows| count += rows.len())?;
        Ok(counted.map(|()| count))
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
        let times = self.gather(&rows, &Frame::TIMES, Frame::times)?;
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

    /// The rows of a window that a query matches, undated ones last; `None` where it was cancelled. Each run is in the
    /// order of `positions`, where they are given, else of times.
    pub(super) fn select(
        &self,
        asked: (&Query, &Scope<'_>),
        window: Window,
        positions: Option<&Positions>,
        cancel: Cancel<'_>,
    ) -> Cached<Option<Runs>> {
        let (mut all, mut undated) = (Runs::default(), Runs::default());
        all.expect(self.segments(window).map(|(_, segment)| segment.entry.rows as usize).sum());
        let selected = self.each_selected(asked, window, positions, cancel, |rows| {
            let dated = rows.partition_point(|row| row.ts > i64::MIN);
            let (rows, rest) = rows.split_at(dated);
            all.push(rows);
            undated.push(rest);
        })?;
        all.append(undated);
        all.rows.shrink_to_fit();
        Ok(selected.map(|()| all))
    }

    /// Hands over the rows that [`Collection::select`] gives, the newest segments first, those of some at a time.
    fn each_selected(
        &self,
        asked: (&Query, &Scope<'_>),
        window: Window,
        positions: Option<&Positions>,
        cancel: Cancel<'_>,
        mut take: impl FnMut(Vec<Row>),
    ) -> Cached<Option<()>> {
        let mut segments: Vec<_> = self.segments(window).collect();
        segments.sort_by_key(|(_, segment)| Reverse(segment.entry.span.map(|(_, last)| last)));
        for some in segments.chunks(AT_ONCE.max(2 * rayon::current_num_threads())) {
            let found = self.select_in(some, asked, window, positions, cancel)?;
            let Some(found) = found else { return Ok(None) };
            found.into_iter().flat_map(|parts| parts.into_iter().rev()).for_each(&mut take);
        }
        Ok(Some(()))
    }

    /// Those of some segments, in parts.
    fn select_in(
        &self,
        segments: &[(usize, &Segment)],
        (query, scope): (&Query, &Scope<'_>),
        window: Window,
        positions: Option<&Positions>,
        cancel: Cancel<'_>,
    ) -> Cached<Option<Vec<Vec<Vec<Row>>>>> {
        let found = segments.par_iter().map(|(at, segment)| {
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
                let mut rows: Vec<Row> = Row::of_segment(*at, &rows).collect();
                newest_of_logs_first(&mut rows);
                match positions {
                    Some(positions) => positions.put_in_order(&mut rows),
                    None => rows.sort_by_key(|row| Reverse(row.ts)),
                }
                Ok(Some(rows))
            });
            parts.collect::<Cached<Option<Vec<Vec<Row>>>>>()
        });
        found.collect()
    }

    /// Columns of a segment, read one after the other so that a cancel is heeded in between, and each once.
    fn until(
        &self,
        segment: &Segment,
        columns: &[&str],
        cancel: Cancel<'_>,
    ) -> Cached<Option<Frame>> {
        if self.kept.is_none() || segment.held.is_some() {
            return self.listed(segment, columns).map(Some);
        }
        let is_flag = |name: &&str| Frame::FLAGS.contains(name);
        let (flags, rest): (Vec<&str>, Vec<&str>) = columns.iter().partition(|name| is_flag(name));
        let mut frames = vec![self.listed(segment, &flags)?];
        for column in rest.iter().filter(|name| **name != schema::TS) {
            if cancel() {
                return Ok(None);
            }
            let is_text = schema::TEXTS.contains(column);
            let stored = if is_text { &segment.entry.text } else { &segment.entry.slim };
            frames.push(self.columns(stored, &[column], None)?);
        }
        Frame::together(frames).map(Some).map_err(CacheError::frame(&self.dir))
    }

    /// Puts rows in order: the newest first, undated ones last, equal times in the order of the
    /// logs.
    pub(super) fn sort(&self, rows: &mut [Row]) -> Cached<()> {
        if let Some(positions) = self.positions.get() {
            positions.put_in_order(rows);
            return Ok(());
        }
        rows.par_sort_unstable();
        self.order_ties(rows)
    }

    /// Puts rows of equal times, which stand together, in the order of the logs.
    fn order_ties(&self, rows: &mut [Row]) -> Cached<()> {
        let is_tied = |a: &Row, b: &Row| a.ts == b.ts;
        let ties = || rows.chunk_by(is_tied).filter(|tied| tied.len() > 1).flatten();
        let known = ties().map(|row| Some((*row, self.order(&self.known_place(row)?))));
        if let Some(known) = known.collect::<Option<HashMap<_, _>>>() {
            let ties = rows.chunk_by_mut(is_tied);
            ties.for_each(|tied| put_in_order(tied, |row| known.get(row).copied()));
            return Ok(());
        }
        let offsets = self.offsets(ties())?;
        let order = |row: &Row| {
            let (part, byte) = offsets.get(row.segment as usize)?.get(row.row)?;
            Some((self.rank(part), byte))
        };
        rows.par_chunk_by_mut(is_tied).for_each(|tied| put_in_order(tied, order));
        Ok(())
    }

    /// Where the rows of each segment that has some stand in the logs.
    fn offsets<'r>(&self, rows: impl Iterator<Item = &'r Row>) -> Cached<Vec<Offsets>> {
        let mut named = vec![false; self.segments.len()];
        for row in rows {
            if let Some(is_named) = named.get_mut(row.segment as usize) {
                *is_named = true;
            }
        }
        let of = |(segment, is_named): (&Segment, bool)| {
            if !is_named {
                return Ok(Offsets::None);
            }
            let error = CacheError::frame(&self.dir);
            match &segment.held {
                Some((slim, _)) => slim.offsets().map(Offsets::Held).map_err(error),
                None => {
                    let [parts, bytes] =
                        Frame::OFFSETS.map(|name| self.by_row(&segment.entry.slim, name));
                    Ok(Offsets::Packed(parts?, bytes?))
                }
            }
        };
        self.segments.par_iter().zip(named).map(of).collect()
    }
}

/// Where the rows of a segment stand in the logs.
enum Offsets {
    /// Not asked for.
    None,
    Held(Vec<(u32, u64)>),
    /// The logs and the bytes, as they are written.
    Packed(NumbersByRow, NumbersByRow),
}

impl Offsets {
    fn get(&self, row: u32) -> Option<(u32, u64)> {
        match self {
            Self::None => None,
            Self::Held(all) => all.get(row as usize).copied(),
            Self::Packed(parts, bytes) => Some((parts.get(row)? as u32, bytes.get(row)?)),
        }
    }
}

/// Turns the rows of a segment around, but for those of equal times. Those of each log are in order then, as they
/// mostly follow each other in time, and the standard sort has runs to merge.
fn newest_of_logs_first(rows: &mut [Row]) {
    rows.reverse();
    rows.chunk_by_mut(|a, b| a.ts == b.ts).for_each(<[Row]>::reverse);
}

fn put_in_order<K: Ord>(rows: &mut [Row], order: impl Fn(&Row) -> K) {
    if rows.len() > 1 && !rows.is_sorted_by_key(&order) {
        rows.sort_unstable_by_key(order);
    }
}
