//! Which kind of queue is shown, and in which order.

use super::navigate;
use crate::assess::{Turn, window_in_force};
use crate::domain::{Column, Sort};
use crate::tui::key::{Code, Key};
use crate::tui::message::Listing;
use crate::tui::model::{Filter, Model, Overlay, QueueKind, QueueState, Screen};
use std::sync::Arc;

/// Shows the other queue.
pub(super) fn other(model: &mut Model) {
    let kind = model.calibrate.selection.kind.other();
    choose(model, kind);
}

/// Shows a kind of queue, and keeps that it was chosen.
pub(super) fn choose(model: &mut Model, kind: QueueKind) {
    navigate::go(model, Screen::Queue);
    model.calibrate.chosen = Some(kind);
    turn_to(model, kind);
}

/// The kind that is shown where none was ever chosen: the calibration as soon as its window
/// is in force, for whoever may label.
pub(super) fn begin(model: &mut Model) {
    let labels = !model.facts.read_only && model.facts.labelling.reviewer.is_some();
    let present = model.labels.ledger.as_ref().map(|ledger| &ledger.present);
    let in_force =
        present.is_some_and(|present| window_in_force(present, model.family, model.now).is_some());
    if model.calibrate.chosen.is_none() && labels && in_force {
        turn_to(model, QueueKind::Calibration);
    }
}

fn turn_to(model: &mut Model, kind: QueueKind) {
    if model.calibrate.selection.kind == kind {
        return;
    }
    model.calibrate.selection.kind = kind;
    if model.screen == Screen::Queue {
        model.pane = navigate::first_pane(model);
    }
    renew(model);
}

/// Leaves the queue that was there: what is marked or selected belongs to it.
pub(super) fn renew(model: &mut Model) {
    model.queue.renew();
    // An answer on its way is one of that queue.
    model.queue.generation = model.next_generation();
}

/// Takes away a filter that would reveal what is hidden.
pub(super) fn drop_revealing_filter(model: &mut Model) {
    if !model.reveals(&model.queue.filter.query) {
        return;
    }
    model.queue.filter = Filter::default();
    model.notices.note(REVEALING, model.now);
}

/// Why a filter does not hold in the calibration queue.
pub(in crate::tui) const REVEALING: &str = "this filter would reveal what is hidden; blind, use `path:`, `box:`, `author:`, `commit:` or `day:`";

/// Lists each round of a task's run, or each run as one item.
pub(super) fn rounds(model: &mut Model) {
    if model.screen != Screen::Records {
        let text = "only the list of records has rounds: an item of the queue is a whole run";
        return model.notices.note(text, model.now);
    }
    let list = &mut model.records;
    list.rounds = !list.rounds;
    let text = match (list.rounds, list.filter.query.tells_rounds_apart()) {
        (true, _) => "each round of a task's run is a line",
        (false, false) => "each run of a task is one line, its last; History has its rounds",
        (false, true) => "each run is one line, but this filter asks for single rounds",
    };
    model.notices.note(text, model.now);
}

/// Orders the list on the screen; a queue that is labelled or settled has an order of its own.
pub(super) fn order_by(model: &mut Model, sort: Sort) {
    if let Some(why) = own_order(model) {
        return model.notices.note(why, model.now);
    }
    let Some(list) = model.list_mut() else {
        return model.notices.note("there is no list to sort on this screen", model.now);
    };
    list.sort = sort;
    // The selection goes where its record goes.
    list.wanted = list.selected;
    let reversed = if sort.is_reversed { ", reversed" } else { "" };
    model.notices.note(format!("sorted by {}{reversed}", sort.column.head()), model.now);
}

/// Opens the choice of order and columns; a queue that is labelled turns to its other order.
pub(super) fn order(model: &mut Model) {
    if model.in_calibration() && model.calibrate.selection.kind == QueueKind::Calibration {
        return turn(model);
    }
    let Some(list) = model.list() else {
        return model.notices.note("there is no list to sort on this screen", model.now);
    };
    let cursor = Column::ALL.iter().position(|column| *column == list.sort.column).unwrap_or(0);
    match own_order(model) {
        Some(why) => model.notices.note(why, model.now),
        None => model.overlay = Some(Overlay::Sort { cursor }),
    }
}

