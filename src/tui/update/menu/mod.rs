//! Searching a list of actions or views, and choosing from it; reading the messages.

mod messages;
mod search;
mod views;

pub(super) use messages::clamp_scroll;
pub use search::{Choice, choices, fits, found_by, keys};
pub(super) use views::open as open_views;

use super::{act, line, prompt};
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::model::{Menu, Model, Overlay};

/// A key while a menu is open.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    match model.overlay {
        Some(Overlay::Messages { .. }) => return messages::press(model, key),
        Some(Overlay::Views(_)) if key.ctrl && key.code == Code::Char('x') => {
            return views::delete(model);
        }
        Some(Overlay::Views(_)) if key.ctrl && key.code == Code::Char('r') => {
            return views::restore(model);
        }
        _ => {}
    }
    let count = choices(model).len();
    let Some(menu) = menu(model) else { return Vec::new() };
    menu.cursor = menu.cursor.min(count.saturating_sub(1));
    match (key.code, key.ctrl) {
        (Code::Esc, _) => model.overlay = None,
        (Code::Char('c'), true) if menu.input.value().is_empty() => model.overlay = None,
        (Code::Enter, _) => return run(model),
        (Code::Down | Code::Tab, _) | (Code::Char('n'), true) => move_by(menu, 1, count),
        (Code::Up | Code::BackTab, _) | (Code::Char('p'), true) => move_by(menu, -1, count),
        (Code::PageDown, _) => move_by(menu, 10, count),
        (Code::PageUp, _) => move_by(menu, -10, count),
        _ if line::press(&mut menu.input, key) => menu.cursor = 0,
        _ => {}
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

/// Does what is selected. Where nothing is found the search stays open.
fn run(model: &mut Model) -> Vec<Effect> {
    let at = menu(model).map_or(0, |m| m.cursor);
    let Some(chosen) = choices(model).get(at).cloned() else { return Vec::new() };
    model.overlay = None;
    match chosen {
        Choice::Action(action) => act::act(model, action),
        Choice::View(at) => {
            let Some(view) = model.views.get(at).cloned() else { return Vec::new() };
            let effects = prompt::records_of(model, &view.filter);
            model.records.order_as(&view.sort, &view.columns);
            effects
        }
    }
}

#[cfg(test)]
mod tests;
