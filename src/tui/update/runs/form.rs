//! The form: what would be judged, by whom, in which words. `ctrl-s` asks, nothing else does.

use crate::domain::RecordId;
use crate::tui::effect::Effect;
use crate::tui::judging::{EarlierRun, JudgingEffect, RunInput, RunWork, TaskText};
use crate::tui::key::{Code, Key};
use crate::tui::model::{
    Field, JudgeForm, LiveRun, Load, Loadable, Model, Overlay, RunsPlace, Screen, ShownRecord,
};
use crate::tui::screen::runs::is_hidden;
use crate::tui::update::{line, movement};
use crate::tui::widget::counted;
use std::sync::Arc;
use tui_input::Input;

/// Most records of one run.
const MOST: usize = 200;

/// Opens the form on the marked records, or on the selected one.
pub(in crate::tui::update) fn open(model: &mut Model) -> Vec<Effect> {
    if is_refused(model) {
        return Vec::new();
    }
    match targets(model) {
        Ok(records) => begin(model, RunInput::Records(records)),
        Err(why) => {
            model.notices.note(why, model.now);
            Vec::new()
        }
    }
}

/// Opens the form on a file that is to be typed.
pub(in crate::tui::update) fn open_file(model: &mut Model) -> Vec<Effect> {
    if is_refused(model) {
        return Vec::new();
    }
    let form = JudgeForm::new(RunInput::File(String::new()), model.next_generation(), None);
    model.overlay = Some(Overlay::Judge(Box::new(form)));
    Vec::new()
}

/// Opens the form on the items of the run that is selected or open.
pub(in crate::tui::update) fn open_repeat(model: &mut Model) -> Vec<Effect> {
    if is_refused(model) {
        return Vec::new();
    }
    match repeat(model) {
        Ok(repeat) => begin(model, RunInput::Run(Arc::new(repeat))),
        Err(why) => {
            model.notices.note(why, model.now);
            Vec::new()
        }
    }
}

/// The run that is to be repeated, or why none can be.
fn repeat(model: &Model) -> Result<EarlierRun, String> {
    let run = crate::tui::screen::runs::target_run(model);
    let run = run.and_then(|run| model.run(run)).ok_or("no run is selected here")?;
    let edition = model.loaded.as_ref().map(|loaded| loaded.edition);
    let edition = edition.ok_or("the logs are still loading")?;
    if run.begun.what.items.iter().any(|item| is_hidden(model, item)) {
        let text = "a verdict of that run is hidden: label the record first, as a judge's answer would reveal it";
        return Err(text.to_owned());
    }
    let (run, time, begun) = (run.id(), run.begun.time, run.begun.what.clone());
    Ok(EarlierRun { run, time, begun, edition })
}

/// Says why nothing can be judged at all, where that is so.
pub(super) fn is_refused(model: &mut Model) -> bool {
    if model.facts.labelling.reviewer.is_none() {
        let next = "set `name` under `[reviewer]` in the configuration and restart";
        model.notices.warn("your name is unknown, so runs cannot be saved", next, model.now);
        return true;
    }
    if model.runs.is_on() {
        let key =
            model.keymap.hint(crate::tui::model::key_context(model), crate::tui::Action::GoRuns);
        let there = key.map_or(String::new(), |key| format!(" ({key} shows it)"));
        let text = format!("a run is in progress{there}: wait for it, or stop it");
        model.notices.note(text, model.now);
        return true;
    }
    false
}

