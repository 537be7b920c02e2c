//! The mouse: it shows, selects, opens and sorts. It never labels, saves or answers.

use super::{act, guide, menu, movement, navigate, queues};
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::input::{Mouse, MouseKind};
use crate::tui::key::{Code, Key};
use crate::tui::layout;
use crate::tui::model::{Model, Overlay, Pane, Screen};
use crate::tui::screen;
use ratatui::layout::{Position, Rect};

/// Lines that a notch of the wheel scrolls.
const NOTCH: isize = 3;

/// Turns the mouse off, or on again.
pub(super) fn switch(model: &mut Model) -> Vec<Effect> {
    model.mouse = !model.mouse;
    let text = match model.mouse {
        true => "mouse on: it clicks and scrolls here",
        false => "mouse off: the terminal selects text",
    };
    model.notices.note(text, model.now);
    vec![Effect::Mouse(model.mouse)]
}

/// Does what is under the mouse.
pub(super) fn take(model: &mut Model, mouse: Mouse) -> Vec<Effect> {
    let lines = match mouse.kind {
        MouseKind::Press => return press(model, Position { x: mouse.x, y: mouse.y }),
        MouseKind::WheelUp => -NOTCH,
        MouseKind::WheelDown => NOTCH,
    };
    match &model.overlay {
        Some(_) if layout::has_form(model) => movement::scroll(model, lines),
        Some(_) => scroll_overlay(model, lines),
        None => scroll(model, Position { x: mouse.x, y: mouse.y }, lines),
    }
    Vec::new()
}

/// What lies above the screen, where it is a list or a text. A line that is typed stays as it is.
fn scroll_overlay(model: &mut Model, lines: isize) {
    let key = Key::plain(if lines < 0 { Code::Up } else { Code::Down });
    for _ in 0..lines.unsigned_abs() {
        let _ = match &model.overlay {
            Some(Overlay::Palette(_) | Overlay::Help(_) | Overlay::Views(_)) => {
                menu::press(model, key)
            }
            Some(Overlay::Messages { .. }) => menu::press(model, key),
            Some(Overlay::Guide { .. }) => guide::press(model, key),
            Some(Overlay::BoxRun { .. }) => super::box_task::press_run(model, key),
            _ => Vec::new(),
        };
    }
}

/// The part of the screen that is under the mouse.
fn scroll(model: &mut Model, at: Position, lines: isize) {
    let Some(areas) = layout::areas(model).filter(|areas| areas.body.contains(at)) else { return };
    match model.screen {
        Screen::Queue | Screen::Records => {
            let split = layout::split(model, areas.body);
            let height = layout::list_height(model);
            match split.list.filter(|list| list.contains(at)) {
                Some(_) => model.list_mut().into_iter().for_each(|list| list.wheel(lines, height)),
                None => movement::scroll(model, lines),
            }
        }
        Screen::Boxes => screen::boxes::wheel(model, areas.body, at, lines),
        Screen::Runs => screen::runs::page(model, lines),
        Screen::Overview | Screen::Calibration | Screen::Readiness | Screen::Trends => {
            screen::page_cursor::page(model, lines);
        }
    }
}

/// A click: on a line or a figure it selects, on the selected one it opens, on a head it sorts, on the name of a side
/// it turns to that, on a part of the state line it leads to its screen. While something lies above the screen it does
/// nothing: it cannot answer what is asked there.
fn press(model: &mut Model, at: Position) -> Vec<Effect> {
    model.notices.drop_note();
    let Some(areas) = layout::areas(model).filter(|_| model.overlay.is_none()) else {
        return Vec::new();
    };
    if let Some(row) = at.y.checked_sub(1).filter(|_| areas.header.contains(at)) {
        let screen = layout::state::screen_at(model, row.into(), at.x.into());
        screen.into_iter().for_each(|screen| navigate::go(model, screen));
        return Vec::new();
    }
    if !areas.body.contains(at) {
        return Vec::new();
    }
    let is_again = match model.screen {
        Screen::Queue | Screen::Records => return press_lists(model, areas.body, at),
        Screen::Boxes => screen::boxes::press(model, areas.body, at),
        Screen::Runs => screen::runs::press(model, areas.body, at.y),
        Screen::Trends => {
            let is_again = screen::page_cursor::press(model, areas.body, at);
            screen::trends::take_figure(model);
            is_again
        }
        _ => screen::page_cursor::press(model, areas.body, at),
    };
    if is_again { act::act(model, Action::Open) } else { Vec::new() }
}

/// The same of a list and its record.
fn press_lists(model: &mut Model, body: Rect, at: Position) -> Vec<Effect> {
    let split = layout::split(model, body);
    if let Some(area) = split.list.filter(|area| area.contains(at)) {
        return press_list(model, area, at);
    }
    if let Some(area) = split.record.filter(|area| area.contains(at)) {
        model.pane = Pane::Record;
        if let Some(tab) = screen::record::tab_at(model, area, at) {
            (model.record.tab, model.record.scroll) = (tab, 0);
        }
    }
    Vec::new()
}

fn press_list(model: &mut Model, area: Rect, at: Position) -> Vec<Effect> {
    let row = usize::from(at.y - area.y);
    let Some(list) = model.list() else { return Vec::new() };
    let above = usize::from(layout::ABOVE_ROWS);
    if row + 1 == above {
        let columns = screen::records::columns(model, list, area.width.into());
        if let Some(column) = columns.at(usize::from(at.x - area.x)) {
            queues::sort_by(model, column);
        }
        return Vec::new();
    }
    let shown = row.checked_sub(above).filter(|row| *row < layout::list_height(model));
    let line = shown.map(|row| list.top + row).filter(|line| *line < list.len());
    let is_again = line == Some(list.cursor) && model.pane == Pane::List;
    model.pane = Pane::List;
    match line {
        Some(_) if is_again => return act::act(model, Action::Open),
        Some(line) => model.list_mut().into_iter().for_each(|list| list.go(line)),
        None => {}
    }
    Vec::new()
}
