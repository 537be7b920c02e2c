//! How a task on a box goes: its steps, and what came of it.

use crate::text::{CommandLine, escape};
use crate::tui::layout;
use crate::tui::model::{BoxRun, BoxRunState, Model};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, window};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Lines that it has, and lines of the screen for them: one at least.
pub fn size(model: &Model) -> (usize, usize) {
    let body = layout::areas(model).map_or(Rect::ZERO, |a| a.body);
    let lines = model
        .boxes
        .run
        .as_ref()
        .map_or(0, |run| lines(run, model.facts.command_line, body.width.into()).len());
    (lines, usize::from(body.height.saturating_sub(1)).max(1))
}

fn lines(run: &BoxRun, command_line: CommandLine, width: usize) -> Vec<(Role, String)> {
    let mut lines = Vec::new();
    let mut block = |role, text: &str| {
        lines.extend(text.lines().map(|line| (role, line.to_owned())));
    };
    let wrapped = |text: &str| escape::block(text, " ", width.max(9));
    for (at, (time, step)) in run.steps.iter().enumerate() {
        let last = at + 1 == run.steps.len();
        let (role, word) = match &run.state {
            BoxRunState::Ended(end) if last && !end.succeeded => (Role::Error, "failed"),
            BoxRunState::Running | BoxRunState::Cancelling if last => (Role::Notice, "now"),
            _ => (Role::Text, "done"),
        };
        let time = time.to_string();
        let head = format!(" {}  {word:<6}  ", time.get(11..16).unwrap_or_default());
        let indent = " ".repeat(head.len());
        let text = escape::block(&escape::line(step), &indent, width.max(indent.len() + 8));
        let text = text.strip_prefix(&indent).unwrap_or(&text);
        block(role, &format!("{head}{text}"));
    }
    match &run.state {
        BoxRunState::Running if run.steps.is_empty() => block(Role::Dim, &wrapped("connecting …")),
        BoxRunState::Running => {}
        BoxRunState::Cancelling => {
            block(Role::Warning, &wrapped("cancelling: waiting for the box to confirm its mode"));
        }
        BoxRunState::Ended(end) => {
            block(Role::Text, &wrapped(""));
            let (role, word) = match end.succeeded {
                true => (Role::Go, "done"),
                false => (Role::Error, "failed"),
            };
            block(role, &wrapped(word));
            for line in command_line.complete(&end.report).lines() {
                block(Role::Text, &wrapped(line));
            }
            if let Some(problem) = &end.problem {
                block(Role::Error, &wrapped(&escape::line(&problem.text)));
                if !problem.next.is_empty() {
                    let next = command_line.complete(&problem.next);
                    block(Role::Text, &wrapped(&format!("next: {}", escape::line(&next))));
                }
            }
        }
    }
    lines
}

/// Keys that hold while it is open.
pub(in crate::tui) fn keys(model: &Model) -> &'static [(&'static str, &'static str)] {
    match model.boxes.run.as_ref().is_some_and(BoxRun::is_running) {
        true => &[("esc", "close; it goes on"), ("ctrl-c", "cancel it"), ("up/down", "scroll")],
        false => &[("esc", "close"), ("up/down", "scroll")],
    }
}

/// Draws it from a line on.
pub(in crate::tui) fn draw(
    model: &Model,
    top: usize,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) {
    let Some(run) = &model.boxes.run else { return };
    let lines = lines(run, model.facts.command_line, usize::from(body.width));
    let room = usize::from(body.height.saturating_sub(1));
    let top = top.min(lines.len().saturating_sub(room));
    let left = lines.len().saturating_sub(top + room);
    let more = if left > 0 { format!(", {left} more lines") } else { String::new() };
    let title = format!("{}: {}{more}", run.task.title(), escape::line(&run.box_name));
    let inside = window(pen, buffer, body, &title);
    for (row, (role, line)) in lines.iter().skip(top).take(room).enumerate() {
        pen.put(buffer, inside, row as u16, &pen.line([(*role, line.as_str())]));
    }
}
