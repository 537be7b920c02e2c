//! The queue and the list of records: a list, and the selected record beside it.

mod columns;

use super::{empty_state, record, sitting};
use crate::assess::Turn;
use crate::text::escape;
use crate::tui::layout;
use crate::tui::model::{BlindMode, List, ListId, Load, Model, Pane, QueueKind};
use crate::tui::theme::{Glyphs, Role};
use crate::tui::widget::{Pen, counted, fit};
use columns::Columns;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// Why the queue holds another number than the overview calls flagged.
const OTHER_NUMBER: &str = "Unlike the overview's flagged count, the queue leaves out repeats and \
    handled items, and includes undated ones.";

/// Draws the list, the record, or both.
pub fn draw(model: &Model, pen: &Pen<'_>, buffer: &mut Buffer, body: Rect) {
    let Some(list) = model.list() else { return };
    let split = layout::split(body, model.pane, model.screen);
    if let Some(area) = split.list {
        draw_list(model, list, pen, buffer, area);
    }
    if let Some(area) = split.record {
        record::draw(model, pen, buffer, area);
        if split.list.is_some() {
            pen.rule(buffer, area.x - 1, area);
        }
    }
}

fn draw_list(model: &Model, list: &List, pen: &Pen<'_>, buffer: &mut Buffer, area: Rect) {
    let focused = model.pane == Pane::List;
    let heading = heading(model, list, pen.glyphs);
    let parts = heading.iter().map(|(role, text)| (*role, text.as_str()));
    pen.heading(buffer, area, focused, &pen.line(parts));
    let inside = Rect { y: area.y + 1, height: area.height.saturating_sub(1), ..area };
    if list.is_empty() {
        empty_state::draw(model, list, pen, buffer, inside);
        return;
    }
    sitting::draw(model, pen, buffer, inside);
    let rows = inside.height.saturating_sub(layout::sitting_lines(model));
    let inside = Rect { height: rows, ..inside };
    let columns = Columns::fit(usize::from(inside.width));
    differs(model, list, pen, buffer, inside);
    for (row, (line, key)) in list.visible(usize::from(inside.height)).enumerate() {
        let shown = model.rows.get(list.edition, key);
        let text = match shown {
            Some(shown) => columns.line(pen, model, (list, line), shown),
            None if model.rows.has_failed(list.edition, key) => {
                pen.line([(Role::Error, "   this record could not be read: see the messages")])
            }
            None => pen.line([(Role::Dim, "   reading…")]),
        };
        pen.put(buffer, inside, row as u16, &text);
        let in_range = list.span().is_some_and(|span| span.contains(&line));
        if line == list.cursor || in_range {
            let place = Rect { y: inside.y + row as u16, height: 1, ..inside };
            buffer.set_style(place, pen.style(Role::Selection));
            if line == list.cursor {
                buffer.set_stringn(
                    place.x,
                    place.y,
                    pen.glyphs.cursor,
                    1,
                    pen.style(Role::Selection),
                );
            }
        }
    }
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

/// Name, length, order, filter, marks: all that says what the list is.
pub(in crate::tui) fn heading(
    model: &Model,
    list: &List,
    glyphs: &'static Glyphs,
) -> Vec<(Role, String)> {
    let mut parts = place(list);
    let mut push = |role, text: String| parts.push((role, text));
    // What the next key acts on goes before what the list is.
    if let Some(marks) = marks(list, glyphs) {
        push(Role::Mark, marks);
    }
    let sight = sight(model, list);
    // A warning goes before what may be cut.
    if let Some((Role::Warning, text)) = sight {
        push(Role::Warning, format!("{text} "));
    }
    if list.id == ListId::Queue {
        push(Role::Title, format!("{} ", queue_title(model)));
    }
    if let Some(lacks) = lacks(model, list) {
        push(Role::Warning, format!("{lacks} "));
    }
    if list.rows.is_busy() {
        push(Role::Dim, "… ".to_owned());
    }
    if list.above > 0 {
        push(Role::Notice, format!("{} {} new above ", glyphs.up, list.above));
    }
    match model.labels.pending.len() {
        0 => {}
        saving => push(Role::Notice, format!("saving {saving} ")),
    }
    if let Some((Role::Notice, text)) = sight {
        push(Role::Notice, format!("{text} "));
    }
    if let (Load::Failed(_), false) = (&list.rows.load, list.is_empty()) {
        push(Role::Error, "not made anew ".to_owned());
    }
    if list.later > 0 {
        push(Role::Dim, format!("{} put off ", list.later));
    }
    // What narrows the list goes before what is the same on most days.
    if !list.filter.is_all() {
        push(Role::Key, "filter ".to_owned());
        push(Role::Match, format!("{} ", fit(&list.filter.text, 60)));
    }
    if list.folded() > 0 {
        let rounds = counted(list.folded(), "earlier round", "earlier rounds");
        push(Role::Dim, format!("+ {rounds} "));
    }
    let (role, order) = order(model, list);
    push(role, format!("{order} "));
    parts
}

/// The name of the list, and where in it the cursor is.
fn place(list: &List) -> Vec<(Role, String)> {
    let name = match list.id {
        ListId::Queue => "Queue",
        ListId::Records => "Records",
    };
    let mut parts = vec![(Role::Title, format!(" {name} "))];
    if list.rows.value.is_some() {
        let at = if list.is_empty() { 0 } else { list.cursor + 1 };
        parts.push((Role::Figure, format!("{at}/{} ", list.len())));
        parts.extend(bound(list).map(|text| (Role::Notice, text)));
    }
    parts
}

/// Of how many the list has only the newest; `None` where it has all.
fn bound(list: &List) -> Option<String> {
    let all = list.len() + list.beyond;
    (list.beyond > 0).then(|| format!("the newest of {all} "))
}

/// Which queue it is, and of which family where that is not pushes.
fn queue_title(model: &Model) -> String {
    let kind = model.calibrate.selection.kind;
    match kind {
        QueueKind::Calibration => format!("{}{}", kind.title(), model.family.suffix("of")),
        _ => kind.title().to_owned(),
    }
}

/// The span of time of all records, or the order of a queue.
fn order(model: &Model, list: &List) -> (Role, String) {
    let text = match (list.id, model.calibrate.selection.kind) {
        (ListId::Records, _) => model.days.title(),
        (ListId::Queue, QueueKind::Triage) => format!("{} first", list.order.as_str()),
        (ListId::Queue, QueueKind::Conflicts | QueueKind::SecondLook) => "newest first".to_owned(),
        (ListId::Queue, QueueKind::Calibration) => match model.calibrate.selection.turn {
            Turn::Mixed => "oldest open day first, mixed".to_owned(),
            Turn::Decides => return (Role::Notice, "what decides first".to_owned()),
        },
    };
    (Role::Dim, text)
}

/// Whether verdicts are hidden and, in the calibration queue, what a label of the selected item
/// would count as.
fn sight(model: &Model, list: &List) -> Option<(Role, &'static str)> {
    let mixed = model.in_calibration() && lacks(model, list).is_none();
    let counts = list.selected.is_none_or(|record| model.counts_blind(record));
    match model.sight() {
        BlindMode::Blind if mixed && !counts => Some((Role::Warning, "not blind")),
        BlindMode::Blind => Some((Role::Notice, "blind")),
        BlindMode::Open if mixed => Some((Role::Warning, "not blind")),
        BlindMode::Open => None,
    }
}

/// Why being in the calibration queue reveals the verdict, or what its labels do not count for.
fn lacks(model: &Model, list: &List) -> Option<&'static str> {
    let state = model.calibrate.state.as_ref();
    let state = state.filter(|_| list.id == ListId::Queue && model.in_calibration())?;
    match (state.window, state.audited) {
        (None, _) => Some("no window"),
        (_, false) => Some("no sample"),
        _ => None,
    }
}

/// How many are marked, and how many of those the list does not hold.
pub(super) fn marks(list: &List, glyphs: &Glyphs) -> Option<String> {
    if let Some(span) = list.span() {
        let beside = match list.marks.len() {
            0 => String::new(),
            marks => format!("({marks} marked) "),
        };
        return Some(format!("range of {} {beside}", span.count()));
    }
    let away = match list.away.len() {
        0 => String::new(),
        away => format!("(+{away} not in it) "),
    };
    let any = !list.marks.is_empty() || !list.away.is_empty();
    any.then(|| format!("{} {} marked {away}", glyphs.marked, list.marks.len()))
}
