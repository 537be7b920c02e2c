//! What the console goes on with after a first start.

use super::Args;
use crate::tui::model::Problem;
use crate::tui::terminal::{Inputs, Screen};

/// What the console goes on with; nothing where it was no first start.
#[derive(Debug, Default)]
pub(in crate::cli::operator) struct Begun {
    /// The terminal, where it was taken.
    pub(in crate::cli::operator) terminal: Option<(Screen, Inputs)>,
    /// What it says first.
    pub(in crate::cli::operator) problem: Option<Problem>,
    /// Nobody named logs: an empty console is what was asked for.
    pub(in crate::cli::operator) may_be_empty: bool,
}

impl Args {
    /// Whether neither logs nor a store were named.
    pub(in crate::cli::operator) fn names_no_logs(&self) -> bool {
        self.from.from.is_empty() && !self.fleet.fleet
    }
}
