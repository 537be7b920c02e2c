//! Labelling picks of memories: which candidates help, seen without the judge's choice.

use super::labels;
use crate::domain::RecordId;
use crate::domain::review::{Act, EntryId};
use crate::pick_labels;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::keymap::Context;
use crate::tui::model::{Model, Overlay, PicksReport, Problem, Question, Screen, UndoStep};
use crate::tui::screen;
use crate::tui::widget::counted;
use std::sync::Arc;

/// Asks for the picks where the logs or the labels are others than those they were asked of.
pub(super) fn ask(model: &mut Model, edition: u64, effects: &mut Vec<Effect>) {
    let wanted = (edition, model.picks.serial);
    if model.picks.asked == Some(wanted) {
        return;
    }
    let generation = model.next_generation();
    let picks = &mut model.picks;
    picks.asked = Some(wanted);
    picks.generation = generation;
    picks.result.load = crate::tui::model::Load::Busy;
    effects.push(Effect::Picks { edition, generation });
}

/// They came, or could not be read.
pub(super) fn found(model: &mut Model, generation: u64, result: Result<Arc<PicksReport>, Problem>) {
    if generation != model.picks.generation {
        return;
    }
    if let Err(problem) = &result {
        model.notices.problem(problem.clone(), model.now);
    }
    model.picks.result.settle(result);
}

/// Lists anew what is left to label.
pub(super) fn arrange(model: &mut Model) {
    let reviewer = model.facts.labelling.reviewer.clone();
    let ledger = model.labels.ledger.clone();
    let is_labelled = |record: RecordId| {
        let present = ledger.as_ref().map(|ledger| &ledger.present);
        let given = present.and_then(|present| present.relevance.get(&record));
        given.is_some_and(|given| {
            given.iter().any(|one| reviewer.as_ref().is_none_or(|who| one.reviewer == *who))
        })
    };
    model.picks.arrange(is_labelled);
}

/// Does what an action means for picks; `None` where it means the same as elsewhere.
pub(super) fn act(model: &mut Model, action: Action) -> Option<Vec<Effect>> {
    if action == Action::SavePick {
        return Some(save(model));
    }
    model.shown_picks()?;
    let is_labelling = model.screen == Screen::Calibration;
    match action {
        Action::Mark if is_labelling => toggle(model),
        Action::Later if is_labelling => later(model),
        Action::NextItem if is_labelling => step(model, 1),
        Action::PreviousItem if is_labelling => step(model, -1),
        Action::Open if screen::picks::leads_to_queue(model) => {
            super::navigate::go(model, Screen::Calibration)
        }
        _ => {
            let why = refusal(model, action, is_labelling)?;
            model.notices.note(why, model.now);
        }
    }
    Some(Vec::new())
}

/// Why an action does nothing for picks.
fn refusal(model: &Model, action: Action, is_labelling: bool) -> Option<String> {
    use Action::{
        Acceptable, AuditRate, Blind, EnableBox, MarkRange, Note, Open, Poor, Seen, StartWindow,
        StepDone, Unsure, Waive, WriteReport, Wrong,
    };
    let text = match action {
        Acceptable | Poor | Unsure | Wrong | Note | Seen | MarkRange | Open if is_labelling => {
            let key = |action| model.keymap.hint(Context::List, action).map(|key| key.to_string());
            let (mark, save) = (key(Action::Mark)?, key(Action::SavePick)?);
            return Some(format!(
                "{mark} marks a candidate that helps; {save} saves: all others do not help"
            ));
        }
        Blind => "the judge's choice of a pick is never shown while it is labelled",
        StepDone | Waive | StartWindow | AuditRate => {
            "picks have no window, sample, waiver or runbook: see `[memories.policy]`"
        }
        EnableBox => "picks block nothing: `[memories] judge` turns the judge on",
        WriteReport => "`foureyes memories readiness --json` prints this document",
        Open => "there are no records behind this",
        _ => return None,
    };
    Some(text.to_owned())
}

/// Marks the candidate under the cursor as one that helps, or takes the mark away.
fn toggle(model: &mut Model) {
    let Some(card) = model.labelled_pick().cloned() else { return };
    let Some(place) = screen::picks::candidate(model) else {
        model.notices.note("move to a candidate first", model.now);
        return;
    };
    let marks = model.picks.marks.entry(card.record).or_default();
    if !marks.remove(&place) {
        marks.insert(place);
    }
}

