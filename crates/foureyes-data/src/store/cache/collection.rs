//! An open collection: what all logs hold, ready to be asked.

use super::counted::{Counted, Passed, Remembered};
use super::flagging::read_flags;
use super::kept::Kept;
use super::manifest::{SegmentEntry, Stored};
use super::no_records::NoRecords;
use super::positions::Positions;
use super::report::FileReport;
use super::row::Row;
use super::segment::read_frame;
use super::{CacheError, Cached, LogFile};
use crate::domain::{Accounting, Window};
use crate::frame::query::{Query, Scope};
use crate::frame::{Flags, Frame, schema};
use crate::jsonl::Settings;
use rayon::prelude::*;
use std::collections::BTreeMap;
use std::fs::File;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use tempfile::TempDir;

/// What all logs of a collection hold.
pub struct Collection {
    pub(super) dir: PathBuf,
    pub(super) settings: Settings,
    pub(super) files: Vec<LogFile>,
    /// Where each file stands in the order of the logs.
    pub(super) ranks: Vec<u32>,
    /// And in the order in which logs own records.
    pub(super) owners: Vec<u32>,
    pub(super) boxes: Vec<String>,
    pub(super) accounting: Accounting,
    pub(super) reports: Vec<FileReport>,
    pub(super) segments: Vec<Segment>,
    pub(super) rejects: Option<Stored>,
    /// Rejects that were counted and are not kept, but for those of the ends of logs.
    pub(super) unkept: u64,
    /// What the ends of logs hold that may still grow.
    pub(super) ends: NoRecords,
    /// Keeps other processes from removing the segments.
    pub(super) _readers: Option<File>,
    /// A directory of its own, where the cache cannot be written, and why not.
    pub(super) aside: Option<Aside>,
    pub(super) seen: BTreeMap<u32, u64>,
    pub(super) undated: u64,
    /// Columns that stay in memory, where that was asked for.
    pub(super) kept: Option<Kept>,
    /// The order of lists, once all rows were listed for it.
    pub(super) positions: OnceLock<Positions>,
    /// What all that is counted depends on: see [`counter`](super::counted::counter).
    pub(super) counter: Option<String>,
    /// Once it was asked for.
    pub(super) passed: Mutex<Option<Remembered<Passed>>>,
}

/// How an archive came about whose cache cannot be written.
pub(super) struct Aside {
    /// Why it cannot.
    pub(super) why: String,
    /// The cache of this archive alone, where the other one was of no use.
    pub(super) _dir: Option<TempDir>,
}

/// A run of rows.
pub struct Segment {
    pub(super) entry: SegmentEntry,
    /// Rows that stand nowhere but in memory: the ends of logs that may still grow.
    pub(super) held: Option<(Frame, Frame)>,
    /// Flags that differ from those on disk because of such rows.
    pub(super) flags: Option<Flags>,
    /// What was counted of it, once that was asked for.
    pub(super) counted: Mutex<Option<Remembered<Counted>>>,
}

impl Segment {
    pub(super) fn has_duplicates(&self) -> bool {
        self.entry.duplicates > 0
    }
}

impl Collection {
    /// Names of the boxes by their index in the rows.
    pub fn boxes(&self) -> &[String] {
        &self.boxes
    }

    /// Where every line of every log went.
    pub fn accounting(&self) -> Accounting {
        self.accounting
    }

    /// Distinct records without a usable time.
    pub fn undated(&self) -> u64 {
        self.undated
    }

    /// The logs.
    pub fn files(&self) -> &[FileReport] {
        &self.reports
    }

    /// Distinct records seen on a box.
    pub fn seen_on(&self, box_name: &str) -> u64 {
        let index = self.boxes.iter().position(|b| b == box_name);
        index.and_then(|i| self.seen.get(&(i as u32))).copied().unwrap_or(0)
    }

    /// The segments that may hold a record of the window, with their indices.
    pub fn segments(&self, window: Window) -> impl Iterator<Item = (usize, &Segment)> {
        let low = window.from.map_or(i64::MIN, |t| t.0);
        let high = window.to.map_or(i64::MAX, |t| t.0);
        let all = window.is_all();
        let touches = move |s: &&Segment| s.entry.touches(Some((low, high)), all);
        self.segments.iter().enumerate().filter(move |(_, s)| touches(s))
    }

