//! Answers to overrides. What of many cannot be kept, and what no box confirmed, is marked
//! afterwards, and named.

use super::keep;
use crate::domain::RecordId;
use crate::domain::review::EntryId;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::keymap::Context;
use crate::tui::message::{DeliveryReport, OverrideRefusal, OverrideResult};
use crate::tui::model::{
    Change, LedgerSnapshot, Model, Newer, Overlay, OverrideForm, PendingOverrides, Problem,
    UndoStep, name_of,
};
use crate::tui::session::OverrideDraft;
use crate::tui::widget::counted;
use std::collections::BTreeSet;
use std::sync::Arc;

/// They are on the disk, or not all of them are: those stay marked.
pub(in crate::tui::update) fn decided(
    model: &mut Model,
    name: EntryId,
    result: Result<Vec<OverrideResult>, Problem>,
    ledger: Option<Arc<LedgerSnapshot>>,
) -> Vec<Effect> {
    take_ledger(model, ledger);
    let at = model.labels.deciding.iter().position(|one| one.name == name);
    let Some(mut deciding) = at.map(|at| model.labels.deciding.remove(at)) else {
        return Vec::new();
    };
    let results = match result {
        Ok(results) => results,
        Err(problem) => {
            model.notices.problem(problem, model.now);
            return Vec::new();
        }
    };
    let mut new = Vec::new();
    let mut refused: Vec<(RecordId, OverrideRefusal)> = Vec::new();
    for (record, result) in results {
        match result {
            Ok((entry, already)) => {
                deciding.kept.push((entry, record));
                new.extend((!already).then_some((entry, record)));
            }
            Err(why) => refused.push((record, why)),
        }
    }
    let already = deciding.kept.len() - new.len();
    let left: Vec<RecordId> = refused.iter().map(|(record, _)| *record).collect();
    match deciding.form.single() {
        Some(_) => report_one(model, &deciding.form, already > 0, refused.pop()),
        None => report_many(model, new.len(), already, &refused),
    }
    if !new.is_empty() {
        model.history.push(UndoStep::Overridden(new));
    }
    kept(model, deciding, &left)
}

/// Sends what is kept to boxes. What was typed stays for those that are left.
fn kept(model: &mut Model, deciding: PendingOverrides, left: &[RecordId]) -> Vec<Effect> {
    let PendingOverrides { form, kept, .. } = &deciding;
    if kept.is_empty() {
        return Vec::new();
    }
    let mut effects = keep(model, form.name(), OverrideDraft::default());
    if !left.is_empty() {
        effects.extend(keep(model, name_of(left.iter().copied()), form.draft()));
    }
    effects.push(Effect::Send { entries: kept.iter().map(|(entry, _)| *entry).collect() });
    if let Some(marked) = form.marked {
        let list = model.list_of(marked.list);
        let records: BTreeSet<RecordId> = kept.iter().map(|(_, record)| *record).collect();
        list.marks.retain(|record| !records.contains(record));
        list.away.retain(|record| !records.contains(record));
        model.labels.deciding.push(deciding);
    }
    effects
}

/// Says whether that of the selected record is saved. Where a newer verdict came before it was, both
/// are shown, if nothing else is open.
fn report_one(
    model: &mut Model,
    form: &OverrideForm,
    already: bool,
    refused: Option<(RecordId, OverrideRefusal)>,
) {
    let record = form.name().short();
    let Some((_, OverrideRefusal { why, newest })) = refused else {
        let text = match already {
            true => format!("{record}: already overridden this way"),
            false => format!("Saved: {record}; unconfirmed until its box confirms it"),
        };
        return model.notices.note(text, model.now);
    };
    let Some(newest) = newest else {
        let text = format!("{record} cannot be overridden: {why}");
        let next = "nothing was saved; what you typed is kept";
        return model.notices.problem(Problem::new(text, next), model.now);
    };
    let text = format!("{record}: not saved: a newer verdict arrived");
    let next = "choose one of the two in the form; your text is kept";
    model.notices.warn(text, next, model.now);
    if model.overlay.is_none() {
        let asked = model.loaded.as_ref().map(|loaded| loaded.edition);
        let form = OverrideForm { newer: Newer::Undecided(newest), asked, ..form.clone() };
        model.overlay = Some(Overlay::Override(Box::new(form)));
    }
}

