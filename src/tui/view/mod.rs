//! Draws the model. Reads it only; what it draws depends on nothing else.
//!
//! ```text
//! [1 Overview] 2 Queue 12  3 Records  7 Boxes                    7 days · 09:14Z    header
//!  ○ nothing blocks · window day 3 of 14 · 12 to label · data 22 s
//! ─ Queue 12 · newest ──────────────┬─ Verdict  Content  Diff  History  Raw ──────
//!  ✖ NO-GO 03:14 research/a.md      │ ✖ NO-GO  2026-11-21 03:14:22Z                  body
//! ✖ cannot reach small: …   esc closes                                                notice
//!  enter open  d seen  z later  / filter  ? help                                    footer
//! ```

pub(in crate::tui) mod footer;
pub(in crate::tui) mod header;
mod hints;
mod links;
pub(in crate::tui) mod notice;
mod overlay;

pub use links::links;

use super::layout;
use super::model::Model;
use super::screen;
use super::theme::Role;
use super::widget::Pen;
use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Position;

/// Draws one frame.
pub fn view(model: &Model, frame: &mut Frame<'_>) {
    let area = frame.area();
    let cursor = draw(model, frame.buffer_mut());
    if let Some(place) = cursor.filter(|p| area.contains(*p)) {
        frame.set_cursor_position(place);
    }
}

/// Draws into a buffer; gives where the terminal's cursor belongs, where a text is typed.
fn draw(model: &Model, buffer: &mut Buffer) -> Option<Position> {
    let pen = Pen::new(model);
    buffer.set_style(buffer.area, pen.style(Role::Text));
    // The buffer may be newer than the last size that the model received.
    let fits = buffer.area.width >= model.size.0 && buffer.area.height >= model.size.1;
    let areas = layout::areas(model).filter(|_| fits);
    let Some(areas) = areas else {
        too_small(&pen, buffer);
        return None;
    };
    header::draw(model, &pen, buffer, areas.header);
    screen::draw(model, &pen, buffer, areas.body);
    notice::draw(model, &pen, buffer, areas.notice);
    let typed = footer::draw(model, &pen, buffer, areas.footer);
    let typed = overlay::draw(model, &pen, buffer, areas.body).or(typed);
    if pen.glyphs.ellipsis.is_ascii() {
        plain_signs(&pen, buffer);
    }
    typed
}

/// Signs in sentences of ours, where the terminal takes only ASCII.
fn plain_signs(pen: &Pen<'_>, buffer: &mut Buffer) {
    for cell in &mut buffer.content {
        let plain = match cell.symbol() {
            "…" => pen.glyphs.ellipsis,
            "→" => pen.glyphs.arrow,
            "·" => pen.glyphs.separator,
            "–" => "-",
            _ => continue,
        };
        cell.set_symbol(plain);
    }
}

fn too_small(pen: &Pen<'_>, buffer: &mut Buffer) {
    let (width, height) = (buffer.area.width, buffer.area.height);
    let text =
        format!("too small: {width}x{height}, needs {}x{}", layout::LEAST.0, layout::LEAST.1);
    if height > 0 && width > 0 {
        buffer.set_stringn(0, 0, text, usize::from(width), pen.style(Role::Warning));
    }
}
