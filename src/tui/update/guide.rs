//! Reading what to label by. Where the item is beside it, it can be labelled meanwhile.

use super::act;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::key::Key;
use crate::tui::model::{GuidePage, Load, Model, Overlay};
use crate::tui::screen::guide;

/// Opens it, and reads it anew.
pub(super) fn open(model: &mut Model) -> Vec<Effect> {
    model.overlay = Some(Overlay::Guide { page: GuidePage::default(), top: 0 });
    model.guide.load = Load::Busy;
    vec![Effect::Guide]
}

/// Keeps it within its end, whatever changed.
pub(super) fn clamp_scroll(model: &mut Model) {
    if !matches!(model.overlay, Some(Overlay::Guide { top, .. }) if top > 0) {
        return;
    }
    let (lines, room) = guide::size(model);
    if let Some(Overlay::Guide { top, .. }) = &mut model.overlay {
        *top = (*top).min(lines.saturating_sub(room));
    }
}

/// A key while it is open.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    // Alt is what a terminal makes of a quick Esc before a key: it must never do anything.
    let action =
        model.keymap.action(crate::tui::model::key_context(model), key).filter(|_| !key.alt);
    let (lines, room) = guide::size(model);
    let (last, page) = (lines.saturating_sub(room), room.max(1));
    let beside = guide::is_beside(model);
    let Some(Overlay::Guide { page: shown, top }) = &mut model.overlay else { return Vec::new() };
    let at = (*top).min(last);
    let to = match action {
        Some(Action::Down) => at + 1,
        Some(Action::Up) => at.saturating_sub(1),
        Some(Action::PageDown) => at + page,
        Some(Action::PageUp) => at.saturating_sub(page),
        Some(Action::HalfPageDown) => at + page.div_ceil(2),
        Some(Action::HalfPageUp) => at.saturating_sub(page.div_ceil(2)),
        Some(Action::First) => 0,
        Some(Action::Last) => last,
        Some(Action::NextPane | Action::PreviousPane | Action::Left | Action::Right) => {
            *shown = shown.other();
            0
        }
        Some(Action::Back | Action::Quit | Action::Cancel | Action::Guide | Action::Open) => {
            model.overlay = None;
            return Vec::new();
        }
        Some(action) if beside && works_beside_guide(action) => return act::act(model, action),
        // What anything else does is seen behind it only: it waits until this is closed.
        _ => at,
    };
    *top = to.min(last);
    Vec::new()
}

/// What can be done with the item beside it.
fn works_beside_guide(action: Action) -> bool {
    use Action::{
        Acceptable, NextItem, Poor, PreviousItem, Redo, ScrollDown, ScrollUp, Undo, Unsure,
    };
    matches!(
        action,
        Acceptable | Poor | Unsure | Undo | Redo | NextItem | PreviousItem | ScrollDown | ScrollUp
    )
}
