//! Whether what a box judges, and by whom, is what the evidence that it is sent is of, before it may
//! block; on the box, `hook::judge_match` compares again.

use super::check::Seen;
use crate::engine::judged::{JudgeSeen, unserved};
use crate::hook::check::{Finding, State};
use crate::hook::judge_match::{EvidenceOf, Judging, NAME, OTHER_JUDGE};
use crate::hook::rehearsal_report::RehearsalReport;

/// In place of what a box says of its old report: whether the one that it is sent is of its judges.
pub(super) fn put(seen: &mut Seen, evidence: &EvidenceOf, waived: bool) {
    let Some(there) = &seen.there else { return };
    let found = evidence.finding(&Judging::there(there), waived);
    seen.checks.retain(|check| check.name != NAME);
    seen.checks.push(found);
}

/// What is wrong with the models that answered in a rehearsal; `None` where they are those of the
/// evidence, or where nobody can tell.
pub(super) fn served(
    evidence: &EvidenceOf,
    rehearsal: &RehearsalReport,
    waived: bool,
) -> Option<Finding> {
    let blocked = rehearsal.steps.iter().filter(|step| step.name == "blocked");
    let one = |tier: Option<&str>, model: &str, served: Option<&str>| {
        let seen: Vec<JudgeSeen> = evidence.of_tier(tier).cloned().collect();
        unserved(&seen, model, served)
    };
    let why = blocked
        .filter_map(|step| match &step.rounds[..] {
            [] => one(None, &rehearsal.model, step.served_model.as_deref()),
            rounds => rounds.iter().find_map(|round| {
                one(Some(&round.tier), &round.model, round.served_model.as_deref())
            }),
        })
        .next()?;
    let state = if waived { State::Warn } else { State::Fail };
    Some(Finding { state, ..Finding::fail(NAME, why).hint(OTHER_JUDGE) })
}
