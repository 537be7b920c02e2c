//! Lines ready to be drawn, and what they were made of.

use crate::domain::RecordId;
use crate::report::visible;
use crate::tui::model::Tab;
use crate::tui::theme::{Glyphs, Role};
use std::sync::Arc;

/// A line: pieces of harmless text, each with what it means.
pub type SheetLine = Vec<(Role, String)>;

/// What a sheet was made of; another one means another sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetKey {
    /// The record.
    pub id: Option<RecordId>,
    /// The tab.
    pub tab: Tab,
    /// Columns.
    pub width: usize,
    /// Goes up with everything else that it shows.
    pub revision: u64,
}

/// The lines of a tab.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// What they were made of.
    pub key: Option<SheetKey>,
    /// The lines.
    pub lines: Arc<Vec<SheetLine>>,
}

/// Writes lines of a given width.
pub(in crate::tui::screen) struct Writer {
    width: usize,
    pub(super) glyphs: &'static Glyphs,
    pub(super) lines: Vec<SheetLine>,
}

impl Writer {
    pub(in crate::tui::screen) fn new(width: usize, glyphs: &'static Glyphs) -> Self {
        Self { width: width.max(10), glyphs, lines: Vec::new() }
    }

    /// A line of pieces; each is made harmless, and what does not fit is cut.
    pub(in crate::tui::screen) fn parts(&mut self, parts: &[(Role, &str)]) {
        let mut room = self.width.saturating_sub(1);
        let mut line = vec![(Role::Text, " ".to_owned())];
        for (role, text) in parts {
            let shown = visible::line(text);
            let cut = visible::truncate(&shown, room);
            room = room.saturating_sub(visible::width(&cut));
            line.push((*role, cut.into_owned()));
            if room == 0 {
                break;
            }
        }
        self.lines.push(line);
    }

    /// A sentence of ours, wrapped.
    pub(in crate::tui::screen) fn say(&mut self, role: Role, text: &str) {
        for line in visible::block(text, " ", self.width).lines() {
            self.lines.push(vec![(role, line.to_owned())]);
        }
    }

    /// A sentence that may hold words from outside: one line, what does not fit behind a gutter.
    pub(in crate::tui::screen) fn told(&mut self, role: Role, text: &str) {
        let width = self.width.saturating_sub(3);
        for (i, line) in visible::block(&visible::line(text), "", width).lines().enumerate() {
            let start = if i == 0 { " ".to_owned() } else { format!(" {} ", self.glyphs.gutter) };
            self.lines.push(vec![(Role::Gutter, start), (role, line.to_owned())]);
        }
    }

    /// A heading.
    pub(in crate::tui::screen) fn title(&mut self, text: &str) {
        self.parts(&[(Role::Title, text)]);
    }

    /// An empty line, unless there is one.
    pub(in crate::tui::screen) fn gap(&mut self) {
        if self.lines.last().is_some_and(|l| !l.is_empty()) {
            self.lines.push(Vec::new());
        }
    }

    /// A label of ours and a text from outside; what does not fit stands behind a gutter.
    pub(in crate::tui::screen) fn field(&mut self, label: &str, text: &str) {
        let label = format!(" {label:<10}");
        let shown = visible::line(text);
        let gutter = format!("{:11}{} ", "", self.glyphs.gutter);
        if visible::width(&shown) + label.len() < self.width {
            self.lines.push(vec![(Role::Dim, label), (Role::Text, shown.into_owned())]);
            return;
        }
        let block = visible::block(&shown, "", self.width.saturating_sub(14).max(8));
        for (i, piece) in block.lines().enumerate() {
            let start =
                if i == 0 { (Role::Dim, label.clone()) } else { (Role::Gutter, gutter.clone()) };
            self.lines.push(vec![start, (Role::Text, piece.to_owned())]);
        }
    }

    /// A text from outside, of many lines, behind a gutter.
    pub(in crate::tui::screen) fn block(&mut self, role: Role, text: &str) {
        let gutter = format!(" {} ", self.glyphs.gutter);
        let width = self.width.saturating_sub(visible::width(&gutter));
        for piece in visible::block(text, "", width).lines() {
            self.lines.push(vec![(Role::Gutter, gutter.clone()), (role, piece.to_owned())]);
        }
    }

    /// Columns of a line.
    pub(in crate::tui::screen) fn width(&self) -> usize {
        self.width
    }

    /// A line as it is; its texts must be harmless.
    pub(in crate::tui::screen) fn ready(&mut self, line: SheetLine) {
        self.lines.push(line);
    }
}
