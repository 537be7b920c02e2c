//! Whether the model still waits for something that it shows.

use crate::domain::JudgementKind;
use crate::tui::model::{List, Load, Model, Overlay, Screen};

/// Whether an answer is on its way that changes what is written next.
pub(super) fn is_waiting(model: &Model) -> bool {
    if model.pulls.running || model.opening.is_busy() || model.history.writing > 0 {
        return true;
    }
    let is_guide = matches!(model.overlay, Some(Overlay::Guide { .. }));
    model.loaded.is_some()
        && (model.queue.rows.is_busy() || (is_guide && model.guide.is_busy()) || screen(model))
}

fn screen(model: &Model) -> bool {
    match model.screen {
        Screen::Overview => overview(model),
        Screen::Queue => record(model, &model.queue),
        Screen::Records => model.records.rows.is_busy() || record(model, &model.records),
        Screen::Calibration | Screen::Readiness if model.picks.mode.is_some() => {
            model.picks.result.is_busy()
        }
        Screen::Calibration | Screen::Readiness => {
            let assess = model.assess();
            let replays = model.screen == Screen::Calibration && assess.rules.replayed.is_busy();
            assess.result.is_busy() || assess.parts.is_busy() || replays
        }
        Screen::Trends => {
            let assessed = [model.assess(), model.assessments.get(JudgementKind::DEFAULT)];
            model.trends.result.is_busy() || assessed.iter().any(|of| of.result.is_busy())
        }
        Screen::Runs | Screen::Boxes => false,
    }
}

fn overview(model: &Model) -> bool {
    let overview = &model.overview;
    let assessing = model.assessments.iter().any(|(_, assess)| assess.result.is_busy());
    overview.summary.is_busy()
        || overview.breakdowns.is_busy()
        || assessing
        || model.picks.result.is_busy()
}

/// The selected record, and what its side shows.
fn record(model: &Model, list: &List) -> bool {
    let is_unread = list.row(list.cursor).is_some_and(|row| {
        model.rows.get(list.edition, row).is_none() && !model.rows.has_failed(list.edition, row)
    });
    let is_there = !matches!(list.rows.load, Load::Failed(_));
    is_there && (is_unread || model.record.details.is_busy() || model.record.content.is_busy())
}
