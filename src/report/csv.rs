//! Records as CSV (RFC 4180) that a spreadsheet does not execute.
//!
//! A cell of text that begins like a formula gets an apostrophe before it. Lists have an item a
//! line inside their cell. Lines end with CR LF. JSON is the form that keeps every character:
//! here hidden ones are shown by name, and tabs in findings are spaces.

use crate::domain::{Improvement, Origin, RecordRow};
use crate::report::Masking;
use crate::report::texts::masked;
use crate::text::escape::{line, text};
use std::fmt::Display;
use std::io::{self, Write};

/// What stands in a cell.
enum Cell {
    /// Text that may be hostile.
    Text(String),
    /// A word or a number of ours: it needs no care.
    Ours(String),
}

/// Makes the cell of one column.
type Column = fn(&RecordRow) -> Cell;

/// The columns in order; the fields of a record under the names that JSON gives them.
const COLUMNS: [(&str, Column); 40] = [
    ("id", |r| ours(Some(r.id))),
    ("box", |r| one(Some(&r.box_name))),
    ("timestamp", |r| ours(r.timestamp)),
    ("timestamp_text", |r| one(r.timestamp_text.as_ref())),
    ("family", |r| ours(Some(r.family.as_str()))),
    ("outcome", |r| ours(r.outcome.map(|o| o.as_str()))),
    ("verdict", |r| one(r.verdict.as_ref())),
    ("commit", |r| one(r.commit.as_ref())),
    ("task_id", |r| one(r.task_id.as_ref())),
    ("author", |r| one(r.author.as_ref())),
    ("model", |r| one(r.model.as_ref())),
    ("served_model", |r| one(r.served_model.as_ref())),
    ("files", |r| list(r.files.iter().map(|f| line(f).into_owned()))),
    ("semantic", |r| ours(r.scores.semantic)),
    ("pragmatic", |r| ours(r.scores.pragmatic)),
    ("syntactic", |r| ours(r.scores.syntactic)),
    ("scores_out_of_range", |r| ours(Some(r.scores_out_of_range))),
    ("average", |r| ours(r.average)),
    ("findings", |r| many(r.findings.as_ref())),
    ("improvements", |r| list(r.improvements.iter().map(improvement))),
    ("cause", |r| ours(r.cause.map(|c| c.as_str()))),
    ("error", |r| one(r.error.as_ref())),
    ("latency_ms", |r| ours(r.latency_ms)),
    ("mode", |r| one(r.mode.as_ref())),
    ("judge_tier", |r| one(r.judge_tier.as_ref())),
    ("round", |r| ours(r.round)),
    ("consensus", |r| one(r.consensus.as_ref())),
    ("prompt_sha", |r| one(r.prompt_sha.as_ref())),
    ("content_sha", |r| one(r.content_sha.as_ref())),
    ("inconsistent", |r| ours(Some(r.inconsistent))),
    ("prompt_tokens", |r| ours(r.usage.and_then(|u| u.prompt_tokens))),
    ("completion_tokens", |r| ours(r.usage.and_then(|u| u.completion_tokens))),
    ("reviewer", |r| one(r.reviewer.as_ref())),
    ("reason", |r| many(r.reason.as_ref())),
    ("answers", |r| one(r.answers.as_ref())),
    ("part_of", |r| one(r.part_of.as_ref())),
    ("extra", extra),
    ("origin_box", |r| list(r.origins.iter().map(|o| line(&o.box_name).into_owned()))),
    ("origin_file", |r| list(r.origins.iter().map(|o| line(&o.file).into_owned()))),
    ("origin_place", |r| list(r.origins.iter().map(place))),
];

/// Writes the line of column names.
pub fn header(out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{}\r\n", COLUMNS.map(|(name, _)| name).join(","))
}

/// Writes one record; tells how many secrets were masked in it.
pub fn record(out: &mut dyn Write, row: &RecordRow, masking: Masking) -> io::Result<usize> {
    let (row, masked) = masked(row, masking);
    for (i, (_, column)) in COLUMNS.iter().enumerate() {
        let cell = match column(&row) {
            Cell::Ours(word) => word,
            Cell::Text(text) => quote(disarm(text)),
        };
        write!(out, "{}{cell}", if i == 0 { "" } else { "," })?;
    }
    out.write_all(b"\r\n")?;
    Ok(masked)
}

fn ours(value: Option<impl Display>) -> Cell {
    Cell::Ours(value.map(|v| v.to_string()).unwrap_or_default())
}

fn one(value: Option<&String>) -> Cell {
    Cell::Text(value.map(|v| line(v).into_owned()).unwrap_or_default())
}

fn many(value: Option<&String>) -> Cell {
    Cell::Text(value.map(|v| text(v).into_owned()).unwrap_or_default())
}

fn list(items: impl Iterator<Item = String>) -> Cell {
    Cell::Text(items.collect::<Vec<_>>().join("\n"))
}

fn improvement(improvement: &Improvement) -> String {
    let Improvement { dimension, location, issue, suggestion } = improvement;
    let parts = [dimension, location, issue, suggestion];
    parts.into_iter().flatten().map(|t| line(t).into_owned()).collect::<Vec<_>>().join(" / ")
}

fn place(origin: &Origin) -> String {
    format!("line {} byte {} length {}", origin.line, origin.byte, origin.len)
}

fn extra(row: &RecordRow) -> Cell {
    if row.extra.is_empty() {
        return Cell::Ours(String::new());
    }
    let fields = serde_json::Value::Object(row.extra.clone()).to_string();
    Cell::Text(line(&fields).into_owned())
}

/// Puts an apostrophe before what a spreadsheet would take for a formula.
fn disarm(text: String) -> String {
    // The full-width forms start a formula where East Asian input is on.
    let formula = ['=', '+', '-', '@', '\t', '\r', '\n', '＝', '＋', '－', '＠'];
    if text.starts_with(formula) { format!("'{text}") } else { text }
}

/// Quotes a cell where it needs it; `;` too, which separates cells in some countries.
fn quote(text: String) -> String {
    if text.contains(['"', ',', ';', '\n', '\r']) {
        format!("\"{}\"", text.replace('"', "\"\""))
    } else {
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_are_disarmed_and_quotes_doubled() {
        let cell = |t: &str| quote(disarm(t.to_owned()));
        assert_eq!(cell("=HYPERLINK(\"x\")"), "\"'=HYPERLINK(\"\"x\"\")\"");
        assert_eq!(cell("+cmd"), "'+cmd");
        assert_eq!(cell("＝1+1"), "'＝1+1");
        assert_eq!(cell("a,b\nc"), "\"a,b\nc\"");
        assert_eq!(cell("a-b=c"), "a-b=c");
    }
}
