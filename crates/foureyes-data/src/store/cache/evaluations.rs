//! The push evaluations of a collection.

use super::archive::{Archive, Segment};
use super::{CacheError, Cached};
use crate::domain::Window;
use crate::frame::{Frame, PushLog, PushRows};
use crate::store::cache::Row;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};

impl Archive {
    /// The push evaluations of each segment with its index; `None` where `cancel` said so, which is
    /// asked once a segment.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn push_rows(
        &self,
        cancel: &(dyn Fn() -> bool + Sync),
    ) -> Cached<Option<Vec<(usize, PushRows)>>> {
        let segments: Vec<_> = self.segments(Window::default()).collect();
        let all = segments.into_par_iter().map(|(at, segment)| {
            if cancel() {
                Ok(None)
            } else {
                self.push_rows_of(segment).map(|rows| Some((at, rows)))
            }
        });
        // Each segment that was cancelled is none, and one is enough.
        Ok(all.collect::<Cached<Vec<_>>>()?.into_iter().collect())
    }

    /// Those of the wanted logs that hold push verdicts; both by their index among
    /// [`Archive::files`].
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn push_logs(&self, wanted: &BTreeSet<u32>) -> Cached<BTreeMap<u32, PushLog>> {
        let parts = self.segments.par_iter().map(|segment| {
            let frame = self.slim(segment, &Frame::PUSH_LOGS)?;
            frame.push_logs(wanted).map_err(CacheError::frame(&self.dir))
        });
        let mut all: BTreeMap<u32, PushLog> = BTreeMap::new();
        for (file, log) in parts.collect::<Cached<Vec<_>>>()?.into_iter().flatten() {
            all.entry(file).or_default().join(log);
        }
        Ok(all)
    }

    /// The texts of a column of [`crate::frame::schema::TEXTS`] in rows, in their order.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn texts_of(&self, rows: &[Row], column: &str) -> Cached<Vec<Option<String>>> {
        self.gather(rows, &[column], |frame, rows| frame.texts(column, rows))
    }

    fn push_rows_of(&self, segment: &Segment) -> Cached<PushRows> {
        let slim = self.slim(segment, &Frame::PUSHES)?;
        let texts = self.text(segment, &Frame::PUSH_TEXTS)?;
        let flags = self.flags(segment)?;
        slim.push_rows(&texts, &flags).map_err(CacheError::frame(&self.dir))
    }
}
