//! What a record says of the risk of its change.

use super::{Assessment, Change, RiskDepth};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a record says of the risk of its change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RiskNote {
    /// How deep the change is judged.
    pub depth: RiskDepth,
    /// The rules that apply, or that may where not enough is known, by name.
    pub rules: Vec<String>,
    /// Lines that are added or removed in all files of the change; absent where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub lines: Option<u64>,
    /// Paths that it touches, judged or not; absent where that is not known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub files: Option<u64>,
}

impl RiskNote {
    /// The note of a change.
    pub fn new(change: &Change, assessment: &Assessment) -> Self {
        Self {
            depth: assessment.at_most,
            rules: assessment.rules.iter().map(|one| one.rule.clone()).collect(),
            lines: change.lines(),
            files: change.is_complete.then_some(change.paths.len() as u64),
        }
    }
}
