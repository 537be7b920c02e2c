//! Overrides, in a line of a list and in a record.

use crate::domain::Record;
use crate::overrides::{Delivery, State};
use crate::tui::model::Model;
use crate::tui::page::sheet::Writer;
use crate::tui::theme::{Role, Sign};
use crate::tui::widget::Pen;
use ratatui::text::Span;

/// Columns that the name of a record needs beside a mark.
const NAME: usize = 16;

/// What was decided of a record, in a line of a list: `[◆ accept] `, and whether its box is not
/// known to hold that: `[◆ accept unconfirmed] `, and where there is little room `[◆ accept?] `.
pub(super) fn mark(
    pen: &Pen<'_>,
    model: &Model,
    row: &Record,
    room: usize,
) -> Option<Span<'static>> {
    if model.is_hidden(row) {
        return None;
    }
    let all = model.labels.overrides(row.id);
    let word = all.iter().rev().find(|one| one.counts).map(|one| one.word.as_str());
    let waits = all.iter().any(|one| one.state.is_waiting());
    let text = match (word, waits) {
        (None, false) => return None,
        (None, true) if room < 24 + NAME => "undo?".to_owned(),
        (None, true) => "undo unconfirmed".to_owned(),
        (Some(word), true) if room < 24 + NAME => format!("{word}?"),
        (Some(word), true) => format!("{word} unconfirmed"),
        (Some(word), false) => word.to_owned(),
    };
    let sign: String = pen.glyphs.sign(Sign::Overridden).chars().take(1).collect();
    let role = if waits { Role::Warning } else { Role::Override };
    Some(pen.span(role, &format!("[{sign} {text}] ")))
}

/// Who decided what of a record, why, and what its box holds.
pub(super) fn write(writer: &mut Writer, model: &Model, row: &Record) {
    let all = model.labels.overrides(row.id);
    let typed = model.labels.typed.get(&row.id);
    if all.is_empty() && typed.is_none() {
        return;
    }
    writer.gap();
    writer.title("Overrides");
    for one in all {
        let role = if one.state.is_waiting() { Role::Warning } else { Role::Override };
        let sign: String = writer.glyphs.sign(Sign::Overridden).chars().take(1).collect();
        writer.parts(&[
            (role, &format!("{sign} {}", one.word.as_str())),
            (Role::Text, "  "),
            (Role::Text, &one.time.to_string()),
        ]);
        writer.field("by", &one.reviewer);
        writer.field("reason", &one.reason);
        writer.field("stands", state(one));
        if let (Some(name), Some(path)) = (&one.box_name, &one.path) {
            writer.field("on", &format!("{name}, {path}"));
        }
        if let Some(error) = one.error.as_ref().filter(|_| one.state.is_waiting()) {
            writer.field("error", error);
        }
    }
    if let Some(typed) = typed {
        let word = typed.word.map_or("", |word| word.as_str());
        writer.field("draft", format!("{word} {}", typed.reason).trim());
    }
}

fn state(one: &Delivery) -> &'static str {
    match (one.state, one.counts) {
        (State::Confirmed, true) => "confirmed by the box",
        (State::Confirmed, false) => "no longer in force here, but on the box",
        (State::Unconfirmed, _) => "UNCONFIRMED: not yet confirmed by the box",
        (State::Superseded, _) => "superseded before the box confirmed it",
        (State::TakenBack, _) => "revoked before the box confirmed it",
        (State::Undone, _) => "revoked, confirmed by the box",
        (State::UndoUnconfirmed, _) => "revoked; UNCONFIRMED: not yet confirmed by the box",
        (State::Elsewhere, true) => "decided on another machine",
        (State::Elsewhere, false) => "decided on another machine; no longer in force",
    }
}
