//! The run of a task, other records of the same task, and of the same file.

use super::rounds;
use crate::domain::Record;
use crate::frame::query::{Match, Node, Query, Term, TextField};
use crate::triage;
use crate::tui::model::{Load, Model, ShownRecord};
use crate::tui::page::sheet::Writer;
use crate::tui::screen::label;
use crate::tui::theme::{Role, Sign};

/// The filter for the history of a record: its task, or its first file.
pub fn query(row: &Record) -> Option<String> {
    let (field, text) = match (&row.task_id, row.files.first()) {
        (Some(task), _) => (TextField::Task, task),
        (None, Some(file)) => (TextField::Path, file),
        (None, None) => return None,
    };
    let node = Node::Term(Term::Text(field, Match::Exact, text.clone()));
    Some(Query::new(node).to_string())
}

pub(super) fn write(writer: &mut Writer, model: &Model, row: &Record) {
    let details = match (&model.record.details.value, &model.record.details.load) {
        (Some(details), _) if details.has_history => details,
        (_, Load::Failed(problem)) => {
            writer.quote(Role::Error, &problem.text);
            writer.quote(Role::Text, &model.next_step(problem));
            return;
        }
        _ => return writer.paragraph(Role::Dim, "looking…"),
    };
    if let Some(problem) = &details.history_problem {
        writer.quote(Role::Error, problem);
    }
    if details.rounds.is_empty() && details.file.is_empty() {
        writer.paragraph(Role::Dim, "no other records of this file or task");
        return;
    }
    writer.paragraph(Role::Dim, "enter lists them");
    let run = triage::run_of(row, &details.rounds, |shown| &shown.row);
    // The table of a run tells all verdicts of it.
    if !run.is_empty() && !run.iter().any(|shown| model.is_hidden(&shown.row)) {
        rounds::write(writer, model, &run, &details.rounds);
    }
    part(writer, model, "All rounds of the task", &details.rounds, details.rounds_total);
    part(writer, model, "The same file", &details.file, details.file_total);
}

fn part(writer: &mut Writer, model: &Model, title: &str, rows: &[ShownRecord], total: usize) {
    if rows.is_empty() {
        return;
    }
    writer.gap();
    match rows.len() == total {
        true => writer.title(&format!("{title}: {total}")),
        false => writer.title(&format!("{title}: {} of {total}", rows.len())),
    }
    for shown in rows {
        line(writer, model, shown);
    }
}

fn line(writer: &mut Writer, model: &Model, shown: &ShownRecord) {
    let row = &shown.row;
    let here = model.record.id == Some(row.id);
    let hidden = model.is_hidden(row);
    let time = row.timestamp.map(|t| t.to_string());
    let undated = if model.gate.keeps(row.id) { "" } else { "undated" };
    let time = time.as_deref().and_then(|t| t.get(..16)).unwrap_or(undated);
    let sign = Sign::of(row);
    let cursor = if here { writer.glyphs.cursor } else { " " };
    let role = if hidden { Role::Dim } else { sign.role() };
    let text = if hidden { label::HIDDEN } else { writer.glyphs.sign(sign) };
    let commit: String = row.commit.as_deref().unwrap_or("-").chars().take(8).collect();
    let round = row.round.filter(|r| *r > 0).map(|r| format!(" round {r}")).unwrap_or_default();
    let judge = row.served_model.as_deref().or(row.model.as_deref()).unwrap_or_default();
    writer.parts(&[
        (Role::Mark, cursor),
        (Role::Dim, &time.replace('T', " ")),
        (Role::Text, " "),
        (role, &format!("{text:<10}")),
        (Role::Dim, &commit),
        (Role::Text, &round),
        (Role::Text, " "),
        (Role::Dim, judge),
    ]);
}
