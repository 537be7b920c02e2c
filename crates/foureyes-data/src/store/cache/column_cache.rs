//! Columns that stay in memory, so that paging and filtering do not read them again.

use super::collection::{Collection, Segment};
use super::doubles::Doubles;
use super::kept::{Kept, What};
use super::manifest::Stored;
use super::segment::read_packed;
use super::{CacheError, Cached, Cancel};
use crate::domain::Window;
use crate::frame::query::{FREE, Node, Query};
use crate::frame::{Frame, FrameError, NumbersByRow};
use std::sync::Arc;

/// The columns of [`Collection::warm`].
const WARM: [&[&str]; 4] = [&Frame::PLACES, &Frame::GRADES, &Frame::TALLY, &FREE];

impl Collection {
    /// Keeps what is read from now on in memory, up to so many bytes.
    ///
    /// For an archive that stays open and is asked again and again. Answers are the same with and without.
    pub fn keep(&mut self, bytes: usize) {
        self.kept = Some(Kept::new(bytes));
    }

    /// Puts all rows in order, and reads what lists, filters and records need, the newest segments first, until
    /// the bound is reached; `false` where it was cancelled. Then also the first answers come at once.
    ///
    /// Reading takes one thread. It does nothing where nothing is kept.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn warm(&self, cancel: Cancel<'_>) -> Cached<bool> {
        let Some(kept) = &self.kept else { return Ok(true) };
        let (all, scope) = (Query::new(Node::All), self.fixed_scope());
        let Some(list) = self.list(&all, &scope, Window::ALL, cancel)? else { return Ok(false) };
        self.remember_order(&list);
        drop(list);
        for segment in self.segments.iter().rev() {
            for column in WARM.iter().copied().flatten() {
                if cancel() {
                    return Ok(false);
                }
                let before = kept.bytes();
                if (before + before / 16) as u64 >= kept.parts().capacity() {
                    return Ok(true);
                }
                self.whole(segment, &[column])?;
            }
        }
        Ok(true)
    }

    /// Bytes kept in memory now.
    pub fn kept_bytes(&self) -> usize {
        self.kept.as_ref().map_or(0, Kept::bytes)
    }

    /// Some columns of a file of the cache; or some rows of them, where none is one of texts.
    pub(super) fn columns(
        &self,
        stored: &Stored,
        columns: &[&str],
        rows: Option<&[u32]>,
    ) -> Cached<Frame> {
        let path = self.dir.join(&stored.name);
        let open = |(what, frame): (What, Option<Frame>)| match (what, rows) {
            (What::Packed(column), Some(rows)) => column.pick(rows),
            (What::Packed(column), None) => frame.map_or_else(|| column.unpack(), Ok),
            (What::Texts(column), _) => Ok(column),
            (What::Log(_), _) => Err(no_column()),
        };
        let found = self.as_kept(stored, columns)?.into_iter().map(open);
        let found = found.collect::<Result<_, FrameError>>().and_then(Frame::together);
        found.map_err(CacheError::frame(&path))
    }

    /// The numbers of a column of a file of the cache, one by one.
    pub(super) fn by_row(&self, stored: &Stored, column: &str) -> Cached<NumbersByRow> {
        let found = match self.as_kept(stored, &[column])?.into_iter().next() {
            Some((What::Packed(column), _)) => column.by_row(),
            _ => Err(no_column()),
        };
        found.map_err(CacheError::frame(&self.dir.join(&stored.name)))
    }

    /// Some columns of a file of the cache as they are kept, and frames of those that were made on the way.
    fn as_kept(&self, stored: &Stored, columns: &[&str]) -> Cached<Vec<(What, Option<Frame>)>> {
        let mut found = Vec::with_capacity(columns.len());
        let mut missing = Vec::new();
        for name in columns {
            match self.kept.as_ref().and_then(|kept| kept.get(&stored.name, name)) {
                Some(what) => found.push((what, None)),
                None => missing.push(*name),
            }
        }
        if !missing.is_empty() {
            for column in read_packed(&self.dir, stored, &missing)? {
                found.push(match &self.kept {
                    Some(kept) => kept
                        .put_column(&stored.name, column)
                        .map_err(CacheError::frame(&self.dir.join(&stored.name)))?,
                    None => (What::Packed(Arc::new(column)), None),
                });
            }
        }
        Ok(found)
    }

    /// Some flags of a segment as columns, or all where they are at hand.
    pub(super) fn flag_frame(&self, segment: &Segment, flags: &[&str]) -> Cached<Frame> {
        match &segment.flags {
            Some(flags) => flags.to_frame().map_err(CacheError::frame(&self.dir)),
            None => self.columns(&segment.entry.flags, flags, None),
        }
    }

    /// The doubles, found once where anything is kept at all.
    pub(super) fn doubles(&self) -> Cached<Arc<Doubles>> {
        if let Some(found) = self.kept.as_ref().and_then(|kept| kept.doubles.get()) {
            return Ok(Arc::clone(found));
        }
        let found = Arc::new(self.find_doubles()?);
        Ok(match &self.kept {
            Some(kept) => Arc::clone(kept.doubles.get_or_init(|| found)),
            None => found,
        })
    }

    /// A compressed log, whole; read by `read` where it is not kept.
    pub(super) fn whole_log(
        &self,
        file: usize,
        read: impl FnOnce() -> std::io::Result<Vec<u8>>,
    ) -> std::io::Result<Arc<Vec<u8>>> {
        let name = file.to_string();
        if let Some(kept) = &self.kept
            && let Some(What::Log(whole)) = kept.get(LOGS, &name)
        {
            return Ok(whole);
        }
        let whole = Arc::new(read()?);
        if let Some(kept) = &self.kept {
            kept.put(LOGS, name, What::Log(Arc::clone(&whole)));
        }
        Ok(whole)
    }
}

/// What is kept is of another kind than what was asked for.
fn no_column() -> FrameError {
    FrameError::Bytes(std::io::ErrorKind::InvalidData.into())
}

/// Where logs are kept among the files of the cache; no file has that name.
const LOGS: &str = "logs";
