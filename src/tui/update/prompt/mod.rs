//! Typing a filter, a search, or the name of a view.

use super::{line, navigate};
use crate::domain::RecordId;
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::model::{Filter, Model, Overlay, Prompt, PromptKind, Screen};
use crate::tui::session::View;

mod complete;
mod history;

pub use complete::{Completion, completions};

/// Opens the line for the filter of the list on the screen.
pub(super) fn open_filter(model: &mut Model) {
    match model.list() {
        Some(list) => {
            let mut prompt = Prompt::new(PromptKind::Filter, &list.filter.text);
            prompt.selected = list.wanted.or(list.selected);
            model.overlay = Some(Overlay::Prompt(prompt));
        }
        None => model.notices.note("there is no list to filter here", model.now),
    }
}

/// Opens the line for the name of the present filter.
pub(super) fn open_view_name(model: &mut Model) {
    if model.list().is_none_or(|l| l.filter.is_all()) {
        model.notices.note("there is no filter to save: set one first", model.now);
        return;
    }
    model.overlay = Some(Overlay::Prompt(Prompt::new(PromptKind::ViewName, "")));
}

/// Sets the filter of the list on the screen, where it reveals nothing that is hidden.
pub(super) fn type_filter(model: &mut Model, text: &str) -> Vec<Effect> {
    let reveals = |filter: &Filter| model.in_calibration() && model.reveals(&filter.query);
    if Filter::parse(text).as_ref().is_some_and(reveals) {
        model.notices.note(super::queues::REVEALING, model.now);
        return Vec::new();
    }
    open_filter(model);
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    prompt.input = tui_input::Input::new(text.to_owned());
    accept(model)
}

/// A key while a line is typed.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    if prompt.kind == PromptKind::Note {
        return super::labels::press_note(model, key);
    }
    match (key.code, key.ctrl) {
        (Code::Esc, _) => abandon(model),
        (Code::Char('c'), true) if prompt.input.value().is_empty() => abandon(model),
        (Code::Enter, _) => accept(model),
        (Code::Tab, _) => choose(model, 1),
        (Code::BackTab, _) => choose(model, -1),
        (Code::Up, _) if prompt.choice.is_some() => choose(model, -1),
        (Code::Down, _) if prompt.past.is_none() => choose(model, 1),
        (Code::Up, _) | (Code::Char('p'), true) => history::older(model),
        (Code::Down, _) | (Code::Char('n'), true) => history::newer(model),
        _ if line::press(&mut prompt.input, key) => typed(model),
        _ => Vec::new(),
    }
}

/// The text changed: a filter holds at once where it can be read.
pub(super) fn typed(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    prompt.choice = None;
    prompt.past = None;
    apply(model)
}

/// What is in the line narrows the list, where it can be read.
fn apply(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    let (kind, text) = (prompt.kind, prompt.input.value().to_owned());
    if kind == PromptKind::Note {
        return super::labels::typed_note(model);
    }
    if kind == PromptKind::Search {
        return super::search::typed(model, &text);
    }
    if kind == PromptKind::Filter
        && let Some(filter) = Filter::parse(&text)
        && !(model.in_calibration() && model.reveals(&filter.query))
        && let Some(list) = model.list_mut()
    {
        narrow(list, filter);
    }
    Vec::new()
}

fn narrow(list: &mut crate::tui::model::List, filter: Filter) {
    if list.filter != filter {
        list.filter = filter;
        list.range = None;
    }
}

/// Shows the records that a filter lets through.
pub(super) fn records_of(model: &mut Model, text: &str) -> Vec<Effect> {
    navigate::go(model, Screen::Records);
    model.records.to_top();
    set_filter(model, text)
}

/// Sets the filter of the list on the screen.
pub(super) fn set_filter(model: &mut Model, text: &str) -> Vec<Effect> {
    match Filter::parse(text) {
        Some(filter) => {
            if let Some(list) = model.list_mut() {
                narrow(list, filter);
            }
        }
        None => model.notices.note("that filter is not valid", model.now),
    }
    Vec::new()
}

/// Lets everything through again; the selected record stays selected.
pub(super) fn clear_filter(model: &mut Model) {
    if let Some(list) = model.list_mut() {
        narrow(list, Filter::default());
    }
}

fn abandon(model: &mut Model) -> Vec<Effect> {
    let Some(Overlay::Prompt(prompt)) = model.overlay.take() else { return Vec::new() };
    match prompt.kind {
        PromptKind::Filter => {
            let effects = set_filter(model, &prompt.before);
            reselect(model, prompt.selected);
            effects
        }
        PromptKind::Search => super::search::typed(model, &prompt.before),
        PromptKind::ViewName | PromptKind::Note => Vec::new(),
    }
}

/// Looks for the record that was selected before the filter was typed.
fn reselect(model: &mut Model, to: Option<RecordId>) {
    let Some(list) = model.list_mut() else { return };
    if to.is_some() && (list.selected != to || list.rows.is_busy()) {
        list.wanted = to;
    }
}

/// Enter: takes the selected completion, or the line as it is.
fn accept(model: &mut Model) -> Vec<Effect> {
    if let Some(Overlay::Prompt(prompt)) = &model.overlay
        && prompt.choice.is_some()
    {
        return complete::take(model);
    }
    let Some(Overlay::Prompt(prompt)) = model.overlay.take() else { return Vec::new() };
    let text = prompt.input.value().trim().to_owned();
    match prompt.kind {
        PromptKind::Filter => match crate::frame::query::Query::parse(&text) {
            // Why it does not hold is below the line.
            Ok(query) if model.in_calibration() && model.reveals(&query) => {
                model.overlay = Some(Overlay::Prompt(prompt));
                Vec::new()
            }
            Ok(_) => {
                history::keep(model, &text);
                set_filter(model, &text)
            }
            Err(_) => {
                // The error is above the line; the line stays until it can be read.
                model.overlay = Some(Overlay::Prompt(prompt));
                Vec::new()
            }
        },
        PromptKind::ViewName => save_view(model, text),
        PromptKind::Search => super::search::typed(model, &text),
        PromptKind::Note => Vec::new(),
    }
}

fn save_view(model: &mut Model, name: String) -> Vec<Effect> {
    let Some(list) = model.list() else { return Vec::new() };
    let (filter, (sort, columns)) = (list.filter.text.clone(), list.order());
    if name.is_empty() {
        model.notices.note("a view needs a name", model.now);
        return Vec::new();
    }
    let text = match model.views.iter().find(|v| v.name == name) {
        Some(old) => format!("view `{name}` is replaced; it was: {}", old.filter),
        None => format!("view `{name}` is saved"),
    };
    model.views.retain(|v| v.name != name);
    model.notices.note(text, model.now);
    model.views.push(View { name, filter, sort, columns });
    model.views.sort_by(|a, b| a.name.cmp(&b.name));
    vec![Effect::SaveSession(Box::new(model.session()))]
}

fn choose(model: &mut Model, by: isize) -> Vec<Effect> {
    let count = completions(model).len();
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    if count == 0 {
        return Vec::new();
    }
    prompt.choice = Some(match (prompt.choice, by > 0) {
        (None, true) => 0,
        (None, false) => count - 1,
        (Some(at), _) => (at as isize + by).rem_euclid(count as isize) as usize,
    });
    Vec::new()
}
