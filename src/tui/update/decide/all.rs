//! Overriding all marked records at once: one word and one reason. What cannot be kept, and what no
//! box was heard to hold, is marked afterwards, and named.

use super::{close, edit, hear, keep, put, unconfirmed};
use crate::domain::review::EntryId;
use crate::domain::{Outcome, RecordId};
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::keymap::Context;
use crate::tui::message::ItemResult;
use crate::tui::model::{Bulk, BulkForm, Model, Overlay, Problem, Said, Shown, Step, name_of};
use crate::tui::session::Typed;
use crate::tui::widget::counted;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;
use tui_input::Input;

/// Opens the form, with what was typed for the same records before.
pub(super) fn open(model: &mut Model) {
    match on(model) {
        Ok(form) => model.overlay = Some(Overlay::OverrideAll(Box::new(form))),
        Err(why) => model.notices.note(why, model.now),
    }
}

/// The form, or why it cannot be opened: nobody decides of what he has not seen.
fn on(model: &Model) -> Result<BulkForm, String> {
    let list = model.list().ok_or("there is no record to override here")?;
    if !list.ranging.is_empty() {
        return Err(crate::tui::update::movement::STILL_READING.to_owned());
    }
    let of: Vec<RecordId> = list.marks.iter().copied().collect();
    let read: HashMap<RecordId, &Shown> =
        model.rows.read(list.edition).map(|(_, shown)| (shown.row.id, &**shown)).collect();
    let shown: Vec<&Shown> = of.iter().filter_map(|id| read.get(id).copied()).collect();
    let refused = |count: usize, why: &str| match count {
        0 => Ok(()),
        _ => Err(format!("{count} of the marked records: {why}")),
    };
    refused(of.len() - shown.len(), "not shown yet; look at them first")?;
    let people = shown.iter().filter(|shown| shown.row.outcome.is_none()).count();
    refused(people, "these are overrides; unmark them")?;
    let hidden = shown.iter().filter(|shown| model.is_hidden(&shown.row)).count();
    refused(hidden, "hidden until you have labelled them")?;
    let typed = model.labels.typed.get(&name_of(&of)).cloned().unwrap_or_default();
    let (boxes, judged) = (boxes(&shown), judged(&shown));
    let reason = Input::new(typed.reason);
    let (list, away) = (list.id, list.away.len());
    Ok(BulkForm { of, list, away, boxes, judged, word: typed.word, reason })
}

/// How many of them each box has, the most first.
fn boxes(shown: &[&Shown]) -> Vec<(String, usize)> {
    let mut boxes: BTreeMap<&str, usize> = BTreeMap::new();
    for shown in shown {
        *boxes.entry(&shown.row.box_name).or_default() += 1;
    }
    let mut boxes: Vec<_> = boxes.into_iter().map(|(name, n)| (name.to_owned(), n)).collect();
    boxes.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    boxes
}

/// What the judge said of how many.
fn judged(shown: &[&Shown]) -> Vec<(Outcome, usize)> {
    let of = |outcome| shown.iter().filter(|shown| shown.row.outcome == Some(outcome)).count();
    let judged = [Outcome::NoGo, Outcome::Go, Outcome::Undetermined];
    judged.into_iter().map(|outcome| (outcome, of(outcome))).filter(|(_, n)| *n > 0).collect()
}

fn form(model: &mut Model) -> Option<&mut BulkForm> {
    match &mut model.overlay {
        Some(Overlay::OverrideAll(form)) => Some(form),
        _ => None,
    }
}

/// A key while the form is open. Enter does nothing.
pub(in crate::tui::update) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    let empty = form.reason.value().is_empty();
    let name = name_of(&form.of);
    match (key.code, key.ctrl) {
        (Code::Char('s'), true) => save(model),
        (Code::Esc, _) => close(model, Some(name)),
        (Code::Char('c'), true) if empty => close(model, Some(name)),
        _ if edit(&mut form.word, &mut form.reason, key) => typed(model),
        _ => Vec::new(),
    }
}

/// Text was pasted: it is a part of the reason, and its line ends are blanks.
pub(in crate::tui::update) fn paste(model: &mut Model, text: &str) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    if let Some(told) = put(&mut form.reason, text) {
        model.notices.note(told, model.now);
    }
    typed(model)
}

fn typed(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    let (name, typed) = (name_of(&form.of), form.typed());
    keep(model, name, typed)
}

/// ctrl-s: keeps the decisions where they are whole.
fn save(model: &mut Model) -> Vec<Effect> {
    let Some(form) = form(model) else { return Vec::new() };
    let typed = form.typed();
    let why = match typed.word {
        None => Some("choose accept or reject with tab first"),
        Some(_) if typed.reason.trim().is_empty() => Some("a reason is required"),
        Some(_) => None,
    };
    let (records, list) = (form.of.clone(), form.list);
    if let Some(why) = why {
        model.notices.note(why, model.now);
        return Vec::new();
    }
    let Some(word) = typed.word else { return Vec::new() };
    model.overlay = None;
    let run = model.facts.labelling.run;
    let of: Vec<_> = records.iter().map(|record| (model.labels.fresh(run), *record)).collect();
    let Some((name, _)) = of.first().copied() else { return Vec::new() };
    let saving = counted(of.len(), "override is", "overrides are");
    model.notices.note(format!("{saving} being saved"), model.now);
    let reason = typed.reason.clone();
    model.labels.bulks.push(Bulk { name, list, records, typed, kept: Vec::new() });
    vec![Effect::DecideAll { of, word, reason }]
}

