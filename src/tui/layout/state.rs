//! How the operation is doing, below the names of the screens.

use crate::answers::operation::{Piece, StateFrame, StateKeys, WIDE, rows as worded};
use crate::tui::action::Action;
use crate::tui::keymap::Context;
use crate::tui::model::{Load, Model, Screen};
use crate::tui::theme::Role;

/// From so many rows on it may take two.
const TWO_ROWS: u16 = 12;

/// Its rows, each of pieces: one, or two where it would not fit.
pub(in crate::tui) fn rows(model: &Model) -> Vec<Vec<Piece>> {
    let (width, height) = model.size;
    let Some(operation) = &model.operation else {
        let text = format!(" {}", model.glyphs.ellipsis);
        return vec![vec![Piece { role: Role::Dim, text }]];
    };
    let lead: Vec<&str> = lead(model).into_iter().map(|(_, text)| text).collect();
    let is_narrow = usize::from(width) < WIDE;
    let frame = StateFrame {
        width: usize::from(width),
        glyphs: model.glyphs,
        keys: &keys(model),
        lead: if is_narrow { &lead } else { &[] },
    };
    let mut rows = worded(operation, &frame);
    if height < TWO_ROWS {
        rows.truncate(1);
    }
    rows
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
