//! Where things are. `update` asks it how many lines a list has, so that both sides agree.

mod first_run;
mod hint;
pub(in crate::tui) mod notice;
pub(in crate::tui) mod state;

use crate::tui::model::{Arrangement, Model, Overlay, Pane, PromptKind, Screen};
use ratatui::layout::Rect;

/// The least that anything can be shown on.
pub const LEAST: (u16, u16) = (30, 6);

/// From so many columns on a queue that is labelled is beside its record.
const BESIDE: u16 = 110;

/// From so many lines on a list that names things is above its record.
const ABOVE: u16 = 16;

/// Such a list has so many lines, or a third of what there is where that is more.
const LEAST_LIST: u16 = 10;

/// A form in the place of the list has so many lines at least.
const FORM: u16 = 12;

/// A form that names what would leave this machine, for whom and at what price has so many.
const JUDGE_FORM: u16 = 20;

/// A list and its record have so many lines, or columns, at least.
const LEAST_PART: u16 = 5;

/// Lines of a list above its rows: the heading, and the heads of its columns.
pub const ABOVE_ROWS: u16 = 2;

/// Lines of completions above a filter that is typed.
pub const COMPLETIONS: u16 = 6;

/// The parts of the terminal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Areas {
    /// Screens and time, and below them how the operation is doing.
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
    let header = 1 + u16::try_from(state::rows(model).len()).unwrap_or(1);
    let body = height.saturating_sub(header + notice + footer);
    let at = |y, height| Rect { x: 0, y, width, height };
    Some(Areas {
        header: at(0, header),
        body: at(header, body),
        notice: at(header + body, notice),
        footer: at(header + body + notice, footer),
    })
}

/// The parts of a screen with a list. A list that names things lies above its record, a queue that is worked
/// through beside it; where there is no room for both, there is what has the keys. A form about records takes the
/// place of the list, and of the record where there is no room for both.
pub fn split(model: &Model, body: Rect) -> Split {
    if let Some(least) = form_lines(model, body) {
        let is_room = least + LEAST_PART <= body.height;
        let whole = Split { list: Some(body), record: None };
        return if is_room { above(body, third(body).max(least)) } else { whole };
    }
    let beside = model.in_calibration();
    let arrangement = model.arrangement();
    let both = !arrangement.zoomed;
    if both && beside && body.width >= BESIDE {
        let wide = shared(body.width, arrangement).unwrap_or(part(body.width, 40));
        let list = Rect { width: wide, ..body };
        let record = Rect { x: body.x + wide + 1, width: body.width - wide - 1, ..body };
        return Split { list: Some(list), record: Some(record) };
    }
    if both && !beside && body.height >= ABOVE {
        return above(body, shared(body.height, arrangement).unwrap_or(third(body)));
    }
    match model.pane {
        Pane::List => Split { list: Some(body), record: None },
        Pane::Record => Split { list: None, record: Some(body) },
    }
}

fn third(body: Rect) -> u16 {
    body.height.div_ceil(3).max(LEAST_LIST).min(body.height / 2)
}

/// A list of so many lines above its record.
fn above(body: Rect, high: u16) -> Split {
    let list = Rect { height: high, ..body };
    let record = Rect { y: body.y + high, height: body.height - high, ..body };
    Split { list: Some(list), record: Some(record) }
}

/// Lines that a form about records has at least, while one is open on a list.
fn form_lines(model: &Model, body: Rect) -> Option<u16> {
    model.list()?;
    match &model.overlay {
        Some(Overlay::Override(_)) => Some(FORM),
        Some(Overlay::Judge(form)) if form.input.is_file() => None,
        Some(Overlay::Judge(_)) => Some(JUDGE_FORM.max(body.height / 2)),
        _ => None,
    }
}

/// Whether a form is open in the place of the list.
pub fn has_form(model: &Model) -> bool {
    areas(model).is_some_and(|areas| form_lines(model, areas.body).is_some())
}

/// Where a form is drawn: in the place of the list, its record below it where there is room.
pub fn form(model: &Model, body: Rect) -> Rect {
    match form_lines(model, body) {
        Some(_) => split(model, body).list.unwrap_or(body),
        None => body,
    }
}

/// Whether a queue that is labelled is on a screen with no room for it beside its record: there the record comes first.
pub fn is_record_first(model: &Model) -> bool {
    model.in_calibration() && (LEAST.0..BESIDE).contains(&model.size.0)
}

/// So many percent of a number of cells.
fn part(cells: u16, percent: u8) -> u16 {
    (u32::from(cells) * u32::from(percent) / 100) as u16
}

/// Of so many cells those that were chosen for the list, as far as there are some for both; `None` where nobody chose.
fn shared(cells: u16, arrangement: Arrangement) -> Option<u16> {
    Some(part(cells, arrangement.share?).clamp(LEAST_PART, cells.saturating_sub(LEAST_PART)))
}

/// Percent of the screen that the list has now; `None` where it is not beside or above its record.
pub fn list_share(model: &Model) -> Option<u8> {
    let body = areas(model)?.body;
    let split = split(model, body);
    let (list, _) = split.list.zip(split.record)?;
    let (cells, all) = match model.in_calibration() {
        true => (list.width, body.width),
        false => (list.height, body.height),
    };
    // What was chosen counts, not what was made of it in whole cells.
    let shown = u8::try_from((u32::from(cells) * 100).div_ceil(u32::from(all.max(1)))).ok();
    model.arrangement().share.or(shown)
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
    if !matches!(model.screen, Screen::Queue | Screen::Records) {
        return usize::from(areas.body.height);
    }
    let list = split(model, areas.body).list.unwrap_or(areas.body);
    usize::from(list.height.saturating_sub(ABOVE_ROWS).saturating_sub(sitting_lines(model)))
}

/// Columns and lines for the text of the record.
pub fn record_size(model: &Model) -> (usize, usize) {
    let Some(areas) = areas(model) else { return (LEAST.0.into(), 1) };
    let record = split(model, areas.body).record.unwrap_or(areas.body);
    (usize::from(record.width), usize::from(record.height.saturating_sub(1)))
}

/// Lines for the text of the record.
pub fn record_height(model: &Model) -> usize {
    record_size(model).1
}
