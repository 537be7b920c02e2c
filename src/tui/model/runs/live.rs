//! The run that is on.

use crate::domain::Timestamp;
use crate::domain::review::{Dated, EntryId, Evaluated, Run, RunBegun};
use crate::engine::judgements::JudgementStage;
use crate::engine::panel::Tier;
use crate::tui::model::ShownRecord;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

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

/// State of a judge of a task whose round is not over.
#[derive(Debug, Clone, PartialEq)]
pub enum TierState {
    /// It is asked, or asked once more.
    Asked {
        /// Whether its first answer was empty or invalid.
        again: bool,
    },
    /// It answered, and those asked with it have not.
    Answered(Arc<ShownRecord>),
}

/// A run of this console.
#[derive(Debug, Clone, PartialEq)]
pub struct LiveRun {
    /// What is known of it.
    pub run: Run,
    /// State of each of its items.
    pub items: Vec<ItemState>,
    /// Judges of a task whose rounds are not over, in the order of their tiers.
    pub tiers: Vec<(Tier, TierState)>,
    /// How far those are that a service is asked for: items by their index, judges of a task by that of their
    /// tier.
    pub stages: BTreeMap<usize, JudgementStage>,
    /// Cost so far, in the currency of the configured prices.
    pub spent: f64,
    /// Whether the run asks, stops or is over.
    pub phase: RunPhase,
    /// Calls that were cut off.
    pub cut: usize,
    /// Evaluations that are not kept in the ledger.
    pub unkept: usize,
    /// Why it could not be done.
    pub problem: Option<super::super::Problem>,
    /// UTC; `None` while the run is on.
    pub ended: Option<Timestamp>,
}

impl LiveRun {
    /// One that is asked for.
    pub fn new(entry: EntryId, begun: RunBegun, reviewer: &str, now: Timestamp) -> Self {
        let items = vec![ItemState::Waiting; begun.items.len()];
        let reviewer = reviewer.to_owned();
        let run = Run::new(Dated { entry, time: now, reviewer, what: begun });
        let (tiers, spent, cut, unkept) = (Vec::new(), 0.0, 0, 0);
        let (phase, problem, ended) = (RunPhase::On, None, None);
        let stages = BTreeMap::new();
        Self { run, items, tiers, stages, spent, phase, cut, unkept, problem, ended }
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
        if self.run.begun.what.task.is_none() {
            self.stages.remove(&item);
        }
    }

    /// Takes what came of an item.
    pub fn add_evaluation(&mut self, evaluation: &Dated<Evaluated>) {
        let item = &evaluation.what;
        let is_open = self.run.begun.what.task.is_some() && item.decision().is_none();
        let state = if is_open { ItemState::Asked } else { ItemState::Judged };
        self.set(item.item as usize, state);
        let tier = item.evaluation.get("mode").and_then(|mode| mode.as_str());
        self.tiers.retain(|(of, _)| Some(of.name()) != tier);
        self.run.evaluations.push(evaluation.clone());
    }

    /// Notes how far a judgement is, unless it has ended meanwhile.
    pub fn set_stage(&mut self, of: usize, stage: JudgementStage) {
        let is_tier = |(tier, state): &(Tier, TierState)| {
            *tier as usize == of && matches!(state, TierState::Asked { .. })
        };
        let is_asked = match self.run.begun.what.task.is_some() {
            true => self.tiers.iter().any(is_tier),
            false => self.items.get(of) == Some(&ItemState::Asked),
        };
        if is_asked {
            self.stages.insert(of, stage);
        }
    }

    /// What is shown of a judgement that is asked for: how far it is, where that is known.
    pub fn asked(&self, of: usize, otherwise: &str) -> String {
        let stage = self.stages.get(&of).map(JudgementStage::words);
        format!("{}…", stage.as_deref().unwrap_or(otherwise))
    }

    /// Sets the state of a judge of a task.
    pub fn set_tier(&mut self, tier: Tier, state: TierState) {
        self.set(0, ItemState::Asked);
        self.stages.remove(&(tier as usize));
        self.tiers.retain(|(of, _)| *of != tier);
        let at = self.tiers.partition_point(|(of, _)| *of < tier);
        self.tiers.insert(at, (tier, state));
    }

    /// Items in a state.
    pub fn count(&self, state: fn(&ItemState) -> bool) -> usize {
        self.items.iter().filter(|item| state(item)).count()
    }
}
