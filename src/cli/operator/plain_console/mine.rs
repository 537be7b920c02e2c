//! The queue "mine": what of the calibration queue is assigned to the reviewer.

use super::PlainConsole;
use crate::cli::operator::reading::Trouble;
use crate::cli::output;
use crate::frame::query::{Claimant, Node, Query, Term};

impl PlainConsole<'_> {
    /// Shows what of the calibration queue is assigned to the reviewer.
    pub(super) fn mine(&mut self) -> Result<(), Trouble> {
        if !self.labels() {
            return Self::refused();
        }
        self.calibrates = true;
        self.filter = Query::new(Node::Term(Term::Assigned(Claimant::Me)));
        self.start_over()
    }

    /// Whether this run can save labels.
    pub(super) fn labels(&self) -> bool {
        !self.read_only && self.reviewer.is_some()
    }

    pub(super) fn refused() -> Result<(), Trouble> {
        let text = "The calibration queue is for labels: this run cannot save any.\n";
        Ok(output::print(text)?)
    }
}