/// Why the list on the screen cannot be sorted, where it cannot.
fn own_order(model: &Model) -> Option<&'static str> {
    match (model.screen, model.calibrate.selection.kind) {
        (Screen::Queue, QueueKind::Calibration) => {
            Some("the calibration queue is always the earliest open day first")
        }
        (Screen::Queue, QueueKind::Conflicts | QueueKind::SecondLook) => {
            Some("this list is always newest first")
        }
        _ => None,
    }
}

/// A key while order and columns are chosen.
pub(super) fn press_sort(model: &mut Model, key: Key) {
    let Some(Overlay::Sort { cursor }) = &mut model.overlay else { return };
    let last = Column::ALL.len() - 1;
    match (key.code, key.ctrl) {
        (Code::Esc, _) | (Code::Char('c'), true) => model.overlay = None,
        (Code::Left | Code::Up | Code::BackTab | Code::Char('h' | 'k'), false) => {
            *cursor = cursor.saturating_sub(1);
        }
        (Code::Right | Code::Down | Code::Tab | Code::Char('l' | 'j'), false) => {
            *cursor = (*cursor + 1).min(last);
        }
        (Code::Char('0'), false) => as_delivered(model),
        (Code::Char(digit @ '1'..='9'), false) => {
            *cursor = (digit as usize - '1' as usize).min(last);
        }
        (Code::Enter, false) => {
            let column = Column::ALL.get(*cursor).copied().unwrap_or(Column::Age);
            sort_by(model, column);
        }
        (Code::Char(' '), false) => {
            let column = Column::ALL.get(*cursor).copied().unwrap_or(Column::Path);
            toggle(model, column);
        }
        _ => {}
    }
}

/// Orders the list on the screen by a column, and the other way round where it was by it already.
pub(super) fn sort_by(model: &mut Model, column: Column) {
    let sort = model.list().map_or_else(Sort::default, |list| list.sort.chosen(column));
    order_by(model, sort);
}

/// Shows a column of the list on the screen, or no longer. The file stays: a list names things.
fn toggle(model: &mut Model, column: Column) {
    if column == Column::Path {
        return model.notices.note("the file is always shown", model.now);
    }
    let Some(list) = model.list_mut() else { return };
    let shown = &list.columns;
    let is_kept = |other: &Column| (*other == column) != shown.contains(other);
    list.columns = Column::ALL.into_iter().filter(is_kept).collect();
}

/// Order and columns as nobody chose them.
fn as_delivered(model: &mut Model) {
    if let Some(list) = model.list_mut() {
        list.order_as("", &[]);
        list.wanted = list.selected;
    }
}

fn turn(model: &mut Model) {
    let decides = model.calibrate.state.as_ref().and_then(|state| state.decides);
    let which = &mut model.calibrate.selection;
    let text = match (which.turn, decides) {
        (Turn::Mixed, None) => "cannot tell which labels would decide a KPI: order unchanged",
        (Turn::Mixed, Some(flagged)) => {
            which.turn = Turn::Decides;
            match flagged {
                true => {
                    "NO-GO first: they decide a KPI. The position reveals the verdict, so labels do not count as blind"
                }
                false => {
                    "GO first: they decide a KPI. The position reveals the verdict, so labels do not count as blind"
                }
            }
        }
        (Turn::Decides, _) => {
            which.turn = Turn::Mixed;
            "mixed: earliest open day first; the position reveals nothing"
        }
    };
    model.notices.note(text, model.now);
}

/// Why the queue holds NO-GOs alone, so that being in it reveals the verdict.
fn unmixed(state: &QueueState) -> Option<&'static str> {
    match (state.window, state.audited) {
        (None, _) => Some(
            "no calibration window yet: this queue holds NO-GOs only, so no label counts as blind",
        ),
        (_, false) => Some(
            "no audit sample is drawn: this queue holds NO-GOs only, so no label counts as blind",
        ),
        _ => None,
    }
}

/// What came with the calibration queue.
pub(super) fn listed(model: &mut Model, listing: &Listing) {
    let Some(state) = &listing.state else { return };
    model.calibrate.repeats.extend(state.repeats.iter().copied());
    model.calibrate.thirds.extend(state.thirds.iter().copied());
    model.calibrate.requested.extend(state.requested.iter().map(|(id, why)| (*id, *why)));
    let before = model.calibrate.state.as_ref().map(|state| (state.window, state.audited));
    if let (false, Some(why)) = (before == Some((state.window, state.audited)), unmixed(state)) {
        model.notices.note(why, model.now);
    }
    model.calibrate.state = Some(Arc::clone(state));
    model.record.revision += 1;
}
