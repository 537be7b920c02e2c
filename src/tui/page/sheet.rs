//! Lines ready to be drawn, and what they were made of.

use crate::domain::RecordId;
use crate::text::escape;
use crate::tui::session::{BlindMode, Tab};
use crate::tui::theme::{Glyphs, Role};
use std::borrow::Cow;
use std::sync::Arc;

/// A line: pieces of harmless text, each with what it means.
pub type SheetLine = Vec<(Role, String)>;

/// What a sheet was made of; another one means another sheet.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SheetKey {
    /// Content hash of the record; `None` where none is selected.
    pub id: Option<RecordId>,
    /// The tab.
    pub tab: Tab,
    /// Width in columns.
    pub width: usize,
    /// Whether verdicts are hidden.
    pub sight: BlindMode,
    /// Goes up with everything else that it shows.
    pub revision: u64,
}

/// The lines of a tab.
#[derive(Debug, Clone, Default)]
pub struct Sheet {
    /// What they were made of.
    pub key: Option<SheetKey>,
    /// Lines as drawn, made for that key.
    pub lines: Arc<Vec<SheetLine>>,
    /// Lines where a change of the diff, a file or a finding begins, in order.
    pub stops: Arc<Vec<usize>>,
    /// What of the lines leads elsewhere.
    pub links: Arc<Vec<SheetLink>>,
}

/// A piece of a line that leads elsewhere.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SheetLink {
    /// The line, from 0.
    pub line: usize,
    /// Which piece of it, from 0.
    pub piece: usize,
    /// Where it leads: printable ASCII without blanks.
    pub address: Arc<str>,
}

/// So many bytes of long texts go into a sheet: it is made between two keys.
const BUDGET: usize = 256 << 10;

/// What a line costs of that beside its bytes.
const LINE: usize = 16;

/// So many bytes of a text that is no long one are looked at.
const SHORT: usize = 4 << 10;

/// Writes lines of a given width.
pub(in crate::tui) struct Writer {
    width: usize,
    /// Bytes of long texts that may still come.
    left: usize,
    /// What says where the rest of a cut text is.
    rest: String,
    pub(in crate::tui) glyphs: &'static Glyphs,
    pub(in crate::tui) lines: Vec<SheetLine>,
    pub(in crate::tui) stops: Vec<usize>,
    pub(in crate::tui) links: Vec<SheetLink>,
}

impl Writer {
    /// A writer; `rest` says where the whole of a text is that is too long.
    pub(in crate::tui) fn new(width: usize, glyphs: &'static Glyphs, rest: String) -> Self {
        let (lines, stops, links) = (Vec::new(), Vec::new(), Vec::new());
        Self { width: width.max(10), left: BUDGET, rest, glyphs, lines, stops, links }
    }

    /// Notes that a change, a file or a finding begins with the next line.
    pub(in crate::tui) fn stop(&mut self) {
        self.stops.push(self.lines.len());
    }

    /// The same as [`Writer::field`]; its text leads to an address, where there is one.
    pub(in crate::tui) fn linked_field(&mut self, label: &str, text: &str, to: Option<String>) {
        let first = self.lines.len();
        self.field(label, text);
        let Some(address) = to.map(Arc::<str>::from) else { return };
        for line in first..self.lines.len() {
            self.links.push(SheetLink { line, piece: 1, address: Arc::clone(&address) });
        }
    }

