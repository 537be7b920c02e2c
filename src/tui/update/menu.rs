//! Searching a list of actions, views or messages, and choosing from it.

use super::act;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::keymap::Context;
use crate::tui::model::{Menu, Model, Overlay};

/// Something to choose.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Choice {
    /// An action.
    Action(Action),
    /// A saved view, by its place.
    View(usize),
}

/// What the open menu offers, after its search.
pub fn choices(model: &Model) -> Vec<Choice> {
    match &model.overlay {
        Some(Overlay::Palette(menu) | Overlay::Help(menu)) => actions(model, menu),
        Some(Overlay::Views(menu)) => {
            let wanted = menu.input.value().to_lowercase();
            let found = model.views.iter().enumerate();
            found
                .filter(|(_, v)| v.name.to_lowercase().contains(&wanted))
                .map(|(i, _)| Choice::View(i))
                .collect()
        }
        _ => Vec::new(),
    }
}

/// Actions whose name, description or key holds every word that is searched for.
fn actions(model: &Model, menu: &Menu) -> Vec<Choice> {
    let wanted = menu.input.value().to_lowercase();
    let refused =
        |a: &Action| model.facts.read_only && a.danger() == crate::tui::action::Danger::Writes;
    let text = |a: Action| {
        let keys: Vec<String> =
            model.keymap.keys(Context::List, a).iter().map(ToString::to_string).collect();
        format!("{} {} {}", a.name(), a.description(), keys.join(" ")).to_lowercase()
    };
    let found = |a: &Action| wanted.split_whitespace().all(|word| text(*a).contains(word));
    Action::ALL.iter().copied().filter(|a| !refused(a) && found(a)).map(Choice::Action).collect()
}

/// Opens the saved views.
pub(super) fn open_views(model: &mut Model) {
    if model.views.is_empty() {
        model.notices.note("no view is saved yet: filter a list, then save the view", model.now);
        return;
    }
    model.overlay = Some(Overlay::Views(Menu::default()));
}

/// A key while a menu is open.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    if let Some(Overlay::Messages { .. }) = model.overlay {
        return messages(model, key);
    }
    let count = choices(model).len();
    let Some(menu) = menu(model) else { return Vec::new() };
    menu.cursor = menu.cursor.min(count.saturating_sub(1));
    match (key.code, key.ctrl) {
        (Code::Esc, _) => model.overlay = None,
        (Code::Char('c'), true) if menu.input.value().is_empty() => model.overlay = None,
        (Code::Char('c'), true) => menu.input.reset(),
        (Code::Enter, _) => return run(model),
        (Code::Down | Code::Tab, _) | (Code::Char('n'), true) => move_by(menu, 1, count),
        (Code::Up | Code::BackTab, _) | (Code::Char('p'), true) => move_by(menu, -1, count),
        (Code::PageDown, _) => move_by(menu, 10, count),
        (Code::PageUp, _) => move_by(menu, -10, count),
        _ => {
            if let Some(request) = super::prompt::request(key) {
                let _ = menu.input.handle(request);
                menu.cursor = 0;
            }
        }
    }
    Vec::new()
}

fn menu(model: &mut Model) -> Option<&mut Menu> {
    match &mut model.overlay {
        Some(Overlay::Palette(menu) | Overlay::Help(menu) | Overlay::Views(menu)) => Some(menu),
        _ => None,
    }
}

fn move_by(menu: &mut Menu, by: isize, count: usize) {
    menu.cursor = menu.cursor.saturating_add_signed(by).min(count.saturating_sub(1));
}

/// Does what is selected.
fn run(model: &mut Model) -> Vec<Effect> {
    let at = menu(model).map_or(0, |m| m.cursor);
    let chosen = choices(model).get(at).cloned();
    model.overlay = None;
    match chosen {
        Some(Choice::Action(action)) => act::act(model, action),
        Some(Choice::View(at)) => {
            let filter = model.views.get(at).map(|v| v.filter.clone());
            filter.map_or(Vec::new(), |text| act::records_of(model, &text))
        }
        None => Vec::new(),
    }
}

/// Text that was pasted into the search.
pub(super) fn paste(model: &mut Model, text: &str) {
    let Some(menu) = menu(model) else { return };
    for c in text.chars().filter(|c| !c.is_control()).take(200) {
        let _ = menu.input.handle(tui_input::InputRequest::InsertChar(c));
    }
    menu.cursor = 0;
}

fn messages(model: &mut Model, key: Key) -> Vec<Effect> {
    let last = model.notices.all().len().saturating_sub(1);
    let Some(Overlay::Messages { top }) = &mut model.overlay else { return Vec::new() };
    match (key.code, key.ctrl) {
        (Code::Char('j') | Code::Down, false) => *top = (*top + 1).min(last),
        (Code::Char('k') | Code::Up, false) => *top = top.saturating_sub(1),
        (Code::Char('g') | Code::Home, false) => *top = 0,
        (Code::Char('G') | Code::End, false) => *top = last,
        (Code::Char('x'), false) => model.notices.dismiss(),
        _ => model.overlay = None,
    }
    Vec::new()
}
