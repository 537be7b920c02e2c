//! Where the records come from, and how fresh they are.

mod detail;
mod table;

use crate::answers::boxes::rank;
use crate::assess::is_behind;
use crate::domain::{BoxReport, BoxState};
use crate::report::mask;
use crate::text::{escape, separated};
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{BoxTask, Load, Model, Pane, PullState, Screen};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use std::borrow::Cow;

/// What is said of a box that is known from the ledgers alone.
const UNREAD: &str = "it blocks, as the ledgers say, and no log of it is read here";

/// Boxes that can be selected.
pub fn lines(model: &Model) -> usize {
    boxes(model).len()
}

/// The filter for the records of the selected box.
pub fn target(model: &Model) -> Option<String> {
    Some(crate::overview::of_box(&selected(model)?.name).to_string())
}

/// The names of all boxes, in the order of the list.
pub(in crate::tui) fn names(model: &Model) -> Vec<String> {
    boxes(model).iter().map(|report| report.name.clone()).collect()
}

/// The box that a task is offered for first, from 0: the selected one if it fits, else the first that does,
/// of those that may block the first that is marked so.
pub(in crate::tui) fn offered(model: &Model, task: BoxTask) -> usize {
    let boxes = boxes(model);
    let here = if model.screen == Screen::Boxes { model.boxes.cursor } else { 0 };
    let here = here.min(boxes.len().saturating_sub(1));
    let fits = |report: &BoxReport| {
        let blocks = table::blocking(model, report).is_some();
        match task {
            BoxTask::Check => true,
            // What its logs say is evidence only where they are read.
            BoxTask::Enable => !blocks && report.state == BoxState::Ok && !is_behind(report),
            BoxTask::RollBack => blocks,
        }
    };
    // What is rolled back is never another box than the selected one.
    let is_selected = task == BoxTask::RollBack || boxes.get(here).is_some_and(|r| fits(r));
    if model.screen == Screen::Boxes && is_selected {
        return here;
    }
    let is_marked = |report: &BoxReport| model.facts.may_block.contains(&report.name);
    let fitting = boxes.iter().enumerate().filter(|(_, report)| fits(report));
    // Of several the first: the least of equals.
    fitting.min_by_key(|(_, report)| !is_marked(report)).map_or(here, |(at, _)| at)
}

/// The boxes, trouble first, else in configured order; behind those that are read the ones of which only the ledgers
/// know that they block.
fn boxes(model: &Model) -> Vec<Cow<'_, BoxReport>> {
    let Some(triage) = &model.overview.summary.value else { return Vec::new() };
    let is_read = |name: &String| triage.boxes.iter().any(|report| report.name == *name);
    let blocking = model.operation.iter().flat_map(|operation| &operation.blocking);
    let unread = blocking.filter_map(|of| of.name.as_ref()).filter(|name| !is_read(name));
    let unread = unread.map(|name| Cow::Owned(unread_box(name)));
    let mut all: Vec<_> = triage.boxes.iter().map(Cow::Borrowed).chain(unread).collect();
    all.sort_by_key(|report| rank(report, table::blocking(model, report)));
    all
}

fn unread_box(name: &str) -> BoxReport {
    BoxReport {
        name: name.to_owned(),
        state: BoxState::Empty,
        data_age_s: None,
        complete: None,
        error: None,
        records: 0,
        files: 0,
        foreign: 0,
        notices: vec![UNREAD.to_owned()],
        listed: None,
    }
}

fn selected(model: &Model) -> Option<Cow<'_, BoxReport>> {
    let boxes = boxes(model);
    let at = model.boxes.cursor.min(boxes.len().saturating_sub(1));
    boxes.into_iter().nth(at)
}

