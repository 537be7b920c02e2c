//! The lines of a form: a label of ours and a text beside it.

use crate::text::escape;
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, fit, fit_end};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::text::Line;
use tui_input::Input;

/// Lines of a form, top to bottom.
pub(super) struct FormLines<'a> {
    pub(super) pen: &'a Pen<'a>,
    pub(super) width: usize,
    /// Columns of the labels.
    pub(super) label: usize,
    pub(super) lines: Vec<Line<'static>>,
    /// Where a text is typed.
    cursor: Option<(usize, usize)>,
}

impl<'a> FormLines<'a> {
    /// None yet, for a place of the screen.
    pub(super) fn new(pen: &'a Pen<'a>, inside: Rect, label: usize) -> Self {
        Self { pen, width: usize::from(inside.width), label, lines: Vec::new(), cursor: None }
    }

    /// Draws them; gives where a text is typed.
    pub(super) fn draw(&self, buffer: &mut Buffer, inside: Rect) -> Option<Position> {
        for (row, line) in self.lines.iter().enumerate() {
            self.pen.put(buffer, inside, row as u16, line);
        }
        let (x, y) = self.cursor?;
        Some(Position { x: inside.x + x as u16, y: inside.y + y as u16 })
    }

    /// A label of ours, and a text that may be from outside.
    pub(super) fn text(&mut self, role: Role, label: &str, text: &str) {
        let room = self.width.saturating_sub(self.label + 3).max(8);
        let block = escape::block(&escape::line(text), "", room);
        for (at, line) in block.lines().take(4).enumerate() {
            let label = if at == 0 { label } else { "" };
            let start = format!("  {label:<0$}", self.label);
            self.lines.push(self.pen.line([(Role::Dim, start.as_str()), (role, line)]));
        }
    }

    /// A line that can be typed.
    pub(super) fn typed(&mut self, label: &str, input: &Input, here: bool) {
        let cursor = if here { self.pen.glyphs.cursor } else { " " };
        let room = self.width.saturating_sub(self.label + 4).max(4);
        let text = input.value();
        let before: String = text.chars().take(input.cursor()).collect();
        let shown = match escape::width(&escape::line(&before)) < room {
            true => fit(text, room),
            false => fit_end(&before, room),
        };
        let columns = escape::width(&escape::line(&before)).min(room);
        if here {
            self.cursor = Some((self.label + 2 + columns, self.lines.len()));
        }
        let label = format!(" {label:<0$}", self.label);
        let parts = [(Role::Mark, cursor), (Role::Dim, &label), (Role::Text, shown.as_str())];
        self.lines.push(self.pen.line(parts));
    }
}
