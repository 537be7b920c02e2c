//! Overriding: a form with a decision and a reason, bound to one record, or to all that are marked.
//! `ctrl-s` keeps it, and only what is kept goes to the record's box.

mod all;

pub(super) use all::{answered, decided as decided_all, paste as paste_all, press as press_all};

use super::prompt;
use crate::domain::RecordId;
use crate::domain::review::{EntryId, OverrideWord};
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::message::Undecided;
use crate::tui::model::{Model, Newer, Overlay, OverrideForm, Problem, Said, Shown, Step, Way};
use crate::tui::session::Typed;
use std::sync::Arc;
use tui_input::{Input, InputRequest};

/// Bytes that a reason may have: [`crate::overrides::LONGEST_REASON`].
const LONGEST: usize = crate::overrides::LONGEST_REASON;

/// Opens the form on the marked records, or on the selected one, with what was typed there before.
pub(super) fn open(model: &mut Model) {
    if let Some(why) = refused(model) {
        return model.notices.note(why, model.now);
    }
    if model.list().is_some_and(|list| !list.marks.is_empty() || !list.ranging.is_empty()) {
        return all::open(model);
    }
    match on(model) {
        Ok(shown) => {
            let typed = model.labels.typed.get(&shown.row.id).cloned().unwrap_or_default();
            model.overlay = Some(Overlay::Override(Box::new(OverrideForm::new(shown, typed))));
        }
        Err(why) => model.notices.note(why, model.now),
    }
}

/// Why nothing can be overridden here, whichever record it is.
fn refused(model: &Model) -> Option<&'static str> {
    if model.facts.labelling.reviewer.is_none() {
        return Some(
            "your name is unknown, so overrides cannot be saved: set `name` under `[reviewer]` in the configuration",
        );
    }
    if model.facts.given {
        return Some("overrides are written to boxes, but these logs were given by path");
    }
    model.list().is_none().then_some("there is no record to override here")
}

/// The record that can be overridden, or why there is none.
fn on(model: &Model) -> Result<Arc<Shown>, &'static str> {
    let shown = model.selected().ok_or(super::NO_RECORD)?;
    if shown.row.outcome.is_none() {
        return Err("this record is an override: select the evaluation instead");
    }
    if model.is_hidden(&shown.row) {
        return Err("the record is hidden until you have labelled it");
    }
    Ok(Arc::clone(shown))
}

fn form(model: &mut Model) -> Option<&mut OverrideForm> {
    match &mut model.overlay {
        Some(Overlay::Override(form)) => Some(form),
        _ => None,
    }
}

/// Asks whether a newer verdict came, once for each archive while the form is open.
pub(super) fn look(model: &mut Model, edition: u64) -> Option<Effect> {
    let form = form(model).filter(|form| form.asked != Some(edition))?;
    form.asked = Some(edition);
    Some(Effect::Newer { edition, of: Arc::clone(&form.of) })
}

/// It was looked.
pub(super) fn heard(
    model: &mut Model,
    record: RecordId,
    edition: u64,
    result: Result<(bool, Option<Arc<Shown>>), Problem>,
) {
    let Some(form) = form(model).filter(|f| f.record() == record && f.asked == Some(edition))
    else {
        return;
    };
    match result {
        Ok((is_there, newest)) => form.hear(is_there, newest),
        Err(problem) => model.notices.problem(problem, model.now),
    }
}

/// A key while the form is open. Enter does nothing.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    match (key.code, key.ctrl) {
        (Code::Char('s'), true) => return save(model),
        (Code::Esc, _) => return leave(model),
        (Code::Char('c'), true) if form.reason.value().is_empty() => return leave(model),
        (Code::Up, _) => return keep_older(model),
        (Code::Down, _) => return turn_to_newer(model),
        _ if !edit(&mut form.word, &mut form.reason, key) => return Vec::new(),
        _ => {}
    }
    typed(model)
}

/// Changes the word or the reason by a key; tells whether anything is another one now.
fn edit(word: &mut Option<OverrideWord>, reason: &mut Input, key: Key) -> bool {
    match (key.code, key.ctrl) {
        (Code::Char('c'), true) => reason.reset(),
        (Code::Tab | Code::BackTab, _) => *word = Some(other(*word)),
        _ => {
            let Some(request) = prompt::request(key) else { return false };
            let full = reason.value().len() >= LONGEST;
            if full && matches!(request, InputRequest::InsertChar(_)) {
                return false;
            }
            return reason.handle(request).is_some_and(|changed| changed.value);
        }
    }
    true
}

