//! Tables.

use super::{Html, more};
use crate::page::{Column, Part, Role, Table, TableRow};

impl Html<'_> {
    pub(super) fn table(&self, table: &Table) -> String {
        let mut out = String::new();
        if table.rows.is_empty() {
            if !table.none.is_empty() {
                out += &format!("<p>{}</p>\n", self.text(&table.none));
            }
        } else {
            let heads: String = table.columns.iter().map(|column| self.head(column)).collect();
            let rows: String = table.rows.iter().map(|row| self.table_row(table, row)).collect();
            out += &format!(
                "<table>\n<thead><tr>{heads}</tr></thead>\n<tbody>\n{rows}</tbody>\n</table>\n"
            );
        }
        if !table.rest.is_empty() {
            out += &more(&self.text(&table.rest));
        }
        out
    }

    fn head(&self, column: &Column) -> String {
        let class = if column.is_number { " class=\"n\"" } else { "" };
        format!("<th scope=\"col\"{class}>{}</th>", self.text(&column.title))
    }

    fn table_row(&self, table: &Table, row: &TableRow) -> String {
        let cells = table.columns.iter().zip(&row.cells).enumerate();
        let cells: String = cells
            .map(|(at, (column, cell))| match at {
                0 => format!("<th scope=\"row\">{}</th>", self.cell(cell)),
                _ => format!("<td{}>{}</td>", class(column, cell), self.cell(cell)),
            })
            .collect();
        format!("<tr>{cells}</tr>\n")
    }

    /// The parts of a cell. What matters less stands below the rest.
    fn cell(&self, cell: &[Part]) -> String {
        let one = |(at, part): (usize, &Part)| match (at, part.role, self.text(&part.text)) {
            (1.., Role::Dim, text) => {
                format!("<br><span class=\"more\">{}</span>", text.trim_start())
            }
            (_, Role::Title, text) => format!("<strong>{text}</strong>"),
            (_, _, text) => text,
        };
        cell.iter().enumerate().map(one).collect()
    }
}

/// What a cell means, by the first of its parts that tells, and whether it is a number.
fn class(column: &Column, cell: &[Part]) -> String {
    let tells = |role: &Role| matches!(role, Role::Go | Role::NoGo | Role::Warning | Role::Dim);
    let role = cell.iter().map(|part| part.role).find(tells);
    let classes = [column.is_number.then_some("n"), role.map(Role::as_str)];
    let classes: Vec<&str> = classes.into_iter().flatten().collect();
    if classes.is_empty() { String::new() } else { format!(" class=\"{}\"", classes.join(" ")) }
}
