//! The rubric and the guideline: beside the item where there is room, else above it.

use super::window;
use crate::tui::model::{GuidePage, Model, Overlay};
use crate::tui::screen::guide::lines;
use crate::tui::view::layout;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Where it is: in place of the list, where the record is beside that.
fn place(model: &Model) -> Rect {
    let Some(areas) = layout::areas(model) else { return Rect::ZERO };
    let split = layout::split(areas.body, model.pane, model.screen);
    match (split.list, split.record) {
        (Some(list), Some(_)) if is_wide(model) => list,
        _ => areas.body,
    }
}

/// So narrow a list is no place to read a text.
const READABLE: u16 = 44;

fn is_wide(model: &Model) -> bool {
    let Some(areas) = layout::areas(model) else { return false };
    let split = layout::split(areas.body, model.pane, model.screen);
    split.record.is_some() && split.list.is_some_and(|list| list.width >= READABLE)
}

/// Whether the item is beside it.
pub fn is_beside(model: &Model) -> bool {
    model.list().is_some() && is_wide(model)
}

fn page(model: &Model) -> (GuidePage, usize) {
    match model.overlay {
        Some(Overlay::Guide { page, top }) => (page, top),
        _ => (GuidePage::default(), 0),
    }
}

/// Lines that it has, and lines of the screen for them: one at least.
pub fn size(model: &Model) -> (usize, usize) {
    let area = place(model);
    let lines = lines(model, page(model).0, usize::from(area.width)).len();
    (lines, usize::from(area.height.saturating_sub(1)).max(1))
}

/// Draws it from a line on.
pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer) {
    let area = place(model);
    let (page, top) = page(model);
    let lines = lines(model, page, usize::from(area.width));
    let room = usize::from(area.height.saturating_sub(1));
    let top = top.min(lines.len().saturating_sub(room));
    let left = lines.len().saturating_sub(top + room);
    let more = if left > 0 { format!(", {left} more lines") } else { String::new() };
    let title = format!("[{}] {}{more}", page.title(), page.other().title());
    let inside = window(pen, buffer, area, &title);
    for (row, line) in lines.iter().skip(top).take(room).enumerate() {
        let parts = line.iter().map(|(role, text)| Span::styled(text.as_str(), pen.style(*role)));
        pen.put(buffer, inside, row as u16, &Line::from(parts.collect::<Vec<_>>()));
    }
}
