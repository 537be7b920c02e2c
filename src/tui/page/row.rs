//! Rows of a page while they are made: pieces of text, and where the cursor can be.

use crate::page::write::console::{FocusId, Stop};
use crate::text::escape;
use crate::tui::theme::{Glyphs, Role};

/// A row while it is made.
#[derive(Debug, Clone, Default)]
pub(in crate::tui) struct Row {
    /// Pieces of harmless text, each with what it means.
    pub(in crate::tui) parts: Vec<(Role, String)>,
    /// Where it is a stop.
    pub(in crate::tui) stop: Option<Stop>,
    /// It is the title of a block.
    pub(in crate::tui) title: bool,
}

impl Row {
    /// A row that the cursor passes by.
    pub(in crate::tui) fn new() -> Self {
        Self::default()
    }

    /// A row where the cursor can be.
    pub(in crate::tui) fn stop(block: &'static str, row: impl Into<String>) -> Self {
        let id = FocusId { block, row: row.into() };
        let stop = Stop { id, cells: Vec::new(), first: 0, note: String::new(), folds: false };
        Self { stop: Some(stop), ..Self::default() }
    }

    /// Adds a piece of text.
    pub(in crate::tui) fn span(mut self, role: Role, text: impl AsRef<str>) -> Self {
        let text = escape::line(text.as_ref()).into_owned();
        self.parts.push((role, text));
        self
    }

    /// Says more of it at the bottom.
    pub(in crate::tui) fn note(mut self, text: String) -> Self {
        if let Some(stop) = &mut self.stop {
            stop.note = text;
        }
        self
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
        let room = block.width.saturating_sub(escape::width(title) + 7);
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
