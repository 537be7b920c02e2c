//! How far the sitting is: below the calibration queue.

use crate::tui::layout;
use crate::tui::model::{ListId, Model, OwnLabel};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, fit};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Draws it on the last lines of the list.
pub(super) fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let wanted = layout::sitting_lines(model);
    if wanted == 0 || wanted >= area.height {
        return;
    }
    let place = Rect { y: area.y + area.height - wanted, height: wanted, ..area };
    let width = usize::from(area.width.saturating_sub(2));
    for (row, text) in lines(model).iter().enumerate() {
        let line = format!(" {}", fit(text, width));
        pen.put(buffer, place, row as u16, &pen.line([(Role::Dim, line.as_str())]));
    }
}

/// How many are labelled, and which day closes next.
pub(in crate::tui) fn lines(model: &Model) -> Vec<String> {
    [labelled(model), closes(model)].into_iter().flatten().collect()
}

/// `12 of 52 labelled, 9 s each`, and how far the set is.
fn labelled(model: &Model) -> Option<String> {
    let sitting = &model.calibrate.sitting;
    let pending = model.labels.pending.iter().filter(|p| p.list == ListId::Queue);
    let saving = pending.map(|p| p.labels.len()).sum::<usize>();
    let done = sitting.count() + saving;
    let mut text = format!("{done} of {} labelled", done + model.queue.whole);
    if let Some(pace) = sitting.pace() {
        text.push_str(&format!(", {pace} s each"));
    }
    match model.facts.labelling.set as usize {
        0 => {}
        set => text.push_str(&format!(", set {} of {set}", sitting.in_set())),
    }
    Some(text)
}

/// `2026-11-19 closes in 14 more`: the day that labels close next.
fn closes(model: &Model) -> Option<String> {
    let reviewer = model.facts.labelling.reviewer.as_deref();
    // A word given while nothing was shown keeps the day open.
    let waits = |record: &&crate::domain::RecordId| match model.labels.own(**record, reviewer) {
        OwnLabel::None => true,
        own => own.label().is_some_and(|label| label.is_unseen()),
    };
    let days = model.calibrate.state.as_ref()?.open.iter();
    let mut open = days.map(|day| (day, day.records.iter().filter(waits).count()));
    let (day, left) = open.find(|(_, left)| *left > 0)?;
    Some(format!("{} closes in {left} more", day.day))
}
