//! Which keys hold.

use super::{Model, Pane, Screen};
use crate::tui::keymap::Context;

/// The place whose keys hold.
pub fn key_context(model: &Model) -> Context {
    match model.screen {
        Screen::Queue | Screen::Records if model.pane == Pane::Record => Context::Record,
        Screen::Queue | Screen::Records => Context::List,
        Screen::Calibration if model.picks.mode.is_some() => Context::List,
        _ => Context::Everywhere,
    }
}
