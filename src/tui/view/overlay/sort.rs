//! By which column the list is ordered, and which columns it shows.

use crate::domain::Column;
use crate::tui::model::{List, Model};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, cell};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};
use ratatui::widgets::{Clear, Widget};

/// Columns of the terminal for each.
const CELL: usize = 13;

/// What stands before the first line of them.
const TITLE: &str = " Sort and columns ";

/// Draws the columns of the list above the last lines of the screen.
pub(super) fn draw(model: &Model, cursor: usize, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let Some(list) = model.list() else { return };
    let width = usize::from(body.width);
    // So narrow, they stand below their title.
    let indent = if width >= TITLE.len() + 3 * CELL { TITLE.len() } else { 1 };
    let each_line = (width.saturating_sub(indent) / CELL).clamp(1, 5);
    let above = usize::from(indent == 1);
    let lines = Column::ALL.len().div_ceil(each_line) + above;
    let height = u16::try_from(lines).unwrap_or(u16::MAX).min(body.height);
    let area = Rect { y: body.bottom() - height, height, ..body };
    Clear.render(area, buffer);
    buffer.set_style(area, pen.style(Role::Text));
    pen.put(buffer, area, 0, &pen.line([(Role::Title, TITLE)]));
    for (at, columns) in Column::ALL.chunks(each_line).enumerate() {
        let cells = columns
            .iter()
            .zip(at * each_line..)
            .map(|(column, at)| one(list, *column, at, at == cursor, pen));
        let mut parts: Vec<Span<'static>> = cells.flatten().collect();
        if at > 0 || indent == 1 {
            parts.insert(0, Span::raw(" ".repeat(indent)));
        }
        let area = if at == 0 && indent > 1 {
            Rect { x: area.x + indent as u16, width: area.width - indent as u16, ..area }
        } else {
            area
        };
        pen.put(buffer, area, (at + above) as u16, &Line::from(parts));
    }
}

/// A column: its number and name, whether it is shown, and whether the list is ordered by it.
fn one(
    list: &List,
    column: Column,
    at: usize,
    selected: bool,
    pen: &Pen<'_>,
) -> [Span<'static>; 3] {
    let before = if selected { pen.glyphs.cursor } else { " " };
    let shown = list.columns.contains(&column);
    let sorted = match list.sort.column == column {
        true if list.sort.is_reversed => pen.glyphs.reversed,
        true => pen.glyphs.sorted,
        false => "",
    };
    let mark = if shown { pen.glyphs.mark(crate::tui::theme::Sign::Go) } else { "" };
    let role = if selected { Role::Key } else { Role::Text };
    let text = format!("{} {mark}{sorted}", column.head());
    [
        pen.span(role, before),
        pen.span(Role::Dim, &format!("{} ", at + 1)),
        pen.span(role, &cell(&text, CELL - 3)),
    ]
}
