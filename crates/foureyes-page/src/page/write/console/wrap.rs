//! A row of parts on as many lines as it takes.

use super::charts::numbered;
use super::{Line, Options, Stop};
use crate::page::{Link, Role, Row};
use foureyes_core::text::escape;

/// Columns that a level stands further in.
const LEVEL: usize = 2;

/// The lines of a row. Further ones stand below its text; a link that does not fit on the first has a stop
/// of its own.
pub(super) fn lines(
    row: &Row,
    mark: &str,
    stop: Option<Stop>,
    width: usize,
    options: &Options,
) -> Vec<Line> {
    let indent = LEVEL * row.level;
    let mut wrapped = Wrapped {
        lines: Vec::new(),
        line: Line::new(stop.clone()).span(Role::Text, " ".repeat(indent)),
        stop,
        indent: indent + if mark.len() > 1 { escape::width(mark) } else { 0 },
        width,
    };
    if let Some(first) = row.parts.first().filter(|_| !mark.is_empty()) {
        wrapped.line = wrapped.line.span(first.role, mark);
    }
    for part in &row.parts {
        let text = match row.mark {
            crate::page::Mark::Command => command(&part.text, options),
            _ => options.line(&part.text),
        };
        match &part.link {
            Some(link) => wrapped.link(part.role, &text, link),
            None => wrapped.text(part.role, &text),
        }
    }
    wrapped.end()
}

/// A command with the options of the run.
fn command(text: &crate::page::Text, options: &Options) -> String {
    let masked = options.masked(text);
    options.command_line.command(&escape::line(&masked)).into_owned()
}

struct Wrapped {
    lines: Vec<Line>,
    line: Line,
    /// The stop of the row, which a line with links takes again.
    stop: Option<Stop>,
    indent: usize,
    width: usize,
}

impl Wrapped {
    fn text(&mut self, role: Role, text: &str) {
        let mut taken = String::new();
        for word in text.split_inclusive(' ') {
            let used = self.line.used() + escape::width(&taken);
            if used + escape::width(word.trim_end()) > self.width && used > self.indent {
                self.put(role, std::mem::take(&mut taken).trim_end().to_owned());
                self.next_line();
            }
            if word.trim_end().is_empty() && taken.is_empty() && self.is_continued() {
                continue;
            }
            if escape::width(word.trim_end()) + self.indent > self.width {
                self.long(role, word);
            } else {
                taken.push_str(word);
            }
        }
        self.put(role, taken);
    }

    /// Whether a further line has nothing on it yet: it begins with no blank.
    fn is_continued(&self) -> bool {
        !self.lines.is_empty() && self.line.used() == self.indent
    }

    /// A word that no line has room for, in pieces.
    fn long(&mut self, role: Role, word: &str) {
        let room = self.width.saturating_sub(self.indent).max(1);
        let block = escape::block(word, "", room);
        let mut pieces = block.lines().peekable();
        while let Some(piece) = pieces.next() {
            self.put(role, piece.to_owned());
            if pieces.peek().is_some() {
                self.next_line();
            }
        }
    }

    fn link(&mut self, role: Role, text: &str, link: &Link) {
        if self.line.used() + escape::width(text) > self.width && self.line.used() > self.indent {
            self.next_line();
            let more = self.lines.len();
            self.line.stop = self.stop.as_ref().map(|stop| numbered(stop, more));
        }
        let text = escape::truncate(text, self.width.saturating_sub(self.line.used())).into_owned();
        self.line = std::mem::take(&mut self.line).cell(role, text, Some(link));
    }

    fn put(&mut self, role: Role, text: String) {
        if !text.is_empty() {
            self.line = std::mem::take(&mut self.line).span(role, text);
        }
    }

    fn next_line(&mut self) {
        let next = Line::default().span(Role::Text, " ".repeat(self.indent));
        self.lines.push(std::mem::replace(&mut self.line, next));
    }

    fn end(mut self) -> Vec<Line> {
        self.lines.push(self.line);
        self.lines.iter_mut().for_each(|line| {
            line.parts.retain(|(_, text)| !text.is_empty());
        });
        self.lines
    }
}
