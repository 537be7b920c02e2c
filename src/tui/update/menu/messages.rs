//! Reading the messages: the keys of the keymap move, line by line.

use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::key::Key;
use crate::tui::keymap::Context;
use crate::tui::model::{Model, Overlay};
use crate::tui::screen::messages;

/// Keeps the messages within their end, whatever changed: their number, or the terminal's size.
pub(in crate::tui::update) fn clamp_scroll(model: &mut Model) {
    if !matches!(model.overlay, Some(Overlay::Messages { top }) if top > 0) {
        return;
    }
    let (lines, room) = messages::size(model);
    if let Some(Overlay::Messages { top }) = &mut model.overlay {
        *top = (*top).min(lines.saturating_sub(room));
    }
}

/// A key while the messages are open.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let (lines, room) = messages::size(model);
    let last = lines.saturating_sub(room);
    let page = room.max(1);
    let Some(Overlay::Messages { top }) = &mut model.overlay else { return Vec::new() };
    let at = (*top).min(last);
    let to = match model.keymap.action(Context::Everywhere, key) {
        Some(Action::Down) => at + 1,
        Some(Action::Up) => at.saturating_sub(1),
        Some(Action::PageDown) => at + page,
        Some(Action::PageUp) => at.saturating_sub(page),
        Some(Action::HalfPageDown) => at + page.div_ceil(2),
        Some(Action::HalfPageUp) => at.saturating_sub(page.div_ceil(2)),
        Some(Action::First) => 0,
        Some(Action::Last) => last,
        Some(Action::Back | Action::Quit | Action::Cancel | Action::Messages | Action::Open) => {
            model.overlay = None;
            return Vec::new();
        }
        // What anything else does is seen behind the messages only: it waits until they are closed.
        _ => at,
    };
    *top = to.min(last);
    Vec::new()
}
