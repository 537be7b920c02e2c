//! How the operation is doing, as far as the console knows.

use super::{ItemState, LedgerSnapshot, Model, PullState};
use crate::assess::{Modes, Operation, PullProgress, Report, Sources, Work, family_in_view};
use crate::domain::{ByKind, JudgementKind, RecordId, Triage};
use crate::tui::page::same;
use std::sync::Arc;

/// What the facts were taken from; something else means other facts.
#[derive(Debug, Clone)]
pub struct OperationKey {
    ledger: Arc<LedgerSnapshot>,
    assessed: ByKind<Option<Arc<Report>>>,
    counted: Option<Arc<Triage>>,
    /// Records whose verdicts were seen in this run; they only become more.
    seen: usize,
    second: i64,
}

impl PartialEq for OperationKey {
    /// The very same documents, without a look inside.
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.ledger, &other.ledger)
            && JudgementKind::ALL
                .into_iter()
                .all(|of| same(self.assessed.get(of), other.assessed.get(of)))
            && same(&self.counted, &other.counted)
            && (self.seen, self.second) == (other.seen, other.second)
    }
}

impl Model {
    /// Takes note of how the operation is doing; nothing is known of it before the ledgers are read. It is counted
    /// anew where what it is taken from is another, and not for each key.
    pub fn note_operation(&mut self) {
        let key = self.operation_key();
        if key != self.operation_of {
            self.operation = key.as_ref().map(|key| self.known_operation(key));
            self.operation_of = key;
        }
        let (pull, work) = (self.pull_progress(), self.work());
        if let Some(operation) = &mut self.operation {
            (operation.pull, operation.work) = (pull, work);
        }
    }

    fn operation_key(&self) -> Option<OperationKey> {
        Some(OperationKey {
            ledger: Arc::clone(self.labels.ledger.as_ref()?),
            assessed: ByKind::new(|family| self.assessments.get(family).result.value.clone()),
            counted: self.overview.summary.value.clone(),
            seen: self.labels.seen.len(),
            second: self.now.0.div_euclid(1_000_000),
        })
    }

    fn known_operation(&self, key: &OperationKey) -> Operation {
        let present = &key.ledger.present;
        let report = |family| key.assessed.get(family).as_deref();
        let reviewer = self.facts.labelling.reviewer.as_deref();
        let is_seen = |record: &RecordId| {
            self.labels.seen.contains(record)
                || reviewer.is_some_and(|who| present.is_exposed(who, *record))
        };
        Operation::new(&Sources {
            present,
            modes: &Modes::new(present, self.now),
            family: family_in_view(present),
            readiness: ByKind::new(|family| report(family).map(|report| &report.readiness)),
            boxes: key.counted.as_deref().map_or(&[], |triage| triage.boxes.as_slice()),
            reviewer,
            is_seen: &is_seen,
            now: self.now,
        })
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
