//! Records as the columns that a person chose.

use crate::answers::list_cells;
use crate::domain::{Column, Record, Timestamp};
use crate::report::csv::safe;
use crate::text::escape;
use crate::text::markdown;

/// The columns of a listing, in the order in which they were asked for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChosenColumns {
    /// At least one.
    pub columns: Vec<Column>,
    /// What ages are counted to.
    pub now: Timestamp,
}

impl ChosenColumns {
    /// The line of heads in plain text.
    pub(super) fn plain_head(&self, width: usize) -> String {
        self.plain_line(width, |column| column.head().to_owned())
    }

    /// A record as a line of plain text, its cells cut to their columns.
    pub(super) fn plain(&self, row: &Record, width: usize) -> String {
        self.plain_line(width, |column| list_cells::text(column, row, self.now))
    }

    fn plain_line(&self, width: usize, cell: impl Fn(Column) -> String) -> String {
        let widths = self.widths(width);
        let cells = self.columns.iter().zip(widths).map(|(column, width)| {
            let text = cell(*column);
            let text = escape::line(&text);
            let text = match column {
                Column::Path => escape::truncate_path(&text, width),
                _ => escape::truncate(&text, width),
            };
            let left = " ".repeat(width.saturating_sub(escape::width(&text)));
            if column.is_right() { format!("{left}{text}") } else { format!("{text}{left}") }
        });
        let line = cells.collect::<Vec<_>>().join("  ");
        format!("{}\n", line.trim_end())
    }

    /// Columns of the terminal for each; what is left is the path's, or the finding's where there is no path.
    fn widths(&self, width: usize) -> Vec<usize> {
        let fixed = |column: &Column| column.width().unwrap_or(0);
        let gaps = 2 * self.columns.len().saturating_sub(1);
        let left = width.saturating_sub(gaps + self.columns.iter().map(fixed).sum::<usize>());
        let both = [Column::Path, Column::Finding].map(|column| self.columns.contains(&column));
        let finding = match both {
            [true, true] => left * 2 / 5,
            [false, true] => left,
            _ => 0,
        };
        let of = |column: &Column| match column {
            Column::Path => left.saturating_sub(finding).max(12),
            Column::Finding => finding.max(12),
            other => fixed(other),
        };
        self.columns.iter().map(of).collect()
    }

    /// The line of names of CSV.
    pub(super) fn csv_head(&self) -> String {
        let names: Vec<&str> = self.columns.iter().map(|column| column.as_str()).collect();
        format!("{}\r\n", names.join(","))
    }

    /// A record as a line of CSV: whole texts, times as instants, latencies in milliseconds.
    pub(super) fn csv(&self, row: &Record) -> String {
        let cells = self.columns.iter().map(|column| safe(&escape::line(&exact(*column, row))));
        format!("{}\r\n", cells.collect::<Vec<_>>().join(","))
    }

    /// The head of a table in Markdown.
    pub(super) fn markdown_head(&self) -> String {
        let heads: Vec<&str> = self.columns.iter().map(|column| column.head()).collect();
        let rules = self.columns.iter().map(|column| if column.is_right() { "--:" } else { "---" });
        format!("| {} |\n| {} |\n", heads.join(" | "), rules.collect::<Vec<_>>().join(" | "))
    }

    /// A record as a row of it; long texts are cut. What a log may say anything in is a code span.
    pub(super) fn markdown(&self, row: &Record) -> String {
        let cell = |column: &Column| match (column, exact(*column, row)) {
            (Column::State | Column::Scores | Column::Latency | Column::Age, own)
                if !own.is_empty() =>
            {
                own
            }
            (_, text) => markdown::cell(&text),
        };
        format!("| {} |\n", self.columns.iter().map(cell).collect::<Vec<_>>().join(" | "))
    }
}

/// What a column has of a record, for programs and documents.
fn exact(column: Column, row: &Record) -> String {
    match column {
        Column::Age => row.timestamp.map(|at| at.to_string()).unwrap_or_default(),
        Column::Latency => row.latency_ms.map(|ms| ms.to_string()).unwrap_or_default(),
        // None of the others depends on the time.
        other => list_cells::text(other, row, Timestamp::default()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn record() -> Record {
        serde_json::from_value(json!({
            "id": "0".repeat(64), "box": "attic", "timestamp": "2026-11-29T11:22:00Z", "family": "push",
            "outcome": "no_go", "verdict": "NO-GO", "commit": null, "task_id": null, "author": "=claw",
            "model": "fastest", "files": ["nimbalyst-local/knowledge/agents/dependency-pinning-6.md", "b.md"],
            "scores": {"semantic": 5, "pragmatic": 1, "syntactic": 3}, "findings": "No order,\n| no owner.",
            "cause": null, "origins": [], "latency_ms": 6_149, "mode": "blocking"
        }))
        .unwrap()
    }

    fn chosen(columns: &[Column]) -> ChosenColumns {
        let now = Timestamp::parse("2026-11-29T12:00:00Z").unwrap();
        ChosenColumns { columns: columns.to_vec(), now }
    }

    #[test]
    fn plain_lines_fit_and_name_the_file() {
        let all = chosen(&[Column::Path, Column::Finding, Column::State, Column::Age]);
        let (head, line) = (all.plain_head(80), all.plain(&record(), 80));
        assert!(head.starts_with("file ") && head.trim_end().ends_with(" age"), "{head}");
        assert!(line.starts_with("nimbalyst-local/…/") && line.contains(".md +1"), "{line}");
        assert!(line.contains("stopped") && line.trim_end().ends_with("38 min"), "{line}");
        assert!([head, line].iter().all(|line| escape::width(line.trim_end()) <= 80));
    }

    #[test]
    fn csv_has_instants_and_milliseconds_and_starts_no_formula() {
        let all = chosen(&[Column::Age, Column::Latency, Column::Author, Column::Finding]);
        assert_eq!(all.csv_head(), "age,latency,author,finding\r\n");
        let line = "2026-11-29T11:22:00Z,6149,'=claw,\"No order, | no owner.\"\r\n";
        assert_eq!(all.csv(&record()), line);
    }

    #[test]
    fn markdown_cells_stay_in_their_columns() {
        let all = chosen(&[Column::Scores, Column::Finding, Column::Age]);
        assert_eq!(all.markdown_head(), "| scores | finding | age |\n| --- | --- | --: |\n");
        let line = all.markdown(&record());
        assert!(
            line.starts_with("| 5/1/3 | ") && line.ends_with("| 2026-11-29T11:22:00Z |\n"),
            "{line}"
        );
        assert_eq!(line.replace("\\|", "").matches('|').count(), 4, "{line}");
    }
}
