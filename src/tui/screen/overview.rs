//! What happened, at a glance.

use crate::tui::model::{Load, Model};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Figures that can be selected.
pub fn figures(_model: &Model) -> usize {
    0
}

/// Cells of the selected figure.
pub fn cells(_model: &Model) -> usize {
    0
}

/// The filter for the records behind the selected figure.
pub fn target(_model: &Model) -> Option<String> {
    None
}

/// Draws it.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    pen.heading(buffer, body, true, &pen.line([(Role::Title, " Overview ")]));
    let text = match (&model.overview.summary.value, &model.overview.summary.load) {
        (Some(triage), _) => format!("{} flagged", triage.flagged_total),
        (None, Load::Failed(problem)) => problem.text.clone(),
        (None, _) => "reading the logs…".to_owned(),
    };
    let inside = Rect { y: body.y + 1, height: body.height.saturating_sub(1), ..body };
    pen.put(buffer, inside, 0, &pen.line([(Role::Text, text.as_str())]));
}