/// The records that are to be judged, or why they cannot be.
fn targets(model: &Model) -> Result<Vec<Arc<ShownRecord>>, String> {
    let list = model.list().ok_or("there is no record to judge here")?;
    let marked: Vec<RecordId> = list.marks.iter().copied().collect();
    let found: Vec<Arc<ShownRecord>> = match marked.is_empty() {
        true => model.selected().cloned().into_iter().collect(),
        false => {
            let read: Vec<_> = model.rows.read(list.edition).map(|(_, shown)| shown).collect();
            let of = |id: &RecordId| read.iter().find(|s| s.row.id == *id).map(|s| Arc::clone(s));
            let found: Vec<_> = marked.iter().filter_map(of).collect();
            let unread = marked.len() - found.len();
            if unread > 0 || !list.ranging.is_empty() {
                return Err(format!("{unread} of the marked records are still loading"));
            }
            found
        }
    };
    let is_decision = |shown: &&Arc<ShownRecord>| shown.row.outcome.is_none();
    match found.len() {
        0 => Err(crate::tui::update::NO_RECORD.to_owned()),
        n if n > MOST => Err(format!("{n} records are marked; a run takes at most {MOST}")),
        _ if found.iter().any(|shown| is_decision(&shown)) => {
            Err("the selection includes an override: only evaluations can be re-judged".to_owned())
        }
        _ if found.iter().any(|shown| model.is_hidden(&shown.row)) => {
            let text = "the verdict is hidden: label the record first, as a judge's answer would reveal it";
            Err(text.to_owned())
        }
        _ => Ok(found),
    }
}

fn begin(model: &mut Model, input: RunInput) -> Vec<Effect> {
    let generation = model.next_generation();
    let texts = input.task_id().and_then(|id| model.runs.task_texts.get(id));
    let form = JudgeForm::new(input.clone(), generation, texts);
    model.overlay = Some(Overlay::Judge(Box::new(form)));
    let mut effects = vec![Effect::Judging(JudgingEffect::Prepare { input, generation })];
    effects.extend(TaskText::ALL.into_iter().filter_map(|text| read_text(model, text)));
    effects
}

/// A key while the form is open.
pub(in crate::tui::update) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(form) = model.judge_form_mut() else { return Vec::new() };
    let is_choice = matches!(form.field, Field::Prompt | Field::Depth);
    match (key.code, key.ctrl) {
        (Code::Esc, _) | (Code::Char('c'), true) => leave(model),
        (Code::Char('s'), true) => accept(model),
        (Code::Tab, _) if form.field == Field::Model => complete(form),
        (Code::Enter | Code::Tab | Code::Down, _) => step(model, 1),
        (Code::BackTab | Code::Up, _) => step(model, -1),
        (Code::PageUp, _) => movement::scroll_below(model, -1),
        (Code::PageDown, _) => movement::scroll_below(model, 1),
        (Code::Left, false) if is_choice => choose(form, -1),
        (Code::Right | Code::Char(' '), false) if is_choice => choose(form, 1),
        _ => {
            let most = form.field.most_bytes().unwrap_or(line::LONGEST);
            if let Some(input) = form.line() {
                line::press_within(input, key, most);
            }
            Vec::new()
        }
    }
}

fn leave(model: &mut Model) -> Vec<Effect> {
    keep_texts(model);
    model.overlay = None;
    model.notices.note("nothing was asked", model.now);
    vec![Effect::Judging(JudgingEffect::Forget)]
}

/// Keeps what was typed for the next form on the task, as long as the console runs: it is no text that
/// a file of ours should have.
fn keep_texts(model: &mut Model) {
    let Some(form) = model.judge_form() else { return };
    // What was kept is read again: as typed it could be taken for a path.
    let typed = |of| {
        let text = form.text(of);
        (!text.is_kept()).then(|| text.input.value().to_owned())
    };
    let texts = TaskText::ALL.map(typed);
    if let Some(id) = form.input.task_id().map(str::to_owned) {
        model.runs.task_texts.insert(id, texts);
    }
}

/// Moves, and reads the file that is named on the line that is left; it changes nothing and asks nobody.
fn step(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(form) = model.judge_form_mut() else { return Vec::new() };
    let left = form.field;
    form.step(by);
    let effect = match left {
        Field::Path => read_path(model),
        Field::Text(text) => read_text(model, text),
        Field::Prompt | Field::Model | Field::Depth => None,
    };
    effect.into_iter().collect()
}