/// Keeps the selection on its box. Asks for the pull log of it where it is another one's, and for what came
/// from the boxes, where these are older than the archive.
pub(in crate::tui) fn ready(model: &mut Model, edition: u64) -> Vec<Effect> {
    let names = names(model);
    model.boxes.follow(&names);
    let mut effects = Vec::new();
    if model.boxes.ask_activity(edition) {
        effects.push(Effect::Activity { edition });
    }
    let box_name = selected(model).filter(|_| !model.facts.fleet).map(|of| of.name.clone());
    if let Some(box_name) = box_name.filter(|name| model.boxes.ask(name, edition)) {
        effects.push(Effect::PullLog { box_name });
    }
    effects
}

/// Scrolls the details; the end holds.
pub(in crate::tui) fn scroll(model: &mut Model, by: isize) {
    let Some(areas) = layout::areas(model) else { return };
    let below = parts(model, areas.body).1;
    let lines = selected(model).map_or(0, |r| detail::lines(model, &r, below.width.into()).len());
    let last = lines.saturating_sub(usize::from(below.height.saturating_sub(1)));
    let scroll = &mut model.boxes.scroll;
    *scroll = (*scroll).min(last).saturating_add_signed(by).min(last);
}

/// Selects the box at a place of the screen; tells whether it was selected already.
pub(in crate::tui) fn press(model: &mut Model, body: Rect, at: Position) -> bool {
    let (list, below) = parts(model, body);
    if below.contains(at) {
        model.pane = Pane::Record;
    }
    let (cursor, top, room) = rows_in_view(model, list);
    let row = at.y.checked_sub(list.y + 1).map(usize::from).filter(|row| *row < room);
    let Some(line) = row.map(|row| top + row).filter(|line| *line < lines(model)) else {
        return false;
    };
    let is_again = line == cursor && model.pane == Pane::List;
    (model.boxes.cursor, model.pane) = (line, Pane::List);
    is_again
}

/// Scrolls what is under the mouse.
pub(in crate::tui) fn wheel(model: &mut Model, body: Rect, at: Position, by: isize) {
    if !parts(model, body).0.contains(at) {
        return scroll(model, by);
    }
    let last = lines(model).saturating_sub(1);
    let cursor = &mut model.boxes.cursor;
    *cursor = (*cursor).min(last).saturating_add_signed(by).min(last);
}

/// The selected box, the first one on the screen, and how many there is room for.
fn rows_in_view(model: &Model, list: Rect) -> (usize, usize, usize) {
    let cursor = model.boxes.cursor.min(lines(model).saturating_sub(1));
    let room = usize::from(list.height).saturating_sub(1).max(1);
    (cursor, (cursor + 1).saturating_sub(room), room)
}

/// The list and, below it, the details, its heading on the first line.
fn parts(model: &Model, body: Rect) -> (Rect, Rect) {
    let room = body.height.saturating_sub(1);
    // Its heads are a line of it.
    let shown = (lines(model).saturating_add(1)).min(usize::from(room)) as u16;
    let shown = shown.min((room / 3).max(2));
    let list = Rect { y: body.y + 1, height: shown.min(room), ..body };
    let below = Rect { y: list.y + list.height, height: room - list.height, ..body };
    (list, below)
}

/// Draws the table, and all that is known of the selected box below.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let boxes = boxes(model);
    heading(model, pen, buffer, body, &boxes);
    let Some(report) = selected(model) else {
        let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
        nothing(model, pen, buffer, inside);
        return;
    };
    let (list, below) = parts(model, body);
    let (cursor, top, room) = rows_in_view(model, list);
    let (table, known) = (table::Table::new(usize::from(body.width)), table::Known::new(model));
    pen.put(buffer, list, 0, &table.heads(pen));
    for (row, (at, report)) in (1_u16..).zip(boxes.iter().enumerate().skip(top).take(room)) {
        let here = at == cursor;
        pen.put(buffer, list, row, &table.row(pen, here, &known.facts(report)));
        if here && row < list.height {
            let place = Rect { y: list.y + row, height: 1, ..list };
            buffer.set_style(place, pen.style(Role::Selection));
        }
    }
    details(model, pen, buffer, below, &report);
}

