//! Turning the switch of a box, and turning it back.

use super::mode_reason::ModeReason;
use super::remote_agent::{AgentError, RemoteAgent};
use crate::config::HookMode;
use crate::failure::Failure;
use crate::hook::check::Finding;
use crate::hook::switch::ModeReport;
use crate::hook::switch::{ModeStatus, Order};
use crate::remote_hook::RemoteCommand;

/// What became of an order.
pub(super) enum Turned {
    /// The box follows it, and says what holds now.
    To(ModeStatus),
    /// It does not, and why.
    Not(Finding),
}

/// Has a box turn its switch.
pub(super) fn turn(agent: &RemoteAgent<'_>, order: &Order) -> Result<Turned, Failure> {
    let bytes = serde_json::to_vec(order).map_err(Failure::local)?;
    match agent.document::<ModeReport>(RemoteCommand::Turn, &bytes) {
        Ok((document, _)) if document.turned => Ok(Turned::To(document.status)),
        Ok(_) => Ok(Turned::Not(Finding::fail("mode", "the box did not change its mode"))),
        Err(AgentError::Failed(failure)) => Err(failure),
        Err(error) => Ok(Turned::Not(error.finding()?)),
    }
}

/// How a box stands after it was told to be advisory.
pub(super) struct Back {
    /// Which mode holds there, where its program says so.
    pub(super) there: Option<ModeStatus>,
    /// Why it is not advisory; `None` where it says that it is.
    pub(super) why: Option<String>,
}

/// Sets a box back to advisory, and sees that it says so. Where it cannot keep the report of the reason, for
/// want of room, it goes back without it.
pub(super) fn set_back(
    agent: &RemoteAgent<'_>,
    by: &str,
    why: &ModeReason,
) -> Result<Back, Failure> {
    let order = Order { reason: why.reason.clone(), ..Order::new(HookMode::Advisory, by) };
    let report = why.report.as_ref().map(|report| report.text.clone());
    if let Some(report) = report {
        let back = turn_back(agent, &Order { report: Some(report), ..order.clone() })?;
        if back.why.is_none() {
            return Ok(back);
        }
    }
    turn_back(agent, &order)
}

fn turn_back(agent: &RemoteAgent<'_>, order: &Order) -> Result<Back, Failure> {
    Ok(match turn(agent, order)? {
        Turned::To(there) => {
            let blocks = there.mode != HookMode::Advisory;
            let why = blocks.then(|| "the box reports that it still blocks".to_owned());
            Back { there: Some(there), why }
        }
        Turned::Not(finding) => Back { there: None, why: Some(finding.text) },
    })
}
