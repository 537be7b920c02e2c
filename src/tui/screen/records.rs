//! The queue and the list of records: a list, and the selected record below or beside it.

mod columns;
pub(in crate::tui) mod heading;
mod row;

use super::{empty_state, record, sitting};
use crate::domain::Column;
use crate::text::escape;
use crate::tui::layout;
use crate::tui::model::{List, ListId, Model, Pane, QueueKind};
use crate::tui::theme::Role;
use crate::tui::widget::{Pen, fit};
pub(in crate::tui) use columns::Columns;
use columns::Fitting;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Why the queue holds another number than the overview calls flagged.
const OTHER_NUMBER: &str = "Unlike the overview's flagged count, the queue leaves out repeats and \
    handled items, and includes undated ones.";

/// Draws the list, the record, or both.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let Some(list) = model.list() else { return };
    let split = layout::split(model, body);
    if let Some(area) = split.list {
        draw_list(model, list, pen, buffer, area);
    }
    if let Some(area) = split.record {
        record::draw(model, pen, buffer, area, split.list.is_none());
        if split.list.is_some_and(|list| list.y == area.y) {
            pen.rule(buffer, area.x - 1, area);
        }
    }
}

fn draw_list(model: &Model, list: &List, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let parts = fitted(heading::parts(model, list, pen.glyphs), usize::from(area.width));
    let parts = parts.iter().map(|(role, text)| (*role, text.as_str()));
    pen.title(buffer, area, model.pane == Pane::List, &pen.line(parts));
    let below = |lines: u16| Rect {
        y: area.y + lines.min(area.height),
        height: area.height.saturating_sub(lines),
        ..area
    };
    if list.is_empty() {
        empty_state::draw(model, list, pen, buffer, below(1));
        return;
    }
    sitting::draw(model, pen, buffer, below(1));
    let columns = columns(model, list, usize::from(area.width));
    pen.put(buffer, below(1), 0, &columns.heads(pen));
    let inside = below(layout::ABOVE_ROWS);
    let rows = inside.height.saturating_sub(layout::sitting_lines(model));
    let inside = Rect { height: rows, ..inside };
    differs(model, list, pen, buffer, inside);
    for (row, (line, key)) in list.visible(usize::from(inside.height)).enumerate() {
        let text = match model.rows.get(list.edition, key) {
            Some(shown) => row::line(&columns, pen, model, (list, line), shown),
            None if model.rows.has_failed(list.edition, key) => {
                pen.line([(Role::Error, "    this record could not be read: see the messages")])
            }
            None => pen.line([(Role::Dim, "    reading…")]),
        };
        pen.put(buffer, inside, row as u16, &text);
        let in_range = list.span().is_some_and(|span| span.contains(&line));
        if line == list.cursor || in_range {
            let style = pen.style(Role::Selection);
            let place = Rect { y: inside.y + row as u16, height: 1, ..inside };
            buffer.set_style(place, style);
            if line == list.cursor {
                buffer.set_stringn(place.x, place.y, pen.glyphs.cursor, 1, style);
            }
        }
    }
}

/// The columns of a list as they are on a screen so wide.
pub(in crate::tui) fn columns(model: &Model, list: &List, width: usize) -> Columns {
    // Of what is hidden everywhere in the list no column reveals anything, and no age marks what came back.
    let bare = model.hides_source();
    let rows = list.visible(layout::list_height(model));
    let read = rows.filter_map(|(_, key)| model.rows.get(list.edition, key));
    let longest = read.map(|shown| row::path_width(model, list, &shown.row)).max();
    Columns::fit(Fitting {
        chosen: if bare { &[Column::Path] } else { &list.columns },
        sort: heading::sort(model, list),
        width,
        before: if bare { columns::BEFORE_BARE } else { columns::BEFORE },
        longest: longest.unwrap_or(0),
    })
}

/// The parts of a heading that there is room for, none of them cut but a filter.
fn fitted(parts: Vec<(Role, String)>, width: usize) -> Vec<(Role, String)> {
    let mut left = width;
    let fits = |(role, text): (Role, String)| {
        let text = if role == Role::Match { fit(&text, left) } else { text };
        let taken = escape::width(&escape::line(&text));
        let room = left.checked_sub(taken)?;
        left = room;
        Some((role, text))
    };
    parts.into_iter().filter_map(fits).collect()
}

/// Below the items, where there is room: why the overview counts another number.
fn differs(model: &Model, list: &List, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let end = list.len().saturating_sub(list.top);
    let flagged = model.overview.summary.value.as_ref().map(|t| t.flagged_total);
    let same = flagged.is_none_or(|f| f == list.len() as u64);
    let triage = list.id == ListId::Queue && model.calibrate.selection.kind == QueueKind::Triage;
    if !triage || !list.filter.is_all() || same {
        return;
    }
    let block = escape::block(OTHER_NUMBER, " ", usize::from(area.width));
    for (i, line) in block.lines().enumerate() {
        let row = u16::try_from(end + 1 + i).unwrap_or(u16::MAX);
        pen.put(buffer, area, row, &pen.line([(Role::Dim, line)]));
    }
}
