//! A list of records: which, in what order, and where the person is in it.

use super::Loadable;
use crate::domain::{RecordId, Window};
use crate::frame::query::Query;
use crate::queue::Order;
use crate::store::cache::Row;
use crate::tui::session::Left;
use std::collections::BTreeSet;
use std::sync::Arc;

/// Which list.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ListId {
    /// What is flagged and not yet dealt with.
    Queue,
    /// Everything.
    Records,
}

/// What a list is narrowed to.
#[derive(Debug, Clone, PartialEq)]
pub struct Filter {
    /// As it was typed.
    pub text: String,
    /// What it means.
    pub query: Query,
}

impl Default for Filter {
    fn default() -> Self {
        Self { text: String::new(), query: Query::of(crate::frame::query::Node::All) }
    }
}

impl Filter {
    /// Reads a filter; `None` where it is wrong.
    pub fn parse(text: &str) -> Option<Self> {
        Some(Self { text: text.trim().to_owned(), query: Query::parse(text).ok()? })
    }

    /// Tells whether it lets everything through.
    pub fn is_all(&self) -> bool {
        self.query.is_all()
    }
}

/// What a list is made of; another one means another list.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// The archive.
    pub edition: u64,
    /// The filter.
    pub query: Query,
    /// The span of record time.
    pub window: Window,
    /// The order.
    pub order: Order,
    /// [`List::serial`].
    pub serial: u64,
}

/// A list of records.
#[derive(Debug, Clone)]
pub struct List {
    /// Which one.
    pub id: ListId,
    /// What it is narrowed to.
    pub filter: Filter,
    /// Its order.
    pub order: Order,
    /// Its rows.
    pub rows: Loadable<Arc<Vec<Row>>>,
    /// The archive that the rows are of.
    pub edition: u64,
    /// Which asking the rows answer, or will.
    pub generation: u64,
    /// What was asked for last.
    pub asked: Option<Asked>,
    /// Goes up when the list must be made again though nothing it is made of changed.
    pub serial: u64,
    /// The selected line, from 0.
    pub cursor: usize,
    /// The first line on the screen.
    pub top: usize,
    /// The record on the selected line, once it is read. The selection follows it.
    pub selected: Option<RecordId>,
    /// The record to go to when the list is made anew, where that is not the selected one.
    pub wanted: Option<RecordId>,
    /// Marked records.
    pub marks: BTreeSet<RecordId>,
    /// Where a range of marks began.
    pub range: Option<usize>,
    /// Records that came above the first line while the person was looking.
    pub above: usize,
}

impl List {
    /// A list before it is loaded.
    pub fn new(id: ListId) -> Self {
        Self {
            id,
            filter: Filter::default(),
            order: Order::Newest,
            rows: Loadable::default(),
            edition: 0,
            generation: 0,
            asked: None,
            serial: 0,
            cursor: 0,
            top: 0,
            selected: None,
            wanted: None,
            marks: BTreeSet::new(),
            range: None,
            above: 0,
        }
    }

    /// Lines in it.
    pub fn len(&self) -> usize {
        self.rows.value.as_ref().map_or(0, |rows| rows.len())
    }

    /// Tells whether it has no lines.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The row of a line.
    pub fn row(&self, line: usize) -> Option<Row> {
        self.rows.value.as_ref()?.get(line).copied()
    }

    /// Rows that stand on `height` lines of the screen.
    pub fn visible(&self, height: usize) -> impl Iterator<Item = (usize, Row)> + '_ {
        let rows = self.rows.value.as_deref().map_or(&[][..], Vec::as_slice);
        rows.iter().copied().enumerate().skip(self.top).take(height)
    }

    /// Goes to a line, or as near as there is one.
    pub fn go(&mut self, line: usize) {
        let line = line.min(self.len().saturating_sub(1));
        if line != self.cursor {
            self.cursor = line;
            self.selected = None;
        }
    }

    /// Goes so many lines down, up where negative.
    pub fn step(&mut self, lines: isize) {
        self.go(self.cursor.saturating_add_signed(lines));
    }

    /// Scrolls so that the selected line is on a screen of `height` lines.
    pub fn scroll(&mut self, height: usize) {
        let height = height.max(1);
        self.cursor = self.cursor.min(self.len().saturating_sub(1));
        let last_top = self.len().saturating_sub(height);
        let lowest = (self.cursor + 1).saturating_sub(height);
        self.top = self.top.clamp(lowest, self.cursor).min(last_top.max(lowest));
        if self.top == 0 {
            self.above = 0;
        }
        self.above = self.above.min(self.top);
    }

    /// Takes new rows; the selected record stays where it is on the screen.
    pub fn take(&mut self, rows: Arc<Vec<Row>>, at: Option<usize>) {
        let before = self.cursor;
        let first = self.rows.value.is_none();
        let asked_for = self.wanted.take().is_some();
        self.rows.settle(Ok(rows));
        if let Some(at) = at {
            self.above += if first || asked_for { 0 } else { at.saturating_sub(before) };
            self.top = if at >= before {
                self.top + (at - before)
            } else {
                self.top.saturating_sub(before - at)
            };
            self.cursor = at;
        } else {
            self.cursor = before.min(self.len().saturating_sub(1));
            self.selected = None;
        }
        self.range = None;
    }

    /// Takes lines out, as they were dealt with; what followed moves up to the cursor.
    pub fn remove(&mut self, gone: &BTreeSet<(u32, u32)>) {
        let Some(rows) = &self.rows.value else { return };
        let is_gone = |r: &Row| gone.contains(&(r.segment, r.row));
        let before = rows.iter().take(self.cursor).filter(|r| is_gone(r)).count();
        let left: Vec<Row> = rows.iter().filter(|r| !is_gone(r)).copied().collect();
        self.cursor = (self.cursor - before).min(left.len().saturating_sub(1));
        self.rows.value = Some(Arc::new(left));
        self.selected = None;
        self.range = None;
    }

    /// How it is left.
    pub fn left(&self) -> Left {
        Left { filter: self.filter.text.clone(), selected: self.selected }
    }

    /// Takes up how it was left.
    pub fn restore(&mut self, left: Left) {
        self.filter = Filter::parse(&left.filter).unwrap_or_default();
        self.selected = left.selected;
    }
}
