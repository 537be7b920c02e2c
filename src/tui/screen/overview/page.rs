//! All rows of the overview, each at its place. Made once for a pair of documents and a width.

use super::aim::{Aim, Behind, Documents};
use super::row::{Block, Row, Stop};
use super::{days, ends, heat, kpi, scores, tables, top};
use crate::domain::Triage;
use crate::overview::Breakdowns;
use crate::tui::theme::{Glyphs, Role};
use std::ops::Range;
use std::sync::Arc;

/// From so many columns on there are two columns of blocks below the KPIs.
pub(super) const BESIDE: usize = 100;

/// What a page is made of; something else means another page.
#[derive(Debug, Clone)]
pub(super) struct Key {
    pub(super) triage: Arc<Triage>,
    pub(super) breakdowns: Option<Arc<Breakdowns>>,
    pub(super) width: usize,
    pub(super) glyphs: &'static Glyphs,
}

impl PartialEq for Key {
    /// The very same documents, without a look inside.
    fn eq(&self, other: &Self) -> bool {
        let breakdowns = match (&self.breakdowns, &other.breakdowns) {
            (Some(a), Some(b)) => Arc::ptr_eq(a, b),
            (None, None) => true,
            _ => false,
        };
        breakdowns
            && Arc::ptr_eq(&self.triage, &other.triage)
            && self.width == other.width
            && std::ptr::eq(self.glyphs, other.glyphs)
    }
}

/// A row at its place.
#[derive(Debug, Clone)]
pub(super) struct Placed {
    /// The first of its columns; two more than where its cursor stands.
    pub(super) x: usize,
    /// Columns it may take.
    pub(super) width: usize,
    /// Its line.
    pub(super) y: usize,
    /// Its text.
    pub(super) parts: Vec<(Role, String)>,
    /// It is the title of a block.
    pub(super) title: bool,
    /// Which stop it is.
    pub(super) stop: Option<usize>,
}

/// A stop at its place.
#[derive(Debug, Clone)]
pub(super) struct Halt {
    /// What it is.
    pub(super) stop: Stop,
    /// Its lines.
    pub(super) lines: Range<usize>,
    /// Its lines, and those before and behind it that no stop shows.
    pub(super) around: Range<usize>,
    /// Which column of blocks.
    pub(super) column: usize,
}

/// The rows of the overview, ready to be drawn.
#[derive(Debug, Clone, Default)]
pub struct Page {
    pub(super) key: Option<Key>,
    pub(super) rows: Vec<Placed>,
    pub(super) halts: Vec<Halt>,
    /// Lines it takes.
    pub(super) height: usize,
}

impl Page {
    /// Makes the page of some documents.
    pub(super) fn of(key: Key) -> Self {
        let documents = Documents { triage: &key.triage, breakdowns: key.breakdowns.as_deref() };
        let mut page = Self::default();
        let (full, glyphs) = (key.width, key.glyphs);
        let two = full >= BESIDE;
        let half = if two { (full - 1) / 2 } else { full };
        let room = |width: usize| width.saturating_sub(2);
        let y = page.column((0, 0), full, 0, top::blocks(&documents, room(full), glyphs));
        let y = page.column((0, 0), full, y, kpi::blocks(&documents, room(full), glyphs));
        let (left, right) = sides(&documents, room(half), glyphs);
        let end = page.column((0, 0), half, y, left);
        page.height = match two {
            true => end.max(page.column((1, half + 1), full - half - 1, y, right)),
            false => page.column((0, 0), full, end, right),
        };
        page.key = Some(key);
        page
    }

    /// Places blocks below each other; gives the line behind them.
    fn column(
        &mut self,
        place: (usize, usize),
        width: usize,
        top: usize,
        blocks: Vec<Block>,
    ) -> usize {
        let (column, x) = place;
        let (mut y, mut from, mut open) = (top, top, false);
        for row in blocks.into_iter().flat_map(|b| b.rows) {
            let Row { parts, stop, title, .. } = row;
            let at = stop.is_some().then_some(self.halts.len());
            open = !title && (open || at.is_some());
            if let Some(stop) = stop {
                let lines = y..y + 1;
                self.halts.push(Halt { stop, around: from..y + 1, lines, column });
            } else if open && let Some(halt) = self.halts.last_mut() {
                // What follows a stop without one of its own is the stop's.
                (halt.lines.end, halt.around.end) = (y + 1, y + 1);
            }
            from = if open { y + 1 } else { from };
            let inset = if title { 0 } else { 2 };
            let width = width.saturating_sub(inset);
            self.rows.push(Placed { x: x + inset, width, y, parts, title, stop: at });
            y += 1;
        }
        y
    }

    /// What is behind a cell of a stop.
    pub(super) fn behind(&self, at: usize, cell: usize) -> Option<Behind> {
        let key = self.key.as_ref()?;
        let documents = Documents { triage: &key.triage, breakdowns: key.breakdowns.as_deref() };
        documents.behind(self.aim(at, cell)?)
    }

    fn aim(&self, at: usize, cell: usize) -> Option<Aim> {
        let cells = &self.halts.get(at)?.stop.cells;
        cells.get(cell.min(cells.len().saturating_sub(1))).map(|(_, aim)| *aim)
    }
}

/// The blocks below the KPIs, in two columns; in one they follow each other.
fn sides(
    documents: &Documents<'_>,
    width: usize,
    glyphs: &'static Glyphs,
) -> (Vec<Block>, Vec<Block>) {
    let mut left = days::blocks(documents, width, glyphs);
    left.extend(heat::blocks(documents, width, glyphs));
    left.extend(scores::blocks(documents, width, glyphs));
    let mut right = ends::boxes(documents, width, glyphs);
    right.extend(tables::blocks(documents, width, glyphs));
    right.extend(ends::blocks(documents, width, glyphs));
    (left, right)
}
