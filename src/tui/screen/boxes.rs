//! Where the records come from, and how fresh they are.

use crate::domain::{BoxReport, BoxState};
use crate::report::visible;
use crate::tui::model::{Model, PullState};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, cell, counted};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Boxes that can be selected.
pub fn lines(model: &Model) -> usize {
    boxes(model).len()
}

/// The filter for the records of the selected box.
pub fn target(model: &Model) -> Option<String> {
    let name = &boxes(model).get(model.box_cursor)?.name;
    Some(crate::overview::of_box(name).to_string())
}

fn boxes(model: &Model) -> &[BoxReport] {
    model.overview.summary.value.as_ref().map_or(&[], |t| t.boxes.as_slice())
}

/// Draws a line a box, and all that is known of the selected one below.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let boxes = boxes(model);
    let heading = format!(" Boxes {} ", boxes.len());
    pen.heading(buffer, body, true, &pen.line([(Role::Title, heading.as_str())]));
    let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
    if boxes.is_empty() {
        let text = "  nothing is known of the boxes yet";
        pen.put(buffer, inside, 1, &pen.line([(Role::Dim, text)]));
        return;
    }
    let shown = boxes.len().min(usize::from(inside.height) / 2).max(1);
    let top = (model.box_cursor + 1).saturating_sub(shown);
    for (row, (at, report)) in boxes.iter().enumerate().skip(top).take(shown).enumerate() {
        let role = match report.state {
            BoxState::Ok => Role::Go,
            BoxState::Stale => Role::Stale,
            BoxState::Empty => Role::Warning,
        };
        let cursor = if at == model.box_cursor { pen.glyphs.cursor } else { " " };
        let line = pen.line([
            (Role::Mark, cursor),
            (Role::Text, cell(&report.name, 16).as_str()),
            (role, cell(&freshness(report), 26).as_str()),
            (Role::Dim, cell(&holdings(report), 28).as_str()),
            (Role::Notice, pulling(model, &report.name).as_str()),
        ]);
        pen.put(buffer, inside, row as u16, &line);
        if at == model.box_cursor {
            let place = Rect { y: inside.y + row as u16, height: 1, ..inside };
            buffer.set_style(place, pen.style(Role::Selection));
        }
    }
    let below = Rect {
        y: inside.y + shown as u16,
        height: inside.height.saturating_sub(shown as u16),
        ..inside
    };
    if let Some(report) = boxes.get(model.box_cursor) {
        detail(report, pen, buffer, below);
    }
}

fn detail(report: &BoxReport, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let name = format!(" {} ", visible::line(&report.name));
    pen.heading(buffer, area, false, &pen.line([(Role::Title, name.as_str())]));
    let mut row = 1;
    let mut say = |role, text: &str| {
        for line in visible::block(text, " | ", usize::from(area.width)).lines() {
            pen.put(buffer, area, row, &pen.line([(role, line)]));
            row += 1;
        }
    };
    say(Role::Text, &format!("{}; {}", freshness(report), holdings(report)));
    match &report.error {
        Some(error) => say(Role::Error, &format!("last pull failed: {error}")),
        None => say(Role::Dim, "the last pull worked"),
    }
    for notice in &report.notices {
        say(Role::Warning, notice);
    }
}

fn freshness(report: &BoxReport) -> String {
    crate::report::freshness(report)
}

fn holdings(report: &BoxReport) -> String {
    let records = counted(report.records as usize, "record", "records");
    format!("{records} in {}", counted(report.files as usize, "file", "files"))
}

/// How the pull of a box stands.
fn pulling(model: &Model, name: &str) -> String {
    match model.pulls.boxes.get(name) {
        Some(PullState::Connecting) => "connecting…".to_owned(),
        Some(PullState::Listing) => "listing…".to_owned(),
        Some(PullState::Fetching { got, of }) if *of > 0 => {
            format!("{} of {} kB", got >> 10, of >> 10)
        }
        Some(PullState::Fetching { got, .. }) => format!("{} kB", got >> 10),
        Some(PullState::Ended(_)) | None => String::new(),
    }
}
