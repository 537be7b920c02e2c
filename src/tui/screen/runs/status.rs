//! What runs and evaluations say, in words and numbers.

use super::is_hidden;
use crate::domain::review::{Dated, Evaluated, Run, RunFigures};
use crate::report::Masking;
pub(in crate::tui) use crate::report::runs::{money, prompt};
use crate::tui::model::{ItemState, LiveRun, Model, RunPhase, ShownRecord, TierState};
use crate::tui::theme::Role;
use crate::tui::widget::counted;

/// Figures of a run, without what is hidden.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Figures {
    pub(super) items: usize,
    pub(super) judged: usize,
    /// Verdicts that differ from those before; `None` where some of them are hidden.
    pub(super) changed: Option<usize>,
    /// Evaluations without a verdict for a reason that is not the content.
    pub(super) errors: usize,
    /// Rounds of a task.
    rounds: usize,
    all: RunFigures,
}

impl Figures {
    pub(super) fn count(model: &Model, run: &Run) -> Self {
        let mut all = RunFigures::new(run);
        let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
        if let (None, Some(live)) = (&run.ended, live) {
            all.cut = live.cut;
        }
        let hidden = run.begun.what.items.iter().any(|item| is_hidden(model, item));
        let changed = (!hidden).then_some(all.changed);
        let RunFigures { items, judged, errors, rounds, .. } = all;
        Self { items, judged, changed, errors, rounds, all }
    }

    /// Contents that asking failed about.
    pub(super) fn failed(&self) -> usize {
        self.all.failed()
    }

    /// Contents without an answer and without a failure.
    pub(super) fn missing(&self) -> usize {
        self.items.saturating_sub(self.judged + self.failed())
    }

    /// How many failed, and why.
    pub(super) fn failures(&self) -> Option<String> {
        crate::report::runs::failures(&self.all)
    }

    /// What to do about it.
    pub(super) fn remedy(&self) -> Option<&'static str> {
        crate::report::runs::remedy(&self.all)
    }

    /// Tokens and cost, as far as they are known.
    pub(super) fn spent(&self) -> String {
        crate::report::runs::spent(&self.all)
    }
}

/// State of a run, in words.
pub(super) fn state(model: &Model, run: &Run, figures: &Figures) -> (Role, String) {
    if run.begun.what.task.is_some() {
        return task_state(model, run, figures);
    }
    let of = format!("{} of {}", figures.judged, figures.items);
    let live = model.runs.live.as_ref().filter(|live| live.run.id() == run.id());
    match live {
        Some(live) if live.phase != RunPhase::Ended => (Role::Notice, phase(live, &of)),
        Some(live) if live.problem.is_some() && run.evaluations.is_empty() => {
            (Role::Error, "FAILED: no request was sent".to_owned())
        }
        Some(live) if live.unkept > 0 => {
            (Role::Error, format!("{of} judged, {} NOT KEPT", live.unkept))
        }
        _ if run.ended.is_none() && live.is_none() => {
            (Role::Warning, format!("{of} judged; end not recorded"))
        }
        _ if figures.judged < figures.items => (Role::Warning, format!("{of} judged")),
        _ => (Role::Text, counted(figures.judged, "judged", "judged")),
    }
}

/// State of the run of a task: its rounds, and what it came to.
fn task_state(model: &Model, run: &Run, figures: &Figures) -> (Role, String) {
    let rounds = counted(figures.rounds, "round", "rounds");
    let live = model.runs.live.as_ref().filter(|live| live.has_id(run.id()));
    match live {
        Some(live) if live.phase != RunPhase::Ended => {
            return (Role::Notice, task_phase(live, &rounds));
        }
        Some(live) if live.problem.is_some() && run.evaluations.is_empty() => {
            return (Role::Error, "FAILED: no request was sent".to_owned());
        }
        Some(live) if live.unkept > 0 => {
            return (Role::Error, format!("{rounds}, {} NOT KEPT", live.unkept));
        }
        _ => {}
    }
    let decision = run.evaluation(0).and_then(|last| last.what.decision());
    match decision {
        // Whether anything changed is hidden, and so is what it came to.
        Some(_) if figures.changed.is_none() => (Role::Text, format!("decided, {rounds}")),
        Some("escalate") => (Role::Text, format!("a person decides, {rounds}")),
        Some(decision) => (Role::Text, format!("{decision}, {rounds}")),
        None if run.ended.is_none() && live.is_none() => {
            (Role::Warning, format!("{rounds}; end not recorded"))
        }
        None => (Role::Warning, format!("{rounds}; stopped, nothing decided")),
    }
}

fn task_phase(live: &LiveRun, rounds: &str) -> String {
    let word = match live.phase {
        RunPhase::Stopping => "STOPPING",
        RunPhase::Dropping => "ENDING",
        _ => "RUNNING",
    };
    let asked = live.tiers.iter().filter(|(_, state)| matches!(state, TierState::Asked { .. }));
    let asked: Vec<&str> = asked.map(|(tier, _)| tier.name()).collect();
    match asked.is_empty() {
        true => format!("{word}: {rounds}"),
        false => format!("{word}: {rounds}, {} asked", asked.join(" and ")),
    }
}

fn phase(live: &LiveRun, of: &str) -> String {
    let asked = live.count(|item| *item == ItemState::Asked);
    match live.phase {
        RunPhase::Stopping => format!("STOPPING {of}, {asked} asked"),
        RunPhase::Dropping => format!("ENDING {of}"),
        _ => format!("RUNNING {of}, {asked} asked"),
    }
}

/// An evaluation as any record is shown: read by the same reader, its secrets masked.
pub(super) fn shown(evaluated: &Dated<Evaluated>) -> Option<ShownRecord> {
    let raw = serde_json::to_vec(&evaluated.what.evaluation).ok()?;
    let record = crate::jsonl::read_one(&raw, &crate::jsonl::Settings::default())?;
    Some(ShownRecord::new(&record, Masking::On))
}
