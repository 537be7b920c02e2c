//! Overriding: a form with a decision and a reason, bound to the selected record, or to all that are
//! marked. `ctrl-s` keeps it, and only what is kept goes to the boxes of the records.

mod answers;

pub(super) use answers::{decided, replay, sent, take_ledger, taken_back, waiting};

use super::{line, movement};
use crate::domain::review::OverrideWord;
use crate::domain::{Record, RecordId};
use crate::tui::effect::{Decision, Effect};
use crate::tui::key::{Code, Key};
use crate::tui::model::{
    List, Marked, Model, Newer, Overlay, OverrideForm, PendingOverrides, Problem, ShownRecord,
};
use crate::tui::session::OverrideDraft;
use crate::tui::widget::counted;
use std::collections::HashMap;
use std::sync::Arc;

/// Opens the form on the marked records, or on the selected one, with what was typed there before.
pub(super) fn open(model: &mut Model) {
    match refused(model).map_or_else(|| new_form(model), |why| Err(why.to_owned())) {
        Ok(form) => model.overlay = Some(Overlay::Override(Box::new(form))),
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
    let given = "overrides are written to boxes, but these logs were given by path";
    model.facts.given.then_some(given)
}

/// The form, or why it cannot be opened: nobody decides of what he has not seen.
fn new_form(model: &Model) -> Result<OverrideForm, String> {
    let list = model.list().ok_or("there is no record to override here")?;
    if !list.ranging.is_empty() {
        return Err(super::movement::STILL_READING.to_owned());
    }
    let (of, marked) = match list.marks.is_empty() {
        true => (vec![Arc::clone(model.selected().ok_or(super::NO_RECORD)?)], None),
        false => (marked(model, list)?, Some(Marked { list: list.id, away: list.away.len() })),
    };
    let refused = |is: &dyn Fn(&Record) -> bool, one: &str, many: &str| {
        let count = of.iter().filter(|shown| is(&shown.row)).count();
        match (count, marked) {
            (0, _) => Ok(()),
            (_, None) => Err(one.to_owned()),
            (_, Some(_)) => Err(format!("{count} of the marked records: {many}")),
        }
    };
    refused(
        &|row| row.outcome.is_none(),
        "this record is an override: select the evaluation instead",
        "these are overrides; unmark them",
    )?;
    // Of a push that was stopped somebody waits: it can be decided without seeing the verdict.
    let waits = |row: &Record| marked.is_none() && model.gate.keeps(row.id);
    refused(
        &|row| model.is_hidden(row) && !waits(row),
        "the record is hidden until you have labelled it",
        "hidden until you have labelled them",
    )?;
    let form = OverrideForm::new(of, marked);
    let typed = model.labels.typed.get(&form.name()).cloned();
    Ok(form.with_draft(typed.unwrap_or_default()))
}

/// The records that are marked in a list, all of which were read.
fn marked(model: &Model, list: &List) -> Result<Vec<Arc<ShownRecord>>, String> {
    let read: HashMap<RecordId, &Arc<ShownRecord>> =
        model.rows.read(list.edition).map(|(_, shown)| (shown.row.id, shown)).collect();
    let of: Vec<_> =
        list.marks.iter().filter_map(|id| read.get(id).map(|s| Arc::clone(s))).collect();
    match list.marks.len() - of.len() {
        0 => Ok(of),
        count => Err(format!("{count} of the marked records: not shown yet; look at them first")),
    }
}

fn form(model: &mut Model) -> Option<&mut OverrideForm> {
    match &mut model.overlay {
        Some(Overlay::Override(form)) => Some(form),
        _ => None,
    }
}

/// Asks whether a newer verdict came, once for each archive while the form of one is open.
pub(super) fn look(model: &mut Model, edition: u64) -> Option<Effect> {
    let form = form(model).filter(|form| form.asked != Some(edition))?;
    let record = Arc::clone(form.single()?);
    form.asked = Some(edition);
    Some(Effect::Newer { edition, record })
}

/// The search for a newer verdict ended.
pub(super) fn newest(
    model: &mut Model,
    record: RecordId,
    edition: u64,
    result: Result<(bool, Option<Arc<ShownRecord>>), Problem>,
) {
    let is_asked = |form: &&mut OverrideForm| form.name() == record && form.asked == Some(edition);
    if form(model).filter(is_asked).is_none() {
        return;
    }
    match result {
        Ok((is_there, newest)) => {
            let newest = newest.map(|newest| model.gate.pass(&newest));
            if let Some(form) = self::form(model) {
                form.set_newest(is_there, newest);
            }
        }
        Err(problem) => model.notices.problem(problem, model.now),
    }
}

/// A key while the form is open. Enter does nothing.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    match (key.code, key.ctrl) {
        (Code::Char('s'), true) => save(model),
        (Code::Esc, _) => close(model),
        (Code::Char('c'), true) if form.reason.value().is_empty() => close(model),
        (Code::PageUp, _) => movement::scroll_below(model, -1),
        (Code::PageDown, _) => movement::scroll_below(model, 1),
        (Code::Up, _) => keep_older(model),
        (Code::Down, _) => turn_to_newer(model),
        (Code::Tab | Code::BackTab, _) => {
            form.word = Some(other(form.word));
            typed(model)
        }
        _ if line::press(&mut form.reason, key) => typed(model),
        _ => Vec::new(),
    }
}

