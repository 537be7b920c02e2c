//! Turning the switch of a box.

use super::check::Finding;
use super::far::{Far, Unheard};
use super::mode;
use crate::cli::Failure;
use crate::hook::switch::Order;
use crate::remote_hook::Question;

/// What became of an order.
pub(super) enum Turned {
    /// The box follows it, and says what holds now.
    To(mode::Document),
    /// It does not, and why.
    Not(Finding),
}

/// Has a box turn its switch.
pub(super) fn turn(far: &Far<'_>, order: &Order) -> Result<Turned, Failure> {
    let bytes = serde_json::to_vec(order).map_err(Failure::local)?;
    match far.document::<mode::Document>(Question::Turn, &bytes) {
        Ok((document, _)) if document.turned => Ok(Turned::To(document)),
        Ok(_) => Ok(Turned::Not(Finding::fail("mode", "the box did not turn its switch"))),
        Err(Unheard::Trouble(failure)) => Err(failure),
        Err(unheard) => Ok(Turned::Not(unheard.finding()?)),
    }
}
