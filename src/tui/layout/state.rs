//! How the operation is doing, below the names of the screens.

use crate::answers::operation::{
    Piece, StateFrame, StateKeys, Topic, WIDE, rows as worded, topic_at,
};
use crate::assess::Operation;
use crate::tui::action::Action;
use crate::tui::keymap::Context;
use crate::tui::model::{Load, Model, Screen};
use crate::tui::theme::Role;

/// From so many rows on it may take two.
const TWO_ROWS: u16 = 12;

/// Its rows, each of pieces: one, or two where it would not fit.
pub(in crate::tui) fn rows(model: &Model) -> Vec<Vec<Piece>> {
    let Some(mut rows) = framed(model, worded) else {
        let text = format!(" {}", model.glyphs.ellipsis);
        return vec![vec![Piece { role: Role::Dim, text }]];
    };
    if model.size.1 < TWO_ROWS {
        rows.truncate(1);
    }
    rows
}

/// The screen to which the part at a column of one of its rows leads.
pub(in crate::tui) fn screen_at(model: &Model, row: usize, column: usize) -> Option<Screen> {
    let place = (row, column);
    match framed(model, |operation, frame| topic_at(operation, frame, place))?? {
        Topic::Console => None,
        Topic::Boxes => Some(Screen::Boxes),
        Topic::Window => Some(Screen::Readiness),
        Topic::Labels => Some(Screen::Queue),
        Topic::Runs => Some(Screen::Runs),
    }
}

/// What becomes of the operation, where it is known, for the screen that there is.
fn framed<T>(model: &Model, of: impl FnOnce(&Operation, &StateFrame<'_>) -> T) -> Option<T> {
    let operation = model.operation.as_ref()?;
    let width = usize::from(model.size.0);
    let lead: Vec<&str> = lead(model).into_iter().map(|(_, text)| text).collect();
    let lead = if width < WIDE { lead } else { Vec::new() };
    let frame = StateFrame { width, glyphs: model.glyphs, keys: &keys(model), lead: &lead };
    Some(of(operation, &frame))
}

/// What kind of console it is, each with how it looks: at the right of the first row, or before the second.
pub(in crate::tui) fn lead(model: &Model) -> Vec<(Role, &'static str)> {
    let fleet = match model.opening.load {
        Load::Failed(_) => (Role::Error, "fleet DOWN"),
        _ => (Role::Notice, "fleet"),
    };
    let all = [
        (model.facts.demo, (Role::Warning, "demo")),
        (model.facts.fleet, fleet),
        (model.facts.read_only, (Role::Warning, "read-only")),
    ];
    all.into_iter().filter(|(is_so, _)| *is_so).map(|(_, text)| text).collect()
}

/// The keys that lead to what it is about.
fn keys(model: &Model) -> StateKeys {
    let key = |action| {
        let key = model.keymap.hint(Context::Everywhere, action);
        key.map_or(String::new(), |key| key.to_string())
    };
    StateKeys {
        window: key(Action::StartWindow),
        boxes: key(Screen::Boxes.action()),
        queue: key(Screen::Queue.action()),
    }
}
