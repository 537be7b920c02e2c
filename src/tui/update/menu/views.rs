//! The saved views: opening the list of them, deleting one, bringing it back.

use super::search::{Choice, choices};
use crate::tui::effect::Effect;
use crate::tui::model::{Menu, Model, Overlay};

/// Opens the saved views.
pub(in crate::tui::update) fn open(model: &mut Model) {
    if model.views.is_empty() && model.deleted_views.is_empty() {
        model.notices.note("no views yet: filter a list, then save it as a view", model.now);
        return;
    }
    model.overlay = Some(Overlay::Views(Menu::default()));
}

/// Deletes the selected view; until the console is left it can be brought back.
pub(super) fn delete(model: &mut Model) -> Vec<Effect> {
    let cursor = match &model.overlay {
        Some(Overlay::Views(menu)) => menu.cursor,
        _ => return Vec::new(),
    };
    let chosen = choices(model);
    let Some(Choice::View(at)) = chosen.get(cursor.min(chosen.len().saturating_sub(1))).cloned()
    else {
        return Vec::new();
    };
    if refused(model) || at >= model.views.len() {
        return Vec::new();
    }
    let view = model.views.remove(at);
    let text = format!("view `{}` is deleted; ctrl-r brings it back", view.name);
    model.notices.note(text, model.now);
    model.deleted_views.push(view);
    save(model)
}

/// Brings the view back that was deleted last.
pub(super) fn restore(model: &mut Model) -> Vec<Effect> {
    if refused(model) {
        return Vec::new();
    }
    let Some(view) = model.deleted_views.pop() else {
        model.notices.note("no view was deleted in this session", model.now);
        return Vec::new();
    };
    if model.views.iter().any(|v| v.name == view.name) {
        let text = format!("there is a view `{}` again: delete that one first", view.name);
        model.notices.note(text, model.now);
        model.deleted_views.push(view);
        return Vec::new();
    }
    model.notices.note(format!("view `{}` is back", view.name), model.now);
    model.views.push(view);
    model.views.sort_by(|a, b| a.name.cmp(&b.name));
    save(model)
}

fn refused(model: &mut Model) -> bool {
    if model.facts.read_only {
        model.notices.note("views cannot be changed: this session is read-only", model.now);
    }
    model.facts.read_only
}

fn save(model: &Model) -> Vec<Effect> {
    vec![Effect::SaveSession(Box::new(model.session()))]
}
