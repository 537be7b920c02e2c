//! Claiming an escalation, and ending claims.

use crate::tui::effect::{ClaimChange, Effect};
use crate::tui::model::{LedgerSnapshot, Model, Problem};
use std::sync::Arc;

/// Asks to claim the selected record, or to release it.
pub(super) fn ask(model: &mut Model, change: ClaimChange) -> Vec<Effect> {
    match effect(model, change) {
        Ok(effect) => vec![effect],
        Err(why) => {
            model.notices.note(why, model.now);
            Vec::new()
        }
    }
}

/// What is to be done, or why it cannot be.
fn effect(model: &Model, change: ClaimChange) -> Result<Effect, &'static str> {
    if model.facts.labelling.reviewer.is_none() {
        return Err(
            "your name is unknown, so nothing can be claimed: set `name` under `[reviewer]` in the configuration",
        );
    }
    let shown = model.selected().ok_or(super::NO_RECORD)?;
    if model.is_hidden(&shown.row) {
        return Err("the record is hidden until you have labelled it");
    }
    let task = shown.row.task_id.clone().ok_or("only the run of a task can be claimed")?;
    let (record, box_name) = (shown.row.id, shown.row.box_name.clone());
    Ok(Effect::Claim { record, task, box_name, change })
}

/// What became of it.
pub(super) fn claimed(
    model: &mut Model,
    result: Result<String, Problem>,
    ledger: Option<Arc<LedgerSnapshot>>,
) {
    super::decide::take_ledger(model, ledger);
    match result {
        Ok(text) => model.notices.note(text, model.now),
        Err(problem) => model.notices.problem(problem, model.now),
    }
}
