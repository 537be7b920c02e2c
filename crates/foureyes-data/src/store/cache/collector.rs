//! What a reader finds, until it is written as a segment.

use super::manifest::SegmentEntry;
use super::reading::SEGMENT;
use super::rejects::{self, FiledReject};
use super::segment::write_columns;
use super::{Cached, lock};
use crate::domain::{RecordId, Reject};
use crate::frame::{Columns, Keys, SlimColumns, TextColumns};
use crate::jsonl::{Draft, Sink, Span};
use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// Bytes that a reject takes, more or less.
const REJECT: usize = 160;

/// Collects what a reader finds.
pub(super) struct Collector {
    pub(super) columns: Columns,
    pub(super) rejects: Vec<FiledReject>,
    pub(super) file: u32,
    pub(super) box_index: u32,
    /// How often each of the last records stands in a compressed log.
    pub(super) recent: Option<HashMap<RecordId, u8>>,
    /// Records without a row, since enough equal ones stand before them.
    pub(super) repeated: u64,
}

/// So many places of equal records that follow each other in a compressed log are kept: a small one may
/// unpack to millions.
const PLACES: u8 = 64;
/// So many different records are remembered for it.
const RECENT: usize = 4096;

impl Collector {
    /// Whether enough records equal to this one stand shortly before it.
    fn repeats(&mut self, draft: &Draft<'_>) -> bool {
        let Some(recent) = &mut self.recent else { return false };
        let id = draft.id();
        if recent.len() >= RECENT && !recent.contains_key(&id) {
            recent.clear();
        }
        let known = recent.entry(id).or_default();
        let repeats = *known >= PLACES;
        *known = known.saturating_add(1);
        self.repeated += u64::from(repeats);
        repeats
    }
}

impl Sink for Collector {
    fn record(&mut self, draft: &Draft<'_>, span: Span) {
        if self.repeats(draft) {
            return;
        }
        self.columns.push(draft, span, self.file, self.box_index);
    }

    fn reject(&mut self, reject: Reject) {
        self.rejects.push(FiledReject { file: self.file, reject });
    }
}

impl Collector {
    /// Of a file of a box.
    pub(super) fn of(file: u32, box_index: u32) -> Self {
        let columns = Columns::default();
        Self { columns, rejects: Vec::new(), file, box_index, recent: None, repeated: 0 }
    }

    /// Gives what was collected, and begins anew in the same file.
    fn take(&mut self) -> Self {
        let (recent, repeated) = (self.recent.take(), self.repeated);
        let next = Self { recent, repeated, ..Self::of(self.file, self.box_index) };
        std::mem::replace(self, next)
    }

    pub(super) fn is_empty(&self) -> bool {
        self.columns.is_empty() && self.rejects.is_empty()
    }

    /// Bytes that it holds, more or less.
    pub(super) fn bytes(&self) -> usize {
        self.columns.bytes() + self.rejects.len() * REJECT
    }
}

/// A segment that was written; its flags come later.
pub(super) type Written = (SegmentEntry, Keys);

/// Writes segments, whichever thread collects them.
pub(super) struct SegmentWriter<'r> {
    dir: &'r Path,
    /// The number of the next one.
    next: AtomicU64,
    /// Columns that were written, whose room others may take.
    spare: Mutex<Vec<(SlimColumns, TextColumns)>>,
}

impl<'r> SegmentWriter<'r> {
    pub(super) fn new(dir: &'r Path, next: u64) -> Self {
        Self { dir, next: AtomicU64::new(next), spare: Mutex::new(Vec::new()) }
    }

    /// The number of the next segment.
    pub(super) fn next(self) -> u64 {
        self.next.into_inner()
    }

    /// A collector for about so many bytes of log.
    pub(super) fn collector(&self, bytes: usize) -> Collector {
        Collector { columns: self.columns(bytes), ..Collector::of(0, 0) }
    }

    fn columns(&self, bytes: usize) -> Columns {
        let mut columns = lock(&self.spare).pop().map_or_else(Columns::default, Columns::reusing);
        columns.expect(bytes.min(SEGMENT));
        columns
    }

    /// Writes what was collected, where it is enough for a segment; the collector goes on.
    pub(super) fn write_full(&self, collector: &mut Collector) -> Cached<Option<Written>> {
        if collector.bytes() < SEGMENT {
            return Ok(None);
        }
        let written = self.write(collector.take())?;
        collector.columns = self.columns(SEGMENT);
        Ok(Some(written))
    }

    /// Writes what was collected.
    pub(super) fn write(&self, mut collector: Collector) -> Cached<Written> {
        let number = self.next.fetch_add(1, Ordering::Relaxed);
        let (dir, bytes) = (self.dir, collector.bytes() as u64);
        let (slim, text, keys) = collector.columns.finish();
        let mut entry = SegmentEntry { rows: slim.len() as u64, bytes, ..SegmentEntry::default() };
        let name = format!("{number:08}.slim.columns");
        entry.slim = write_columns(dir, &name, |out| slim.write(&keys, out))?;
        let name = format!("{number:08}.text.columns");
        entry.text = write_columns(dir, &name, |out| text.write(out))?;
        rejects::sort(&mut collector.rejects);
        let rejects = collector.rejects.into_iter().map(Ok);
        entry.rejects = rejects::write(dir, &format!("{number:08}.rejects"), rejects)?;
        lock(&self.spare).push((slim, text));
        Ok((entry, keys))
    }
}
