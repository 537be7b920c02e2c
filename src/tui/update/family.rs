//! Which family of verdicts calibration, readiness and the calibration queue are about.

use crate::domain::JudgementKind;
use crate::tui::model::{Model, QueueKind, QueueSelection};

/// Turns to the other family. What is on the screen of the one before belongs to that one.
pub(super) fn switch(model: &mut Model) {
    choose(model, model.family.next());
    let text = format!("calibration and readiness are of {} now", model.family.plural());
    model.notices.note(text, model.now);
}

/// Turns to a family.
pub(super) fn choose(model: &mut Model, family: JudgementKind) {
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