/// The other of the two words; the first one where none is chosen.
fn other(word: Option<OverrideWord>) -> OverrideWord {
    match word {
        Some(OverrideWord::Accept) => OverrideWord::Reject,
        Some(OverrideWord::Reject) | None => OverrideWord::Accept,
    }
}

/// Text was pasted: it is a part of the reason, and its line ends are blanks.
pub(super) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if let Some(told) = put(&mut form.reason, text) {
        model.notices.note(told, model.now);
    }
    typed(model)
}

/// Puts a pasted text into a reason; says where not all of it found room.
fn put(reason: &mut Input, text: &str) -> Option<String> {
    let room = LONGEST.saturating_sub(reason.value().len());
    let cut = text.floor_char_boundary(room.min(text.len()));
    for c in text.get(..cut).unwrap_or_default().chars() {
        let c = if c.is_control() { ' ' } else { c };
        let _ = reason.handle(InputRequest::InsertChar(c));
    }
    (cut < text.len()).then(|| format!("only {cut} of {} bytes were pasted", text.len()))
}

/// Of two verdicts the older one is meant.
fn keep_older(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if let Newer::Asked(newest) = &form.newer {
        form.newer = Newer::Kept(Arc::clone(newest));
    }
    Vec::new()
}

/// Of two verdicts the newer one is meant: the form is of that one from here on.
fn turn_to_newer(model: &mut Model) -> Vec<Effect> {
    let Some(before) = form(model).map(|form| form.record()) else { return Vec::new() };
    let Some(after) = form(model).and_then(|form| form.newest()).cloned() else {
        return Vec::new();
    };
    if model.is_hidden(&after.row) {
        model.notices.note("the newer one is hidden until you have labelled it", model.now);
        return Vec::new();
    }
    if let Some(own) = model.labels.typed.get(&after.row.id).cloned() {
        model.overlay = Some(Overlay::Override(Box::new(OverrideForm::new(after, own))));
        let text =
            "restored the reason you had started for it; what you typed stays with the older one";
        model.notices.note(text, model.now);
        return Vec::new();
    }
    let Some(form) = form(model) else { return Vec::new() };
    (form.of, form.newer, form.asked) = (after, Newer::Unknown, None);
    model.labels.typed.remove(&before);
    model.record.revision += 1;
    let mut effects = vec![Effect::Typed { record: before, typed: None }];
    effects.extend(typed(model));
    effects
}

/// Keeps what is typed, so that neither Esc nor a crash loses it.
fn typed(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    let (record, typed) = (form.record(), form.typed());
    keep(model, record, typed)
}

fn keep(model: &mut Model, record: RecordId, typed: Typed) -> Vec<Effect> {
    let typed = (!typed.reason.is_empty()).then_some(typed);
    let before = match &typed {
        Some(typed) => model.labels.typed.insert(record, typed.clone()),
        None => model.labels.typed.remove(&record),
    };
    if before == typed {
        return Vec::new();
    }
    model.record.revision += 1;
    vec![Effect::Typed { record, typed }]
}

fn leave(model: &mut Model) -> Vec<Effect> {
    let record = form(model).map(|form| form.record());
    close(model, record)
}

fn close(model: &mut Model, record: Option<RecordId>) -> Vec<Effect> {
    model.overlay = None;
    let kept = record.is_some_and(|record| model.labels.typed.contains_key(&record));
    let text = match kept {
        true => "nothing was saved; your text is kept: the same key shows it again",
        false => "nothing was decided",
    };
    model.notices.note(text, model.now);
    Vec::new()
}

/// ctrl-s: keeps the decision where it is whole and bound.
fn save(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    let why = match (&form.newer, form.word) {
        (Newer::Gone, _) => Some("this record is no longer in the logs: nothing was saved"),
        (Newer::Asked(_), _) => Some("a newer verdict arrived: choose one of the two first"),
        (_, None) => Some("choose accept or reject with tab first"),
        _ if form.reason.value().trim().is_empty() => Some("a reason is required"),
        _ => None,
    };
    let (record, seen, typed) = (form.record(), form.seen(), form.typed());
    if let Some(why) = why {
        model.notices.note(why, model.now);
        return Vec::new();
    }
    let Some(word) = typed.word else { return Vec::new() };
    model.overlay = None;
    let entry = model.labels.fresh(model.facts.labelling.run);
    vec![Effect::Decide { entry, record, word, reason: typed.reason, seen }]
}