    /// Whether no more of long texts is taken: whoever writes many of them stops.
    pub(in crate::tui) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// As much of a text as may still come. What is cut is reported with [`Writer::cut`].
    pub(in crate::tui) fn take<'t>(&mut self, text: &'t str) -> &'t str {
        let mut end = 0;
        for line in text.split_inclusive('\n') {
            if line.len() + LINE > self.left {
                let room = self.left.saturating_sub(LINE);
                self.left = 0;
                return &text[..end + line.floor_char_boundary(room)];
            }
            self.left -= line.len() + LINE;
            end += line.len();
        }
        text
    }

    /// Says that a text goes on elsewhere.
    pub(in crate::tui) fn cut(&mut self) {
        let text = format!("truncated here; {}", self.rest);
        self.paragraph(Role::Warning, &text);
    }

    /// A text of which the beginning is enough; what is long counts like a long text.
    fn short<'t>(&mut self, text: &'t str) -> Cow<'t, str> {
        if text.len() <= SHORT {
            self.left = self.left.saturating_sub(text.len());
            return Cow::Borrowed(text);
        }
        self.left = self.left.saturating_sub(SHORT);
        Cow::Owned(format!("{}…", &text[..text.floor_char_boundary(SHORT)]))
    }

    /// A line of pieces; each is made harmless, and what does not fit is cut.
    pub(in crate::tui) fn parts(&mut self, parts: &[(Role, &str)]) {
        let mut room = self.width.saturating_sub(1);
        let mut line = vec![(Role::Text, " ".to_owned())];
        for (role, text) in parts {
            let text = self.short(text);
            let shown = escape::line(&text);
            let cut = escape::truncate(&shown, room);
            room = room.saturating_sub(escape::width(&cut));
            line.push((*role, cut.into_owned()));
            if room == 0 {
                break;
            }
        }
        self.lines.push(line);
    }

    /// A sentence of ours, wrapped.
    pub(in crate::tui) fn paragraph(&mut self, role: Role, text: &str) {
        for line in escape::block(text, " ", self.width).lines() {
            self.lines.push(vec![(role, line.to_owned())]);
        }
    }

    /// A sentence that may hold words from outside: one line, what does not fit behind a gutter.
    pub(in crate::tui) fn quote(&mut self, role: Role, text: &str) {
        let width = self.width.saturating_sub(3);
        let text = self.short(text);
        for (i, line) in escape::block(&escape::line(&text), "", width).lines().enumerate() {
            let start = if i == 0 { " ".to_owned() } else { format!(" {} ", self.glyphs.gutter) };
            self.lines.push(vec![(Role::Gutter, start), (role, line.to_owned())]);
        }
    }

    /// A heading.
    pub(in crate::tui) fn title(&mut self, text: &str) {
        self.parts(&[(Role::Title, text)]);
    }

    /// An empty line, unless there is one.
    pub(in crate::tui) fn gap(&mut self) {
        if self.lines.last().is_some_and(|l| !l.is_empty()) {
            self.lines.push(Vec::new());
        }
    }

    /// A label of ours and a text from outside; what does not fit is behind a gutter.
    pub(in crate::tui) fn field(&mut self, label: &str, text: &str) {
        let label = format!(" {label:<10}");
        let text = self.short(text);
        let shown = escape::line(&text);
        let gutter = format!("{:11}{} ", "", self.glyphs.gutter);
        if escape::width(&shown) + label.len() < self.width {
            self.lines.push(vec![(Role::Dim, label), (Role::Text, shown.into_owned())]);
            return;
        }
        let block = escape::block(&shown, "", self.width.saturating_sub(14).max(8));
        for (i, piece) in block.lines().enumerate() {
            let start =
                if i == 0 { (Role::Dim, label.clone()) } else { (Role::Gutter, gutter.clone()) };
            self.lines.push(vec![start, (Role::Text, piece.to_owned())]);
        }
    }

    /// A text from outside, of many lines, behind a gutter.
    pub(in crate::tui) fn block(&mut self, role: Role, text: &str) {
        let gutter = format!(" {} ", self.glyphs.gutter);
        let width = self.width.saturating_sub(escape::width(&gutter));
        let taken = self.take(text);
        for piece in escape::block(taken, "", width).lines() {
            self.lines.push(vec![(Role::Gutter, gutter.clone()), (role, piece.to_owned())]);
        }
        if taken.len() < text.len() {
            self.cut();
        }
    }

    /// Ends the writer; returns its lines.
    pub(in crate::tui) fn lines(self) -> Vec<SheetLine> {
        self.lines
    }

    /// Columns of a line.
    pub(in crate::tui) fn width(&self) -> usize {
        self.width
    }

    /// A line as it is; its texts must be harmless.
    pub(in crate::tui) fn ready(&mut self, line: SheetLine) {
        self.lines.push(line);
    }
}
