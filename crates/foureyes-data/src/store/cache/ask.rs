//! What columns say of some rows.

use super::collection::Collection;
use super::row::Row;
use super::{CacheError, Cached, lock};
use crate::domain::{Distinct, Numbering, RecordId};
use crate::frame::{Frame, FrameError, Grade, schema};
use rayon::prelude::*;
use std::sync::{Mutex, PoisonError};

impl Collection {
    /// The ids of rows, in their order.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn ids(&self, rows: &[Row]) -> Cached<Vec<RecordId>> {
        self.gather(rows, &schema::ID, Frame::ids)
    }

    /// How bad rows are, in their order.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn grades(&self, rows: &[Row]) -> Cached<Vec<Grade>> {
        self.gather(rows, &Frame::GRADES, Frame::grades)
    }

    /// What a column of whole numbers has in rows, in their order.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn whole_numbers(&self, rows: &[Row], column: &'static str) -> Cached<Vec<Option<i64>>> {
        self.gather(rows, &[column], |frame, rows| frame.whole_numbers(column, rows))
    }

    /// A part of the texts of a column of [`schema::TEXTS`] in rows, in their order.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn texts(
        &self,
        rows: &[Row],
        column: &str,
        part: fn(&str) -> Option<&str>,
    ) -> Cached<Distinct<Option<String>>> {
        let known = Mutex::new(Numbering::default());
        let numbers = self.gather(rows, &[column], |frame, rows| {
            let texts = frame.texts(column, rows, part)?;
            let mut known = lock(&known);
            Ok(texts.map(|text| known.number(text)).iter().copied().collect())
        })?;
        let known = known.into_inner().unwrap_or_else(PoisonError::into_inner);
        Ok(Distinct::new(known.values(), numbers))
    }

    /// Asks each segment once for the rows in it; gives the answers in the order of the rows.
    ///
    /// The frame has the columns, and only the rows where none of them is one of texts: they have numbers of their
    /// own in it.
    pub(super) fn gather<T: Send>(
        &self,
        rows: &[Row],
        columns: &[&str],
        of: impl Fn(&Frame, &[u32]) -> Result<Vec<T>, FrameError> + Sync,
    ) -> Cached<Vec<T>> {
        let mut wanted: Vec<(Vec<u32>, Vec<u32>)> = vec![Default::default(); self.segments.len()];
        for (order, row) in (0..).zip(rows) {
            if let Some(entry) = wanted.get_mut(row.segment as usize) {
                entry.0.push(row.row);
                entry.1.push(order);
            }
        }
        let asked = self.segments.par_iter().zip(&wanted).filter(|(_, (rows, _))| !rows.is_empty());
        let found = asked.map(|(segment, (rows, orders))| {
            let found = match columns.iter().any(|name| schema::TEXTS.contains(name)) {
                true => of(&self.whole(segment, columns)?, rows),
                false => {
                    let here: Vec<u32> = (0..).take(rows.len()).collect();
                    of(&self.picked(segment, columns, rows)?, &here)
                }
            };
            Ok((found.map_err(CacheError::frame(&self.dir))?, orders))
        });
        let mut answers: Vec<Option<T>> = rows.iter().map(|_| None).collect();
        for (found, orders) in found.collect::<Cached<Vec<_>>>()? {
            for (answer, order) in found.into_iter().zip(orders) {
                answers[*order as usize] = Some(answer);
            }
        }
        Ok(answers.into_iter().flatten().collect())
    }
}
