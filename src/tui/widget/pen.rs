//! Styled pieces of text, by what they mean.

use crate::text::escape;
use crate::tui::model::Model;
use crate::tui::theme::{Glyphs, Role, Sign, Theme};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::Style;
use ratatui::text::{Line, Span};

/// What everything is drawn with: meanings to styles, signs to characters.
#[derive(Debug, Clone, Copy)]
pub struct Pen<'a> {
    /// Styles by role.
    pub theme: &'a Theme,
    /// Characters for signs, bars and borders.
    pub glyphs: &'static Glyphs,
}

impl<'a> Pen<'a> {
    /// The pen of a model.
    pub fn new(model: &'a Model) -> Self {
        Self { theme: &model.theme, glyphs: model.glyphs }
    }

    /// The style of a meaning.
    pub fn style(&self, role: Role) -> Style {
        self.theme.style(role)
    }

    /// A piece of text; whatever is hostile in it is made harmless.
    pub fn span(&self, role: Role, text: &str) -> Span<'static> {
        Span::styled(escape::line(text).into_owned(), self.style(role))
    }

    /// A line of pieces.
    pub fn line<'p>(&self, parts: impl IntoIterator<Item = (Role, &'p str)>) -> Line<'static> {
        Line::from(parts.into_iter().map(|(role, text)| self.span(role, text)).collect::<Vec<_>>())
    }

    /// Writes a line at a place, cut at the edge of the area.
    pub fn put(&self, buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) {
        if row < area.height {
            buffer.set_line(area.x, area.y + row, line, area.width);
        }
    }

    /// Writes a line that ends at the right edge; gives the columns left before it.
    pub fn put_right(&self, buffer: &mut Buffer, area: Rect, row: u16, line: &Line<'_>) -> u16 {
        let width = (line.width().min(usize::from(area.width))) as u16;
        if row < area.height {
            buffer.set_line(area.x + area.width - width, area.y + row, line, width);
        }
        area.width - width
    }

    /// Writes a rule with words in it: the heading of a pane.
    pub fn heading(&self, buffer: &mut Buffer, area: Rect, focused: bool, words: &Line<'_>) {
        if area.height == 0 {
            return;
        }
        let role = if focused { Role::BorderFocus } else { Role::Border };
        let rule = self.glyphs.rule.repeat(usize::from(area.width));
        buffer.set_stringn(area.x, area.y, rule, usize::from(area.width), self.style(role));
        if area.width > 2 {
            buffer.set_line(area.x + 1, area.y, words, area.width - 2);
        }
    }

    /// Writes the heading of a pane that has no rule: dim where the keys are elsewhere.
    pub fn title(&self, buffer: &mut Buffer, area: Rect, focused: bool, words: &Line<'_>) {
        self.put(buffer, area, 0, words);
        if !focused && area.height > 0 {
            buffer.set_style(Rect { height: 1, ..area }, self.style(Role::Dim));
        }
    }

    /// The sign of a record, as `width` columns.
    pub fn sign(&self, sign: Sign, width: usize) -> Span<'static> {
        Span::styled(super::cell(self.glyphs.sign(sign), width), self.style(sign.role()))
    }

    /// Writes the line between two panes.
    pub fn rule(&self, buffer: &mut Buffer, x: u16, area: Rect) {
        for y in area.y..area.y + area.height {
            buffer.set_stringn(x, y, self.glyphs.gutter, 1, self.style(Role::Border));
        }
    }
}
