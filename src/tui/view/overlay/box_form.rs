//! What is confirmed before a task changes a box.

use crate::text::escape;
use crate::tui::model::{BoxForm, BoxTask};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, fit, fit_end, window};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;

/// Keys that hold while it is open.
pub(super) fn keys(form: &BoxForm) -> &'static [(&'static str, &'static str)] {
    match form.boxes.len() > 1 {
        true => &[("ctrl-s", "begin"), ("esc", "cancel"), ("tab", "other box")],
        false => &[("ctrl-s", "begin"), ("esc", "cancel")],
    }
}

/// Draws the form; gives where a text is typed in it.
pub(super) fn draw(
    form: &BoxForm,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) -> Option<Position> {
    let inside = window(pen, buffer, body, &form.title());
    let width = usize::from(inside.width);
    let (mut lines, cursor) = fields(form, pen, width);
    lines.push(Line::default());
    steps(form, pen, width, &mut lines);
    for (row, line) in lines.iter().take(usize::from(inside.height)).enumerate() {
        pen.put(buffer, inside, row as u16, line);
    }
    let cursor = Position { x: inside.x + cursor as u16, y: inside.y + 1 };
    (inside.height > 1).then_some(cursor)
}

/// Box, typed line and what is missing; with the column of the cursor in the second line.
fn fields(form: &BoxForm, pen: &Pen<'_>, width: usize) -> (Vec<Line<'static>>, usize) {
    let name = escape::line(form.box_name());
    let others = match form.boxes.len() {
        0 | 1 => String::new(),
        count => format!("  ({} of {count}; tab: other box)", form.chosen + 1),
    };
    let mut lines: Vec<Line<'static>> = Vec::new();
    lines.push(pen.line([
        (Role::Dim, " box      "),
        (Role::Text, fit(&name, width.saturating_sub(10)).as_str()),
        (Role::Dim, others.as_str()),
    ]));
    let label = match form.task {
        BoxTask::Enable => " confirm  ",
        BoxTask::RollBack | BoxTask::Check => " reason   ",
    };
    let input = &form.input;
    let before: String = input.value().chars().take(input.cursor()).collect();
    let before = escape::line(&before).into_owned();
    let room = width.saturating_sub(label.len() + 1).max(4);
    let shown = match escape::width(&before) < room {
        true => fit(&escape::line(input.value()), room),
        false => fit_end(&before, room),
    };
    lines.push(pen.line([(Role::Dim, label), (Role::Text, shown.as_str())]));
    let (role, next) = match form.problem() {
        Some(problem) => (Role::Warning, problem),
        None if form.task == BoxTask::Enable => (Role::Key, "ctrl-s: begin"),
        None => (Role::Key, "ctrl-s: roll back (a reason is optional)"),
    };
    lines.push(pen.line([(Role::Dim, "          "), (role, next)]));
    (lines, label.len() + escape::width(&before).min(room))
}

/// What happens, in order.
fn steps(form: &BoxForm, pen: &Pen<'_>, width: usize, lines: &mut Vec<Line<'static>>) {
    for (at, step) in form.task.steps().iter().enumerate() {
        let text = escape::block(step, "", width.saturating_sub(5).max(8));
        for (row, text) in text.lines().enumerate() {
            let start = if row == 0 { format!(" {}. ", at + 1) } else { "    ".to_owned() };
            lines.push(pen.line([(Role::Dim, start.as_str()), (Role::Text, text)]));
        }
    }
    if form.task == BoxTask::Enable {
        let text = "If anything fails, or you cancel, the box returns to the mode it has now.";
        lines.push(Line::default());
        for text in escape::block(text, " ", width).lines() {
            lines.push(pen.line([(Role::Dim, text)]));
        }
    }
}
