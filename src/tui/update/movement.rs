//! Moving about, and marking on the way.

use crate::domain::RecordId;
use crate::tui::effect::Effect;
use crate::tui::layout;
use crate::tui::model::{ListId, Model, Pane, Problem, Screen};
use crate::tui::screen;

/// Moves so many lines in whatever has the keys.
pub(super) fn step(model: &mut Model, lines: isize) {
    match (model.screen, model.pane) {
        (Screen::Overview | Screen::Calibration | Screen::Readiness, _) => {
            screen::page_cursor::step(model, lines);
        }
        (Screen::Boxes, Pane::List) => {
            let last = screen::boxes::lines(model).saturating_sub(1);
            let cursor = &mut model.boxes.cursor;
            *cursor = (*cursor).min(last).saturating_add_signed(lines).min(last);
        }
        (Screen::Trends, _) => super::trends::step(model, lines),
        (Screen::Runs, _) => screen::runs::step(model, lines),
        (Screen::Boxes, Pane::Record) => screen::boxes::scroll(model, lines),
        (_, Pane::List) => {
            if let Some(list) = model.list_mut() {
                list.step(lines);
            }
        }
        (_, Pane::Record) => scroll(model, lines),
    }
}

/// Moves to the first or the last line.
pub(super) fn to_end(model: &mut Model, last: bool) {
    step(model, if last { isize::MAX } else { isize::MIN + 1 });
    if !last && let Some(list) = model.list_mut() {
        list.above = 0;
    }
}

/// Moves by a page, or by a part of one.
pub(super) fn page(model: &mut Model, direction: isize, part: usize) {
    let height = match model.pane {
        Pane::Record => layout::record_height(model),
        Pane::List => layout::list_height(model),
    };
    let lines = (height / part).max(1).min(isize::MAX as usize) as isize;
    match model.screen {
        Screen::Boxes => screen::boxes::scroll(model, direction * lines),
        Screen::Runs => screen::runs::page(model, direction * lines),
        Screen::Trends => super::trends::page(model, direction * lines),
        _ if model.is_page() => screen::page_cursor::page(model, direction * lines),
        _ => step(model, direction * lines),
    }
}

/// Moves between cells or tabs.
pub(super) fn sideways(model: &mut Model, by: isize) {
    match model.screen {
        Screen::Calibration | Screen::Overview | Screen::Readiness => {
            let slid = model.screen == Screen::Calibration && screen::assess::slide(model, by);
            if !slid {
                screen::page_cursor::cell(model, by);
            }
        }
        Screen::Queue | Screen::Records => {
            model.record.tab = model.record.tab.step(by);
            model.record.scroll = 0;
        }
        Screen::Runs => screen::runs::sideways(model, by),
        Screen::Trends => super::trends::sideways(model, by),
        Screen::Boxes => {}
    }
}

/// Scrolls the record, wherever the keys are.
pub(super) fn scroll(model: &mut Model, lines: isize) {
    let longest = screen::record::height(model).saturating_sub(layout::record_height(model));
    let scroll = &mut model.record.scroll;
    *scroll = (*scroll).min(longest).saturating_add_signed(lines).min(longest);
}

/// Scrolls the record below a form by half of what is shown of it.
pub(super) fn scroll_below(model: &mut Model, direction: isize) -> Vec<Effect> {
    let half = (layout::record_height(model) / 2).max(1) as isize;
    scroll(model, direction * half);
    Vec::new()
}

/// Scrolls the record so that a line is the first on the screen, as far as its end allows.
pub(super) fn scroll_to(model: &mut Model, line: usize) {
    let height = layout::record_height(model);
    model.record.scroll = line.min(screen::record::height(model).saturating_sub(height));
}

/// Gives the list so many percent more of the screen, less where negative.
pub(super) fn grow_list(model: &mut Model, by: i8) {
    let share = layout::list_share(model);
    match (share, model.arrangement_mut()) {
        (Some(share), Some(arrangement)) => arrangement.grow(share, by),
        _ => model.notices.note(NOT_BOTH, model.now),
    }
}

/// Why there is nothing to share.
const NOT_BOTH: &str = "list and record are not both on the screen";

/// Gives what has the keys all of the screen, or shares it again.
pub(super) fn zoom(model: &mut Model) {
    match model.arrangement_mut() {
        Some(arrangement) => arrangement.zoomed = !arrangement.zoomed,
        None => model.notices.note(NOT_BOTH, model.now),
    }
}

/// Goes to another match of the search that is on; where none is, to another item. The pane stays.
pub(super) fn item(model: &mut Model, by: isize) {
    if super::search::step(model, by) {
        return;
    }
    if let Some(list) = model.list_mut() {
        list.step(by);
    }
}

/// Marks the selected item or takes its mark away, and goes on to the next.
pub(super) fn mark(model: &mut Model) {
    let Some(id) = model.selected().map(|s| s.row.id) else { return };
    let Some(list) = model.list_mut() else { return };
    list.away.remove(&id);
    if !list.marks.remove(&id) {
        list.marks.insert(id);
    }
    list.step(1);
}

/// Begins a range of marks, or ends it: everything between is marked. Which records those are is
/// read first where the list has not shown them all.
pub(super) fn range(model: &mut Model) -> Vec<Effect> {
    let Some(list) = model.list() else { return Vec::new() };
    let Some(start) = list.range else {
        let at = list.cursor;
        if let Some(list) = model.list_mut() {
            list.range = Some(at);
        }
        return Vec::new();
    };
    let (from, to) = (start.min(list.cursor), start.max(list.cursor));
    let (edition, id) = (list.edition, list.id);
    let rows: Vec<_> = (from..=to).filter_map(|line| list.row(line)).collect();
    let known = |row: &crate::store::cache::Row| Some(model.rows.get(edition, *row)?.row.id);
    let known: Option<Vec<RecordId>> = rows.iter().map(known).collect();
    let generation = model.next_generation();
    let Some(list) = model.list_mut() else { return Vec::new() };
    list.range = None;
    if let Some(records) = known {
        list.marks.extend(records);
        return Vec::new();
    }
    list.ranging.insert(generation, list.generation);
    vec![Effect::Range { edition, list: id, generation, rows }]
}

/// Ends a range that was begun, since something is to be done with it: its records are marked.
/// Which those are may have to be read first; then nothing is done yet.
pub(super) fn end_range(model: &mut Model) -> Option<Vec<Effect>> {
    model.list()?.range?;
    let effects = range(model);
    if effects.is_empty() {
        return None;
    }
    model.notices.note(STILL_READING, model.now);
    Some(effects)
}

/// Why nothing is done with a range yet.
pub(super) const STILL_READING: &str = "the range is still being read: press the key again";

/// Drops a range that was begun; marks stay. Returns whether there was one.
pub(super) fn drop_range(model: &mut Model) -> bool {
    model.list_mut().is_some_and(|list| list.range.take().is_some())
}

/// Marks what a range holds; where the marks were taken away meanwhile, nothing.
pub(super) fn ranged(
    model: &mut Model,
    list: ListId,
    generation: u64,
    result: Result<Vec<RecordId>, Problem>,
) {
    let list = model.list_of(list);
    let Some(then) = list.ranging.remove(&generation) else { return };
    match result {
        Ok(records) if then == list.generation => list.marks.extend(records),
        Ok(records) => {
            // Of another list than the present one: it is looked up which of them that has.
            list.away.extend(records);
            list.serial += 1;
        }
        Err(problem) => model.notices.problem(problem, model.now),
    }
}