/// Says how many are saved, and which are not.
fn report_many(
    model: &mut Model,
    new: usize,
    already: usize,
    refused: &[(RecordId, OverrideRefusal)],
) {
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
fn by_reason(refused: &[(RecordId, OverrideRefusal)]) -> String {
    let mut reasons: Vec<(&str, Vec<String>)> = Vec::new();
    for (record, OverrideRefusal { why, .. }) in refused {
        match reasons.iter_mut().find(|(known, _)| known == why) {
            Some((_, records)) => records.push(record.short()),
            None => reasons.push((why, vec![record.short()])),
        }
    }
    let one = |(why, records): (&str, Vec<String>)| format!("{} ({why})", records.join(", "));
    reasons.into_iter().map(one).collect::<Vec<_>>().join("; ")
}

/// Tries once what waits for boxes of this machine, which nothing is pulled from.
pub(in crate::tui::update) fn waiting(model: &Model) -> Option<Effect> {
    let ledger = model.labels.ledger.as_ref().filter(|_| !model.facts.given)?;
    let waits = ledger.overrides.values().flatten().filter(|one| one.state.is_waiting());
    let entries: Vec<EntryId> = waits.map(|one| one.back.unwrap_or(one.id)).collect();
    (!entries.is_empty()).then_some(Effect::Send { entries })
}

/// Takes overrides back, or brings them back.
pub(in crate::tui::update) fn replay(
    model: &mut Model,
    step: UndoStep,
    change: Change,
) -> Vec<Effect> {
    let run = model.facts.labelling.run;
    let entries = (0..step.len()).map(|_| model.labels.new_entry_id(run)).collect();
    vec![Effect::TakeBack { entries, step, change }]
}

/// Overrides were taken back or brought back, or were not.
pub(in crate::tui::update) fn taken_back(
    model: &mut Model,
    step: UndoStep,
    change: Change,
    result: Result<Vec<EntryId>, Problem>,
    ledger: Option<Arc<LedgerSnapshot>>,
) -> Vec<Effect> {
    take_ledger(model, ledger);
    match result {
        Ok(entries) => {
            let what = if change == Change::Undo { "undone" } else { "done again" };
            let text = format!("{what}: {}", unconfirmed(entries.len(), "that"));
            model.notices.note(text, model.now);
            vec![Effect::Send { entries }]
        }
        Err(problem) => {
            model.notices.problem(problem, model.now);
            model.history.restore(step, change == Change::Undo);
            Vec::new()
        }
    }
}

/// So many overrides, and until when that is unconfirmed.
fn unconfirmed(count: usize, what: &str) -> String {
    let overrides = counted(count, "override", "overrides");
    let whose = if count == 1 { "its box holds" } else { "their boxes hold" };
    format!("{overrides}; unconfirmed until {whose} {what}")
}

/// What boxes hold now; `None` where they hold nothing new.
fn held(model: &Model, confirmed: &[(EntryId, RecordId, String)]) -> Option<String> {
    let (entry, record, box_name) = match confirmed {
        [] => return None,
        [one] => one,
        many => return Some(format!("{} overrides confirmed by their boxes", many.len())),
    };
    let name = match crate::tui::update::labels::name(model, *record) {
        name if name.is_empty() => record.short(),
        name => name,
    };
    let own = model.labels.overrides(*record).iter().find(|one| one.id == *entry);
    Some(match own {
        Some(one) => format!("Override {} is on {box_name} ({name})", one.word.as_str()),
        // The entry that takes one back, or brings it back.
        None => {
            let back = |one: &&crate::overrides::Delivery| one.back == Some(*entry) && one.counts;
            match model.labels.overrides(*record).iter().find(back) {
                Some(one) => {
                    format!("Override {} is on {box_name} again ({name})", one.word.as_str())
                }
                None => format!("Override withdrawn from {box_name} ({name})"),
            }
        }
    })
}

/// Boxes answered. What of a list's marks no box confirmed is marked again, unless other
/// records were marked meanwhile: who marks must not act on more than he marked.
pub(in crate::tui::update) fn sent(model: &mut Model, sent: DeliveryReport) {
    let DeliveryReport { asked, left, confirmed, problems, ledger } = sent;
    take_ledger(model, ledger);
    if let Some(text) = held(model, &confirmed) {
        model.notices.note(text, model.now);
    }
    for problem in problems {
        model.notices.problem(problem, model.now);
    }
    let [asked, left]: [BTreeSet<EntryId>; 2] = [asked, left].map(|all| all.into_iter().collect());
    let of = |one: &PendingOverrides| one.kept.iter().any(|(entry, _)| asked.contains(entry));
    let Some(at) = model.labels.deciding.iter().position(of) else { return };
    let PendingOverrides { form, kept, .. } = model.labels.deciding.remove(at);
    let Some(marked) = form.marked else { return };
    let list = model.list_of(marked.list);
    let own: BTreeSet<_> = form.records.iter().map(|shown| shown.row.id).collect();
    let failed = kept.into_iter().filter(|(entry, _)| left.contains(entry));
    let failed: Vec<RecordId> = failed.map(|(_, record)| record).collect();
    if failed.is_empty() || !list.all_marks().iter().all(|id| own.contains(id)) {
        return;
    }
    // The list is asked which of them it has.
    list.away.extend(failed);
    list.serial += 1;
}

/// Takes the content of the ledgers; lists that depend on it are made again.
pub(in crate::tui::update) fn take_ledger(model: &mut Model, ledger: Option<Arc<LedgerSnapshot>>) {
    let Some(ledger) = ledger else { return };
    crate::tui::update::labels::ledger_read(model, Ok(ledger));
    for list in [&mut model.queue, &mut model.records] {
        if list.filter.query.asks_reviews() {
            list.serial += 1;
        }
    }
}
