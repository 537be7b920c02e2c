//! Answers of the ledger.

use crate::assess::first_label_without_window;
use crate::domain::RecordId;
use crate::domain::review::{EntryId, Word};
use crate::report::{label as label_text, words};
use crate::tui::effect::Effect;
use crate::tui::model::{
    BlindMode, Change, LabelSet, LedgerSnapshot, ListId, Model, Pending, Problem, QueueKind,
    SittingLabel, UndoStep, agrees,
};
use crate::tui::widget::counted;
use std::sync::Arc;

/// The ledgers were read.
pub(in crate::tui::update) fn read(
    model: &mut Model,
    result: Result<Arc<LedgerSnapshot>, Problem>,
) {
    match result {
        Ok(ledger) => take(model, ledger),
        Err(problem) => model.notices.problem(problem, model.now),
    }
}

fn take(model: &mut Model, ledger: Arc<LedgerSnapshot>) {
    let before = model.labels.ledger.replace(Arc::clone(&ledger));
    if before.is_none() {
        crate::tui::update::queues::begin(model);
    }
    let known = before.map(|ledger| ledger.unsound.clone()).unwrap_or_default();
    for text in ledger.unsound.iter().filter(|text| !known.contains(text)) {
        let next = "`foureyes ledger verify` says what is wrong";
        model.notices.warn(text.clone(), next, model.now);
    }
    crate::tui::update::gate::renew(model);
    ledger.earlier.iter().for_each(|earlier| model.history.restore_earlier(earlier));
    model.record.revision += 1;
}

/// An entry is on the disk, or could not be written.
pub(in crate::tui::update) fn saved(
    model: &mut Model,
    entry: EntryId,
    result: Result<(), Problem>,
    ledger: Option<Arc<LedgerSnapshot>>,
) -> Vec<Effect> {
    if let Some(ledger) = ledger {
        take(model, ledger);
    }
    let at = model.labels.pending.iter().position(|pending| pending.entry == entry);
    let Some(pending) = at.map(|at| model.labels.pending.remove(at)) else { return Vec::new() };
    model.history.writing = model.history.writing.saturating_sub(1);
    model.record.revision += 1;
    relist(model, &pending, result.is_err());
    match result {
        Ok(()) => kept(model, &pending),
        Err(problem) => {
            failed(model, pending, problem);
            Vec::new()
        }
    }
}

/// Lists that depend on labels are made again.
fn relist(model: &mut Model, pending: &Pending, failed: bool) {
    let in_queue =
        pending.list == crate::tui::model::ListId::Queue && pending.change == Change::New;
    let depends = |list: &crate::tui::model::List| list.filter.query.asks_reviews();
    // Its end says what is to be done next, and that changes with the last label. What was given unseen
    // would only come back at once.
    let is_seen = pending.labels.iter().all(|label| !label.is_unseen());
    let is_over = calibrates(pending) && model.queue.is_empty() && is_seen;
    if !in_queue || failed || is_over || depends(&model.queue) || model.queue.rows.is_busy() {
        model.queue.serial += 1;
    }
    // What was left out while its verdict was kept back may be in it now.
    let gated = model.gate.is_on() && model.records.filter.query.asks_words();
    if depends(&model.records) || gated {
        model.records.serial += 1;
    }
}

fn kept(model: &mut Model, pending: &Pending) -> Vec<Effect> {
    let text = describe(model, pending);
    model.notices.note(text, model.now);
    let held = model.facts.labelling.set > 0 && calibrates(pending);
    if pending.sight == BlindMode::Blind && !held {
        let records = pending.labels.iter().map(|label| label.record);
        let revealed: Vec<RecordId> = records.filter(|record| !model.gate.keeps(*record)).collect();
        model.labels.seen.extend(revealed);
    }
    let mut effects = Vec::new();
    for label in &pending.labels {
        // What was typed since stays.
        let given = |draft: &crate::tui::session::Draft| draft.is_in(label);
        if model.labels.drafts.get(&label.record).is_some_and(given) {
            model.labels.drafts.remove(&label.record);
            effects.push(Effect::SaveDraft { record: label.record, draft: None });
        }
    }
    effects
}

/// What was saved, in a sentence or two.
fn describe(model: &mut Model, pending: &Pending) -> String {
    let labels = counted(pending.step.len(), "label", "labels");
    let mut text = match (pending.change, &pending.labels[..]) {
        (Change::Undo, _) => format!("undone: {labels}"),
        (Change::Redo, _) => format!("redone: {labels}"),
        (Change::New, [one]) => label_text::saved(one, &pending.name),
        (Change::New, many) => {
            let with = label_text::with(many);
            let with = if with.is_empty() { with } else { format!(", {with}") };
            format!("Saved: {labels}{}{with}.", same(many.iter().map(|l| l.label)))
        }
    };
    text.push_str(&label_text::uncounted(&pending.labels));
    text.push_str(&sitting(model, pending));
    text.push_str(in_conflict(pending));
    text.push_str(&without_window(model, pending));
    text
}