/// The other of the two words; the first one where none is chosen.
fn other(word: Option<OverrideWord>) -> OverrideWord {
    match word {
        Some(OverrideWord::Accept) => OverrideWord::Reject,
        Some(OverrideWord::Reject) | None => OverrideWord::Accept,
    }
}

/// Of two verdicts the older one is meant.
fn keep_older(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if let Newer::Undecided(newest) = &form.newer {
        form.newer = Newer::OlderChosen(Arc::clone(newest));
    }
    Vec::new()
}

/// Of two verdicts the newer one is meant: the form is of that one from here on.
fn turn_to_newer(model: &mut Model) -> Vec<Effect> {
    let Some(after) = form(model).and_then(|form| form.newest()).cloned() else {
        return Vec::new();
    };
    if model.is_hidden(&after.row) {
        model.notices.note("the newer one is hidden until you have labelled it", model.now);
        return Vec::new();
    }
    if let Some(own) = model.labels.typed.get(&after.row.id).cloned() {
        let form = OverrideForm::new(vec![after], None).with_draft(own);
        model.overlay = Some(Overlay::Override(Box::new(form)));
        let text =
            "restored the reason you had started for it; what you typed stays with the older one";
        model.notices.note(text, model.now);
        return Vec::new();
    }
    let Some(form) = form(model) else { return Vec::new() };
    let before = form.name();
    (form.records, form.newer, form.asked) = (vec![after], Newer::Unknown, None);
    let mut effects = keep(model, before, OverrideDraft::default());
    effects.extend(typed(model));
    effects
}

/// Keeps what is typed, so that neither Esc nor a crash loses it.
pub(super) fn typed(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    let (name, typed) = (form.name(), form.draft());
    keep(model, name, typed)
}

/// The same under a name.
fn keep(model: &mut Model, name: RecordId, typed: OverrideDraft) -> Vec<Effect> {
    let typed = (!typed.reason.is_empty()).then_some(typed);
    let before = match &typed {
        Some(typed) => model.labels.typed.insert(name, typed.clone()),
        None => model.labels.typed.remove(&name),
    };
    if before == typed {
        return Vec::new();
    }
    model.record.revision += 1;
    vec![Effect::SaveOverrideDraft { record: name, typed }]
}

fn close(model: &mut Model) -> Vec<Effect> {
    let name = form(model).map(|form| form.name());
    model.overlay = None;
    let text = match name.is_some_and(|name| model.labels.typed.contains_key(&name)) {
        true => "nothing was saved; your text is kept: the same key shows it again",
        false => "nothing was decided",
    };
    model.notices.note(text, model.now);
    Vec::new()
}

/// ctrl-s: keeps the decision where it is whole and bound.
fn save(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model).cloned() else { return Vec::new() };
    let word = match decided_word(&form) {
        Ok(word) => word,
        Err(why) => {
            model.notices.note(why, model.now);
            return Vec::new();
        }
    };
    model.overlay = None;
    let run = model.facts.labelling.run;
    let entries: Vec<_> =
        form.records.iter().map(|s| (model.labels.new_entry_id(run), s.row.id)).collect();
    let Some((name, _)) = entries.first().copied() else { return Vec::new() };
    if form.single().is_none() {
        let saving = counted(entries.len(), "override is", "overrides are");
        model.notices.note(format!("{saving} being saved"), model.now);
    }
    let (reason, seen) = (form.draft().reason, form.seen());
    model.labels.deciding.push(PendingOverrides { name, form, kept: Vec::new() });
    vec![Effect::Decide(Decision { name, entries, word, reason, seen })]
}

/// The word of a form that lacks nothing, or what it lacks.
fn decided_word(form: &OverrideForm) -> Result<OverrideWord, &'static str> {
    match (&form.newer, form.word) {
        (Newer::Gone, _) => Err("this record is no longer in the logs: nothing was saved"),
        (Newer::Undecided(_), _) => Err("a newer verdict arrived: choose one of the two first"),
        (_, None) => Err("choose accept or reject with tab first"),
        _ if form.reason.value().trim().is_empty() => Err("a reason is required"),
        (_, Some(word)) => Ok(word),
    }
}