/// How many boxes there are, how many block, and of how many the data are old.
fn heading(
    model: &Model,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
    all: &[Cow<'_, BoxReport>],
) {
    let blocking = all.iter().filter(|report| table::blocking(model, report).is_some()).count();
    let stale = all.iter().filter(|report| is_behind(report)).count();
    let between = format!(" {} ", pen.glyphs.separator);
    let count = format!(" Boxes {}", all.len());
    let mut parts = vec![(Role::Title, count)];
    if blocking > 0 {
        let verb = if blocking == 1 { "blocks" } else { "block" };
        parts.push((Role::Warning, format!("{between}{blocking} {verb}")));
    }
    if stale > 0 {
        parts.push((Role::Stale, format!("{between}{stale} STALE")));
    }
    if blocking + stale > 0 {
        parts.push((Role::Dim, format!("   trouble first {}", pen.glyphs.down)));
    }
    parts.push((Role::Dim, " ".to_owned()));
    let line = pen.line(parts.iter().map(|(role, text)| (*role, text.as_str())));
    pen.heading(buffer, body, model.pane == Pane::List, &line);
}

fn details(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect, report: &BoxReport) {
    let all = detail::lines(model, report, area.width.into());
    let room = usize::from(area.height.saturating_sub(1));
    let top = model.boxes.scroll.min(all.len().saturating_sub(room));
    let more = if top + room < all.len() { pen.glyphs.down } else { "" };
    let name = format!(" {} {more}", sanitize(&report.name));
    let focused = model.pane == Pane::Record;
    pen.heading(buffer, area, focused, &pen.line([(Role::Title, name.as_str())]));
    for (row, (role, text)) in all.iter().skip(top).take(room).enumerate() {
        pen.put(buffer, area, row as u16 + 1, &pen.line([(*role, text.as_str())]));
    }
}

/// Why there is no box to show, and what to do.
fn nothing(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let (role, text) = match (&model.overview.summary.load, &model.opening.load) {
        (Load::Failed(problem), _) | (_, Load::Failed(problem)) => (
            Role::Error,
            format!("failed to read the state of the boxes: {}\n{}", problem.text, problem.next),
        ),
        _ if model.overview.summary.value.is_some() && model.facts.fleet => (
            Role::Text,
            "The store has no box yet. `foureyes fleet publish` sends what a machine knows."
                .to_owned(),
        ),
        _ if model.overview.summary.value.is_some() => {
            let text = "No box is configured. `foureyes config init --box HOST` writes a configuration with one; `foureyes --from FILE` reads local logs.";
            (Role::Text, text.to_owned())
        }
        _ => (Role::Dim, "reading the logs…".to_owned()),
    };
    let text = model.facts.command_line.complete(&text);
    let block = escape::block(&text, "  ", usize::from(area.width));
    for (row, line) in block.lines().enumerate() {
        pen.put(buffer, area, row as u16, &pen.line([(role, line)]));
    }
}

/// State of the pull of a box; empty where none runs.
fn pulling(model: &Model, name: &str) -> String {
    match model.pulls.boxes.get(name).filter(|_| model.pulls.running) {
        Some(PullState::Connecting) => "connecting…".to_owned(),
        Some(PullState::Listing) => "listing…".to_owned(),
        Some(PullState::Fetching { got, of }) if *of > 0 => {
            format!("{} of {} kB", separated(got >> 10), separated(of >> 10))
        }
        Some(PullState::Fetching { got, .. }) => format!("{} kB", separated(got >> 10)),
        Some(PullState::Ended(_)) => "pulled".to_owned(),
        None => String::new(),
    }
}

/// A text from outside: secrets masked, nothing left that a terminal acts on.
fn sanitize(text: &str) -> String {
    escape::line(&mask::mask(text).0).into_owned()
}
