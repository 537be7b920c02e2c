//! Labels of picks: which of the memories that were found for a prompt help with it.

use crate::domain::RecordId;
use serde::{Deserialize, Serialize};

/// What a reviewer says of candidates of one pick, by the paths of the memories. A later entry of the same
/// reviewer about the same pick takes the place of this one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Relevance {
    /// The record of the pick.
    pub pick: RecordId,
    /// Those that help.
    pub relevant: Vec<String>,
    /// Those that do not.
    pub not_relevant: Vec<String>,
    /// Whether it was drawn, so that it is evidence: not where the reviewer chose it.
    #[serde(default)]
    pub drawn: bool,
}
