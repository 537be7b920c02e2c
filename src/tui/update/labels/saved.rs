//! Answers of the ledger.

use crate::domain::review::{EntryId, Label, Word};
use crate::tui::effect::Effect;
use crate::tui::model::{ListId, Model, Pending, Problem, QueueKind, Said, Sight, Way, agrees};
use crate::tui::widget::counted;
use std::sync::Arc;

/// What the ledgers say was read.
pub(in crate::tui::update) fn said(model: &mut Model, result: Result<Arc<Said>, Problem>) {
    match result {
        Ok(said) => take(model, said),
        Err(problem) => model.notices.problem(problem, model.now),
    }
}

fn take(model: &mut Model, said: Arc<Said>) {
    let before = model.labels.said.replace(Arc::clone(&said));
    if before.is_none() {
        crate::tui::update::queues::begin(model);
    }
    let known = before.map(|said| said.unsound.clone()).unwrap_or_default();
    for text in said.unsound.iter().filter(|text| !known.contains(text)) {
        let next = "`foureyes ledger verify` says what is wrong";
        model.notices.warn(text.clone(), next, model.now);
    }
    model.deals.take_up(&said.steps);
    model.record.revision += 1;
}

/// An entry is on the disk, or could not be written.
pub(in crate::tui::update) fn saved(
    model: &mut Model,
    entry: EntryId,
    result: Result<(), Problem>,
    said: Option<Arc<Said>>,
) -> Vec<Effect> {
    if let Some(said) = said {
        take(model, said);
    }
    let at = model.labels.pending.iter().position(|pending| pending.entry == entry);
    let Some(pending) = at.map(|at| model.labels.pending.remove(at)) else { return Vec::new() };
    model.deals.writing = model.deals.writing.saturating_sub(1);
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
    let in_queue = pending.list == crate::tui::model::ListId::Queue && pending.way == Way::Give;
    let depends = |list: &crate::tui::model::List| list.filter.query.asks_reviews();
    if !in_queue || failed || depends(&model.queue) || model.queue.rows.is_busy() {
        model.queue.serial += 1;
    }
    if depends(&model.records) {
        model.records.serial += 1;
    }
}

fn kept(model: &mut Model, pending: &Pending) -> Vec<Effect> {
    let text = told(pending);
    model.notices.note(text, model.now);
    if pending.sight == Sight::Blind {
        model.labels.seen.extend(pending.labels.iter().map(|label| label.record));
    }
    let mut effects = Vec::new();
    for label in &pending.labels {
        // What was typed since stays.
        let given = |draft: &crate::tui::session::Draft| super::note::is_in(draft, label);
        if model.labels.drafts.get(&label.record).is_some_and(given) {
            model.labels.drafts.remove(&label.record);
            effects.push(Effect::Draft { record: label.record, draft: None });
        }
    }
    effects
}

/// What was saved, in a sentence.
fn told(pending: &Pending) -> String {
    let labels = counted(pending.step.len(), "label", "labels");
    let mut text = match (pending.way, &pending.labels[..]) {
        (Way::Undo, _) => format!("undone: {labels}"),
        (Way::Redo, _) => format!("done again: {labels}"),
        (Way::Give, [one]) => format!("saved: {} {}", one.record.short(), one.label.as_str()),
        (Way::Give, many) => format!("saved: {labels}{}", same(many.iter().map(|l| l.label))),
    };
    let any = |has: fn(&Label) -> bool| pending.labels.iter().any(has);
    let with = match (any(|label| label.note.is_some()), any(|label| label.scores.is_some())) {
        (true, true) => ", with scores and a note",
        (true, false) => ", with a note",
        (false, true) => ", with scores",
        (false, false) => "",
    };
    text.push_str(with);
    if pending.sight == Sight::Blind && pending.way == Way::Give {
        text.push_str(&beside(pending));
    }
    text.push_str(in_conflict(pending));
    text
}

/// What a label of the queue of conflicts did.
fn in_conflict(pending: &Pending) -> &'static str {
    let here = pending.list == ListId::Queue && pending.kind == QueueKind::Conflicts;
    match &pending.labels[..] {
        [] => "",
        _ if !here => "",
        all if all.iter().all(|label| label.adjudicates) => "; it counts, the conflict is settled",
        _ => "; the labels of the others are shown now, and a further one settles it",
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

/// What the judge said, beside labels that were given without knowing it.
fn beside(pending: &Pending) -> String {
    let outcome = |at: usize| pending.judged.get(at).and_then(|(_, outcome)| *outcome);
    if let [one] = &pending.labels[..] {
        let Some(said) = outcome(0) else { return String::new() };
        let sign = crate::tui::theme::Sign::of(Some(said)).word();
        let how = match agrees(one.label, Some(said)) {
            Some(true) => ": you agree",
            Some(false) => ": you differ",
            None => "",
        };
        return format!("; the judge said {sign}{how}");
    }
    let all = pending.labels.iter().enumerate().filter_map(|(i, l)| agrees(l.label, outcome(i)));
    let all: Vec<bool> = all.collect();
    let same = all.iter().filter(|same| **same).count();
    format!("; you agree with the judge on {same} of {}", all.len())
}

/// Nothing was saved: what was done is as if it had not been, and marks of many are set again.
fn failed(model: &mut Model, pending: Pending, problem: Problem) {
    model.notices.problem(problem, model.now);
    match pending.way {
        Way::Give => {
            model.deals.forget(pending.entry);
            if pending.labels.len() > 1 {
                let records = pending.labels.iter().map(|label| label.record);
                model.list_of(pending.list).marks.extend(records);
            }
        }
        way => model.deals.restore(pending.step, way == Way::Undo),
    }
}
