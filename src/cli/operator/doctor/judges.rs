//! What the document has of judges, beside checks.

use crate::hook::call_word::CallWordReport;
use crate::hook::earlier_question::EarlierQuestion;
use schemars::JsonSchema;
use serde::Serialize;

/// What is known of the judges of this machine.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct OfJudges {
    /// Whether each judge of this machine carries the call word.
    pub(super) call_word: Vec<CallWordReport>,
    /// The question of the newest push evaluation of the boxes, where this machine asks another one.
    pub(super) earlier_question: Option<EarlierQuestion>,
}
