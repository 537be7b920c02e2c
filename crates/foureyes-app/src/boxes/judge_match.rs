//! Whether the judge of a box is the one of the evidence that it is sent.

use super::check::Seen;
use crate::engine::judged::{Asks, JudgeSeen, unserved};
use crate::hook::check::{CheckReport, Finding, State};
use crate::hook::judge_match::{NAME, finding};
use crate::hook::rehearsal_report::RehearsalReport;

/// What a box would ask.
fn asks(there: &CheckReport) -> Asks<'_> {
    let (prompt_sha, scripted) = (there.prompt_sha.as_deref(), there.scripted);
    Asks { model: &there.model, prompt_sha, scripted }
}

/// In place of what a box says of its old report: whether the one that it is sent is of its judge.
pub(super) fn put(seen: &mut Seen, evidence: &[JudgeSeen], waived: bool) {
    let Some(there) = &seen.there else { return };
    let found = finding(evidence, &asks(there), waived);
    seen.checks.retain(|check| check.name != NAME);
    seen.checks.push(found);
}

/// What is wrong with the model that answered in a rehearsal; `None` where it is that of the
/// evidence, or where nobody can tell.
pub(super) fn served(
    evidence: &[JudgeSeen],
    rehearsal: &RehearsalReport,
    waived: bool,
) -> Option<Finding> {
    let blocked = rehearsal.steps.iter().filter(|step| step.name == "blocked");
    let why = blocked
        .filter_map(|step| unserved(evidence, &rehearsal.model, step.served_model.as_deref()))
        .next()?;
    let hint = "evidence on one model is none on another: have the box ask the one of the evidence, or label what this one judges; to block all the same takes a waiver";
    let state = if waived { State::Warn } else { State::Fail };
    Some(Finding { state, ..Finding::fail(NAME, why).hint(hint) })
}
