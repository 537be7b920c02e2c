//! What the rows of the readiness page open.

use crate::answers::readiness::{ANSWER, FIRST, NEXT, RESULT};
use crate::assess::runbooks;
use crate::calibration::{Policy, Readiness, Step};
use crate::page::write::console::FocusId;

/// The step that a row is about; that of the answer is the first one.
pub(super) fn step<'r>(r: &'r Readiness, id: &FocusId) -> Option<&'r Step> {
    match id.block {
        NEXT => r.steps.get(id.row.parse::<usize>().ok()?),
        ANSWER if [RESULT, FIRST].contains(&id.row.as_str()) => r.steps.first(),
        _ => None,
    }
}

/// The rule of a name that can be waived.
pub(super) fn rule(name: &str) -> Option<&'static str> {
    Policy::WAIVABLE.into_iter().find(|known| *known == name)
}

/// The rule whose waiver a row is about: of the answer it is that of the first step that has one.
pub(super) fn waivable(r: &Readiness, id: &FocusId) -> Option<&'static str> {
    let of = |step: &Step| rule(step.about.as_deref()?);
    match (step(r, id), id.block) {
        (Some(step), _) if of(step).is_some() => of(step),
        (_, ANSWER) => r.steps.iter().find_map(of),
        _ => None,
    }
}

/// The runbook and the step of a row.
pub(super) fn runbook_step(row: &str) -> Option<(&'static str, &'static str)> {
    let (runbook, step) = row.split_once(' ')?;
    let runbook = runbooks().iter().find(|known| known.id == runbook)?;
    let step = runbook.steps.iter().find(|known| known.id == step)?;
    Some((runbook.id.as_str(), step.id.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_is_found_by_its_row() {
        for runbook in runbooks() {
            for step in &runbook.steps {
                let row = format!("{} {}", runbook.id, step.id);
                assert_eq!(runbook_step(&row), Some((runbook.id.as_str(), step.id.as_str())));
            }
        }
        assert_eq!(runbook_step("enable nothing"), None);
    }
}
