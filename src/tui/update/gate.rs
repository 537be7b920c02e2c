//! The gate follows what ledgers and assessment say, and what came through it before goes through again.

use crate::domain::JudgementKind;
use crate::tui::model::{Loadable, Model, Overlay};

/// Takes in what is known now.
pub(super) fn renew(model: &mut Model) {
    let report = model.assessments.get(JudgementKind::DEFAULT).result.value.as_ref();
    let was_on = model.gate.is_on();
    if !model.gate.renew(model.labels.ledger.as_ref(), report, model.now) {
        return;
    }
    if model.gate.is_on() || was_on {
        pass_again(model);
    }
}

/// Shows the verdicts of the open days for this sitting, or hides them again.
pub(super) fn lift(model: &mut Model, is_lifted: bool) {
    model.gate.lift(is_lifted);
    pass_again(model);
    // What was read of the record is of the other state.
    forget_details(model);
}

fn pass_again(model: &mut Model) {
    model.rows.pass_again(&mut model.gate);
    if let Some(Overlay::Override(form)) = &mut model.overlay {
        form.pass_again(&mut model.gate);
    }
    if let Some(Some(original)) = &mut model.runs.original.value {
        *original = model.gate.pass(original);
    }
    model.runs.revision += 1;
    let keeps = model.record.id.is_some_and(|record| model.gate.keeps(record));
    if keeps != model.record.is_kept {
        forget_details(model);
    }
    model.record.revision += 1;
}

fn forget_details(model: &mut Model) {
    model.record.details = Loadable::default();
    model.record.asks_history = false;
}
