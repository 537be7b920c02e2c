//! Records as CSV (RFC 4180) that a spreadsheet does not execute.
//!
//! A cell of text that begins like a formula gets an apostrophe before it. Lists have an item a
//! line inside their cell. Lines end with CR LF. JSON is the form that keeps every character:
//! here hidden ones are shown by name, and tabs in findings are spaces.

use crate::answers::record_fields::earlier_rounds;
use crate::answers::texts::masked;
use crate::domain::{Dimension, Field, Improvement, Origin, Record, Section, Value};
use crate::report::Masking;
use crate::text::escape::{line, text};
use std::borrow::Cow;
use std::fmt::Display;
use std::io::{self, Write};

/// Writes the line of column names.
pub fn header(out: &mut dyn Write) -> io::Result<()> {
    let names: Vec<&str> = Record::FIELDS.iter().flat_map(|f| columns(f.name)).collect();
    write!(out, "{}\r\n", names.join(","))
}

/// Writes one record; tells how many secrets were masked in it.
pub fn record(out: &mut dyn Write, row: &Record, masking: Masking) -> io::Result<usize> {
    let (row, masked) = masked(row, masking.is_on());
    let cells = Record::FIELDS.iter().flat_map(|field| cells(field, field.value(&row)));
    out.write_all(cells.collect::<Vec<_>>().join(",").as_bytes())?;
    out.write_all(b"\r\n")?;
    Ok(masked)
}

/// The columns of a field: those that hold several values spread over as many.
fn columns(name: &'static str) -> Vec<&'static str> {
    match name {
        "scores" => Dimension::ALL.map(Dimension::as_str).to_vec(),
        "usage" => vec!["prompt_tokens", "completion_tokens"],
        "origins" => vec!["origin_box", "origin_file", "origin_place"],
        _ => vec![name],
    }
}

/// The cells of a field, one for each of its columns. Words and numbers of this program need no
/// care; texts from outside are escaped, disarmed and quoted.
fn cells(field: &Field, value: Value<'_>) -> Vec<String> {
    match value {
        Value::Absent => vec![String::new(); columns(field.name).len()],
        Value::Text(value) if field.section == Section::Findings => vec![safe(&text(value))],
        Value::Text(value) => vec![safe(&line(value))],
        Value::Texts(values) => vec![list(values.iter().map(|v| line(v)))],
        Value::Improvements(all) => vec![list(all.iter().map(improvement))],
        Value::Rounds(rounds) => vec![safe(&line(&earlier_rounds(rounds)))],
        Value::Extra(fields) => {
            vec![safe(&line(&serde_json::Value::Object(fields.clone()).to_string()))]
        }
        Value::Scores(scores) => Dimension::ALL.map(|d| optional(scores.get(d))).to_vec(),
        Value::Usage(usage) => {
            vec![optional(usage.prompt_tokens), optional(usage.completion_tokens)]
        }
        Value::Origins(origins) => vec![
            list(origins.iter().map(|o| line(&o.box_name))),
            list(origins.iter().map(|o| line(&o.file))),
            list(origins.iter().map(place)),
        ],
        Value::Dimensions(all) => vec![list(all.iter().map(|d| d.as_str().into()))],
        Value::Word(word) => vec![word.to_owned()],
        Value::Id(id) => vec![id.to_string()],
        Value::Time(time) => vec![time.to_string()],
        Value::Number(number) => vec![number.to_string()],
        Value::Count(count) => vec![count.to_string()],
        Value::Flag(flag) => vec![flag.to_string()],
    }
}

fn optional(value: Option<impl Display>) -> String {
    value.map(|v| v.to_string()).unwrap_or_default()
}

/// A list in one cell, an item a line.
fn list<'a>(items: impl Iterator<Item = Cow<'a, str>>) -> String {
    safe(&items.collect::<Vec<_>>().join("\n"))
}

fn improvement(improvement: &Improvement) -> Cow<'_, str> {
    let Improvement { dimension, location, issue, suggestion } = improvement;
    let parts = [dimension, location, issue, suggestion].into_iter().flatten();
    parts.map(|part| line(part)).collect::<Vec<_>>().join(" / ").into()
}

fn place(origin: &Origin) -> Cow<'_, str> {
    format!("line {} byte {} length {}", origin.line, origin.byte, origin.len).into()
}

/// An escaped text as a cell.
pub(super) fn safe(text: &str) -> String {
    quote(disarm(text.to_owned()))
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
