//! The last notice that was not dismissed, above the keys.

use crate::tui::layout::notice::wrapped;
use crate::tui::model::{Level, Model};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let (role, sign) = match model.notices.current().map(|notice| notice.level) {
        Some(Level::Note) => (Role::Notice, pen.glyphs.bullet),
        Some(Level::Warning) => (Role::Warning, "!"),
        Some(Level::Error) => (Role::Error, "!"),
        None => (Role::Dim, pen.glyphs.bullet),
    };
    for (row, line) in wrapped(model, area.width).iter().take(area.height.into()).enumerate() {
        // Words from outside never begin a line.
        let start = if row == 0 { sign } else { pen.glyphs.gutter };
        pen.put(buffer, area, row as u16, &pen.line([(role, start), (role, " "), (role, line)]));
    }
}
