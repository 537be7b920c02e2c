//! The numbered list of reasons, above the line that searches it.

use super::prompt::typed;
use crate::text::escape;
use crate::tui::model::{Menu, Model};
use crate::tui::theme::Role;
use crate::tui::update::{reason_menu, reasons};
use crate::tui::widget::{Pen, cell, fit};
use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::widgets::{Clear, Widget};

/// The words in front of the search.
const LABEL: &str = "reason: ";

/// Draws the line that searches, and below it what the keys do.
pub(super) fn line(menu: &Menu, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) -> Position {
    let (place, _) = typed(pen, buffer, area, (Role::Key, LABEL), &menu.input);
    let keys = ["1-9: choose", "type to search", "0: no reason", "esc: back to the note"];
    let words = keys.join(&format!(" {} ", pen.glyphs.separator));
    let words = fit(&words, usize::from(area.width));
    pen.put(buffer, area, 1, &pen.line([(Role::Dim, words.as_str())]));
    place
}

/// Draws the reasons above it, each with its number.
pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let (found, Some(menu)) = (reasons(model), reason_menu(model)) else { return };
    let rows = found.len().max(1).min(usize::from(body.height.saturating_sub(1)).max(1));
    let height = u16::try_from(rows).unwrap_or(body.height);
    let area = Rect { y: body.y + body.height.saturating_sub(height), height, ..body };
    Clear.render(area, buffer);
    buffer.set_style(area, pen.style(Role::Text));
    if found.is_empty() {
        pen.put(buffer, area, 0, &pen.line([(Role::Dim, "   no reason matches")]));
    }
    let longest = found.iter().map(|reason| escape::width(&reason.code)).max().unwrap_or(0);
    let column = longest.min(usize::from(area.width) / 2) + 2;
    let cursor = menu.cursor.min(found.len().saturating_sub(1));
    let top = (cursor + 1).saturating_sub(rows);
    for (row, (at, reason)) in found.iter().enumerate().skip(top).take(rows).enumerate() {
        let number = if at < 9 { format!(" {} ", at + 1) } else { "   ".to_owned() };
        let room = usize::from(area.width).saturating_sub(column + 4);
        let line = pen.line([
            (Role::Key, number.as_str()),
            (Role::Text, cell(&fit(&reason.code, column - 1), column).as_str()),
            (Role::Dim, fit(&reason.meaning, room).as_str()),
        ]);
        pen.put(buffer, area, row as u16, &line);
        if at == cursor {
            let place = Rect { y: area.y + row as u16, height: 1, ..area };
            buffer.set_style(place, pen.style(Role::Selection));
            buffer.set_stringn(place.x, place.y, pen.glyphs.cursor, 1, pen.style(Role::Selection));
        }
    }
}
