//! All messages of the run, in full.

use crate::text::escape;
use crate::tui::layout;
use crate::tui::model::{Level, Model, Notice};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, window};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Lines that the messages have, and lines of the screen for them: one at least, so that a terminal
/// that is too small to show any does not move them.
pub fn size(model: &Model) -> (usize, usize) {
    let body = layout::areas(model).map_or(Rect::ZERO, |a| a.body);
    let lines = lines(model, usize::from(body.width)).len();
    (lines, usize::from(body.height.saturating_sub(1)).max(1))
}

/// The messages, the newest first, each with its time, its text and what to do.
fn lines(model: &Model, width: usize) -> Vec<(Role, String)> {
    let mut lines = Vec::new();
    for notice in model.notices.all() {
        let role = match notice.level {
            Level::Note => Role::Text,
            Level::Warning => Role::Warning,
            Level::Error => Role::Error,
        };
        lines.extend(message_lines(notice, width).into_iter().map(|line| (role, line)));
    }
    if lines.is_empty() {
        lines.push((Role::Dim, "no message yet".to_owned()));
    }
    lines
}

fn message_lines(notice: &Notice, width: usize) -> Vec<String> {
    let mut text = notice.text.trim_end().to_owned();
    if notice.times > 1 {
        text.push_str(&format!(" (x{})", notice.times));
    }
    let time = notice.at.to_string();
    let head = time.get(11..16).unwrap_or_default();
    let gutter = format!("{:1$} | ", "", head.len());
    let block = escape::block(&text, &gutter, width.max(gutter.len() + 8));
    let mut lines: Vec<String> = block.lines().map(str::to_owned).collect();
    if let Some(first) = lines.first_mut() {
        // The gutter begins with blanks of the same width.
        first.replace_range(0..head.len(), head);
    }
    if !notice.next.is_empty() {
        lines.extend(next(&notice.next, head.len(), width));
    }
    lines
}

/// What to do. Its word is where the gutter of the message is, so that no message can say it.
fn next(text: &str, indent: usize, width: usize) -> Vec<String> {
    let label = format!("{:indent$} next: ", "");
    let gutter = format!("{:1$}| ", "", label.len() - 2);
    let block = escape::block(&escape::line(text), &gutter, width.max(gutter.len() + 8));
    let mut lines: Vec<String> = block.lines().map(str::to_owned).collect();
    if let Some(first) = lines.first_mut() {
        first.replace_range(0..label.len(), &label);
    }
    lines
}

/// Draws them from a line on.
pub(in crate::tui) fn draw(
    model: &Model,
    top: usize,
    pen: &Pen<'_>,
    buffer: &mut Buffer,
    body: Rect,
) {
    let count = model.notices.all().len();
    let lines = lines(model, usize::from(body.width));
    let room = usize::from(body.height.saturating_sub(1));
    let top = top.min(lines.len().saturating_sub(room));
    let left = lines.len().saturating_sub(top + room);
    let more = if left > 0 { format!(", {left} more lines") } else { String::new() };
    let title = format!("Messages {count}, newest first, UTC{more}");
    let inside = window(pen, buffer, body, &title);
    for (row, (role, line)) in lines.iter().skip(top).take(room).enumerate() {
        pen.put(buffer, inside, row as u16, &pen.line([(*role, line.as_str())]));
    }
}
