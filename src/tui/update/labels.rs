//! Labelling: what is true of a record in the reviewer's own words.
//!
//! An entry goes out at once, and counts as saved when its answer comes. Until then no queue is
//! listed, since it might not know of it yet.

mod blind;
mod note;
mod reason;
mod saved;

pub(super) use blind::{blind, close as close_eyes};
pub(super) use note::{
    accept as accept_note, open as open_note, press as press_note, typed as typed_note,
};
pub(in crate::tui) use note::{chosen, wrong as wrong_scores};
pub(super) use reason::named as reason_named;
pub(in crate::tui) use reason::{found as reasons, menu as reason_menu};
pub(super) use saved::{read as ledger_read, saved};

use super::dispositions::rows_of;
use crate::domain::review::{Label, Word};
use crate::domain::{Family, Outcome, RecordId};
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::model::{
    BlindMode, Change, Model, Overlay, OwnLabel, Pending, Question, QueueKind, Screen, UndoStep,
};
use crate::tui::widget::counted;

/// So many records are labelled without asking.
const UNASKED: usize = 20;

/// Columns of a record's name in a sentence.
const NAME: usize = 32;

/// Labels the marked records, or the selected one.
pub(super) fn label(model: &mut Model, word: Word) -> Vec<Effect> {
    let Some(ids) = targets(model) else { return Vec::new() };
    ask(model, ids.into_iter().map(|id| (id, word)).collect())
}

/// Labels them as the opposite of the verdict.
pub(super) fn wrong(model: &mut Model) -> Vec<Effect> {
    let Some(ids) = targets(model) else { return Vec::new() };
    if let Some(why) = no_opposite(model, &ids) {
        model.notices.note(why, model.now);
        return Vec::new();
    }
    let opposite = |id: &RecordId| {
        let word = match outcome(model, *id)? {
            Outcome::Go => Word::Poor,
            Outcome::NoGo => Word::Acceptable,
            Outcome::Undetermined => return None,
        };
        Some((*id, word))
    };
    let words = ids.iter().filter_map(opposite).collect();
    ask(model, words)
}

/// Why a verdict cannot be called wrong.
fn no_opposite(model: &Model, ids: &[RecordId]) -> Option<&'static str> {
    let is_decided =
        |id: &RecordId| matches!(outcome(model, *id), Some(Outcome::Go | Outcome::NoGo));
    let hides = |id: &RecordId| match model.sight() {
        BlindMode::Blind => !has_own_label(model, *id),
        BlindMode::Open => model.gate.keeps(*id),
    };
    if ids.iter().any(hides) {
        return Some("the verdict is hidden here: use acceptable, poor or unsure");
    }
    let wanted = "only a GO or NO-GO can be wrong; this record has neither";
    (!ids.iter().all(is_decided)).then_some(wanted)
}

/// Whether one's own word on a record is saved, and the verdict shown with it.
fn has_own_label(model: &Model, record: RecordId) -> bool {
    model.saved_label(record).is_some()
}

/// The marked records, or the selected one; says why where there is none.
fn targets(model: &mut Model) -> Option<Vec<RecordId>> {
    if is_unnamed(model) {
        return None;
    }
    let Some(list) = model.list() else {
        model.notices.note("there is no record to label here", model.now);
        return None;
    };
    let marked: Vec<RecordId> = list.marks.iter().copied().collect();
    let ids = match marked.is_empty() {
        true => model.selected().map(|s| s.row.id).into_iter().collect(),
        false => marked,
    };
    // A long range marks also what was never read: nobody labels what he has not seen.
    let unread = ids.iter().filter(|id| shown(model, **id).is_none()).count();
    if model.list().is_some_and(|list| !list.ranging.is_empty()) {
        model.notices.note(super::movement::STILL_READING, model.now);
        return None;
    }
    if unread > 0 {
        let text = format!(
            "Nothing was labelled: {unread} of {} records have not been on the screen yet.",
            ids.len()
        );
        model.notices.note(text, model.now);
        return None;
    }
    let decisions = ids.iter().filter(|id| is_decision(model, **id)).count();
    let why = match (ids.len(), decisions) {
        (0, _) => super::NO_RECORD.to_owned(),
        (_, 0) => return Some(ids),
        (1, _) if ids.iter().any(|id| is_of_memories(model, *id)) => {
            "candidates of picks are labelled on Calibration, or by `foureyes memories label`"
                .to_owned()
        }
        (1, _) => "this record is an override: label the evaluation instead".to_owned(),
        (_, n) => {
            let what = counted(n, "marked record is", "marked records are");
            format!("{what} not an evaluation: nothing was labelled; label evaluations only")
        }
    };
    model.notices.note(why, model.now);
    None
}

