//! Being done with items of the queue, and undoing that.

use crate::domain::RecordId;
use crate::store::dealt::Deal;
use crate::tui::effect::Effect;
use crate::tui::model::{Done, List, Model, RowCache, Screen, Step, Way};
use std::collections::BTreeSet;

/// Deals with the marked items, or with the selected one; the next moves up.
pub(super) fn deal(model: &mut Model, deal: Deal) -> Vec<Effect> {
    if model.screen != Screen::Queue {
        model.notices.note("only items of the queue can be dealt with", model.now);
        return Vec::new();
    }
    let marked: Vec<RecordId> = model.queue.marks.iter().copied().collect();
    let selected = || model.selected().map(|s| s.row.id).into_iter().collect();
    let ids: Vec<RecordId> = if marked.is_empty() { selected() } else { marked };
    if ids.is_empty() {
        model.notices.note("no item is selected, or it is not read yet", model.now);
        return Vec::new();
    }
    let gone = rows_of(&model.queue, &model.rows, &ids);
    model.queue.remove(&gone, deal == Deal::Later);
    model.queue.marks.clear();
    let deals: Vec<_> = ids.into_iter().map(|id| (id, deal)).collect();
    model.deals.note(Step::Dealt(deals.clone()));
    // A list on its way may still hold the items: it is made again once they are written down.
    let relist = model.queue.rows.is_busy();
    if relist {
        model.queue.generation = model.next_generation();
    }
    write(model, deals, relist)
}

/// Writes down; until that is done no queue is listed, since it might not know of it yet.
fn write(model: &mut Model, deals: Done, relist: bool) -> Vec<Effect> {
    model.deals.writing += 1;
    vec![Effect::Deal { deals, relist }]
}

/// Rows of the list whose records are among some.
pub(super) fn rows_of(list: &List, cache: &RowCache, ids: &[RecordId]) -> BTreeSet<(u32, u32)> {
    let wanted: BTreeSet<_> = ids.iter().collect();
    let rows = list.rows.value.as_deref().map_or(&[][..], Vec::as_slice);
    let is_wanted = |row: &&crate::store::cache::Row| {
        cache.get(list.edition, **row).is_some_and(|s| wanted.contains(&s.row.id))
    };
    rows.iter().filter(is_wanted).map(|r| (r.segment, r.row)).collect()
}

/// Takes back what was done last.
pub(super) fn undo(model: &mut Model) -> Vec<Effect> {
    match model.deals.undo() {
        Some(Step::Dealt(done)) => {
            let opened = done.into_iter().map(|(id, _)| (id, Deal::Open)).collect();
            again(model, opened, "undone")
        }
        Some(step) => super::labels::again(model, step, Way::Undo),
        None => {
            model.notices.note("there is nothing to undo", model.now);
            Vec::new()
        }
    }
}

/// Does again what was taken back last.
pub(super) fn redo(model: &mut Model) -> Vec<Effect> {
    match model.deals.redo() {
        Some(Step::Dealt(done)) => again(model, done, "done again"),
        Some(step) => super::labels::again(model, step, Way::Redo),
        None => {
            model.notices.note("there is nothing to redo", model.now);
            Vec::new()
        }
    }
}

fn again(model: &mut Model, deals: Vec<(RecordId, Deal)>, what: &str) -> Vec<Effect> {
    let text = format!(
        "{what}: {} of the queue",
        crate::tui::widget::counted(deals.len(), "item", "items")
    );
    model.notices.note(text, model.now);
    // An item that comes back comes under the cursor; until then another one is selected.
    let back = deals.iter().find(|(_, deal)| *deal == Deal::Open);
    model.queue.wanted = back.map(|(id, _)| *id);
    write(model, deals, true)
}
