//! Which family of verdicts calibration, readiness and the calibration queue are about, or that the two screens
//! are about picks of memories.

use crate::domain::JudgementKind;
use crate::tui::model::{Model, PickMode, QueueKind, QueueSelection, Screen, Subject};

/// What the two screens are about next: after the last family picks, where there are any, then the first
/// family again. The queue has no picks.
pub(in crate::tui) fn next(model: &Model) -> Subject {
    let following = Subject::Verdicts(model.family.next());
    if !matches!(model.screen, Screen::Calibration | Screen::Readiness) {
        return following;
    }
    let report = model.picks.result.value.as_ref();
    let has = |mode: &PickMode| report.is_some_and(|report| report.has(*mode));
    let first = JudgementKind::default();
    let next = match model.picks.mode {
        None if model.family.next() != first => return following,
        None => [PickMode::Strict, PickMode::Lenient].into_iter().find(has),
        Some(PickMode::Strict) => Some(PickMode::Lenient).filter(has),
        Some(PickMode::Lenient) => None,
    };
    next.map_or(Subject::Verdicts(first), Subject::Picks)
}

/// Turns to it. What is on the screen of the one before belongs to that one.
pub(super) fn switch(model: &mut Model) {
    let next = next(model);
    match next {
        Subject::Verdicts(family) => choose(model, family),
        Subject::Picks(mode) => model.picks.mode = Some(mode),
    }
    let text = format!("Now showing {}", next.title());
    model.notices.note(text, model.now);
}

/// Turns to a family.
pub(super) fn choose(model: &mut Model, family: JudgementKind) {
    model.picks.mode = None;
    if model.family == family {
        return;
    }
    model.family = family;
    // Days and progress of the other queue are of no matter to this one.
    model.calibrate.state = None;
    if model.calibrate.selection.kind == QueueKind::Calibration {
        super::queues::renew(model);
    }
}

/// Which queue is shown. Only the one for calibration is of one family.
pub(super) fn selection(model: &Model) -> QueueSelection {
    let selection = model.calibrate.selection;
    match selection.kind {
        QueueKind::Calibration => QueueSelection { family: model.family, ..selection },
        _ => selection,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tui::update::fixture::console;

    #[test]
    fn families_follow_each_other_and_picks_only_where_there_are_any() {
        let mut model = console();
        for screen in [Screen::Calibration, Screen::Queue] {
            model.screen = screen;
            assert_eq!(next(&model), Subject::Verdicts(JudgementKind::Task));
            model.family = JudgementKind::Task;
            assert_eq!(next(&model), Subject::Verdicts(JudgementKind::Push));
            model.family = JudgementKind::Push;
        }
        model.picks.mode = Some(PickMode::Strict);
        assert_eq!(next(&model), Subject::Verdicts(JudgementKind::Task), "the queue has no picks");
        model.screen = Screen::Readiness;
        assert_eq!(next(&model), Subject::Verdicts(JudgementKind::Push));
        assert_eq!(Subject::Picks(PickMode::Lenient).title(), "picks (lenient)");
    }
}