/// Reads the file, where another path is typed.
fn read_path(model: &mut Model) -> Option<Effect> {
    let other = model.judge_form().filter(|form| form.is_other_path())?;
    let path = other.path.value().trim().to_owned();
    if path.is_empty() {
        return None;
    }
    let (generation, input) = (model.next_generation(), RunInput::File(path));
    let form = model.judge_form_mut()?;
    (form.input, form.generation, form.ready) = (input.clone(), generation, Loadable::busy());
    Some(Effect::Judging(JudgingEffect::Prepare { input, generation }))
}

/// Reads the file of a text, where another one is named than was read.
fn read_text(model: &mut Model, text: TaskText) -> Option<Effect> {
    let form = model.judge_form_mut()?;
    let number = form.number;
    let typed = form.text_mut(text);
    let path = typed.unread()?.to_owned();
    typed.path.clone_from(&path);
    typed.file = Loadable::busy();
    Some(Effect::Judging(JudgingEffect::ReadText { path, text, form: number }))
}

/// Chooses another prompt or depth.
fn choose(form: &mut JudgeForm, by: isize) -> Vec<Effect> {
    form.choose(by);
    fetch(form)
}

/// Asks for the question of a box once it is chosen, once in a form; where that failed, choosing it
/// again asks again.
pub(super) fn fetch(form: &mut JudgeForm) -> Vec<Effect> {
    let (number, name) = (form.number, form.to_fetch());
    let fetch = |box_name| Effect::Judging(JudgingEffect::FetchPrompt { box_name, form: number });
    name.into_iter().map(fetch).collect()
}

/// Completes the model; asks which there are the first time.
fn complete(form: &mut JudgeForm) -> Vec<Effect> {
    let Some(names) = form.models.value.clone() else {
        if form.models.is_busy() {
            return Vec::new();
        }
        form.models = Loadable::busy();
        return vec![Effect::Judging(JudgingEffect::Models { form: form.number })];
    };
    // The next one behind what is typed, where that is one; else the first that has it in it.
    let typed = form.model();
    let at = names.iter().position(|name| name == typed);
    let next = match at {
        Some(at) => names.get(at + 1).or_else(|| names.first()),
        None => names.iter().find(|name| name.contains(typed)).or_else(|| names.first()),
    };
    if let Some(name) = next {
        form.model = Input::new(name.clone());
    }
    Vec::new()
}

/// `ctrl-s`: asks.
fn accept(model: &mut Model) -> Vec<Effect> {
    if is_refused(model) {
        return Vec::new();
    }
    let Some(form) = model.judge_form() else { return Vec::new() };
    if let Some(why) = form.refusal() {
        if !matches!(form.ready.load, Load::Failed(_)) {
            model.notices.note(format!("nothing was sent: {why}"), model.now);
        }
        return Vec::new();
    }
    let questions = form.estimate().map_or(0, |estimate| estimate.questions);
    let run = model.labels.new_entry_id(model.facts.labelling.run);
    let Some(plan) = model.judge_form().and_then(|form| form.plan(run)) else { return Vec::new() };
    keep_texts(model);
    model.overlay = None;
    let reviewer = model.facts.labelling.reviewer.clone().unwrap_or_default();
    model.runs.live = Some(LiveRun::new(run, plan.begun.clone(), &reviewer, model.now));
    (model.runs.selected, model.runs.item, model.runs.scroll) = (Some(run), 0, 0);
    let (place, asking) = match plan.work {
        RunWork::Contents(_) => (RunsPlace::Run(run), counted(questions, "question", "questions")),
        RunWork::Task(_) => {
            let rounds = counted(questions, "round", "rounds");
            (RunsPlace::Item(run, 0), format!("at most {rounds}"))
        }
    };
    model.runs.place = place;
    super::super::navigate::go(model, Screen::Runs);
    model.notices.note(format!("asking: {asking}"), model.now);
    vec![Effect::Judging(JudgingEffect::Begin(Arc::new(plan)))]
}
