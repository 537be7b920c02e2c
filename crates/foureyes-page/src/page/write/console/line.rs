//! A row of a console while it is made.

use super::Stop;
use super::rate::Picture;
use crate::page::{Link, Role};
use foureyes_core::text::escape;

/// Pieces of harmless text, and where the cursor can be.
#[derive(Debug, Clone, Default)]
pub(super) struct Line {
    pub(super) parts: Vec<(Role, String)>,
    pub(super) stop: Option<Stop>,
    /// It is the title of a block.
    pub(super) title: bool,
    /// A picture whose first row it is.
    pub(super) picture: Option<Picture>,
    used: usize,
}

impl Line {
    /// A row where the cursor can be, if anywhere.
    pub(super) fn new(stop: Option<Stop>) -> Self {
        Self { stop, ..Self::default() }
    }

    /// Makes it the title of a block.
    pub(super) fn into_title(mut self) -> Self {
        self.title = true;
        self
    }

    /// Adds a piece of harmless text.
    pub(super) fn span(mut self, role: Role, text: impl Into<String>) -> Self {
        let text = text.into();
        if text.is_empty() {
            return self;
        }
        self.used += escape::width(&text);
        self.parts.push((role, text));
        self
    }

    /// Adds a piece that leads somewhere.
    pub(super) fn cell(self, role: Role, text: impl Into<String>, link: Option<&Link>) -> Self {
        let from = self.used;
        let mut line = self.span(role, text);
        let to = line.used;
        if let (Some(stop), Some(link)) = (&mut line.stop, link) {
            stop.cells.push((from..to, link.clone()));
        }
        line
    }

    /// Says that so many cells before its first are left out.
    pub(super) fn skipped(mut self, cells: usize) -> Self {
        if let Some(stop) = &mut self.stop {
            stop.first = stop.first.saturating_sub(cells);
        }
        self
    }

    /// Fills it up to a column.
    pub(super) fn pad_to(self, column: usize) -> Self {
        let missing = column.saturating_sub(self.used);
        if missing == 0 { self } else { self.span(Role::Text, " ".repeat(missing)) }
    }

    /// Columns used so far.
    pub(super) fn used(&self) -> usize {
        self.used
    }
}
