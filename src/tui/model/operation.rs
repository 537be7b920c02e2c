//! How the operation is doing, as far as the console knows.

use super::{ItemState, Model, PullState};
use crate::assess::{Modes, Operation, PullProgress, Sources, Work, family_in_view};
use crate::domain::{ByKind, RecordId};

impl Model {
    /// Takes note of how the operation is doing; nothing is known of it before the ledgers are read.
    pub fn note_operation(&mut self) {
        self.operation = self.known_operation();
    }

    fn known_operation(&self) -> Option<Operation> {
        let present = &self.labels.ledger.as_ref()?.present;
        let readiness = ByKind::new(|family| {
            let report = self.assessments.get(family).result.value.as_deref();
            report.map(|report| &report.readiness)
        });
        let boxes = self.overview.summary.value.as_ref();
        let reviewer = self.facts.labelling.reviewer.as_deref();
        let is_seen = |record: &RecordId| {
            self.labels.seen.contains(record)
                || reviewer.is_some_and(|who| present.is_exposed(who, *record))
        };
        let operation = Operation::new(&Sources {
            present,
            modes: &Modes::new(present, self.now),
            family: family_in_view(present),
            readiness,
            boxes: boxes.map_or(&[], |triage| triage.boxes.as_slice()),
            reviewer,
            is_seen: &is_seen,
            now: self.now,
        });
        Some(Operation { pull: self.pull_progress(), work: self.work(), ..operation })
    }

    fn pull_progress(&self) -> Option<PullProgress> {
        if !self.pulls.running {
            return None;
        }
        let (done, of) = self.pulls.done();
        let fetching = self.pulls.boxes.iter().filter_map(|(name, state)| match state {
            PullState::Fetching { got, of } => Some((name.clone(), *got, *of)),
            _ => None,
        });
        // That of which most is still to come ends last.
        let fetching = fetching.max_by_key(|(_, got, of)| of.saturating_sub(*got));
        Some(PullProgress { done, of, fetching })
    }

    fn work(&self) -> Option<Work> {
        if let Some(run) = self.boxes.run.as_ref().filter(|run| run.is_running()) {
            return Some(Work::Hook(run.task.running()));
        }
        let live = self.runs.live.as_ref().filter(|_| self.runs.is_on())?;
        let done = live.count(|item| !matches!(item, ItemState::Waiting | ItemState::Asked));
        Some(Work::Judging(done, live.items.len()))
    }
}
