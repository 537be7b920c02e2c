//! Overrides, in a line of a list and in a record.

use crate::domain::Record;
use crate::overrides::{Delivery, State};
use crate::tui::model::Model;
use crate::tui::page::sheet::Writer;
use crate::tui::theme::{Role, Sign};

/// What was decided of a record, in a list; `sent?` while its box is not known to hold it, `undo?` while it may still.
pub(super) fn in_list(model: &Model, row: &Record) -> Option<(Role, &'static str, &'static str)> {
    let all = model.labels.overrides(row.id);
    let word = all.iter().rev().find(|one| one.counts).map(|one| one.word.as_str());
    let waits = all.iter().any(|one| one.state.is_waiting());
    let (role, text) = match (word, waits) {
        (None, false) => return None,
        (None, true) => (Role::Warning, "undo?"),
        (Some(_), true) => (Role::Warning, "sent?"),
        (Some(word), false) => (Role::Override, word),
    };
    Some((role, model.glyphs.mark(Sign::Overridden), text))
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
