//! A page of plain text: headings, labelled fields, and sentences that stay behind their margin.

use crate::answers::texts::{Texts, ready};
use crate::page::{Item, write};
use crate::report::Options;
use crate::report::mask::masked;
use crate::text::escape::{block, field, line};
use std::io::{self, Write};

/// Where plain text goes, and what was masked on the way.
pub(super) struct Page<'a> {
    out: &'a mut dyn Write,
    options: &'a Options,
    /// Secrets masked so far.
    pub(super) masked: usize,
}

impl<'a> Page<'a> {
    pub(super) fn new(out: &'a mut dyn Write, options: &'a Options) -> Self {
        Self { out, options, masked: 0 }
    }

    /// Writes a line of our own words; never a text from outside.
    pub(super) fn line(&mut self, indent: usize, ours: &str) -> io::Result<()> {
        if ours.is_empty() {
            writeln!(self.out)
        } else {
            let ours = self.options.command_line.complete(ours);
            writeln!(self.out, "{:indent$}{ours}", "")
        }
    }

    /// Writes a heading with an empty line before it.
    pub(super) fn heading(&mut self, ours: &str) -> io::Result<()> {
        write!(self.out, "\n{ours}\n")
    }

    /// Writes a label and a text from outside as one line, what is too long behind a gutter.
    pub(super) fn field(&mut self, indent: usize, label: &str, text: &str) -> io::Result<()> {
        let shown = field(indent, label, text, self.options.width);
        // Without a label the text has nothing to be set off from.
        let shown = if label.is_empty() { shown.trim_start() } else { &shown };
        self.out.write_all(shown.as_bytes())
    }

    /// Writes a field where it exists.
    pub(super) fn maybe(
        &mut self,
        indent: usize,
        label: &str,
        text: Option<&str>,
    ) -> io::Result<()> {
        text.map_or(Ok(()), |t| self.field(indent, label, t))
    }

    /// Writes what a page holds, so many columns in.
    pub(super) fn items(&mut self, indent: usize, items: &[Item]) -> io::Result<()> {
        write::plain_items(self.out, indent, items, &self.options.page())
    }

    /// Writes a text of several lines behind a gutter, under a label.
    pub(super) fn block(&mut self, indent: usize, label: &str, text: &str) -> io::Result<()> {
        self.line(indent, label)?;
        let gutter = format!("{:1$}| ", "", indent + 2);
        self.out.write_all(block(text, &gutter, self.options.width).as_bytes())
    }

    /// Masks a row, counts what was masked, and gives it with the fields that hide characters.
    pub(super) fn take<T: Texts>(&mut self, row: &T) -> (T, Vec<&'static str>, usize) {
        let ready = ready(row, self.options.masking.is_on());
        self.masked += ready.masked;
        (ready.row, ready.hidden, ready.masked)
    }

    /// Says what cannot be seen in a row: hidden characters, masked secrets.
    pub(super) fn badges(
        &mut self,
        indent: usize,
        hidden: &[&str],
        masked: usize,
    ) -> io::Result<()> {
        if !hidden.is_empty() {
            self.field(indent, "hidden characters in:", &hidden.join(", "))?;
        }
        if masked > 0 {
            self.line(indent, &format!("secrets masked: {masked}"))?;
        }
        Ok(())
    }

    /// Writes a sentence, wrapped; whatever is in it stays behind its margin.
    pub(super) fn wrapped(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let masked = masked(text, self.options.masking);
        // One line: a line feed from outside must not begin a line of ours.
        let one = self.options.command_line.complete(&line(&masked)).into_owned();
        let mut wrapped = block(&one, &" ".repeat(indent), self.options.width).into_bytes();
        if indent > 0 {
            // Further lines stand further in, so that each sentence shows where it begins.
            let rest = self.options.width.saturating_sub(2).max(40);
            wrapped = hang(&block(&one, &" ".repeat(indent), rest)).into_bytes();
        }
        self.out.write_all(&wrapped)
    }
}

/// Puts two columns before every line but the first.
fn hang(text: &str) -> String {
    let mut lines = text.lines();
    let mut out = lines.next().unwrap_or_default().to_owned() + "\n";
    for line in lines {
        out += "  ";
        out += line;
        out.push('\n');
    }
    out
}
