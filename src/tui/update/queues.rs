//! Which kind of queue is shown, and in which order.

use super::navigate;
use crate::assess::{Turn, window_in_force};
use crate::queue::Order;
use crate::tui::message::Listing;
use crate::tui::model::{BlindMode, Filter, Model, QueueKind, QueueState, Screen};
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

/// Orders the triage queue; no other queue has a choice of these.
pub(super) fn order_by(model: &mut Model, order: Order) {
    let hides = model.sight() == BlindMode::Blind && order == Order::Severity;
    let text = match (model.screen, model.calibrate.selection.kind) {
        (Screen::Queue, QueueKind::Triage) if !hides => {
            model.queue.order = order;
            format!("ordered by {}", order.as_str())
        }
        (Screen::Queue, QueueKind::Triage) => {
            "the order itself would reveal the verdict".to_owned()
        }
        (Screen::Queue, QueueKind::Calibration) => {
            "the calibration queue is always the earliest open day first".to_owned()
        }
        (Screen::Queue, _) => NEWEST_FIRST.to_owned(),
        _ => UNSORTED.to_owned(),
    };
    model.notices.note(text, model.now);
}

/// Why a list of differences has no other order.
const NEWEST_FIRST: &str = "this list is always newest first";

/// Why no other list has one.
const UNSORTED: &str = "only the queue can be sorted; records are newest first";

/// Orders the queue otherwise.
pub(super) fn order(model: &mut Model) {
    if model.screen != Screen::Queue {
        return model.notices.note(UNSORTED, model.now);
    }
    match model.calibrate.selection.kind {
        QueueKind::Calibration => turn(model),
        QueueKind::Conflicts | QueueKind::SecondLook => {
            model.notices.note(NEWEST_FIRST, model.now);
        }
        QueueKind::Triage => {
            model.queue.order = after(model.queue.order);
            if model.sight() == BlindMode::Blind && model.queue.order == Order::Severity {
                // The order itself would reveal the verdict.
                model.queue.order = after(model.queue.order);
            }
            model.notices.note(format!("ordered by {}", model.queue.order.as_str()), model.now);
        }
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

fn after(order: Order) -> Order {
    let at = Order::ALL.iter().position(|o| *o == order).map_or(0, |i| i + 1);
    Order::ALL.get(at).copied().unwrap_or_default()
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
