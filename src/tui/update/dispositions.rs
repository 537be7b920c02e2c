//! Being done with items of the queue, and undoing that.

use crate::domain::RecordId;
use crate::store::disposition::Disposition;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::keymap::Context;
use crate::tui::model::{
    Change, DispositionChanges, List, Model, Problem, QueueKind, RowCache, Screen, UndoStep,
};
use std::collections::BTreeSet;

/// Deals with the marked items, or with the selected one; the next moves up.
pub(super) fn set(model: &mut Model, disposition: Disposition) -> Vec<Effect> {
    if model.screen != Screen::Queue {
        model.notices.note("this works only in the queue", model.now);
        return Vec::new();
    }
    if let Some(why) = refused(model, disposition) {
        model.notices.note(why, model.now);
        return Vec::new();
    }
    if !model.queue.ranging.is_empty() {
        model.notices.note(super::movement::STILL_READING, model.now);
        return Vec::new();
    }
    let marked: Vec<RecordId> = model.queue.marks.iter().copied().collect();
    let selected = || model.selected().map(|s| s.row.id).into_iter().collect();
    let ids: Vec<RecordId> = if marked.is_empty() { selected() } else { marked };
    if ids.is_empty() {
        model.notices.note("no item is selected (or it is still loading)", model.now);
        return Vec::new();
    }
    let gone = rows_of(&model.queue, &model.rows, &ids);
    model.queue.remove(&gone, disposition == Disposition::Later);
    model.queue.marks.clear();
    let text = describe(model, &ids, disposition);
    model.notices.note(text, model.now);
    // Rows that are known no more are found by making the list again.
    let unknown = gone.len() < ids.len();
    let changes: Vec<_> = ids.into_iter().map(|id| (id, disposition)).collect();
    model.history.push(UndoStep::Dispositions(changes.clone()));
    // A list on its way may still hold the items: it is made again once they are written down.
    let relist = model.queue.rows.is_busy() || unknown;
    if relist {
        model.queue.generation = model.next_generation();
    }
    write(model, changes, relist, Change::New)
}

/// Why an item of this queue cannot be handled so: a day closes by labels alone.
fn refused(model: &Model, disposition: Disposition) -> Option<&'static str> {
    match (model.calibrate.selection.kind, disposition) {
        (QueueKind::Calibration, Disposition::Seen) => Some(
            "items leave this queue only by a label (acceptable, poor, unsure); `later` puts one off",
        ),
        (QueueKind::Conflicts, _) => Some("records leave this queue only by another label"),
        (QueueKind::SecondLook, _) => {
            Some("Items leave this queue only by a label (acceptable, poor, unsure).")
        }
        _ => None,
    }
}

/// Describes what was done: the items have left the screen.
fn describe(model: &Model, ids: &[RecordId], disposition: Disposition) -> String {
    let what = match disposition {
        Disposition::Seen => "seen",
        Disposition::Later => "put off",
        Disposition::Open => "open again",
    };
    let key = model.keymap.hint(Context::List, Action::Undo);
    let undo = key.map(|key| format!("; {key} undoes")).unwrap_or_default();
    let away = match model.queue.away.len() {
        0 => String::new(),
        away => format!("; {away} marked items hidden by the filter are left alone"),
    };
    let items = match ids {
        [one] => super::labels::name(model, *one),
        many => crate::tui::widget::counted(many.len(), "item", "items"),
    };
    format!("{items} {what}{undo}{away}")
}

/// Writes down; until that is done no queue is listed, since it might not know of it yet.
fn write(
    model: &mut Model,
    changes: DispositionChanges,
    relist: bool,
    change: Change,
) -> Vec<Effect> {
    model.history.writing += 1;
    model.history.begin_write(change);
    vec![Effect::Disposition { changes, relist }]
}

/// Rows of the list's archive whose records are among some. Only what was read is looked through:
/// a list may be long.
pub(super) fn rows_of(list: &List, cache: &RowCache, ids: &[RecordId]) -> BTreeSet<(u32, u32)> {
    let here = list.row(list.cursor);
    let selected =
        here.filter(|row| cache.get(list.edition, *row).is_some_and(|shown| ids == [shown.row.id]));
    if let Some(row) = selected {
        // The one under the cursor is found at once, however many were read.
        return BTreeSet::from([(row.segment, row.row)]);
    }
    let wanted: BTreeSet<_> = ids.iter().collect();
    let read = cache.read(list.edition);
    read.filter(|(_, shown)| wanted.contains(&shown.row.id)).map(|(row, _)| row).collect()
}

/// Takes back what was done last.
pub(super) fn undo(model: &mut Model) -> Vec<Effect> {
    match model.history.undo() {
        Some(UndoStep::Dispositions(done)) => {
            let opened = done.into_iter().map(|(id, _)| (id, Disposition::Open)).collect();
            replay(model, opened, "undone", Change::Undo)
        }
        Some(step @ UndoStep::Overridden(_)) => super::decide::replay(model, step, Change::Undo),
        Some(UndoStep::Opened) => {
            super::labels::close_eyes(model);
            Vec::new()
        }
        Some(step) => super::labels::replay(model, step, Change::Undo),
        None => {
            model.notices.note("there is nothing to undo", model.now);
            Vec::new()
        }
    }
}

/// Does again what was taken back last.
pub(super) fn redo(model: &mut Model) -> Vec<Effect> {
    match model.history.redo() {
        Some(UndoStep::Dispositions(done)) => replay(model, done, "redone", Change::Redo),
        Some(step @ UndoStep::Overridden(_)) => super::decide::replay(model, step, Change::Redo),
        Some(step) => super::labels::replay(model, step, Change::Redo),
        None => {
            model.notices.note("there is nothing to redo", model.now);
            Vec::new()
        }
    }
}

fn replay(
    model: &mut Model,
    changes: DispositionChanges,
    what: &str,
    change: Change,
) -> Vec<Effect> {
    let items = crate::tui::widget::counted(changes.len(), "item", "items");
    let text = match (change, changes.len()) {
        (Change::Undo, 1) => format!("{what}: {items} is back in the queue"),
        (Change::Undo, _) => format!("{what}: {items} are back in the queue"),
        _ => format!("{what}: {items}"),
    };
    model.notices.note(text, model.now);
    // An item that comes back comes under the cursor; until then another one is selected.
    let back = changes.iter().find(|(_, disposition)| *disposition == Disposition::Open);
    model.queue.wanted = back.map(|(id, _)| *id);
    write(model, changes, true, change)
}

/// What was done is on the disk, or is not: then it did not happen, and its marks come back.
pub(super) fn written(model: &mut Model, relist: bool, result: Result<(), Problem>) {
    model.history.writing = model.history.writing.saturating_sub(1);
    let failed = result.is_err();
    let unwritten = model.history.finish_write(failed);
    if let Err(problem) = result {
        model.notices.problem(problem, model.now);
    }
    if let Some(done) = unwritten.filter(|done| done.len() > 1) {
        // Once the list is made again it is looked up that they are in it.
        model.queue.away.extend(done.into_iter().map(|(id, _)| id));
    }
    if relist || failed {
        model.queue.serial += 1;
    }
}