/// They are on the disk, or not all of them are: those stay marked.
pub(in crate::tui::update) fn decided(
    model: &mut Model,
    name: EntryId,
    result: Result<Vec<ItemResult>, Problem>,
    said: Option<Arc<Said>>,
) -> Vec<Effect> {
    hear(model, said);
    let at = model.labels.bulks.iter().position(|bulk| bulk.name == name);
    let Some(mut bulk) = at.map(|at| model.labels.bulks.remove(at)) else { return Vec::new() };
    let fared = match result {
        Ok(fared) => fared,
        Err(problem) => {
            model.notices.problem(problem, model.now);
            return Vec::new();
        }
    };
    let mut new = Vec::new();
    let mut refused: Vec<(RecordId, String)> = Vec::new();
    for (record, result) in fared {
        match result {
            Ok((entry, already)) => {
                bulk.kept.push((entry, record));
                new.extend((!already).then_some((entry, record)));
            }
            Err(why) => refused.push((record, why)),
        }
    }
    let list = model.list_of(bulk.list);
    let kept: BTreeSet<RecordId> = bulk.kept.iter().map(|(_, record)| *record).collect();
    list.marks.retain(|record| !kept.contains(record));
    list.away.retain(|record| !kept.contains(record));
    tell(model, new.len(), bulk.kept.len() - new.len(), &refused);
    if !new.is_empty() {
        model.deals.note(Step::Overridden(new));
    }
    let mut effects = keep(model, name_of(&bulk.records), Typed::default());
    let left: Vec<RecordId> = refused.into_iter().map(|(record, _)| record).collect();
    if !left.is_empty() {
        // The same word and reason for those that are left.
        effects.extend(keep(model, name_of(&left), bulk.typed.clone()));
    }
    let entries: Vec<EntryId> = bulk.kept.iter().map(|(entry, _)| *entry).collect();
    if !entries.is_empty() {
        model.labels.bulks.push(bulk);
        effects.push(Effect::Send { entries });
    }
    effects
}

/// Says how many are saved, and which are not.
fn tell(model: &mut Model, new: usize, already: usize, refused: &[(RecordId, String)]) {
    let mut text = match new {
        0 => "nothing to save".to_owned(),
        _ => format!("saved: {}", unconfirmed(new, "them")),
    };
    if already > 0 {
        text.push_str(&format!("; {already} already overridden this way"));
    }
    model.notices.note(text, model.now);
    if refused.is_empty() {
        return;
    }
    let all = new + already + refused.len();
    let text = format!(
        "{} of {all} overrides not saved, still marked: {}",
        refused.len(),
        by_reason(refused)
    );
    let key = model.keymap.hint(Context::List, Action::Override);
    let again = key.map(|key| format!("; {key} reopens the form for these, with your text"));
    let saved = if new + already > 0 { "the others are saved" } else { "nothing was saved" };
    let next = format!("{saved}{}", again.unwrap_or_default());
    model.notices.problem(Problem { text, next }, model.now);
}

/// Records by why, the names of all of them.
fn by_reason(refused: &[(RecordId, String)]) -> String {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for (record, why) in refused {
        match reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, records)) => records.push(record.short()),
            None => reasons.push((why, vec![record.short()])),
        }
    }
    let one = |(why, records): (&str, Vec<String>)| format!("{} ({why})", records.join(", "));
    reasons.into_iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Boxes answered. What of a bulk no box was heard to hold is marked, unless other records were
/// marked meanwhile: who marks must not act on more than he marked.
pub(in crate::tui::update) fn answered(model: &mut Model, asked: &[EntryId], left: &[EntryId]) {
    let (asked, left): (BTreeSet<_>, BTreeSet<_>) = (asked.iter().collect(), left.iter().collect());
    let of = |bulk: &Bulk| bulk.kept.iter().any(|(entry, _)| asked.contains(entry));
    let Some(at) = model.labels.bulks.iter().position(of) else { return };
    let bulk = model.labels.bulks.remove(at);
    let list = model.list_of(bulk.list);
    let own: BTreeSet<_> = bulk.records.iter().copied().collect();
    let failed = bulk.kept.iter().filter(|(entry, _)| left.contains(entry));
    let failed: Vec<RecordId> = failed.map(|(_, record)| *record).collect();
    if failed.is_empty() || !list.all_marks().iter().all(|id| own.contains(id)) {
        return;
    }
    // The list is asked which of them it has.
    list.away.extend(failed);
    list.serial += 1;
}
