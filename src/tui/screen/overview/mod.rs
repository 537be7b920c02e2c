//! What happened, at a glance.
//!
//! A page is a list of blocks, made once for a pair of documents and a width; drawing takes the
//! rows that are on the screen. Whatever leads to records is a stop: the cursor goes from one to
//! the next, and between the cells of a stop.

mod aim;
mod days;
mod ends;
mod heat;
mod kpi;
mod page;
mod row;
mod scores;
mod state;
mod tables;
mod top;
mod walk;

pub use page::Page;
pub(in crate::tui) use walk::{block, page, ready, step};

use crate::tui::model::{Load, Model};
use crate::tui::theme::Role;
use crate::tui::widget::Pen;
use page::{Halt, Placed};
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::text::{Line, Span};

/// Stops of the cursor; those that show a figure lead to records.
pub fn figures(model: &Model) -> usize {
    model.overview.page.halts.len()
}

/// Cells of the selected stop.
pub fn cells(model: &Model) -> usize {
    halt(model).map_or(0, |h| h.stop.cells.len())
}

/// The filter for the records behind the selected figure.
pub fn target(model: &Model) -> Option<String> {
    behind(model).map(|b| b.query)
}

/// The number that stands on the selected figure: so many records its filter finds. `None` where
/// the screen names none.
pub fn count(model: &Model) -> Option<u64> {
    behind(model).and_then(|b| b.count)
}

fn behind(model: &Model) -> Option<aim::Behind> {
    model.overview.page.behind(model.overview.cursor, model.overview.cell)
}

fn halt(model: &Model) -> Option<&Halt> {
    model.overview.page.halts.get(model.overview.cursor)
}

/// Lines for rows: one is the heading, one or two the bottom.
fn room(body: Rect) -> Rect {
    let bottom = bottom(body);
    Rect { y: body.y + 1, height: body.height.saturating_sub(1 + bottom), ..body }
}

fn bottom(body: Rect) -> u16 {
    match body.height {
        ..6 => 0,
        6..26 => 1,
        _ => 2,
    }
}

/// Draws it.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    heading(model, pen, buffer, body);
    let inside = room(body);
    if state::draw(model, pen, buffer, inside) {
        return;
    }
    let page = &model.overview.page;
    let top = model.overview.top;
    let shown = top..top + usize::from(inside.height);
    for row in page.rows.iter().filter(|r| shown.contains(&r.y)) {
        let y = inside.y + (row.y - top) as u16;
        line(model, pen, buffer, inside, row, y);
    }
    told(model, pen, buffer, body);
}

fn heading(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let overview = &model.overview;
    let about = overview.summary.value.as_ref().map(|t| aim::counted(t)).unwrap_or_default();
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
    let page = &overview.page;
    let below = page.height.saturating_sub(overview.top + usize::from(room(body).height));
    if below > 0 && overview.summary.value.is_some() {
        let more = format!(" {} ", pen.glyphs.down);
        pen.put_right(
            buffer,
            Rect { height: 1, ..body },
            0,
            &pen.line([(Role::Dim, more.as_str())]),
        );
    }
}

/// One row, with the cursor where it stands on it.
fn line(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, inside: Rect, row: &Placed, y: u16) {
    let styled = row.parts.iter().map(|(role, text)| Span::styled(text.as_str(), pen.style(*role)));
    let words = Line::from(styled.collect::<Vec<_>>());
    let width = (row.width.min(usize::from(inside.width).saturating_sub(row.x))) as u16;
    let x = inside.x + row.x as u16;
    if row.title {
        pen.heading(buffer, Rect { x, y, width, height: 1 }, false, &words);
        return;
    }
    buffer.set_line(x, y, &words, width);
    if row.stop != Some(model.overview.cursor) {
        return;
    }
    let cursor = pen.line([(Role::Mark, pen.glyphs.cursor)]);
    buffer.set_line(x.saturating_sub(2), y, &cursor, 1);
    let Some(halt) = halt(model) else { return };
    let at = model.overview.cell.min(halt.stop.cells.len().saturating_sub(1));
    let Some((columns, _)) = halt.stop.cells.get(at) else { return };
    let from = columns.start.min(usize::from(width)) as u16;
    let to = columns.end.min(usize::from(width)) as u16;
    let place = Rect { x: x + from, y, width: to - from, height: 1 };
    buffer.set_style(place, pen.style(Role::Selection));
}

/// What is selected, and where Enter leads.
fn told(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let lines = bottom(body);
    let area = Rect { y: body.y + body.height - lines, height: lines, ..body };
    let note = halt(model).and_then(|h| h.stop.note.as_deref()).unwrap_or_default();
    let Some(behind) = behind(model) else {
        pen.put(buffer, area, 0, &pen.line([(Role::Dim, note)]));
        return;
    };
    let count = behind.count.map(|c| format!("{c} ")).unwrap_or_default();
    let filter = if behind.query.is_empty() { "all of them" } else { behind.query.as_str() };
    let is_kpi = halt(model).is_some_and(|h| h.stop.id.block == kpi::NAME);
    let what = match note {
        "" => format!("{count}{}", behind.what),
        note if is_kpi => note.to_owned(),
        note => format!("{count}{}; {note}", behind.what),
    };
    let enter = format!("{} {}", pen.glyphs.arrow, row::outside(filter));
    if lines > 1 {
        pen.put(buffer, area, 0, &pen.line([(Role::Text, what.as_str())]));
        pen.put(buffer, area, 1, &pen.line([(Role::Dim, enter.as_str())]));
    } else {
        let parts = [(Role::Text, what.as_str()), (Role::Dim, "  "), (Role::Dim, enter.as_str())];
        pen.put(buffer, area, 0, &pen.line(parts));
    }
}
