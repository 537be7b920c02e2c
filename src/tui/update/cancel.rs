//! ctrl-c: stopping what runs.

use super::{box_task, movement, navigate, runs};
use crate::tui::effect::{Effect, Running};
use crate::tui::model::{ListId, ListKey, Load, Model, Problem, Tab};

/// ctrl-c: first what runs, then what is marked or typed, then the program.
pub(super) fn cancel(model: &mut Model) -> Vec<Effect> {
    if let Some(effects) = stop_waiting(model) {
        return effects;
    }
    if let Some(effects) = runs::drop_run(model) {
        return effects;
    }
    if let Some(effects) = box_task::cancel(model) {
        return effects;
    }
    if model.pulls.running {
        model.notices.note("pull stopped; what arrived is kept", model.now);
        return vec![Effect::Stop(Running::Pull)];
    }
    if movement::drop_range(model) {
        return Vec::new();
    }
    if let Some(list) = model.list_mut().filter(|l| l.is_marking()) {
        list.unmark();
        return Vec::new();
    }
    navigate::leave(model)
}

/// Stops what the list or the record on the screen waits for; `None` where that is nothing.
fn stop_waiting(model: &mut Model) -> Option<Vec<Effect>> {
    let list = model.list()?;
    if list.rows.is_busy() && list.rows.value.is_some() {
        let id = list.id;
        stop_list(model, id);
        return Some(vec![Effect::Stop(Running::List(id))]);
    }
    let tab = model.record.tab;
    if matches!(tab, Tab::Content | Tab::Diff) && model.record.content.is_busy() {
        let stopped = Problem::new("git was stopped", "leave the record and come back to retry");
        model.record.content.load = Load::Failed(stopped);
        model.record.revision += 1;
        model.notices.note("git was stopped", model.now);
        return Some(vec![Effect::Stop(Running::Content(tab))]);
    }
    None
}

/// The rows that are shown stay, and with them what they were made of; where that is no more to be
/// had, a notice reports that they are not what was asked for.
fn stop_list(model: &mut Model, id: ListId) {
    // An answer that is on its way already is one to nobody.
    let generation = model.next_generation();
    let list = model.list_of(id);
    list.generation = generation;
    list.wanted = None;
    let same = |made: &ListKey, asked: &ListKey| {
        (made.edition, made.serial, made.window) == (asked.edition, asked.serial, asked.window)
    };
    match (&list.made, &list.asked) {
        (Some((filter, made)), Some(asked)) if same(made, asked) => {
            (list.filter, list.sort) = (filter.clone(), made.sort);
            list.asked = Some(made.clone());
            list.rows.load = Load::Idle;
            model.notices.note("stopped: the list is unchanged", model.now);
        }
        _ => {
            let text = "stopped: this is not the list you asked for";
            let next = "R rereads the logs and builds the list";
            list.rows.load = Load::Failed(Problem::new(text, next));
            model.notices.warn(text, next, model.now);
        }
    }
}
