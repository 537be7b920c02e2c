//! Records as the rows of a table in Markdown.

use crate::answers::record_fields::outcome;
use crate::domain::{Dimension, Record};
use crate::text::escape::line;
use crate::text::markdown::cell;

/// The head of a table of records.
pub(super) fn record_head() -> &'static str {
    "| outcome | time (UTC) | id | box | commit or task | files | S | P | X | cause | findings |\n\
     | --- | --- | --- | --- | --- | --- | --: | --: | --: | --- | --- |\n"
}

/// One record as a row; long texts are cut, and only the first file is named.
pub(super) fn record_row(row: &Record) -> String {
    let time = row.timestamp.map_or("undated".to_owned(), |t| t.to_string());
    let subject = row.commit.as_deref().or(row.task_id.as_deref()).unwrap_or_default();
    let [s, p, x] =
        Dimension::ALL.map(|d| row.scores.get(d).map_or("–".to_owned(), |v| v.to_string()));
    let cause = row.cause.map_or("–", |c| c.as_str());
    let (id, outcome) = (row.id.short(), outcome(row));
    let (name, subject, files) = (cell(&row.box_name), cell(subject), files(&row.files));
    let findings = cell(row.findings.as_deref().unwrap_or_default());
    format!(
        "| {outcome} | {time} | {id} | {name} | {subject} | {files} | {s} | {p} | {x} | {cause} | {findings} |\n"
    )
}

fn files(files: &[String]) -> String {
    match files {
        [] => "–".to_owned(),
        [one] => cell(&line(one)),
        [first, rest @ ..] => format!("{} and {} more", cell(&line(first)), rest.len()),
    }
}
