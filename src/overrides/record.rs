//! The record of an override, as it stands on a box.

use crate::domain::review::{EntryId, Override};
use crate::domain::{Family, RecordRow, Timestamp};
use serde::Serialize;

/// A task verdict of a person. Scores of 0 are no scores.
#[derive(Serialize)]
struct Line<'a> {
    /// First, so that the beginning of a torn line tells whose it is.
    id: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    task_id: Option<&'a str>,
    model: &'a str,
    mode: &'a str,
    verdict: &'a str,
    scores: Scores,
    average: u8,
    reasoning: &'a str,
    improvements: [u8; 0],
    timestamp: String,
    round: u8,
    judge_tier: &'a str,
    previous_rounds: [u8; 0],
    consensus: Option<u8>,
    human_override: bool,
    reviewer: &'a str,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    record: String,
}

#[derive(Serialize)]
struct Scores {
    semantic: u8,
    pragmatic: u8,
    syntactic: u8,
}

/// One line without its end: control characters are escaped in it.
///
/// # Errors
/// None that is known; the serializer's, where it has one.
pub(super) fn line(
    id: EntryId,
    reviewer: &str,
    time: Timestamp,
    decision: &Override,
    answered: &RecordRow,
) -> Result<String, serde_json::Error> {
    let push = answered.family == Family::Push;
    serde_json::to_string(&Line {
        id: id.to_string(),
        task_id: answered.task_id.as_deref().filter(|_| !push),
        model: "human",
        mode: "override",
        verdict: decision.word.as_str(),
        scores: Scores { semantic: 0, pragmatic: 0, syntactic: 0 },
        average: 0,
        reasoning: &decision.reason,
        improvements: [],
        timestamp: time.to_string(),
        round: 0,
        judge_tier: "human",
        previous_rounds: [],
        consensus: None,
        human_override: true,
        reviewer,
        reason: &decision.reason,
        commit: answered.commit.as_deref().filter(|_| push),
        record: decision.record.to_string(),
    })
}
