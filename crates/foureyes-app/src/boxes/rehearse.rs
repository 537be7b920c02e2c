//! The two pushes of the runbook, on a box.

use super::remote_agent::{AgentError, RemoteAgent};
use crate::hook::rehearsal_report::{RehearsalReport, SCHEMA};
use crate::remote_hook::RemoteCommand;

/// Has a box rehearse a poor push and a bypass in a scratch repository; its mode stays as it is.
///
/// # Errors
/// A box that cannot be reached, or whose program answers with something else.
pub fn rehearse(agent: &RemoteAgent<'_>) -> Result<RehearsalReport, AgentError> {
    match agent.document::<RehearsalReport>(RemoteCommand::Rehearse, b"")? {
        (report, _) if report.schema == SCHEMA => Ok(report),
        (report, _) => Err(AgentError::Unexpected(format!("it answers with {:?}", report.schema))),
    }
}
