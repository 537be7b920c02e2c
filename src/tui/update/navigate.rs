//! Where an action leads: to another screen, or out of the console.

use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Model, Pane, Screen};

/// Turns to a screen.
pub(super) fn go(model: &mut Model, screen: Screen) {
    model.screen = screen;
    model.pane = first_pane(model);
}

/// What has the keys where nobody chose.
pub(super) fn first_pane(model: &Model) -> Pane {
    if layout::is_record_first(model) { Pane::Record } else { Pane::List }
}

/// Ends the console; how it is left is kept.
pub(super) fn leave(model: &mut Model) -> Vec<Effect> {
    model.ended = true;
    let mut effects = Vec::new();
    if !model.facts.read_only {
        // Only what was looked at: what came since is still new the next time.
        effects.extend(model.looked.map(|edition| Effect::MarkSeen { edition }));
        effects.push(Effect::SaveSession(Box::new(model.session())));
    }
    effects.push(Effect::Quit);
    effects
}
