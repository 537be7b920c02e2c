//! Turning the switch of a box, and turning it back.

use super::remote_agent::{RemoteAgent, Unheard};
use crate::cli::Failure;
use crate::cli::hook::check::Finding;
use crate::cli::hook::mode;
use crate::config::HookMode;
use crate::hook::switch::{Order, Standing};
use crate::remote_hook::RemoteCommand;

/// What became of an order.
pub(super) enum Turned {
    /// The box follows it, and says what holds now.
    To(Standing),
    /// It does not, and why.
    Not(Finding),
}

/// Has a box turn its switch.
pub(super) fn turn(far: &RemoteAgent<'_>, order: &Order) -> Result<Turned, Failure> {
    let bytes = serde_json::to_vec(order).map_err(Failure::local)?;
    match far.document::<mode::Document>(RemoteCommand::Turn, &bytes) {
        Ok((document, _)) if document.turned => Ok(Turned::To(document.standing)),
        Ok(_) => Ok(Turned::Not(Finding::fail("mode", "the box did not change its mode"))),
        Err(Unheard::Trouble(failure)) => Err(failure),
        Err(unheard) => Ok(Turned::Not(unheard.finding()?)),
    }
}

/// How a box stands after it was told to be advisory.
pub(super) struct Back {
    /// Which mode holds there, where its program says so.
    pub(super) there: Option<Standing>,
    /// Why it is not advisory; `None` where it says that it is.
    pub(super) why: Option<String>,
}

/// Sets a box back to advisory, and sees that it says so.
pub(super) fn set_back(
    far: &RemoteAgent<'_>,
    by: &str,
    reason: Option<String>,
) -> Result<Back, Failure> {
    let order = Order { reason, ..Order::new(HookMode::Advisory, by) };
    Ok(match turn(far, &order)? {
        Turned::To(there) => {
            let blocks = there.mode != HookMode::Advisory;
            let why = blocks.then(|| "the box reports that it still blocks".to_owned());
            Back { there: Some(there), why }
        }
        Turned::Not(finding) => Back { there: None, why: Some(finding.text) },
    })
}