/// Warns where no reviewer is known.
pub(super) fn is_unnamed(model: &mut Model) -> bool {
    let is_unnamed = model.facts.labelling.reviewer.is_none();
    if is_unnamed {
        let next = "set `name` under `[reviewer]` in the configuration and restart";
        model.notices.warn("your name is unknown, so labels cannot be saved", next, model.now);
    }
    is_unnamed
}

fn is_of_memories(model: &Model, record: RecordId) -> bool {
    let family = shown(model, record).map(|shown| shown.row.family);
    matches!(family, Some(Family::Pick | Family::Prompt))
}

/// Whether a record is no evaluation.
fn is_decision(model: &Model, record: RecordId) -> bool {
    shown(model, record).is_some_and(|shown| shown.row.outcome.is_none())
}

fn outcome(model: &Model, record: RecordId) -> Option<Outcome> {
    shown(model, record)?.judged()
}

/// A record of the list on the screen, where it is read.
fn shown(model: &Model, record: RecordId) -> Option<&crate::tui::model::ShownRecord> {
    let selected = model.selected().filter(|shown| shown.row.id == record);
    let find = || {
        let mut read = model.rows.read(model.list()?.edition);
        read.find(|(_, shown)| shown.row.id == record).map(|(_, shown)| shown)
    };
    selected.or_else(find).map(AsRef::as_ref)
}

/// Labels, or asks first where it is much at once. Scores that were typed and are none would be
/// left out of the label: they are named first.
fn ask(model: &mut Model, words: Vec<(RecordId, Word)>) -> Vec<Effect> {
    let typed = words.iter().filter_map(|(id, _)| Some((id, model.labels.drafts.get(id)?)));
    let wrong = typed.filter_map(|(id, draft)| Some((id, note::wrong(&draft.scores)?))).next();
    if let Some((id, why)) = wrong {
        let text = format!("nothing was labelled: the scores typed for {}: {why}", id.short());
        model.notices.note(text, model.now);
        return Vec::new();
    }
    if words.len() > UNASKED {
        model.overlay = Some(Overlay::Confirm(Question::Label { words }));
        return Vec::new();
    }
    save_labels(model, &words)
}

/// A key while it is asked: `ctrl-s` does it, Esc and `ctrl-c` do not, no other key does anything.
pub(super) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(Overlay::Confirm(question)) = &model.overlay else { return Vec::new() };
    let question = question.clone();
    match (key.code, key.ctrl) {
        (Code::Char('s'), true) => {
            model.overlay = None;
            match question {
                Question::Label { words } => return save_labels(model, &words),
                Question::Open => blind::open(model),
                Question::NoneHelps { record, .. } => {
                    return super::picks::save_marks(model, record);
                }
            }
        }
        (Code::Esc, _) | (Code::Char('c'), true) => {
            model.overlay = None;
            let text = match question {
                Question::Label { .. } | Question::NoneHelps { .. } => "nothing was labelled",
                Question::Open => "still blind",
            };
            model.notices.note(text, model.now);
        }
        _ => {}
    }
    Vec::new()
}

fn save_labels(model: &mut Model, words: &[(RecordId, Word)]) -> Vec<Effect> {
    let Some(list) = model.list().map(|list| list.id) else { return Vec::new() };
    let alone = words.len() == 1;
    let labels: Vec<Label> =
        words.iter().map(|(id, word)| new_label(model, *id, *word, alone)).collect();
    let judged = words.iter().map(|(id, _)| (*id, outcome(model, *id))).collect();
    let entry = model.labels.new_entry_id(model.facts.labelling.run);
    let records: Vec<RecordId> = words.iter().map(|(id, _)| *id).collect();
    let step = UndoStep::Labelled { entry, records: records.clone() };
    let further = records.iter().copied().filter(|id| is_further(model, *id)).collect();
    let sight = match records.iter().any(|record| model.gate.keeps(*record)) {
        true => BlindMode::Blind,
        false => model.sight(),
    };
    let kind = model.calibrate.selection.kind;
    let name = records.first().map(|id| name(model, *id)).unwrap_or_default();
    model.history.push(step.clone());
    advance(model, &labels);
    let change = Change::New;
    write(model, Pending { entry, change, labels, step, judged, list, kind, sight, further, name })
}

