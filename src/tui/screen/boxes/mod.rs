//! Where the records come from, and how fresh they are.

mod detail;

use crate::answers::triage::boxes;
use crate::domain::BoxReport;
use crate::report::mask;
use crate::text::{escape, separated};
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{Load, Model, Pane, PullState};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, cell, fit};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

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

fn boxes(model: &Model) -> &[BoxReport] {
    model.overview.summary.value.as_ref().map_or(&[], |t| t.boxes.as_slice())
}

fn selected(model: &Model) -> Option<&BoxReport> {
    let boxes = boxes(model);
    boxes.get(model.boxes.cursor.min(boxes.len().saturating_sub(1)))
}

/// Asks for the pull log of the selected box where it is another one's, or older than the archive.
pub(in crate::tui) fn ready(model: &mut Model, edition: u64) -> Option<Effect> {
    let box_name = selected(model).filter(|_| !model.facts.fleet)?.name.clone();
    let ask = model.boxes.ask(&box_name, edition);
    ask.then_some(Effect::PullLog { box_name })
}

/// Scrolls the details; the end holds.
pub(in crate::tui) fn scroll(model: &mut Model, by: isize) {
    let Some(areas) = layout::areas(model) else { return };
    let below = parts(model, areas.body).1;
    let lines = selected(model).map_or(0, |r| detail::lines(model, r, below.width.into()).len());
    let last = lines.saturating_sub(usize::from(below.height.saturating_sub(1)));
    let scroll = &mut model.boxes.scroll;
    *scroll = (*scroll).min(last).saturating_add_signed(by).min(last);
}

/// The list and, below it, the details, its heading on the first line.
fn parts(model: &Model, body: Rect) -> (Rect, Rect) {
    let room = body.height.saturating_sub(1);
    let shown = (lines(model).min(usize::from(room)) as u16).min((room / 3).max(1));
    let list = Rect { y: body.y + 1, height: shown.min(room), ..body };
    let below = Rect { y: list.y + list.height, height: room - list.height, ..body };
    (list, below)
}

/// Draws a line a box, and all that is known of the selected one below.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let boxes = boxes(model);
    let heading = format!(" Boxes {} ", boxes.len());
    let on_list = model.pane == Pane::List;
    pen.heading(buffer, body, on_list, &pen.line([(Role::Title, heading.as_str())]));
    let Some(report) = selected(model) else {
        let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
        nothing(model, pen, buffer, inside);
        return;
    };
    let (list, below) = parts(model, body);
    let (cursor, room) = (model.boxes.cursor.min(boxes.len() - 1), usize::from(list.height));
    let top = (cursor + 1).saturating_sub(room);
    let widest = boxes.iter().map(|b| escape::width(&sanitize(&b.name))).max().unwrap_or(0);
    let name = widest.clamp(4, (usize::from(body.width) / 3).max(4)) + 1;
    for (row, (at, report)) in boxes.iter().enumerate().skip(top).take(room).enumerate() {
        line(
            model,
            pen,
            buffer,
            Rect { y: list.y + row as u16, height: 1, ..list },
            (at == cursor, report),
            name,
        );
    }
    details(model, pen, buffer, below, report);
}

fn line(
    model: &Model,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    place: Rect,
    (here, report): (bool, &BoxReport),
    name: usize,
) {
    let fresh = boxes::freshness(report.state, report.age_at(model.now)).raw();
    let role = boxes::state_role(report.state);
    let pulling = pulling(model, &report.name);
    let (mode_role, mode) = mode(model, &report.name);
    let line = pen.line([
        (Role::Mark, if here { pen.glyphs.cursor } else { " " }),
        (Role::Text, " "),
        (Role::Text, cell(&fit(&sanitize(&report.name), name - 1), name).as_str()),
        (role, cell(&fresh, 24).as_str()),
        (mode_role, mode),
        (Role::Notice, if pulling.is_empty() { "" } else { pulling.as_str() }),
        (Role::Text, if pulling.is_empty() { "" } else { "  " }),
        (Role::Dim, boxes::holdings(report).raw().as_str()),
    ]);
    pen.put(buffer, place, 0, &line);
    if here {
        buffer.set_style(place, pen.style(Role::Selection));
    }
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

/// That a box blocks, and that READY is withdrawn from it; empty where it does not.
fn mode(model: &Model, name: &str) -> (Role, &'static str) {
    let modes = model.modes();
    match modes.of_box(name).filter(|of| of.blocks) {
        None => (Role::Text, ""),
        Some(of) if model.is_withdrawn_from(&modes, of) => {
            (Role::Error, "BLOCKS, READY withdrawn  ")
        }
        Some(_) => (Role::Warning, "BLOCKS  "),
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
        Some(PullState::Fetching { got, .. }) => format!("{} kB", got >> 10),
        Some(PullState::Ended(_)) => "pulled".to_owned(),
        None => String::new(),
    }
}

/// A text from outside: secrets masked, nothing left that a terminal acts on.
fn sanitize(text: &str) -> String {
    escape::line(&mask::mask(text).0).into_owned()
}
