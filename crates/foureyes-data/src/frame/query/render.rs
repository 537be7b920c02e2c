//! A query with a mark below the part that is wrong, and texts made visible.

use super::error::QueryError;
use crate::text::is_hidden;
use unicode_segmentation::UnicodeSegmentation;
use unicode_width::UnicodeWidthStr;

/// Columns of the query that are shown at most, so that the mark stays below its place.
const COLUMNS: usize = 72;

/// Columns shown before the mark where the query does not fit.
const BEFORE: usize = 24;

impl QueryError {
    /// The text, a line with carets below the part that is wrong, and what is wrong there.
    ///
    /// Three or four lines without a newline at the end. Control and hidden characters are made
    /// visible, widths are those of a terminal, and a long text is cut around the place.
    pub fn render(&self, text: &str) -> String {
        let cells = cells(text);
        let first = cells.iter().position(|c| c.end > self.range.start).unwrap_or(cells.len());
        let last = cells.iter().position(|c| c.byte >= self.range.end).unwrap_or(cells.len());
        let (from, to) = cut(&cells, first);
        let width =
            |a: usize, b: usize| cells[a..b.clamp(a, to)].iter().map(|c| c.width).sum::<usize>();
        let (head, tail) =
            (if from > 0 { "…" } else { "" }, if to < cells.len() { "…" } else { "" });
        let line: String = cells[from..to].iter().map(|c| c.shown.as_str()).collect();
        let pad = width(from, first) + head.width();
        let carets = width(first, last).max(1);
        let mut out =
            format!("{head}{line}{tail}\n{}{}\n{self}", " ".repeat(pad), "^".repeat(carets));
        if let Some(name) = self.fault.nearest() {
            out.push_str(&format!("\ndid you mean `{name}`?"));
        }
        out
    }
}

/// A grapheme as it is shown.
struct Cell {
    /// First byte in the text.
    byte: usize,
    /// First byte after it.
    end: usize,
    /// The grapheme, or its escape.
    shown: String,
    /// Columns on the terminal.
    width: usize,
}

fn cells(text: &str) -> Vec<Cell> {
    let cell = |(byte, grapheme): (usize, &str)| {
        let shown = visible(grapheme);
        let width = shown.width();
        Cell { byte, end: byte + grapheme.len(), shown, width }
    };
    text.grapheme_indices(true).map(cell).collect()
}

/// The run of cells to show: all of them, or those around the marked one.
fn cut(cells: &[Cell], marked: usize) -> (usize, usize) {
    let total: usize = cells.iter().map(|c| c.width).sum();
    if total <= COLUMNS {
        return (0, cells.len());
    }
    let back = reach(cells[..marked].iter().rev(), BEFORE);
    let from = marked - back;
    (from, from + reach(cells[from..].iter(), COLUMNS))
}

/// How many cells fit into so many columns.
fn reach<'a>(cells: impl Iterator<Item = &'a Cell>, columns: usize) -> usize {
    cells
        .scan(0, |sum, cell| {
            *sum += cell.width;
            (*sum <= columns).then_some(())
        })
        .count()
}

/// The text with control and hidden characters written as escapes.
pub(super) fn visible(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_hidden(c) {
            out.push_str(&escape(c));
        } else {
            out.push(c);
        }
    }
    out
}

/// The escape of a character, as a quoted text of a query has it.
pub(super) fn escape(c: char) -> String {
    match c {
        '\n' => "\\n".to_owned(),
        '\r' => "\\r".to_owned(),
        '\t' => "\\t".to_owned(),
        _ => c.escape_unicode().to_string(),
    }
}
