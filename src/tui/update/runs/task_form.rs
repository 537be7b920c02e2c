//! The form on a task: its texts, how many judges, and what it may cost. `ctrl-s` asks, nothing else does.

use super::form::is_refused;
use crate::engine::panel::Depth;
use crate::engine::prompt::Section;
use crate::tui::effect::Effect;
use crate::tui::judging::{JudgingEffect, PreparedTask, TaskSource, TaskText};
use crate::tui::key::{Code, Key};
use crate::tui::model::{
    LiveRun, Load, Loadable, Model, Overlay, Problem, RunsPlace, Screen, TaskField, TaskForm,
};
use crate::tui::update::line;
use crate::tui::widget::counted;
use std::sync::Arc;

/// Opens the form on a task.
pub(super) fn begin(model: &mut Model, source: TaskSource) -> Vec<Effect> {
    let generation = model.next_generation();
    let texts = task_id(model, &source).and_then(|id| model.runs.task_texts.get(&id));
    let form = TaskForm::new(source.clone(), generation, texts);
    model.overlay = Some(Overlay::JudgeTask(Box::new(form)));
    let mut effects = vec![Effect::Judging(JudgingEffect::PrepareTask { source, generation })];
    for text in [TaskText::Description, TaskText::Acceptance] {
        effects.extend(read(model, text));
    }
    effects
}

/// The id of a task, by what its form is opened on.
fn task_id(model: &Model, source: &TaskSource) -> Option<String> {
    match source {
        TaskSource::Record(shown) => shown.row.task_id.clone(),
        TaskSource::Run(earlier) => {
            let run = model.run(earlier.run)?;
            run.begun.what.task.as_ref().map(|task| task.id.clone())
        }
    }
}

/// A key while the form is open.
pub(in crate::tui::update) fn press(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(form) = model.task_form_mut() else { return Vec::new() };
    match (key.code, key.ctrl) {
        (Code::Esc, _) | (Code::Char('c'), true) => leave(model),
        (Code::Char('s'), true) => accept(model),
        (Code::Enter | Code::Tab | Code::Down, _) => step(model, 1),
        (Code::BackTab | Code::Up, _) => step(model, -1),
        (Code::Left, false) if form.field == TaskField::Depth => choose(form, -1),
        (Code::Right | Code::Char(' '), false) if form.field == TaskField::Depth => choose(form, 1),
        _ => {
            if let Some(input) = form.line() {
                line::press_within(input, key, Section::MOST_BYTES);
            }
            Vec::new()
        }
    }
}

/// A text that is pasted into the form; its lines stay lines.
pub(in crate::tui::update) fn paste(model: &mut Model, text: &str) {
    let Some(input) = model.task_form_mut().and_then(TaskForm::line) else { return };
    if let Some(refusal) = line::paste_lines(input, text, Section::MOST_BYTES) {
        model.notices.note(refusal, model.now);
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
    let Some(form) = model.task_form() else { return };
    // What was kept is read again: as typed it could be taken for a path.
    let typed = |of| {
        let text = form.text(of);
        (!text.is_kept()).then(|| text.input.value().to_owned())
    };
    let texts = [typed(TaskText::Description), typed(TaskText::Acceptance)];
    if let Some(id) = task_id(model, &form.source.clone()) {
        model.runs.task_texts.insert(id, texts);
    }
}

fn choose(form: &mut TaskForm, by: isize) -> Vec<Effect> {
    form.choose(by);
    Vec::new()
}

/// Moves; a file that is named on the line that is left is read.
fn step(model: &mut Model, by: isize) -> Vec<Effect> {
    let Some(form) = model.task_form_mut() else { return Vec::new() };
    let left = form.field;
    form.step(by);
    match left {
        TaskField::Text(text) => read(model, text),
        TaskField::Depth => Vec::new(),
    }
}

/// Reads the file of a text, where another one is named than was read.
fn read(model: &mut Model, text: TaskText) -> Vec<Effect> {
    let Some(form) = model.task_form_mut() else { return Vec::new() };
    let number = form.number;
    let typed = form.text_mut(text);
    let Some(path) = typed.unread().map(str::to_owned) else { return Vec::new() };
    typed.path.clone_from(&path);
    typed.file = Loadable::busy();
    vec![Effect::Judging(JudgingEffect::ReadText { path, text, form: number })]
}

/// All is ready but the texts.
pub(super) fn prepared(
    model: &mut Model,
    generation: u64,
    result: Result<Arc<PreparedTask>, Problem>,
) {
    let Some(form) = model.task_form_mut().filter(|form| form.number == generation) else { return };
    if let Ok(ready) = &result {
        form.preset(ready);
        form.prefill(ready);
    }
    form.ready.settle(result);
}

/// A file was read.
pub(super) fn text_read(
    model: &mut Model,
    number: u64,
    (text, path): (TaskText, &str),
    result: Result<Arc<str>, Problem>,
) {
    let Some(form) = model.task_form_mut().filter(|form| form.number == number) else { return };
    let typed = form.text_mut(text);
    if typed.path == path {
        typed.file.settle(result);
    }
}

/// `ctrl-s`: asks.
fn accept(model: &mut Model) -> Vec<Effect> {
    if is_refused(model) {
        return Vec::new();
    }
    let Some(form) = model.task_form() else { return Vec::new() };
    if let Some(why) = form.refusal() {
        if !matches!(form.ready.load, Load::Failed(_)) {
            model.notices.note(format!("nothing was sent: {why}"), model.now);
        }
        return Vec::new();
    }
    let run = model.labels.new_entry_id(model.facts.labelling.run);
    let Some(plan) = model.task_form().and_then(|form| form.plan(run)) else { return Vec::new() };
    let reviewer = model.facts.labelling.reviewer.clone().unwrap_or_default();
    keep_texts(model);
    model.overlay = None;
    model.runs.live = Some(LiveRun::new(run, plan.begun.clone(), &reviewer, model.now));
    model.runs.selected = Some(run);
    (model.runs.item, model.runs.scroll) = (0, 0);
    model.runs.place = RunsPlace::Item(run, 0);
    super::super::navigate::go(model, Screen::Runs);
    let rounds = match plan.depth {
        Depth::Quick => 1,
        Depth::Sequential => 2,
        Depth::Panel => 3,
    };
    let rounds = counted(rounds, "round", "rounds");
    model.notices.note(format!("asking: at most {rounds}"), model.now);
    vec![Effect::Judging(JudgingEffect::BeginTask(Arc::new(plan)))]
}
