//! A table on a console: columns as wide as what is in them, and fewer where there is little room.

use super::{Line, Maker};
use crate::page::{Role, Table, TableRow};
use foureyes_core::text::escape;

/// The least and the most that the names of rows may take.
const LEAST: usize = 12;
const MOST: usize = 40;
/// Columns between two cells.
const GAP: usize = 2;

/// Columns of a table that fit, each with its place in the table and its width.
struct Fit {
    name: usize,
    others: Vec<(usize, usize)>,
}

impl Maker<'_> {
    pub(super) fn table(&self, block: &'static str, table: &Table) -> Vec<Line> {
        let mut lines = Vec::new();
        if table.rows.is_empty() {
            let none = self.options.line(&table.none);
            lines.extend((!none.is_empty()).then(|| Line::default().span(Role::Dim, none)));
        } else {
            match self.fit(table) {
                Some(fit) => lines.extend(self.grid(block, table, &fit)),
                None => lines.extend(table.rows.iter().flat_map(|r| self.record(block, table, r))),
            }
        }
        let rest = self.options.line(&table.rest);
        if !rest.is_empty() {
            lines.extend(
                escape::block(&rest, "", self.width)
                    .lines()
                    .map(|line| Line::default().span(Role::Dim, line)),
            );
        }
        lines
    }

    /// The columns for which there is room; `None` where there is none for those that must stay.
    fn fit(&self, table: &Table) -> Option<Fit> {
        let widths: Vec<usize> =
            (0..table.columns.len()).map(|at| self.column_width(table, at)).collect();
        let names = widths.first().copied().unwrap_or_default();
        let least = names.min(LEAST);
        let mut kept: Vec<usize> = (1..table.columns.len()).collect();
        loop {
            let taken: usize = kept.iter().filter_map(|at| widths.get(*at)).map(|w| w + GAP).sum();
            if taken + least <= self.width {
                let name = names.min(self.width - taken).min(MOST);
                let others = kept.iter().filter_map(|at| Some((*at, *widths.get(*at)?))).collect();
                return Some(Fit { name, others });
            }
            let rank = |at: &usize| table.columns.get(*at).map_or(0, |column| column.rank);
            let last = kept.iter().map(rank).max().filter(|rank| *rank > 0)?;
            kept.retain(|at| rank(at) < last);
        }
    }

    fn column_width(&self, table: &Table, at: usize) -> usize {
        let head = table.columns.get(at).map(|c| escape::width(&self.options.line(&c.title)));
        let cells = table.rows.iter().map(|row| self.cell_width(row, at));
        cells.chain(head).max().unwrap_or_default()
    }

    fn cell_width(&self, row: &TableRow, at: usize) -> usize {
        let parts = row.cells.get(at).into_iter().flatten();
        parts.map(|part| escape::width(&self.options.line(&part.text))).sum()
    }

    fn grid(&self, block: &'static str, table: &Table, fit: &Fit) -> Vec<Line> {
        let mut head = Line::default().pad_to(fit.name);
        for (at, width) in &fit.others {
            let column = table.columns.get(*at);
            let title = column.map(|c| self.options.line(&c.title)).unwrap_or_default();
            let is_number = column.is_some_and(|c| c.is_number);
            head = aligned(head, escape::width(&title), *width, is_number, |line| {
                line.span(Role::Dim, title)
            });
        }
        let rows = table.rows.iter().flat_map(|row| {
            let line = self.grid_row(block, table, row, fit);
            std::iter::once(line).chain(self.below(block, row))
        });
        std::iter::once(head).chain(rows).collect()
    }

    /// What else is to be known of a row.
    fn below(&self, block: &'static str, row: &TableRow) -> Vec<Line> {
        row.below.iter().flat_map(|below| self.further_in(block, below)).collect()
    }

    fn grid_row(&self, block: &'static str, table: &Table, row: &TableRow, fit: &Fit) -> Line {
        let stop = row.focus.as_ref().map(|focus| self.stop(block, focus));
        let mut line = Line::new(stop);
        let mut room = fit.name;
        for part in row.cells.first().into_iter().flatten() {
            let text = self.options.line(&part.text);
            let text = escape::truncate(&text, room).into_owned();
            room = room.saturating_sub(escape::width(&text));
            line = line.cell(part.role, text, part.link.as_ref());
        }
        line = line.pad_to(fit.name);
        for (at, width) in &fit.others {
            let is_number = table.columns.get(*at).is_some_and(|c| c.is_number);
            let parts = row.cells.get(*at).map(Vec::as_slice).unwrap_or_default();
            line = aligned(line, self.cell_width(row, *at), *width, is_number, |line| {
                self.parts(line, parts)
            });
        }
        line
    }

    /// A row whose cells do not fit beside each other: its name, and below it each cell with its head.
    fn record(&self, block: &'static str, table: &Table, row: &TableRow) -> Vec<Line> {
        let mut all = crate::page::Row::default();
        all.focus.clone_from(&row.focus);
        for (at, (column, cell)) in table.columns.iter().zip(&row.cells).enumerate() {
            if at > 0 {
                // A blank may be lost at the end of a line; a comma would begin the next.
                all = all.part(Role::Dim, if at == 1 { ": " } else { "  " });
                all = all.part(Role::Dim, column.title.clone()).part(Role::Dim, " ");
            }
            all.parts.extend(cell.iter().cloned());
        }
        let mut lines = self.row(block, &all);
        lines.extend(self.below(block, row));
        lines
    }
}

/// What a cell holds, at the right of its column where it is a number.
fn aligned(
    line: Line,
    used: usize,
    width: usize,
    is_number: bool,
    add: impl FnOnce(Line) -> Line,
) -> Line {
    let end = line.used() + GAP + width;
    let start = if is_number { end.saturating_sub(used) } else { line.used() + GAP };
    add(line.pad_to(start)).pad_to(end)
}
