//! Tasks on the hook of a box: the form before them, their progress, and their end.

use super::line;
use crate::calibration::ReadinessResult;
use crate::tui::action::Action;
use crate::tui::effect::Effect;
use crate::tui::key::{Code, Key};
use crate::tui::model::{BoxEvent, BoxForm, BoxRun, BoxRunState, BoxTask, Model, Overlay, Problem};
use crate::tui::screen::box_run;
use crate::tui::screen::boxes;
use tui_input::Input;

/// Opens the form of a task, or begins one that changes nothing. While a task runs, its progress opens.
pub(super) fn open(model: &mut Model, action: Action) -> Vec<Effect> {
    let task = match action {
        Action::EnableBox => BoxTask::Enable,
        Action::RollBackBox => BoxTask::RollBack,
        _ => BoxTask::Check,
    };
    if model.boxes.run.as_ref().is_some_and(BoxRun::is_running) {
        model.overlay = Some(Overlay::BoxRun { top: 0 });
        return Vec::new();
    }
    if let Some(why) = refusal(model, task) {
        model.notices.problem(why, model.now);
        return Vec::new();
    }
    let boxes = boxes::names(model);
    let chosen = boxes::offered(model, task);
    let form = BoxForm { task, family: model.family, boxes, chosen, input: Input::default() };
    match task {
        BoxTask::Check => begin(model, &form),
        BoxTask::Enable | BoxTask::RollBack => {
            model.overlay = Some(Overlay::BoxForm(Box::new(form)));
            Vec::new()
        }
    }
}

/// Why a task cannot be done now. Whether the evidence holds is decided anew when it runs.
fn refusal(model: &Model, task: BoxTask) -> Option<Problem> {
    if model.facts.fleet {
        let next = "start `foureyes` without `--fleet`, on the machine that pulls the box";
        return Some(Problem::new("with `--fleet` no box is checked or set", next));
    }
    if model.overview.summary.value.is_none() && !model.facts.given {
        return Some(Problem::new("the boxes are still being read", "try again in a moment"));
    }
    if model.facts.given || boxes::names(model).is_empty() {
        let next = "start `foureyes` without `--from`, with [[box]] in the configuration";
        return Some(Problem::new("no configured box is shown", next));
    }
    if task != BoxTask::Enable {
        return None;
    }
    if model.facts.labelling.reviewer.is_none() {
        let next = "set `name` under `[reviewer]` in the configuration and restart";
        return Some(Problem::new(
            "your name is unknown, so no box can be switched to blocking",
            next,
        ));
    }
    let report = model.assess().result.value.as_ref()?;
    let word = match report.readiness.result {
        ReadinessResult::Ready => return None,
        ReadinessResult::NotReady => "NOT READY",
        ReadinessResult::NotEnoughEvidence => "NOT ENOUGH EVIDENCE",
    };
    let next = "Readiness says what is missing; `foureyes box enable` takes a waiver";
    let of = model.family.suffix("of");
    Some(Problem::new(format!("readiness{of} is {word}, so no box may block"), next))
}

/// A key while the form is open. Only `ctrl-s` begins, so that neither Enter nor a burst does.
pub(super) fn press_form(model: &mut Model, key: Key) -> Vec<Effect> {
    let Some(Overlay::BoxForm(form)) = &mut model.overlay else { return Vec::new() };
    match (key.code, key.ctrl) {
        (Code::Esc, _) => leave(model),
        (Code::Char('c'), true) if form.input.value().is_empty() => leave(model),
        (Code::Char('s'), true) => {
            if form.problem().is_none() {
                let form = form.clone();
                return begin(model, &form);
            }
        }
        (Code::Tab | Code::Down, _) => form.choose(1),
        (Code::BackTab | Code::Up, _) => form.choose(-1),
        _ => {
            line::press(&mut form.input, key);
        }
    }
    Vec::new()
}

fn leave(model: &mut Model) {
    model.overlay = None;
    model.notices.note("no box was changed", model.now);
}

fn begin(model: &mut Model, form: &BoxForm) -> Vec<Effect> {
    let (task, box_name) = (form.task, form.box_name().to_owned());
    let number = model.boxes.run.as_ref().map_or(1, |run| run.number + 1);
    model.boxes.run = Some(BoxRun {
        number,
        task,
        box_name: box_name.clone(),
        steps: Vec::new(),
        state: BoxRunState::Running,
    });
    model.overlay = Some(Overlay::BoxRun { top: 0 });
    let (family, reason) = (form.family, form.reason());
    vec![Effect::BoxTask { number, task, family, box_name, reason }]
}

/// A key while the progress of a task is open.
pub(super) fn press_run(model: &mut Model, key: Key) -> Vec<Effect> {
    let action =
        model.keymap.action(crate::tui::model::key_context(model), key).filter(|_| !key.alt);
    let (lines, room) = box_run::size(model);
    let last = lines.saturating_sub(room);
    let Some(Overlay::BoxRun { top }) = &mut model.overlay else { return Vec::new() };
    let at = (*top).min(last);
    *top = match action {
        Some(Action::Down | Action::ScrollDown) => at + 1,
        Some(Action::Up | Action::ScrollUp) => at.saturating_sub(1),
        Some(Action::PageDown | Action::HalfPageDown) => at + room,
        Some(Action::PageUp | Action::HalfPageUp) => at.saturating_sub(room),
        Some(Action::First) => 0,
        Some(Action::Last) => last,
        Some(Action::Cancel) => {
            if let Some(effects) = cancel(model) {
                return effects;
            }
            model.overlay = None;
            return Vec::new();
        }
        Some(Action::Back | Action::Quit | Action::Open) => {
            model.overlay = None;
            return Vec::new();
        }
        _ => at,
    }
    .min(last);
    Vec::new()
}

/// ctrl-c: cancels a task on a box; `None` where none runs.
pub(super) fn cancel(model: &mut Model) -> Option<Vec<Effect>> {
    let run = model.boxes.run.as_mut().filter(|run| run.is_running())?;
    if run.state == BoxRunState::Cancelling {
        model.notices.note("already cancelling: waiting for the box", model.now);
        return Some(Vec::new());
    }
    run.state = BoxRunState::Cancelling;
    Some(vec![Effect::CancelBoxTask])
}

/// Whether a task on a box keeps the console from being left; says so.
pub(super) fn prevents_quit(model: &mut Model) -> bool {
    let running = model.boxes.run.as_ref().is_some_and(BoxRun::is_running);
    if running {
        let text = "a task on a box is running: ctrl-c cancels it, then you can quit";
        model.notices.note(text, model.now);
    }
    running
}

/// A task went on. Its end changes what the ledgers hold.
pub(super) fn received(model: &mut Model, number: u64, event: BoxEvent) {
    let now = model.now;
    let Some(run) = model.boxes.run.as_mut().filter(|run| run.number == number) else { return };
    match event {
        BoxEvent::Step(step) => run.steps.push((now, step)),
        BoxEvent::Ended(end) => {
            let (name, title) = (run.box_name.clone(), run.task.title().to_lowercase());
            let text = match end.succeeded {
                true => format!("{title}: {name} is done"),
                false => format!("{title}: {name} failed"),
            };
            let problem = end.problem.clone();
            run.state = BoxRunState::Ended(end);
            model.ledger_changed();
            // Who has its progress open reads the end there.
            if !matches!(model.overlay, Some(Overlay::BoxRun { .. })) {
                match problem {
                    Some(problem) => model.notices.problem(problem, now),
                    None => model.notices.note(text, now),
                }
            }
        }
    }
}
