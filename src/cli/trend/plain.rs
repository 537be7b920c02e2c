//! The table as plain text.

use super::cells;
use crate::frame::trend::Trend;
use unicode_width::UnicodeWidthStr;

/// Aligned columns, a line a row; then the notes.
pub(super) fn text(trend: &Trend) -> String {
    let mut table: Vec<Vec<String>> = Vec::with_capacity(trend.rows.len() + 1);
    let heads = cells::HEADS.map(str::to_owned);
    table.push([trend.by.clone()].into_iter().chain(heads).collect());
    for row in &trend.rows {
        table.push([cells::key(trend, row)].into_iter().chain(cells::of(row)).collect());
    }
    let columns = table.first().map_or(0, Vec::len);
    let width = |c: usize| table.iter().map(|r| r[c].width()).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut out: String = table.iter().map(|row| line(row, &widths)).collect();
    out.push('\n');
    for note in [cells::legend(trend)].iter().chain(&trend.notes) {
        out.push_str(note);
        out.push('\n');
    }
    out
}

/// First and last column to the left, numbers to the right.
fn line(row: &[String], widths: &[usize]) -> String {
    let mut out = String::new();
    for (i, (cell, width)) in row.iter().zip(widths).enumerate() {
        let pad = " ".repeat(width.saturating_sub(cell.width()));
        let (before, after) = if i == 0 || i + 1 == row.len() { ("", &*pad) } else { (&*pad, "") };
        out.extend([if i > 0 { "  " } else { "" }, before, cell, after]);
    }
    out.truncate(out.trim_end().len());
    out.push('\n');
    out
}
