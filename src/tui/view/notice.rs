//! The last notice that was not dismissed, above the keys.

use crate::report::visible;
use crate::tui::action::Action;
use crate::tui::model::{Level, Model, Notice};
use crate::tui::theme::Role;
use crate::tui::update::place;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Lines that the notice takes at a width.
pub(super) fn lines(model: &Model, width: u16) -> u16 {
    let Some(text) = shown(model, width) else { return 0 };
    let gutter = "  ";
    let block = visible::block(&text, gutter, usize::from(width));
    u16::try_from(block.lines().count()).unwrap_or(u16::MAX).max(1)
}

/// The last notice; where there is none, the hint of the screen.
fn shown(model: &Model, width: u16) -> Option<String> {
    let notice = model.notices.current().map(|notice| text(model, notice));
    notice.or_else(|| super::hint::text(model, width))
}

/// What the notice says: what happened, what to do, how to dismiss it.
fn text(model: &Model, notice: &Notice) -> String {
    let mut text = visible::line(&notice.text).into_owned();
    if notice.times > 1 {
        text.push_str(&format!(" (x{})", notice.times));
    }
    if !notice.next.is_empty() {
        text.push_str(&format!(" - {}", visible::line(&notice.next)));
    }
    if notice.level > Level::Note {
        let key = model.keymap.hint(place(model), Action::Dismiss);
        let more = model.notices.open().saturating_sub(1);
        if let Some(key) = key {
            text.push_str(&format!("  [{key} dismisses"));
            if more > 0 {
                text.push_str(&format!(", {more} more"));
            }
            text.push(']');
        }
    }
    text
}

pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let Some(text) = shown(model, area.width) else { return };
    let (role, sign) = match model.notices.current().map(|notice| notice.level) {
        Some(Level::Note) => (Role::Notice, pen.glyphs.bullet),
        Some(Level::Warning) => (Role::Warning, "!"),
        Some(Level::Error) => (Role::Error, "!"),
        None => (Role::Dim, pen.glyphs.bullet),
    };
    let block = visible::block(&text, "  ", usize::from(area.width));
    let lines: Vec<&str> = block.lines().collect();
    let room = usize::from(area.height);
    for (row, line) in lines.iter().take(room).enumerate() {
        let cut = row + 1 == room && lines.len() > room;
        let mut shown = match row {
            // The gutter of an empty line may be cut off.
            0 => format!("{sign}{}", line.get(1..).unwrap_or_default()),
            // Words from outside never begin a line.
            _ => format!("{}{}", pen.glyphs.gutter, line.get(1..).unwrap_or_default()),
        };
        if cut {
            shown.push_str(" … (all of it among the messages)");
        }
        let line = pen.line([(role, shown.as_str())]);
        pen.put(buffer, area, row as u16, &line);
    }
}
