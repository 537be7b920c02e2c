//! What a console starts with, and what is kept for the next one.

use super::{Days, Facts, Problem};
use crate::domain::Timestamp;
use crate::tui::keymap::Keymap;
use crate::tui::session::Session;
use crate::tui::theme::{Glyphs, Theme};
use std::sync::Arc;

/// What a console starts with.
#[derive(Debug, Clone)]
pub struct Start {
    /// What does not change.
    pub facts: Facts,
    /// The time, in UTC.
    pub now: Timestamp,
    /// Columns and rows of the terminal.
    pub size: (u16, u16),
    /// Styles by role.
    pub theme: Arc<Theme>,
    /// Characters for signs, bars and borders.
    pub glyphs: &'static Glyphs,
    /// Which key does what.
    pub keymap: Arc<Keymap>,
    /// How it was left the last time; what flags of this run say instead is taken out.
    pub session: Session,
    /// What was chosen in the console before and holds until it is chosen anew.
    pub preferences: Preferences,
    /// What the person is to know from the beginning.
    pub problems: Vec<Problem>,
}

/// What was chosen in the console; where nothing was, the configuration counts.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Preferences {
    /// How far back the window reaches; `None` for the configured default.
    pub days: Option<Days>,
    /// The theme's name; empty where none was chosen.
    pub theme: String,
    /// How far back is chosen for this run alone, as the logs are given ones.
    pub days_once: bool,
}