/// Shows the next pick, or the one before.
fn step(model: &mut Model, by: isize) {
    let last = model.picks.queue.len().saturating_sub(1);
    let place = model.picks.place.saturating_add_signed(by).min(last);
    model.picks.wanted = model.picks.queue.get(place).copied();
}

/// Puts the pick behind all others, for this run.
fn later(model: &mut Model) {
    let Some(record) = model.labelled_pick().map(|card| card.record) else { return };
    let picks = &mut model.picks;
    picks.later.retain(|put_off| *put_off != record);
    picks.later.push(record);
    // What follows comes up; of the last one that is the first.
    let next = picks.queue.get(picks.place + 1).or(picks.queue.first());
    picks.wanted = next.copied();
}

/// Saves which candidates help; the next pick comes up.
fn save(model: &mut Model) -> Vec<Effect> {
    let Some(card) = model.labelled_pick().cloned() else {
        model.notices.note("no pick is shown that can be labelled", model.now);
        return Vec::new();
    };
    if labels::is_unnamed(model) {
        return Vec::new();
    }
    let (record, candidates) = (card.record, card.candidates.len());
    if model.picks.marks_of(record).is_empty() {
        // A key that is pressed twice must not label a pick that nobody looked at.
        model.overlay = Some(Overlay::Confirm(Question::NoneHelps { record, candidates }));
        return Vec::new();
    }
    save_marks(model, record)
}

/// Saves that those candidates of the pick help which are at these places on the screen; none is said on
/// purpose.
pub(super) fn save_helping(model: &mut Model, shown: &[usize]) -> Vec<Effect> {
    let Some(card) = model.labelled_pick().cloned() else { return save(model) };
    if labels::is_unnamed(model) {
        return Vec::new();
    }
    let places = shown.iter().filter_map(|at| card.candidates.get(*at)).map(|one| one.place);
    model.picks.marks.insert(card.record, places.collect());
    save_marks(model, card.record)
}

/// Saves what is marked of a pick.
pub(super) fn save_marks(model: &mut Model, record: RecordId) -> Vec<Effect> {
    let Some(report) = model.picks.result.value.clone() else { return Vec::new() };
    let Some(pick) = report.pick(record) else { return Vec::new() };
    let helping: Vec<usize> = model.picks.marks_of(record).into_iter().collect();
    let act = Act::Relevance(pick_labels::labels(pick, &helping, true));
    let entry = model.labels.new_entry_id(model.facts.labelling.run);
    model.history.push(UndoStep::Labelled { entry, records: vec![record] });
    model.history.writing += 1;
    model.picks.pending.push((entry, record));
    vec![Effect::Review { entry, act, further: Vec::new() }]
}

/// A label is on the disk, or could not be written: then its pick is back.
pub(super) fn saved(model: &mut Model, entry: EntryId, result: &Result<(), Problem>) {
    let at = model.picks.pending.iter().position(|(of, _)| *of == entry);
    let Some((_, record)) = at.map(|at| model.picks.pending.remove(at)) else { return };
    model.history.writing = model.history.writing.saturating_sub(1);
    match result {
        Ok(()) => {
            let helping = model.picks.marks_of(record).len();
            let report = model.picks.result.value.as_ref();
            let all = report.and_then(|report| Some(report.pick(record)?.candidates.len()));
            let all = counted(all.unwrap_or(helping), "candidate", "candidates");
            let helping = match helping {
                0 => format!("none of {all} helps"),
                1 => format!("1 of {all} helps"),
                n => format!("{n} of {all} help"),
            };
            let left = match model.picks.queue.len() {
                0 => "No pick is left.".to_owned(),
                n => format!("{} left.", counted(n, "pick", "picks")),
            };
            model.notices.note(format!("Saved: {helping}. {left}"), model.now);
        }
        Err(problem) => {
            model.history.forget(entry);
            model.picks.wanted = Some(record);
            model.notices.problem(problem.clone(), model.now);
        }
    }
}

/// A label was undone: its pick comes up again.
pub(super) fn bring_back(model: &mut Model, records: &[RecordId]) {
    let report = model.picks.result.value.as_ref();
    let is_pick = |record: &&RecordId| report.is_some_and(|report| report.pick(**record).is_some());
    if let Some(record) = records.iter().find(is_pick) {
        model.picks.wanted = Some(*record);
    }
}
