//! Something that was said.

use super::EntryId;
use crate::domain::Timestamp;

/// Something that was said at a time by somebody.
#[derive(Debug, Clone, PartialEq)]
pub struct Dated<T> {
    /// The entry that holds it.
    pub entry: EntryId,
    /// When it was said.
    pub time: Timestamp,
    /// By whom. Raw text.
    pub reviewer: String,
    /// What.
    pub what: T,
}
