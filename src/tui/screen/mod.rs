//! What each screen shows, and what of it can be chosen. Queue and Records share one module, Calibration
//! and Readiness another.

pub mod assess;
pub mod box_run;
pub mod boxes;
mod claims;
pub(in crate::tui) mod empty_state;
pub mod guide;
pub(in crate::tui) mod label;
pub mod messages;
mod overrides;
pub mod overview;
pub(in crate::tui) mod page_cursor;
pub(in crate::tui::screen) mod page_view;
pub(in crate::tui) mod picks;
pub mod record;
pub mod records;
pub mod runs;
pub(in crate::tui) mod sitting;
pub(in crate::tui) mod trends;

use crate::tui::model::{Model, Screen};
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws the screen that is shown.
pub(in crate::tui) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    match model.screen {
        Screen::Overview => overview::draw(model, pen, buffer, area),
        Screen::Queue | Screen::Records => records::draw(model, pen, buffer, area),
        Screen::Calibration | Screen::Readiness if model.picks.mode.is_some() => {
            picks::draw(model, pen, buffer, area);
        }
        Screen::Calibration | Screen::Readiness => assess::draw(model, pen, buffer, area),
        Screen::Runs => runs::draw(model, pen, buffer, area),
        Screen::Boxes => boxes::draw(model, pen, buffer, area),
        Screen::Trends => trends::draw(model, pen, buffer, area),
    }
}
