//! The run that is on.

use crate::domain::Timestamp;
use crate::domain::review::{Dated, EntryId, Evaluated, Run, RunBegun};
use crate::tui::judging::RunPlan;
use std::borrow::Cow;

/// How a run goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RunPhase {
    /// It sends requests.
    On,
    /// It finishes what is asked, and begins nothing new.
    Stopping,
    /// It is ended at once.
    Dropping,
    /// No request is on its way.
    Ended,
}

/// State of an item.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ItemState {
    /// Its turn has not come.
    Waiting,
    /// It is asked about.
    Asked,
    /// It was judged.
    Judged,
    /// It was not judged, and why.
    Skipped(Cow<'static, str>),
}

/// A run of this console.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveRun {
    /// What is known of it.
    pub run: Run,
    /// State of each of its items.
    pub items: Vec<ItemState>,
    /// Cost so far, in the currency of the configured prices.
    pub spent: f64,
    /// Whether the run asks, stops or is over.
    pub phase: RunPhase,
    /// Evaluations that are not kept in the ledger.
    pub unkept: usize,
    /// Why it could not be done.
    pub problem: Option<super::super::Problem>,
    /// UTC; `None` while the run is on.
    pub ended: Option<Timestamp>,
}

impl LiveRun {
    /// One that is asked for.
    pub fn new(plan: &RunPlan, reviewer: &str, now: Timestamp) -> Self {
        let begun: RunBegun = plan.begun.clone();
        let items = vec![ItemState::Waiting; begun.items.len()];
        let (entry, reviewer) = (plan.run, reviewer.to_owned());
        let run = Run::new(Dated { entry, time: now, reviewer, what: begun });
        let (spent, unkept) = (0.0, 0);
        Self { run, items, spent, phase: RunPhase::On, unkept, problem: None, ended: None }
    }

    /// Whether a word of the outside is about it.
    pub fn has_id(&self, run: EntryId) -> bool {
        self.run.id() == run
    }

    /// Sets the state of an item.
    pub fn set(&mut self, item: usize, state: ItemState) {
        if let Some(slot) = self.items.get_mut(item) {
            *slot = state;
        }
    }

    /// Takes what came of an item.
    pub fn add_evaluation(&mut self, evaluation: &Dated<Evaluated>) {
        self.set(evaluation.what.item as usize, ItemState::Judged);
        self.run.evaluations.push(evaluation.clone());
    }

    /// Items in a state.
    pub fn count(&self, state: fn(&ItemState) -> bool) -> usize {
        self.items.iter().filter(|item| state(item)).count()
    }
}
