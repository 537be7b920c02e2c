//! What a person wants to have judged.

use crate::domain::Timestamp;
use crate::domain::review::{EntryId, RunBegun};
use crate::instruments::Capability;
use crate::tui::model::ShownRecord;
use std::sync::Arc;

/// What is to be judged.
#[derive(Debug, Clone, PartialEq)]
pub enum RunInput {
    /// Records of logs.
    Records(Vec<Arc<ShownRecord>>),
    /// A file of this machine.
    File(String),
    /// The items of an earlier run.
    Run(Arc<EarlierRun>),
}

impl RunInput {
    /// Whether a task is to be judged, by judges of tasks.
    pub fn is_task(&self) -> bool {
        match self {
            Self::Records(_) => {
                let kind = self.record().and_then(|shown| shown.row.family.kind());
                kind.is_some_and(|kind| kind.has(Capability::Tiers))
            }
            Self::File(_) => false,
            Self::Run(earlier) => earlier.begun.task.is_some(),
        }
    }

    /// Whether a file on this machine is to be judged, and no record.
    pub fn is_file(&self) -> bool {
        matches!(self, Self::File(_))
    }

    /// The record, where it is one alone.
    pub fn record(&self) -> Option<&Arc<ShownRecord>> {
        match self {
            Self::Records(records) => records.first().filter(|_| records.len() == 1),
            Self::File(_) | Self::Run(_) => None,
        }
    }

    /// The id of the task that is to be judged; none of a push, which may name one.
    pub fn task_id(&self) -> Option<&str> {
        match self {
            Self::Records(_) => self.record().filter(|_| self.is_task())?.row.task_id.as_deref(),
            Self::Run(earlier) => earlier.begun.task.as_ref().map(|task| task.id.as_str()),
            Self::File(_) => None,
        }
    }
}

/// An earlier run whose items are to be judged again.
#[derive(Debug, Clone, PartialEq)]
pub struct EarlierRun {
    /// Ledger entry that begins the run.
    pub run: EntryId,
    /// When it began, in UTC.
    pub time: Timestamp,
    /// What was asked in it.
    pub begun: RunBegun,
    /// The archive in which its records are looked up.
    pub edition: u64,
}
