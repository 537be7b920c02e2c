//! Where things are. `update` asks it how many lines a list has, so that both sides agree.

mod first_run;
mod hint;
pub(in crate::tui) mod notice;

use crate::tui::model::{Model, Overlay, Pane, PromptKind, Screen};
use ratatui::layout::Rect;

/// The least that anything can be shown on.
pub const LEAST: (u16, u16) = (30, 6);

/// From so many columns on a list is beside its record.
const BESIDE: u16 = 76;

/// From so many columns on it stays there while the record has the keys.
const BOTH: u16 = 110;

/// Lines of completions above a filter that is typed.
pub const COMPLETIONS: u16 = 6;

/// The parts of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// Screens, window, pull, time.
    pub header: Rect,
    /// The screen.
    pub body: Rect,
    /// The last notice that is not dismissed; of no height where there is none.
    pub notice: Rect,
    /// Keys, or the line that is typed.
    pub footer: Rect,
}

/// A screen with a list.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Split {
    /// The list, its heading on the first line.
    pub list: Option<Rect>,
    /// The record, its heading on the first line.
    pub record: Option<Rect>,
}

/// The parts of the terminal; `None` where it is too small for any.
pub fn areas(model: &Model) -> Option<Areas> {
    let (width, height) = model.size;
    if width < LEAST.0 || height < LEAST.1 {
        return None;
    }
    let typing =
        matches!(&model.overlay, Some(Overlay::Prompt(p)) if p.kind != PromptKind::ViewName);
    let typing = typing || matches!(&model.overlay, Some(Overlay::Form(_)));
    let footer = if typing { 2 } else { 1 };
    let notice = match model.notices.current() {
        Some(_) => notice::lines(model, width),
        // A hint takes its place, where there is room.
        None if height > 8 => notice::lines(model, width),
        None => 0,
    };
    let body = height - 1 - notice - footer;
    let at = |y, height| Rect { x: 0, y, width, height };
    Some(Areas {
        header: at(0, 1),
        body: at(1, body),
        notice: at(1 + body, notice),
        footer: at(1 + body + notice, footer),
    })
}

/// The parts of a screen with a list.
pub fn split(body: Rect, pane: Pane, screen: Screen) -> Split {
    let both = body.width >= BOTH || (body.width >= BESIDE && pane == Pane::List);
    if both {
        // All records are compared, those of the queue are read.
        let fifths = match (screen, body.width) {
            (Screen::Records, 160..) => 3,
            _ => 2,
        };
        let half = screen == Screen::Records && (120..160).contains(&body.width);
        let wide = (u32::from(body.width) * fifths / 5) as u16;
        let wide = if half { body.width / 2 } else { wide };
        let list = Rect { width: wide, ..body };
        let record = Rect { x: body.x + wide + 1, width: body.width - wide - 1, ..body };
        return Split { list: Some(list), record: Some(record) };
    }
    match pane {
        Pane::List => Split { list: Some(body), record: None },
        Pane::Record => Split { list: None, record: Some(body) },
    }
}

/// Lines below the calibration queue that say how far the sitting is.
pub fn sitting_lines(model: &Model) -> u16 {
    let room = areas(model).is_some_and(|areas| areas.body.height >= 14);
    let shown = room && model.in_calibration() && !model.queue.is_empty();
    if shown { 2 } else { 0 }
}

/// Lines for rows of the list on the screen.
pub fn list_height(model: &Model) -> usize {
    let Some(areas) = areas(model) else { return 1 };
    // One line is the heading.
    let lines = usize::from(areas.body.height.saturating_sub(1));
    match model.screen {
        Screen::Queue | Screen::Records => lines - usize::from(sitting_lines(model)).min(lines),
        _ => lines + 1,
    }
}

/// Columns and lines for the text of the record.
pub fn record_size(model: &Model) -> (usize, usize) {
    let Some(areas) = areas(model) else { return (LEAST.0.into(), 1) };
    let record = split(areas.body, model.pane, model.screen).record.unwrap_or(areas.body);
    (usize::from(record.width), usize::from(record.height.saturating_sub(1)))
}

/// Lines for the text of the record.
pub fn record_height(model: &Model) -> usize {
    record_size(model).1
}