/// An override is on the disk, or is not.
pub(super) fn decided(
    model: &mut Model,
    record: RecordId,
    result: Result<(EntryId, bool), Undecided>,
    said: Option<Arc<Said>>,
) -> Vec<Effect> {
    hear(model, said);
    match result {
        Ok((entry, already)) => {
            let text = match already {
                true => format!("{}: already overridden this way", record.short()),
                false => {
                    format!("Saved: {}; unconfirmed until its box confirms it", record.short())
                }
            };
            if !already {
                model.deals.note(Step::Overridden(vec![(entry, record)]));
            }
            model.notices.note(text, model.now);
            model.labels.typed.remove(&record);
            model.record.revision += 1;
            vec![Effect::Typed { record, typed: None }, Effect::Send { entries: vec![entry] }]
        }
        Err(Undecided::Failed(problem)) => {
            model.notices.problem(problem, model.now);
            Vec::new()
        }
        Err(Undecided::Newer { of, newest }) => {
            conflict(model, of, newest);
            Vec::new()
        }
    }
}

/// A newer verdict came before it was kept: both are shown, where nothing else is open.
fn conflict(model: &mut Model, of: Arc<Shown>, newest: Arc<Shown>) {
    let text = format!("{}: not saved: a newer verdict arrived", of.row.id.short());
    let next = "choose one of the two in the form; your text is kept";
    model.notices.warn(text, next, model.now);
    if model.overlay.is_none() {
        let typed = model.labels.typed.get(&of.row.id).cloned().unwrap_or_default();
        let mut form = OverrideForm::new(of, typed);
        form.newer = Newer::Asked(newest);
        form.asked = model.loaded.as_ref().map(|loaded| loaded.edition);
        model.overlay = Some(Overlay::Override(Box::new(form)));
    }
}

/// Tries once what waits for boxes of this machine, which nothing is pulled from.
pub(super) fn waiting(model: &Model) -> Option<Effect> {
    let said = model.labels.said.as_ref().filter(|_| !model.facts.given)?;
    let waits = said.overrides.values().flatten().filter(|one| one.state.is_waiting());
    let entries: Vec<EntryId> = waits.map(|one| one.back.unwrap_or(one.id)).collect();
    (!entries.is_empty()).then_some(Effect::Send { entries })
}

/// Takes overrides back, or brings them back.
pub(super) fn again(model: &mut Model, step: Step, way: Way) -> Vec<Effect> {
    let run = model.facts.labelling.run;
    let entries = (0..step.len()).map(|_| model.labels.fresh(run)).collect();
    vec![Effect::TakeBack { entries, step, way }]
}

/// Overrides were taken back or brought back, or were not.
pub(super) fn took_back(
    model: &mut Model,
    step: Step,
    way: Way,
    result: Result<Vec<EntryId>, Problem>,
    said: Option<Arc<Said>>,
) -> Vec<Effect> {
    hear(model, said);
    match result {
        Ok(entries) => {
            let what = if way == Way::Undo { "undone" } else { "done again" };
            let text = format!("{what}: {}", unconfirmed(entries.len(), "that"));
            model.notices.note(text, model.now);
            vec![Effect::Send { entries }]
        }
        Err(problem) => {
            model.notices.problem(problem, model.now);
            model.deals.restore(step, way == Way::Undo);
            Vec::new()
        }
    }
}

/// So many overrides, and until when that is unconfirmed.
fn unconfirmed(count: usize, what: &str) -> String {
    let overrides = crate::tui::widget::counted(count, "override", "overrides");
    let whose = if count == 1 { "its box holds" } else { "their boxes hold" };
    format!("{overrides}; unconfirmed until {whose} {what}")
}

/// Boxes were told.
pub(super) fn sent(
    model: &mut Model,
    confirmed: usize,
    problems: Vec<Problem>,
    said: Option<Arc<Said>>,
) {
    hear(model, said);
    if confirmed > 0 {
        let overrides = crate::tui::widget::counted(confirmed, "override", "overrides");
        model.notices.note(format!("confirmed: {overrides}; read back from the box"), model.now);
    }
    for problem in problems {
        model.notices.problem(problem, model.now);
    }
}

/// Takes what the ledgers say; lists that depend on it are made again.
fn hear(model: &mut Model, said: Option<Arc<Said>>) {
    let Some(said) = said else { return };
    super::labels::said(model, Ok(said));
    for list in [&mut model.queue, &mut model.records] {
        if list.filter.query.asks_reviews() {
            list.serial += 1;
        }
    }
}
