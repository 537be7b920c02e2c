//! What the ledgers hold, as the console last read them.

use super::UndoSteps;
use crate::domain::RecordId;
use crate::domain::review::Present;
use crate::overrides::Delivery;
use std::collections::BTreeMap;

/// Content of the ledgers.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LedgerSnapshot {
    /// What holds at present.
    pub present: Present,
    /// What the reviewer did before this run; with the first content only.
    pub earlier: Option<UndoSteps>,
    /// What is wrong with ledgers, a sentence each.
    pub unsound: Vec<String>,
    /// Overrides by their records, and how far each came.
    pub overrides: BTreeMap<RecordId, Vec<Delivery>>,
}
