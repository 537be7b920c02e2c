//! Records that hold verdicts, and their words.

use crate::domain::{Cause, Family, Outcome};

/// The words of the verdicts of one family of records.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Vocabulary {
    /// The family of records.
    pub family: Family,
    /// Each exact word, and what it means.
    pub outcomes: &'static [(&'static str, Outcome)],
    /// Why an exact UNDETERMINED word was given, where nothing else tells.
    pub undetermined: Cause,
}
