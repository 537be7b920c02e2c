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

/// Rows whose places are looked up at once to put equal times in order, a hundred bytes each.
const TIED: usize = 1 << 17;

/// Parts of a list that are put in order one by one, at the most: each may have to read all segments.
const MOST_PARTS: usize = 16;

/// Segments of which the rows are found before they are added to the list, or more if there are many threads.
const AT_ONCE: usize = 16;

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
        let mut count = 0;
        let counted =
            self.each_selected(query, scope, window, cancel, |rows| count += rows.len())?;
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
        let mut all = Vec::new();
        // Room that is not used costs nothing, and what grows is copied. Where there is not so much, it grows.
        let most = self.segments(window).map(|(_, segment)| segment.entry.rows as usize).sum();
        let _ = all.try_reserve_exact(most);
        let selected = self.each_selected(query, scope, window, cancel, |rows| all.extend(rows))?;
        all.shrink_to_fit();
        Ok(selected.map(|()| all))
    }

    /// Hands over the rows that [`Collection::select`] gives, those of some segments at a time.
    fn each_selected(
        &self,
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
        cancel: Cancel<'_>,
        mut take: impl FnMut(Vec<Row>),
    ) -> Cached<Option<()>> {
        let segments: Vec<_> = self.segments(window).collect();
        for some in segments.chunks(AT_ONCE.max(2 * rayon::current_num_threads())) {
            let found = self.select_in(some, query, scope, window, cancel)?;
            let Some(found) = found else { return Ok(None) };
            found.into_iter().flatten().for_each(&mut take);
        }
        Ok(Some(()))
    }

    /// Those of some segments, in parts.
    fn select_in(
        &self,
        segments: &[(usize, &Segment)],
        query: &Query,
        scope: &Scope<'_>,
        window: Window,
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
                Ok(Some(Row::of_segment(*at, &rows).collect()))
            });
            parts.collect::<Cached<Option<Vec<Vec<Row>>>>>()
        });
        found.collect()
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
        newest_first(rows);
        let about = TIED.max(rows.len() / MOST_PARTS);
        let (mut rest, mut some) = (rows, Vec::new());
        while !rest.is_empty() {
            let (here, after) = rest.split_at_mut(whole_runs(rest, about));
            some.push(here);
            rest = after;
        }
        match about == TIED {
            true => some.into_par_iter().try_for_each(|rows| self.order_ties(rows)),
            // Large parts at once would take the memory that parts are made for.
            false => some.into_iter().try_for_each(|rows| self.order_ties(rows)),
        }
    }

    /// Puts rows of equal times, which stand together, in the order of the logs.
    fn order_ties(&self, rows: &mut [Row]) -> Cached<()> {
        let runs = || rows.chunk_by(|a, b| a.ts == b.ts).filter(|run| run.len() > 1);
        let mut tied = Vec::with_capacity(runs().map(<[Row]>::len).sum());
        tied.extend(runs().flatten().copied());
        if tied.is_empty() {
            return Ok(());
        }
        let known =
            tied.iter().map(|row| self.known_place(row).map(|place| (place.part, place.byte)));
        let orders = match known.collect::<Option<Vec<_>>>() {
            Some(known) => known,
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

/// Sorts rows. Logs of one box follow each other in time, and then it is done in one pass.
fn newest_first(rows: &mut [Row]) {
    if !rows.is_sorted_by_key(|row| (row.ts, row.segment, row.row)) {
        return rows.par_sort_unstable();
    }
    rows.reverse();
    rows.chunk_by_mut(|a, b| a.ts == b.ts).for_each(<[Row]>::reverse);
}

/// How many rows from the first on to take at once: about so many, and all of an equal time.
fn whole_runs(rows: &[Row], about: usize) -> usize {
    let Some((_, after)) = rows.split_at_checked(about) else { return rows.len() };
    let last = about.checked_sub(1).and_then(|at| rows.get(at));
    about + after.iter().take_while(|row| last.is_some_and(|last| last.ts == row.ts)).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_in_order_of_time_come_as_a_sort_has_them() {
        let row = |n: u32| Row { ts: i64::from(n / 3) - 2, segment: n / 10, row: n % 10 };
        let in_time: Vec<Row> = (0..50).map(row).collect();
        let mut out_of_it = in_time.clone();
        out_of_it.swap(7, 30);
        for rows in [in_time, out_of_it, Vec::new()] {
            let (mut made, mut sorted) = (rows.clone(), rows);
            newest_first(&mut made);
            sorted.sort();
            assert_eq!(made, sorted);
        }
    }

    #[test]
    fn rows_of_one_time_are_never_taken_apart() {
        let rows: Vec<Row> = [9, 9, 7, 7, 7, 3].map(|ts| Row { ts, segment: 0, row: 0 }).to_vec();
        let taken: Vec<usize> = (1..8).map(|about| whole_runs(&rows, about)).collect();
        assert_eq!(taken, [2, 2, 5, 5, 5, 6, 6]);
        assert_eq!(whole_runs(&[], 3), 0);
    }
}
