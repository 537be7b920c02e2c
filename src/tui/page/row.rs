//! Rows of a page while they are made: pieces of text, and which of them lead to records.

use super::drill_down::DrillDown;
use crate::domain::JudgementKind;
use crate::page::Link;
use crate::page::write::console::{self, FocusId};
use crate::text::escape;
use crate::tui::theme::{Glyphs, Role};
use std::ops::Range;

/// A place where the cursor can be.
#[derive(Debug, Clone)]
pub(in crate::tui) struct Stop {
    /// Block and row, the same whenever the page is made again.
    pub(in crate::tui) id: FocusId,
    /// Its cells: the columns of each, and what it leads to.
    pub(in crate::tui) cells: Vec<(Range<usize>, DrillDown)>,
    /// The cell that is selected first.
    pub(in crate::tui) first: usize,
    /// The text about it at the bottom, where that is more than its count.
    pub(in crate::tui) note: Option<String>,
    /// Whose figures its cells are, where that makes a difference.
    pub(in crate::tui) family: JudgementKind,
}

impl Stop {
    /// With what its cells lead to, in place of what they count.
    pub(super) fn resolved(
        self,
        link: &dyn Fn(DrillDown, JudgementKind) -> Option<Link>,
    ) -> console::Stop {
        let family = self.family;
        let cell = |(columns, drill_down)| Some((columns, link(drill_down, family)?));
        let cells = self.cells.into_iter().filter_map(cell).collect();
        let note = self.note.unwrap_or_default();
        console::Stop { id: self.id, cells, first: self.first, note }
    }
}

/// A row while it is made.
#[derive(Debug, Clone, Default)]
pub(in crate::tui) struct Row {
    /// Pieces of harmless text, each with what it means.
    pub(in crate::tui) parts: Vec<(Role, String)>,
    /// Where it is a stop.
    pub(in crate::tui) stop: Option<Stop>,
    /// It is the title of a block.
    pub(in crate::tui) title: bool,
    used: usize,
}

impl Row {
    /// A row that the cursor passes by.
    pub(in crate::tui) fn new() -> Self {
        Self::default()
    }

    /// A row where the cursor can be.
    pub(in crate::tui) fn stop(block: &'static str, row: impl Into<String>) -> Self {
        let id = FocusId { block, row: row.into() };
        let family = JudgementKind::default();
        let stop = Stop { id, cells: Vec::new(), first: 0, note: None, family };
        Self { stop: Some(stop), ..Self::default() }
    }

    /// Adds a piece of text.
    pub(in crate::tui) fn span(mut self, role: Role, text: impl AsRef<str>) -> Self {
        let text = escape::line(text.as_ref()).into_owned();
        self.used += escape::width(&text);
        self.parts.push((role, text));
        self
    }

    /// Adds a piece of text that leads to records.
    pub(in crate::tui) fn cell(
        self,
        role: Role,
        text: impl AsRef<str>,
        drill_down: DrillDown,
    ) -> Self {
        let from = self.used;
        let mut row = self.span(role, text);
        let to = row.used;
        if let Some(stop) = &mut row.stop {
            stop.cells.push((from..to, drill_down));
        }
        row
    }

    /// Says which of its cells is selected first.
    pub(in crate::tui) fn first(mut self, at: usize) -> Self {
        if let Some(stop) = &mut self.stop {
            stop.first = at;
        }
        self
    }

    /// Says more of it at the bottom.
    pub(in crate::tui) fn note(mut self, text: String) -> Self {
        if let Some(stop) = &mut self.stop {
            stop.note = Some(text);
        }
        self
    }

    /// Says whose figures its cells are.
    pub(in crate::tui) fn in_family(mut self, family: JudgementKind) -> Self {
        if let Some(stop) = &mut self.stop {
            stop.family = family;
        }
        self
    }

    /// Fills it up to a column.
    pub(in crate::tui) fn pad_to(self, column: usize) -> Self {
        let missing = column.saturating_sub(self.used);
        if missing == 0 { self } else { self.span(Role::Text, " ".repeat(missing)) }
    }

    /// Columns used so far.
    pub(in crate::tui) fn used(&self) -> usize {
        self.used
    }
}

/// Rows that belong together, below a title.
#[derive(Debug, Clone)]
pub(in crate::tui) struct Block {
    /// Its rows; the title is one of them.
    pub(in crate::tui) rows: Vec<Row>,
    /// Columns for a row.
    pub(in crate::tui) width: usize,
    /// What is drawn with.
    pub(in crate::tui) glyphs: &'static Glyphs,
}

impl Block {
    /// A block without a title.
    pub(in crate::tui) fn untitled(width: usize, glyphs: &'static Glyphs) -> Self {
        Self { rows: Vec::new(), width: width.max(10), glyphs }
    }

    /// A block with a title, and what is to be known of its numbers.
    pub(in crate::tui) fn new(
        width: usize,
        glyphs: &'static Glyphs,
        title: &str,
        more: &str,
    ) -> Self {
        let mut block = Self::untitled(width, glyphs);
        let row = Row::new().span(Role::Title, format!(" {title} "));
        let room = block.width.saturating_sub(row.used() + 5);
        let more = escape::truncate(more, room).into_owned();
        let row = match more.as_str() {
            "" => row,
            more => row.span(Role::Dim, format!("{} {more} ", glyphs.separator)),
        };
        block.rows.push(Row { title: true, ..row });
        block
    }

    /// Adds a row.
    pub(in crate::tui) fn add(&mut self, row: Row) {
        self.rows.push(row);
    }

    /// Adds a text that belongs to what is above it: as many rows as it takes, indented.
    pub(in crate::tui) fn indented(&mut self, role: Role, text: &str) {
        let wrapped = escape::block(&escape::line(text), "  ", self.width);
        self.rows.extend(wrapped.lines().map(|line| Row::new().span(role, line)));
    }

    /// Adds a text, as many rows as it takes; the first one is `head` where it is a stop.
    pub(in crate::tui) fn text(&mut self, head: Row, role: Role, text: &str) {
        let mut head = Some(head);
        let wrapped = escape::block(&escape::line(text), "", self.width);
        for line in wrapped.lines() {
            self.rows.push(head.take().unwrap_or_default().span(role, line));
        }
    }
}