    /// Counts the records of a window that stand beyond given byte offsets, one a file, and the
    /// flagged ones among them.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn beyond(&self, window: Window, reached: &[u64]) -> Cached<(u64, u64)> {
        let mut sum = (0, 0);
        for (_, segment) in self.segments(window) {
            let frame = self.slim(segment, &Frame::BEYOND)?;
            let flags = self.flags(segment)?;
            let found =
                frame.beyond(&flags, window, reached).map_err(CacheError::frame(&self.dir))?;
            sum = (sum.0 + found.0, sum.1 + found.1);
        }
        Ok(sum)
    }

    /// The records of a window that a query matches, doubles left out, as they stand in the cache.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn matching(&self, query: &Query, scope: &Scope<'_>, window: Window) -> Cached<Vec<Row>> {
        let runs = self.select((query, scope), window, None, &|| false)?;
        let mut rows = runs.unwrap_or_default().rows;
        rows.par_sort_unstable_by_key(|row| (row.segment, row.row));
        Ok(rows)
    }

    /// The rows of a window as one frame of some columns, doubles left out.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn frame(&self, window: Window, columns: &[&str]) -> Cached<Frame> {
        let segments: Vec<_> = self.segments(window).collect();
        let frames = segments.into_par_iter().map(|(_, segment)| {
            let frame = self.whole(segment, columns)?;
            frame.distinct(columns).map_err(CacheError::frame(&self.dir))
        });
        let frames = frames.collect::<Cached<Vec<_>>>()?;
        if frames.is_empty() {
            return Frame::empty(columns).map_err(CacheError::frame(&self.dir));
        }
        Frame::concat(frames).map_err(CacheError::frame(&self.dir))
    }

    /// Columns of a segment from wherever they stand, its time and flags with them.
    pub(super) fn whole(&self, segment: &Segment, columns: &[&str]) -> Cached<Frame> {
        self.beside_flags(segment, columns, &Frame::FLAGS)
    }

    /// The same for a list: of the flags only those that are named, and which rows are doubles.
    pub(super) fn listed(&self, segment: &Segment, columns: &[&str]) -> Cached<Frame> {
        let is_needed = |name: &&str| columns.contains(name) || !schema::DECIDED.contains(name);
        let flags: Vec<&str> = Frame::FLAGS.into_iter().filter(is_needed).collect();
        self.beside_flags(segment, columns, &flags)
    }

    fn beside_flags(&self, segment: &Segment, columns: &[&str], flags: &[&str]) -> Cached<Frame> {
        let is_text = |name: &&&str| schema::TEXTS.contains(*name);
        let texts: Vec<&str> = columns.iter().filter(is_text).copied().collect();
        let is_slim = |name: &&&str| !is_text(name) && !schema::DECIDED.contains(*name);
        let mut slim: Vec<&str> = columns.iter().filter(is_slim).copied().collect();
        if !slim.contains(&schema::TS) {
            slim.push(schema::TS);
        }
        let beside =
            |frame: Frame, other: &Frame| frame.beside(other).map_err(CacheError::frame(&self.dir));
        let mut frame = beside(self.slim(segment, &slim)?, &self.flag_frame(segment, flags)?)?;
        if !texts.is_empty() {
            frame = beside(frame, &self.text(segment, &texts)?)?;
        }
        Ok(frame)
    }

    /// Columns of some rows of a segment, none of them texts; what is in other rows is not looked at.
    pub(super) fn picked(
        &self,
        segment: &Segment,
        columns: &[&str],
        rows: &[u32],
    ) -> Cached<Frame> {
        let is_flag = |name: &&str| Frame::FLAGS.contains(name);
        let (flags, slim): (Vec<&str>, Vec<&str>) = columns.iter().partition(|name| is_flag(name));
        let pick = |frame: &Frame| frame.pick(rows).map_err(CacheError::frame(&self.dir));
        let slim = match &segment.held {
            Some((held, _)) => pick(held)?,
            None => self.columns(&segment.entry.slim, &slim, Some(rows))?,
        };
        if flags.is_empty() {
            return Ok(slim);
        }
        let flags = match &segment.flags {
            Some(held) => pick(&held.to_frame().map_err(CacheError::frame(&self.dir))?)?,
            None => self.columns(&segment.entry.flags, &flags, Some(rows))?,
        };
        slim.beside(&flags).map_err(CacheError::frame(&self.dir))
    }

    /// Some slim columns of a segment.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn slim(&self, segment: &Segment, columns: &[&str]) -> Cached<Frame> {
        match &segment.held {
            Some((slim, _)) => Ok(slim.clone()),
            None => self.columns(&segment.entry.slim, columns, None),
        }
    }

    /// Some slim columns of a segment, of which none is kept for it.
    pub(super) fn slim_once(&self, segment: &Segment, columns: &[&str]) -> Cached<Frame> {
        match &segment.held {
            Some((slim, _)) => Ok(slim.clone()),
            None => read_frame(&self.dir, &segment.entry.slim, Some(columns)),
        }
    }

    /// Some text columns of a segment.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn text(&self, segment: &Segment, columns: &[&str]) -> Cached<Frame> {
        match &segment.held {
            Some((_, text)) => Ok(text.clone()),
            None => self.columns(&segment.entry.text, columns, None),
        }
    }

    /// The flags of a segment.
    ///
    /// # Errors
    /// A segment that cannot be read.
    pub fn flags(&self, segment: &Segment) -> Cached<Flags> {
        segment.flags.clone().map_or_else(|| read_flags(&self.dir, &segment.entry), Ok)
    }
}
