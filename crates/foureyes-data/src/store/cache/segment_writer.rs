//! Writes what readers find as segments.

use super::collector::Collector;
use super::manifest::SegmentEntry;
use super::segment::write_columns;
use super::{Cached, lock, room};
use crate::frame::{Columns, Keys, SlimColumns, TextColumns};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes of log that one segment holds at the most, or a single record more.
pub(super) const SEGMENT: usize = 32 << 20;

/// A segment that was written, which has no flags yet.
pub(super) type Written = (SegmentEntry, Keys);

/// Writes segments for all threads.
pub(super) struct SegmentWriter<'d> {
    dir: &'d Path,
    /// Bytes of the disk that stay free.
    least_free: u64,
    /// The number of the next one.
    next: AtomicU64,
    /// Columns that were written, whose room others take.
    spare: Mutex<Vec<(SlimColumns, TextColumns)>>,
}

impl<'d> SegmentWriter<'d> {
    pub(super) fn new(dir: &'d Path, next: u64, least_free: u64) -> Self {
        Self { dir, least_free, next: AtomicU64::new(next), spare: Mutex::new(Vec::new()) }
    }

    /// The number of the next segment.
    pub(super) fn next(self) -> u64 {
        self.next.into_inner()
    }

    /// Columns without rows, for about so many bytes of log.
    pub(super) fn columns(&self, bytes: usize) -> Columns {
        let spare = lock(&self.spare).pop();
        let mut columns = spare.map_or_else(Columns::default, Columns::reusing);
        columns.expect(bytes.min(SEGMENT));
        columns
    }

    /// Writes what was collected, where it is enough for a segment; the collector goes on.
    pub(super) fn write_full(&self, collector: &mut Collector) -> Cached<Option<Written>> {
        if collector.columns.bytes() < SEGMENT {
            return Ok(None);
        }
        let written = self.write(collector)?;
        collector.columns = self.columns(SEGMENT);
        Ok(Some(written))
    }

    /// Writes what was collected.
    pub(super) fn write(&self, collector: &mut Collector) -> Cached<Written> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (dir, bytes) = (self.dir, collector.columns.bytes() as u64);
        room::keep_free(dir, self.least_free)?;
        let (slim, text, keys) = std::mem::take(&mut collector.columns).finish();
        let mut entry = SegmentEntry { rows: slim.len() as u64, bytes, ..SegmentEntry::default() };
        let name = format!("{number:08}.slim.columns");
        entry.slim = write_columns(dir, &name, |out| slim.write(&keys, out))?;
        let name = format!("{number:08}.text.columns");
        entry.text = write_columns(dir, &name, |out| text.write(out))?;
        lock(&self.spare).push((slim, text));
        Ok((entry, keys))
    }
}
