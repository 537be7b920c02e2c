//! A note, a reason and scores, which go with a label. What is typed is kept at once.

use super::{reason, write};
use crate::config::reasons::Reason;
use crate::domain::RecordId;
use crate::domain::review::{Label, Word};
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::model::{
    Change, Model, NoteLine, NoteTarget, Overlay, OwnLabel, Pending, Prompt, PromptKind, UndoStep,
};
use crate::tui::session::{Draft, typed_scores as scores};
use crate::tui::update::line;
use tui_input::Input;

/// Opens the line for a note on the selected record: with what was typed, else with what the label
/// says.
pub(in crate::tui::update) fn open(model: &mut Model) {
    let Some(record) = model.selected().filter(|s| s.row.outcome.is_some()).map(|s| s.row.id)
    else {
        model.notices.note("no evaluation is selected (or it is still loading)", model.now);
        return;
    };
    let labelled = || model.own_label(record).label().map(draft_of).unwrap_or_default();
    let Draft { note, reason, scores } = match model.labels.drafts.get(&record) {
        Some(draft) => draft.clone(),
        None => labelled(),
    };
    let mut prompt = Prompt::new(PromptKind::Note, &note);
    let (line, other) = (NoteLine::Note, Input::new(scores));
    prompt.note_target = Some(Box::new(NoteTarget { record, reason, line, other, reasons: None }));
    model.overlay = Some(Overlay::Prompt(prompt));
}

fn draft_of(label: &Label) -> Draft {
    let scores = label.scores.map(|scores| scores.to_string()).unwrap_or_default();
    Draft { note: label.note.clone().unwrap_or_default(), reason: label.reason.clone(), scores }
}

/// What is wrong with the scores that are typed, or were typed for a record.
pub(in crate::tui) fn wrong(text: &str) -> Option<String> {
    scores(text).err().map(|error| error.to_string())
}

/// The reason that is chosen for the note that is typed.
pub(in crate::tui) fn chosen(model: &Model) -> Option<&Reason> {
    let Some(Overlay::Prompt(Prompt { note_target: Some(note_target), .. })) = &model.overlay
    else {
        return None;
    };
    let code = note_target.reason.as_deref()?;
    model.facts.labelling.reasons.iter().find(|reason| reason.code == code)
}

/// A key while a note is typed.
pub(in crate::tui::update) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    if reason::is_open(model) {
        return reason::press(model, key);
    }
    let Some(Overlay::Prompt(prompt)) = &mut model.overlay else { return Vec::new() };
    match (key.code, key.ctrl) {
        (Code::Esc, _) => leave(model),
        (Code::Char('c'), true) if prompt.input.value().is_empty() => leave(model),
        (Code::Enter, _) | (Code::Char('s'), true) => accept(model),
        (Code::Tab | Code::BackTab, _) => {
            reason::open(model);
            Vec::new()
        }
        (Code::Down | Code::Up, _) => {
            turn(prompt);
            Vec::new()
        }
        _ if line::press(&mut prompt.input, key) => typed(model),
        _ => Vec::new(),
    }
}

/// The other text comes into the line.
fn turn(prompt: &mut Prompt) {
    let Some(note_target) = &mut prompt.note_target else { return };
    std::mem::swap(&mut prompt.input, &mut note_target.other);
    note_target.line = match note_target.line {
        NoteLine::Note => NoteLine::Scores,
        NoteLine::Scores => NoteLine::Note,
    };
}

/// Keeps what is typed, so that neither Esc nor a crash loses it.
pub(in crate::tui::update) fn typed(model: &mut Model) -> Vec<Effect> {
    let Some((record, draft)) = now(model) else { return Vec::new() };
    let labelled = model.own_label(record).label().map(draft_of).unwrap_or_default();
    // What the label says already is no draft.
    let draft = (draft != labelled).then_some(draft);
    let before = match &draft {
        Some(draft) => model.labels.drafts.insert(record, draft.clone()),
        None => model.labels.drafts.remove(&record),
    };
    match before == draft {
        true => Vec::new(),
        false => {
            model.record.revision += 1;
            vec![Effect::SaveDraft { record, draft }]
        }
    }
}

/// What is typed now, and of which record.
fn now(model: &Model) -> Option<(RecordId, Draft)> {
    let Some(Overlay::Prompt(prompt)) = &model.overlay else { return None };
    let note_target = prompt.note_target.as_ref()?;
    let (here, other) = (prompt.input.value(), note_target.other.value());
    let (note, typed) = match note_target.line {
        NoteLine::Note => (here, other),
        NoteLine::Scores => (other, here),
    };
    // What is the same is kept the same, however it is typed.
    let scores = match scores(typed) {
        Ok(scores) => scores.map(|scores| scores.to_string()).unwrap_or_default(),
        Err(_) => typed.to_owned(),
    };
    Some((
        note_target.record,
        Draft { note: note.to_owned(), reason: note_target.reason.clone(), scores },
    ))
}

fn leave(model: &mut Model) -> Vec<Effect> {
    let kept = now(model).is_some_and(|(id, _)| model.labels.drafts.contains_key(&id));
    model.overlay = None;
    if kept {
        model.notices.note("your text is kept: the same key shows it again", model.now);
    }
    Vec::new()
}

/// Enter: a label that is there is corrected; else the note waits for one.
pub(in crate::tui::update) fn accept(model: &mut Model) -> Vec<Effect> {
    let Some((record, draft)) = now(model) else { return Vec::new() };
    if let Some(why) = wrong(&draft.scores) {
        show_scores(model);
        model.notices.note(format!("Not saved: {why}."), model.now);
        return Vec::new();
    }
    model.overlay = None;
    let label = match model.own_label(record) {
        OwnLabel::Saved(given) => Label { time: None, ..given.label.clone() },
        OwnLabel::Saving(label) => label.clone(),
        OwnLabel::None | OwnLabel::Changing => {
            if model.labels.drafts.contains_key(&record) {
                let mut label = Label::new(record, Word::Unsure);
                draft.put(&mut label);
                let what = crate::report::label::parts(&[label]).join(", ");
                let text = format!("Kept: {what}. Your label is saved with it.");
                model.notices.note(text, model.now);
            }
            return Vec::new();
        }
    };
    if draft.is_in(&label) {
        return Vec::new();
    }
    correct(model, label, &draft)
}

/// The line has the scores.
fn show_scores(model: &mut Model) {
    if let Some(Overlay::Prompt(prompt)) = &mut model.overlay
        && prompt.note_target.as_ref().is_some_and(|note_target| note_target.line == NoteLine::Note)
    {
        turn(prompt);
    }
}

/// Writes the label anew, with another note or other scores.
fn correct(model: &mut Model, mut label: Label, draft: &Draft) -> Vec<Effect> {
    let Some(list) = model.list().map(|list| list.id) else { return Vec::new() };
    let record = label.record;
    draft.put(&mut label);
    (label.replaces, label.reviewer) = (None, None);
    let entry = model.labels.new_entry_id(model.facts.labelling.run);
    let step = UndoStep::Labelled { entry, records: vec![record] };
    model.history.push(step.clone());
    let (labels, judged, further) = (vec![label], vec![(record, None)], Vec::new());
    let (change, sight, kind) = (Change::New, model.sight(), model.calibrate.selection.kind);
    let name = super::name(model, record);
    write(model, Pending { entry, change, labels, step, judged, list, kind, sight, further, name })
}
