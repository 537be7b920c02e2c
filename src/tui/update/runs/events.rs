//! Events of judging again.

use crate::domain::RecordId;
use crate::domain::review::{EntryId, ItemLeft, RunFigures};
use crate::tui::effect::Effect;
use crate::tui::judging::{JudgingEvent, PreparedRun};
use crate::tui::model::{
    ItemState, JudgeForm, LedgerSnapshot, LiveRun, Model, Problem, RunPhase, ShownRecord, TierState,
};
use crate::tui::screen::runs::is_hidden;
use crate::tui::widget::counted;
use std::sync::Arc;

pub(in crate::tui::update) fn take(model: &mut Model, event: JudgingEvent) -> Vec<Effect> {
    model.runs.revision += 1;
    match event {
        JudgingEvent::Prepared { generation, result } => {
            return prepared(model, generation, result);
        }
        JudgingEvent::Prompt { form, box_name, result } => {
            if let Some(form) = numbered(model, form) {
                form.of_boxes.entry(box_name).or_default().settle(result);
            }
        }
        JudgingEvent::Models { form, result } => {
            if let Some(form) = numbered(model, form) {
                form.models.settle(result);
            }
        }
        JudgingEvent::TextRead { form, text, path, result } => {
            let typed = numbered(model, form).map(|form| form.text_mut(text));
            if let Some(typed) = typed.filter(|typed| typed.path == path) {
                typed.file.settle(result);
            }
        }
        JudgingEvent::Asking { run, tier, again } => {
            change(model, run, |live| live.set_tier(tier, TierState::Asked { again }));
        }
        JudgingEvent::Stage { run, of, stage } => {
            change(model, run, |live| live.set_stage(of, stage))
        }
        JudgingEvent::Answered { run, tier, record } => {
            change(model, run, |live| live.set_tier(tier, TierState::Answered(record)));
        }
        JudgingEvent::Began { .. } => {}
        JudgingEvent::ItemStarted { run, item } => {
            change(model, run, |live| live.set(item, ItemState::Asked))
        }
        JudgingEvent::ItemJudged { run, evaluation, spent, unkept } => {
            change(model, run, |live| {
                live.add_evaluation(&evaluation);
                live.spent = spent;
                live.unkept += usize::from(unkept.is_some());
            });
            if let Some(problem) = unkept {
                model.notices.problem(problem, model.now);
            }
        }
        JudgingEvent::ItemSkipped { run, item, why } => {
            change(model, run, |live| {
                live.cut += usize::from(why == ItemLeft::CUT);
                live.set(item, ItemState::Skipped(why));
            });
        }
        JudgingEvent::Ended { run, result, ledger } => ended(model, run, result, ledger),
        JudgingEvent::Original { record, result, rounds } => {
            original(model, record, result, rounds);
        }
    }
    Vec::new()
}

/// The form that asked, where it is still open.
fn numbered(model: &mut Model, number: u64) -> Option<&mut JudgeForm> {
    model.judge_form_mut().filter(|form| form.number == number)
}

/// The form that waits for this content.
fn awaiting(model: &mut Model, generation: u64) -> Option<&mut JudgeForm> {
    model.judge_form_mut().filter(|form| form.generation == generation)
}

fn prepared(
    model: &mut Model,
    generation: u64,
    result: Result<Arc<PreparedRun>, Problem>,
) -> Vec<Effect> {
    let Some(form) = awaiting(model, generation) else { return Vec::new() };
    if let Ok(ready) = &result {
        form.preset(ready);
    }
    form.ready.settle(result);
    // What was asked then is asked for again; the person may choose otherwise.
    if form.repeat().is_some() { super::form::fetch(form) } else { Vec::new() }
}

fn change(model: &mut Model, run: EntryId, how: impl FnOnce(&mut LiveRun)) {
    if let Some(live) = model.runs.live.as_mut().filter(|live| live.has_id(run)) {
        how(live);
    }
}

fn ended(
    model: &mut Model,
    run: EntryId,
    result: Result<(), Problem>,
    ledger: Option<Arc<LedgerSnapshot>>,
) {
    let now = model.now;
    let problem = result.err();
    change(model, run, |live| {
        (live.phase, live.ended, live.problem) = (RunPhase::Ended, Some(now), problem.clone());
        live.tiers.clear();
    });
    if let Some(ledger) = ledger {
        super::super::labels::ledger_read(model, Ok(ledger));
    }
    match problem {
        Some(problem) => model.notices.problem(problem, now),
        None => {
            let live = model.runs.live.as_ref().filter(|live| live.has_id(run));
            let Some(live) = live else { return };
            let (text, figures) = (summary(model, live), RunFigures::new(&live.run));
            match crate::report::runs::remedy(&figures) {
                Some(next) => model.notices.warn(text, next, now),
                None => model.notices.note(text, now),
            }
        }
    }
}

/// How a run ended, in one sentence.
fn summary(model: &Model, live: &LiveRun) -> String {
    if live.run.begun.what.task.is_some() {
        return task_summary(model, live);
    }
    let figures = RunFigures::new(&live.run);
    let left = live.items.len().saturating_sub(live.run.evaluations.len());
    let items = &live.run.begun.what.items;
    let is_again = items.iter().any(|item| item.was.is_some());
    let verb = if is_again { "re-judged" } else { "judged" };
    let mut text = format!("Done: {} {verb}", figures.judged);
    if let Some(failures) = crate::report::runs::failures(&figures) {
        text.push_str(&format!(", {failures}"));
    }
    // Whether any of them changed would reveal records that are hidden.
    let hidden = items.iter().any(|item| is_hidden(model, item));
    if is_again && !hidden {
        text.push_str(&match figures.changed {
            0 => ", no verdict changed".to_owned(),
            n => format!(", {} changed", counted(n, "verdict", "verdicts")),
        });
    }
    if left > 0 {
        text.push_str(&format!(", {} not judged", counted(left, "item", "items")));
    }
    if live.unkept > 0 {
        text.push_str(&format!(", {} NOT KEPT", live.unkept));
    }
    text
}

/// How the run of a task ended, in one sentence.
fn task_summary(model: &Model, live: &LiveRun) -> String {
    let rounds = live.run.evaluations.iter().filter(|round| round.what.is_judged()).count();
    let rounds = counted(rounds, "round", "rounds");
    let item = live.run.begun.what.items.first();
    let decision = live.run.evaluation(0).and_then(|last| last.what.decision());
    let mut text = match decision {
        // A decision would reveal a verdict that is hidden.
        Some(_) if item.is_some_and(|item| is_hidden(model, item)) => {
            format!("Done: {rounds}")
        }
        Some("escalate") => format!("Done: a person decides, {rounds}"),
        Some(decision) => format!("Done: {decision}, {rounds}"),
        None => format!("Stopped: {rounds}, nothing decided"),
    };
    if live.unkept > 0 {
        text.push_str(&format!(", {} NOT KEPT", live.unkept));
    }
    text
}

fn original(
    model: &mut Model,
    record: RecordId,
    result: Result<Option<Arc<ShownRecord>>, Problem>,
    rounds: Arc<Vec<ShownRecord>>,
) {
    if model.runs.original_of.is_some_and(|(of, _)| of == record) {
        let pass = |original: Arc<ShownRecord>| model.gate.pass(&original);
        model.runs.original.settle(result.map(|original| original.map(pass)));
        model.runs.rounds = rounds;
    }
}
