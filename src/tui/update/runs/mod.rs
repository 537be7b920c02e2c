//! Judging again: the form, the run that is on, and the screen of runs.

mod events;
mod form;

pub(super) use events::take;
pub(super) use form::{open, open_file, open_repeat, press};

use crate::domain::review::EntryId;
use crate::tui::effect::Effect;
use crate::tui::judging::JudgingEffect;
use crate::tui::model::{Model, RunPhase, RunsPlace, Screen};

/// Enter: opens what is selected. It only ever shows something.
pub(super) fn enter(model: &mut Model) {
    match model.runs.place {
        RunsPlace::List => {
            let Some(run) = crate::tui::screen::runs::selected(model) else { return };
            model.runs.selected = Some(run);
            (model.runs.place, model.runs.item) = (RunsPlace::Run(run), 0);
            if model.is_task_run(run) {
                show_item(model, run);
            }
        }
        RunsPlace::Run(run) => show_item(model, run),
        RunsPlace::Item(..) => {}
    }
}

fn show_item(model: &mut Model, run: EntryId) {
    let items = model.run(run).map_or(0, |run| run.begun.what.items.len());
    if items > 0 {
        let item = model.runs.item.min(items - 1);
        model.runs.place = RunsPlace::Item(run, item);
        model.runs.scroll = 0;
    }
}

/// Esc and q: one step back at a time; returns whether there was one.
pub(super) fn back(model: &mut Model) -> bool {
    if model.screen != Screen::Runs {
        return false;
    }
    model.runs.place = match model.runs.place {
        RunsPlace::List => return false,
        RunsPlace::Run(_) => RunsPlace::List,
        // A task is all that its run has.
        RunsPlace::Item(run, _) if model.is_task_run(run) => RunsPlace::List,
        RunsPlace::Item(run, item) => {
            model.runs.item = item;
            RunsPlace::Run(run)
        }
    };
    true
}

/// Whether a run keeps the console from being left, and says so.
pub(super) fn prevents_quit(model: &mut Model) -> bool {
    let on = model
        .runs
        .live
        .as_ref()
        .is_some_and(|live| matches!(live.phase, RunPhase::On | RunPhase::Stopping));
    if on {
        let text = "a run is in progress: ctrl-c stops it, then you can quit";
        model.notices.note(text, model.now);
    }
    on
}

/// Finishes what is asked, and begins nothing new.
pub(super) fn stop(model: &mut Model) -> Vec<Effect> {
    let Some(live) = model.runs.live.as_mut().filter(|live| live.phase == RunPhase::On) else {
        model.notices.note("no run is in progress", model.now);
        return Vec::new();
    };
    live.phase = RunPhase::Stopping;
    model.runs.revision += 1;
    model.notices.note("stopping: open requests are finished, no new ones are sent", model.now);
    vec![Effect::Judging(JudgingEffect::Stop)]
}

/// ctrl-c: ends the run at once; `None` where none is on.
pub(super) fn drop_run(model: &mut Model) -> Option<Vec<Effect>> {
    let live = model.runs.live.as_mut()?;
    if !matches!(live.phase, RunPhase::On | RunPhase::Stopping) {
        return None;
    }
    live.phase = RunPhase::Dropping;
    model.runs.revision += 1;
    let text = "stopped: connections closed, answers so far are kept";
    model.notices.note(text, model.now);
    Some(vec![Effect::Judging(JudgingEffect::Drop)])
}
