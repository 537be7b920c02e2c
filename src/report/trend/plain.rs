//! The table as plain text.

use super::cells;
use crate::frame::trend::Trend;
use crate::text::escape::{block, width};

/// Columns between two cells.
const BETWEEN: usize = 2;

/// Aligned columns, a line a row, then the notes; no line is longer than `columns`.
///
/// What does not fit beside the key goes into further tables below, each with the key again.
pub fn text(trend: &Trend, nameless: &str, columns: usize) -> String {
    let longest = (columns / 3).clamp(12, 48);
    let mut keys = vec![trend.by.clone()];
    keys.extend(trend.rows.iter().map(|row| cells::key(row, nameless, longest)));
    let numbers: Vec<_> = trend.rows.iter().map(cells::row_cells).collect();
    let table: Vec<Vec<String>> = cells::HEADS
        .iter()
        .enumerate()
        .map(|(c, head)| {
            let cells = numbers.iter().filter_map(|row| row.get(c).cloned());
            std::iter::once((*head).to_owned()).chain(cells).collect()
        })
        .collect();
    let mut out = String::new();
    for part in parts(&table, widest(&keys), columns) {
        lines(&mut out, &keys, part);
        out.push('\n');
    }
    for note in [cells::legend(trend)].iter().chain(&trend.notes) {
        out.push_str(&block(note, "", columns));
    }
    out
}

/// The columns in runs that fit beside the key, at least one column each.
fn parts(mut rest: &[Vec<String>], key: usize, columns: usize) -> Vec<&[Vec<String>]> {
    let mut parts = Vec::new();
    while !rest.is_empty() {
        let mut used = key;
        let fits = |column: &&Vec<String>| {
            used += BETWEEN + widest(column);
            used <= columns
        };
        let (part, more) = rest.split_at(rest.iter().take_while(fits).count().max(1));
        parts.push(part);
        rest = more;
    }
    parts
}

fn widest(cells: &[String]) -> usize {
    cells.iter().map(|cell| width(cell)).max().unwrap_or(0)
}

/// Keys to the left, numbers to the right.
fn lines(out: &mut String, keys: &[String], columns: &[Vec<String>]) {
    let fill = |out: &mut String, n: usize| out.extend(std::iter::repeat_n(' ', n));
    let (left, widths) = (widest(keys), columns.iter().map(|c| widest(c)).collect::<Vec<_>>());
    for (row, key) in keys.iter().enumerate() {
        out.push_str(key);
        fill(out, left.saturating_sub(width(key)));
        for (column, widest) in columns.iter().zip(&widths) {
            let cell = column.get(row).map_or("", String::as_str);
            fill(out, BETWEEN + widest.saturating_sub(width(cell)));
            out.push_str(cell);
        }
        out.push('\n');
    }
}
