//! The table as Markdown.

use super::cells;
use crate::frame::trend::Trend;

/// Columns of a key that are shown.
const KEY: usize = 48;

/// A table, then the notes as a list.
pub fn text(trend: &Trend, nameless: &str) -> String {
    let mut out = format!("| {} | {} |\n", trend.by, cells::HEADS.join(" | "));
    out.push_str(&format!("|---|{}\n", "--:|".repeat(cells::HEADS.len())));
    for row in &trend.rows {
        let key = match &row.key {
            Some(_) => escape(&cells::key(row, nameless, KEY)),
            None => cells::key(row, nameless, KEY),
        };
        out.push_str(&format!("| {key} | {} |\n", cells::row_cells(row).join(" | ")));
    }
    out.push('\n');
    for note in [cells::legend(trend)].iter().chain(&trend.notes) {
        out.push_str(&format!("- {note}\n"));
    }
    out
}

/// A backslash before all punctuation that could be markup, in a cell or anywhere.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_ascii_punctuation() && !matches!(c, '-' | '/') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}
