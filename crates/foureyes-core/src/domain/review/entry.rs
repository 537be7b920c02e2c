//! An entry of a ledger.

use super::{Act, EntryId, LineHash};
use crate::domain::Timestamp;

/// An entry of a ledger.
#[derive(Debug, Clone, PartialEq)]
pub struct Entry {
    /// Its name.
    pub id: EntryId,
    /// When it was written, by the clock of the machine.
    pub time: Timestamp,
    /// Who wrote it. Raw text: escape it to print it.
    pub reviewer: String,
    /// On which machine. Raw text too.
    pub machine: String,
    /// What it does.
    pub act: Act,
    /// The hash of the entry before it in the same ledger; `None` of the first.
    pub prev: Option<LineHash>,
    /// The last entries of the other ledgers that were there when it was written, where it names
    /// them: they came before it, whatever the clocks say.
    pub seen: Vec<LineHash>,
    /// Its own hash.
    pub hash: LineHash,
}
