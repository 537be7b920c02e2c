//! A page of plain text: headings, and sentences that stay behind their margin.

use crate::report::Options;
use crate::report::mask::masked;
use crate::text::escape::{block, line};
use std::io::{self, Write};

/// Plain text that is written line by line.
pub(super) struct Page<'a> {
    pub(super) out: &'a mut dyn Write,
    pub(super) options: &'a Options,
}

impl Page<'_> {
    /// Writes a sentence, wrapped; whatever is in it stays behind its margin.
    pub(super) fn wrapped(&mut self, indent: usize, text: &str) -> io::Result<()> {
        let masked = masked(text, self.options.masking);
        // One line: a line feed from outside must not begin a line of ours.
        let one = line(&masked).into_owned();
        let mut wrapped = block(&one, &" ".repeat(indent), self.options.width).into_bytes();
        if indent > 0 {
            // Further lines stand further in, so that each sentence shows where it begins.
            let rest = self.options.width.saturating_sub(2).max(40);
            wrapped = hang(&block(&one, &" ".repeat(indent), rest)).into_bytes();
        }
        self.out.write_all(&wrapped)
    }

    /// Writes a heading of ours, with an empty line before it.
    pub(super) fn heading(&mut self, ours: &str) -> io::Result<()> {
        write!(self.out, "\n{ours}\n")
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
