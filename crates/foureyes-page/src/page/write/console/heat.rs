//! Places by spans of time on a console: where much was counted, nothing, and where nothing is known.

use super::{Line, Maker};
use crate::page::chart::{Heat, HeatCell, HeatRow};
use crate::page::{Ours, Role};
use foureyes_core::text::{escape, separated};

/// The most columns of a cell.
const WIDEST: usize = 7;

/// Columns of a row.
struct Widths {
    label: usize,
    cell: usize,
    /// Whether the count is beside its sign, where there is room.
    has_counts: bool,
    /// Spans at the beginning for which there is no room.
    skip: usize,
    /// The highest count.
    most: u64,
}

impl Maker<'_> {
    pub(super) fn heat(&self, block: &'static str, heat: &Heat) -> Vec<Line> {
        let widths = self.heat_widths(heat);
        let mut lines = vec![self.legend(heat)];
        let has_heads = heat.heads.iter().any(|head| !head.is_empty());
        if widths.has_counts && has_heads && widths.cell > 3 {
            lines.push(heads(&heat.heads, &widths));
        }
        lines.extend(heat.rows.iter().map(|row| self.heat_row(block, row, &widths)));
        lines
    }

    fn heat_widths(&self, heat: &Heat) -> Widths {
        let cells = heat.rows.iter().flat_map(|row| &row.cells);
        let most = cells.filter_map(|cell| cell.count).max().unwrap_or(0);
        let names = heat.rows.iter().map(|row| escape::width(&self.options.line(&row.label)));
        let label = names.max().unwrap_or(1).min(self.width / 3).max(3) + 1;
        let (room, spans) = (self.width.saturating_sub(label), heat.heads.len());
        let cell = (room / spans.max(1)).clamp(1, WIDEST);
        let has_counts = cell > separated(most).len() + 1;
        Widths { label, cell, has_counts, skip: spans.saturating_sub(room / cell), most }
    }

    fn legend(&self, heat: &Heat) -> Line {
        let [silent, none, more] = heat.legend;
        let darker = [0.3, 0.5, 0.7, 1.0].map(|share| self.glyphs.heat(Some(share))).concat();
        Line::default()
            .span(Role::Stale, self.glyphs.nothing)
            .span(Role::Dim, format!(" {silent}  0 {none}  "))
            .span(Role::NoGo, darker)
            .span(Role::Dim, format!(" {more}"))
    }

    fn heat_row(&self, block: &'static str, row: &HeatRow, widths: &Widths) -> Line {
        let label = self.options.line(&row.label);
        let label = escape::truncate(&label, widths.label - 1).into_owned();
        let line = Line::new(Some(self.stop(block, &row.focus))).span(Role::Text, label);
        let cells = row.cells.iter().skip(widths.skip);
        let line =
            cells.fold(line.pad_to(widths.label), |line, cell| self.heat_cell(line, cell, widths));
        line.skipped(widths.skip)
    }

    fn heat_cell(&self, line: Line, cell: &HeatCell, widths: &Widths) -> Line {
        let (role, sign) = self.heat_sign(cell.count, widths.most);
        let text = match cell.count.filter(|count| widths.has_counts && *count > 0) {
            Some(count) => format!("{}{sign}", separated(count)),
            None => sign.to_owned(),
        };
        let missing = widths.cell.saturating_sub(escape::width(&text));
        let before = if widths.has_counts { missing } else { 0 };
        line.span(Role::Text, " ".repeat(before)).cell(role, text, cell.link.as_ref())
    }

    /// How a cell looks: without data, a count of 0, or the darker the more.
    pub(super) fn heat_sign(&self, count: Option<u64>, most: u64) -> (Role, &'static str) {
        match count {
            None => (Role::Stale, self.glyphs.nothing),
            Some(0) => (Role::Dim, "0"),
            Some(count) => (Role::NoGo, self.glyphs.heat(Some(count as f64 / most.max(1) as f64))),
        }
    }
}

fn heads(heads: &[Ours], widths: &Widths) -> Line {
    let line = Line::default().pad_to(widths.label);
    heads
        .iter()
        .skip(widths.skip)
        .fold(line, |line, head| line.span(Role::Dim, format!("{head:>0$} ", widths.cell - 1)))
}
