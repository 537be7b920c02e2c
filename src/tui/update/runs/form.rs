//! The form: what would be judged, of whom, in which words. `ctrl-s` asks, nothing else does.

use crate::domain::{JudgementKind, RecordId};
use crate::tui::effect::Effect;
use crate::tui::judging::{EarlierRun, JudgingEffect, RunInput, RunPlan, TaskSource};
use crate::tui::key::{Code, Key};
use crate::tui::model::{
    Field, JudgeForm, LiveRun, Load, Loadable, Model, Overlay, RunsPlace, Screen, ShownRecord,
};
use crate::tui::screen::runs::is_hidden;
use crate::tui::update::line;
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
        Ok(records) => match records.as_slice() {
            [only] if is_task(only) => {
                super::task_form::begin(model, TaskSource::Record(Arc::clone(only)))
            }
            _ => begin(model, RunInput::Records(records)),
        },
        Err(why) => {
            model.notices.note(why, model.now);
            Vec::new()
        }
    }
}

/// Whether it is a record of a task.
fn is_task(shown: &ShownRecord) -> bool {
    shown.row.family.kind() == Some(JudgementKind::Task)
}

/// Opens the form on a file that is to be typed.
pub(in crate::tui::update) fn open_file(model: &mut Model) -> Vec<Effect> {
    if is_refused(model) {
        return Vec::new();
    }
    let generation = model.next_generation();
    let form = JudgeForm::new(RunInput::File(String::new()), generation);
    model.overlay = Some(Overlay::Judge(Box::new(form)));
    Vec::new()
}

/// Opens the form on the items of the run that is selected or open.
pub(in crate::tui::update) fn open_repeat(model: &mut Model) -> Vec<Effect> {
    if is_refused(model) {
        return Vec::new();
    }
    match repeat(model) {
        Ok(repeat) if repeat.begun.task.is_some() => {
            super::task_form::begin(model, TaskSource::Run(Arc::new(repeat)))
        }
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
    let form = JudgeForm::new(input.clone(), generation);
    model.overlay = Some(Overlay::Judge(Box::new(form)));
    vec![Effect::Judging(JudgingEffect::Prepare { input, generation })]
}

/// A key while the form is open.
pub(in crate::tui::update) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(form) = model.judge_form_mut() else { return Vec::new() };
    match (key.code, key.ctrl) {
        (Code::Esc, _) | (Code::Char('c'), true) => {
            model.overlay = None;
            model.notices.note("nothing was asked", model.now);
            vec![Effect::Judging(JudgingEffect::Forget)]
        }
        (Code::Char('s'), true) => accept(model),
        (Code::Enter, _) => enter(model),
        (Code::Tab, _) if form.field == Field::Model => complete(model),
        (Code::Tab | Code::Down, _) => step(model, 1),
        (Code::BackTab | Code::Up, _) => step(model, -1),
        (Code::Left, false) if form.field == Field::Prompt => choose(model, -1),
        (Code::Right | Code::Char(' '), false) if form.field == Field::Prompt => choose(model, 1),
        _ => {
            if let Some(input) = form.line() {
                line::press(input, key);
            }
            Vec::new()
        }
    }
}

/// Enter reads a path that was typed and goes on; it changes nothing and asks nobody.
fn enter(model: &mut Model) -> Vec<Effect> {
    let mut effects = read_path(model);
    effects.extend(step(model, 1));
    effects
}

fn step(model: &mut Model, by: isize) -> Vec<Effect> {
    let effects = read_path(model);
    if let Some(form) = model.judge_form_mut() {
        form.step(by);
    }
    effects
}

/// Reads the file, where another path is typed.
fn read_path(model: &mut Model) -> Vec<Effect> {
    let other = model.judge_form().filter(|form| {
        let typed = form.path.value().trim();
        form.field == Field::Path && form.is_other_path() && !typed.is_empty()
    });
    let Some(path) = other.map(|form| form.path.value().trim().to_owned()) else {
        return Vec::new();
    };
    let generation = model.next_generation();
    let input = RunInput::File(path);
    if let Some(form) = model.judge_form_mut() {
        (form.input, form.generation) = (input.clone(), generation);
        form.ready = Loadable::busy();
    }
    vec![Effect::Judging(JudgingEffect::Prepare { input, generation })]
}

/// Chooses another prompt. That of a box is asked for once it is chosen, once in a form; where that
/// failed, choosing it again asks again.
fn choose(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(form) = model.judge_form_mut() else { return Vec::new() };
    let count = form.ready.value.as_ref().map_or(0, |ready| ready.offer.prompts.len());
    if count == 0 {
        return Vec::new();
    }
    form.prompt = (form.prompt + count).saturating_add_signed(by) % count;
    let (number, name) = (form.number, form.to_fetch());
    let fetch = |box_name| Effect::Judging(JudgingEffect::FetchPrompt { box_name, form: number });
    name.into_iter().map(fetch).collect()
}

/// Completes the model; asks which there are the first time.
fn complete(model: &mut Model) -> Vec<Effect> {
    let Some(form) = model.judge_form_mut() else { return Vec::new() };
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
        let failed = matches!(form.ready.load, Load::Failed(_));
        if !failed {
            model.notices.note(format!("nothing was sent: {why}"), model.now);
        }
        return Vec::new();
    }
    let Some((begun, items)) = form.plan() else { return Vec::new() };
    let reviewer = model.facts.labelling.reviewer.clone().unwrap_or_default();
    let run = model.labels.new_entry_id(model.facts.labelling.run);
    let plan = Arc::new(RunPlan { run, begun, items });
    model.overlay = None;
    model.runs.live = Some(LiveRun::new(run, plan.begun.clone(), &reviewer, model.now));
    (model.runs.selected, model.runs.item) = (Some(run), 0);
    model.runs.place = RunsPlace::Run(run);
    super::super::navigate::go(model, Screen::Runs);
    let questions = counted(plan.questions(), "question", "questions");
    model.notices.note(format!("asking: {questions}"), model.now);
    vec![Effect::Judging(JudgingEffect::Begin(plan))]
}