/// What a record is called in a sentence: the name of its first file, else its task.
pub(super) fn name(model: &Model, record: RecordId) -> String {
    let Some(row) = shown(model, record).map(|shown| &shown.row) else { return String::new() };
    let file = row.files.first().map(|file| file.rsplit('/').next().unwrap_or(file).to_owned());
    let name = file.or_else(|| row.task_id.clone()).unwrap_or_else(|| record.short().to_string());
    crate::tui::widget::fit(&name, NAME)
}

/// Whether one's earlier label of a record stays beside a new one: what comes back is
/// compared with it, and what settles a conflict does not undo that there was one.
fn is_further(model: &Model, record: RecordId) -> bool {
    // One that is on its way is corrected like any other.
    let underway = matches!(model.own_label(record), OwnLabel::Saving(_));
    !underway && (model.is_repeat(record) || adjudicates(model, record))
}

/// Whether a label settles what reviewers differ on: by a reviewer whose own label is saved,
/// and so sees those of the others.
fn adjudicates(model: &Model, record: RecordId) -> bool {
    let here = model.screen == Screen::Queue;
    let conflicts = model.calibrate.selection.kind == QueueKind::Conflicts;
    let own = |label: &Label| !label.adjudicates;
    here && conflicts
        && model.own_label(record).label().is_some_and(own)
        && has_own_label(model, record)
}

/// A label with all that is known of how it came about. What is corrected stays of the selection
/// that it was drawn by.
fn new_label(model: &Model, record: RecordId, word: Word, alone: bool) -> Label {
    let mut label = match model.own_label(record) {
        OwnLabel::Saved(given) => Label { time: None, ..given.label.clone() },
        OwnLabel::Saving(label) => label.clone(),
        OwnLabel::None | OwnLabel::Changing => {
            Label { requested: model.requested(record), ..Label::new(record, word) }
        }
    };
    if adjudicates(model, record) {
        label = Label { adjudicates: true, ..Label::new(record, word) };
    }
    (label.label, label.replaces, label.reviewer) = (word, None, None);
    label.seconds = model.labels.seconds(record, model.now).filter(|_| alone);
    label.blind = model.counts_blind(record);
    // Of a record without a commit nothing can be shown here: its label is stated.
    let has_content = shown(model, record).is_none_or(|shown| shown.row.commit.is_some());
    label.shown = has_content.then(|| model.labels.shown_content(record));
    if let Some(draft) = model.labels.drafts.get(&record) {
        draft.put(&mut label);
    }
    label
}

/// The next record comes under the cursor: what is labelled leaves the queue. A conflict stays
/// until it is settled.
fn advance(model: &mut Model, labels: &[Label]) {
    if model.screen == Screen::Queue {
        let stays = |label: &&Label| {
            model.calibrate.selection.kind == QueueKind::Conflicts && !label.adjudicates
        };
        let done: Vec<RecordId> =
            labels.iter().filter(|label| !stays(label)).map(|label| label.record).collect();
        let gone = rows_of(&model.queue, &model.rows, &done);
        model.queue.remove(&gone, false);
    } else if let Some(list) = model.list_mut()
        && list.marks.is_empty()
        && !list.filter.query.asks_reviews()
    {
        list.step(1);
    }
    if let Some(list) = model.list_mut() {
        list.marks.clear();
    }
}

/// Sends an entry to the ledger.
fn write(model: &mut Model, pending: Pending) -> Vec<Effect> {
    // A list on its way may not know of it: it is made again once it is written down.
    if model.queue.rows.is_busy() {
        model.queue.generation = model.next_generation();
    }
    model.history.writing += 1;
    model.record.revision += 1;
    let (entry, act) = (pending.entry, pending.act());
    let further = pending.further.clone();
    model.labels.pending.push(pending);
    vec![Effect::Review { entry, act, further }]
}

/// Takes labels back, or brings them back.
pub(super) fn replay(model: &mut Model, step: UndoStep, change: Change) -> Vec<Effect> {
    let UndoStep::Labelled { records, .. } = &step else { return Vec::new() };
    if change == Change::Undo {
        super::picks::bring_back(model, records);
    }
    // What comes back comes under the cursor.
    if change == Change::Undo
        && let Some(first) = records.first().copied()
        && let Some(list) = model.list_mut()
    {
        list.wanted = Some(first);
        list.serial += 1;
    }
    let list = model.list().map_or(crate::tui::model::ListId::Queue, |list| list.id);
    let entry = model.labels.new_entry_id(model.facts.labelling.run);
    let (labels, judged, further) = (Vec::new(), Vec::new(), Vec::new());
    let (sight, kind) = (model.sight(), model.calibrate.selection.kind);
    let name = String::new();
    write(model, Pending { entry, change, labels, step, judged, list, kind, sight, further, name })
}