/// That the reviewer's first labels count in nothing yet, where no window runs.
fn without_window(model: &Model, pending: &Pending) -> String {
    let Some(ledger) = model.labels.ledger.as_ref().filter(|_| pending.change == Change::New)
    else {
        return String::new();
    };
    let new = pending.labels.len();
    let who = model.facts.labelling.reviewer.as_deref();
    let text = who.and_then(|who| first_label_without_window(&ledger.present, who, new, model.now));
    text.map_or_else(String::new, |text| format!(" {}.", words::capitalized(&text)))
}

/// What a label of the queue of conflicts did.
fn in_conflict(pending: &Pending) -> &'static str {
    let here = pending.list == ListId::Queue && pending.kind == QueueKind::Conflicts;
    match &pending.labels[..] {
        [] => "",
        _ if !here => "",
        all if all.iter().all(|label| label.adjudicates) => " The conflict is resolved.",
        _ => " The other labels are shown now; one more label resolves the conflict.",
    }
}

/// The word, where all labels have the same.
fn same(mut words: impl Iterator<Item = Word>) -> String {
    let first = words.next();
    match first.filter(|first| words.all(|word| word == *first)) {
        Some(word) => format!(", {}", word.as_str()),
        None => String::new(),
    }
}

/// The verdict, beside labels that were given without knowing it. In sets it is held back,
/// and the end of one says how often reviewer and judge agree.
fn sitting(model: &mut Model, pending: &Pending) -> String {
    let calibrates = calibrates(pending);
    let outcome = |at: usize| pending.judged.get(at).and_then(|(_, outcome)| *outcome);
    let records: Vec<RecordId> = match &pending.step {
        UndoStep::Labelled { records, .. } => records.clone(),
        UndoStep::Dispositions(_) | UndoStep::Overridden(_) | UndoStep::Opened => Vec::new(),
    };
    let sitting = &mut model.calibrate.sitting;
    match pending.change {
        Change::Undo => sitting.take_back(&records),
        Change::Redo => sitting.bring_back(&records),
        Change::New if calibrates => {
            for (at, label) in pending.labels.iter().enumerate() {
                let agrees = agrees(label.label, outcome(at));
                sitting.give(SittingLabel { record: label.record, agrees, seconds: label.seconds });
            }
        }
        Change::New => {}
    }
    if pending.sight != BlindMode::Blind || pending.change != Change::New {
        return String::new();
    }
    // A second word may be asked of what was called poor: until then its verdict stays hidden.
    let is_kept = pending.labels.iter().any(|label| model.gate.keeps(label.record));
    match model.facts.labelling.set {
        set @ 1.. if calibrates => end_of_set(model, set),
        _ if is_kept => String::new(),
        _ => verdict_text(pending),
    }
}

/// Whether labels were given in the calibration queue.
fn calibrates(pending: &Pending) -> bool {
    pending.list == ListId::Queue && pending.kind == QueueKind::Calibration
}

fn end_of_set(model: &mut Model, set: u32) -> String {
    let last = model.queue.is_empty() && !model.queue.rows.is_busy();
    let records: Vec<RecordId> = model.calibrate.sitting.set().collect();
    let Some(over) = model.calibrate.sitting.end_set(set as usize, last) else {
        return String::new();
    };
    // How often both agree can reveal each verdict: they count as seen from here on.
    model.labels.seen.extend(records);
    let LabelSet { labels, agreed, of } = over;
    label_text::end_of_set(labels, agreed, of)
}

fn verdict_text(pending: &Pending) -> String {
    let outcome = |at: usize| pending.judged.get(at).and_then(|(_, outcome)| *outcome);
    if let [one] = &pending.labels[..] {
        return outcome(0).map(|of| label_text::judged(one.label, of)).unwrap_or_default();
    }
    let all = pending.labels.iter().enumerate().filter_map(|(i, l)| agrees(l.label, outcome(i)));
    let all: Vec<bool> = all.collect();
    let same = all.iter().filter(|same| **same).count();
    match all.len() {
        0 => String::new(),
        of => format!(" You agree with the judge on {same} of {of}."),
    }
}

/// Nothing was saved: what was done is as if it had not been, and marks of many are set again.
fn failed(model: &mut Model, pending: Pending, problem: Problem) {
    model.notices.problem(problem, model.now);
    match pending.change {
        Change::New => {
            model.history.forget(pending.entry);
            if pending.labels.len() > 1 {
                let records = pending.labels.iter().map(|label| label.record);
                model.list_of(pending.list).marks.extend(records);
            }
        }
        change => model.history.restore(pending.step, change == Change::Undo),
    }
}
