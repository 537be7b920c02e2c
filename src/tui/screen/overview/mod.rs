//! What happened, at a glance.
//!
//! The page is made once for its documents and a width; drawing takes the rows that are on the screen.
//! Whatever leads to records is a stop: the cursor goes from one to the next, and between the cells of a
//! stop.

mod build;
mod state;

pub(in crate::tui) use build::{answer, ready};
pub(in crate::tui::screen) use state::unread;

use crate::answers::overview::PICKS;
use crate::answers::triage::headline::counted_window;
use crate::answers::triage::kpis;
use crate::domain::{JudgementKind, Triage};
use crate::tui::model::{Load, Model};
use crate::tui::screen::page_view::{PageView, room};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use std::sync::Arc;

/// Stops of the overview's cursor; those that show a figure lead to records.
pub fn figures(model: &Model) -> usize {
    model.overview.page.stops.len()
}

/// Cells of the selected stop of the page on the screen.
pub fn cells(model: &Model) -> usize {
    PageView::on_screen(model).cells()
}

/// The filter for the records behind the selected figure of the page on the screen.
pub fn target(model: &Model) -> Option<String> {
    PageView::on_screen(model).target().map(|link| link.query.clone())
}

/// The number that is on the selected figure: so many records its filter finds. `None` where
/// the screen names none.
pub fn count(model: &Model) -> Option<u64> {
    PageView::on_screen(model).target().and_then(|link| link.count)
}

/// The family whose readiness the selected stop tells; `None` where it tells none.
pub fn answer_of(model: &Model) -> Option<JudgementKind> {
    let stop = &PageView::overview(model).selected_stop()?.stop;
    kpis::family(stop.id.block).filter(|_| stop.id.row == kpis::ANSWER)
}

/// Whether the selected stop tells of the judge of memories.
pub fn is_of_picks(model: &Model) -> bool {
    let stop = PageView::overview(model).selected_stop();
    stop.is_some_and(|placed| placed.stop.id.row == PICKS)
}

/// Draws the overview, or why it is empty.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    heading(model, pen, buffer, body);
    let inside = room(body);
    if state::draw(model, pen, buffer, inside) {
        return;
    }
    let at = PageView::overview(model);
    at.rows(pen, buffer, inside);
    at.draw_status(pen, buffer, body);
}

fn heading(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let overview = &model.overview;
    let counted = |triage: &Arc<Triage>| counted_window(triage).raw();
    let about = overview.summary.value.as_ref().map(counted).unwrap_or_default();
    let (role, state) = match (&overview.summary.load, &overview.breakdowns.load) {
        (Load::Failed(_), _) | (_, Load::Failed(_)) => (Role::Error, " counting failed "),
        (Load::Busy, _) | (_, Load::Busy) => (Role::Notice, " counting… "),
        _ => (Role::Dim, ""),
    };
    let mut parts = vec![(Role::Title, " Overview ")];
    if overview.summary.value.is_some() {
        parts.push((role, state));
        parts.push((Role::Dim, about.as_str()));
        parts.push((Role::Dim, " "));
    }
    pen.heading(buffer, body, true, &pen.line(parts));
    if overview.summary.value.is_some() {
        PageView::overview(model).more(pen, buffer, body);
    }
}
