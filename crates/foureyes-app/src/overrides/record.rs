//! The record of an override, as it stands on a box.

use crate::domain::review::{EntryId, Override};
use crate::domain::{Family, Record, Timestamp};
use serde::{Deserialize, Serialize};

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
    /// In whole seconds, as every writer of the log has it.
    timestamp: String,
    round: u8,
    judge_tier: &'a str,
    previous_rounds: [u8; 0],
    consensus: Option<u8>,
    human_override: bool,
    /// The instant of `timestamp` in microseconds since 1970.
    at_us: i64,
    reviewer: &'a str,
    reason: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    commit: Option<&'a str>,
    record: String,
    /// The override that is taken back by this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    undoes: Option<String>,
    /// The override that counts again by this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    redoes: Option<String>,
}

#[derive(Serialize)]
struct Scores {
    semantic: u8,
    pragmatic: u8,
    syntactic: u8,
}

/// What a record is of, as the record says it.
#[derive(Debug, Clone, Default, Deserialize)]
pub(super) struct Answered {
    task_id: Option<String>,
    commit: Option<String>,
}

impl Answered {
    /// What the override of a record of the logs names.
    pub(super) fn new(row: &Record) -> Self {
        match row.family {
            Family::Push => Self { task_id: None, commit: row.commit.clone() },
            _ => Self { task_id: row.task_id.clone(), commit: None },
        }
    }

    /// What an override names that was written before.
    pub(super) fn read(line: &str) -> Self {
        serde_json::from_str(line).unwrap_or_default()
    }
}

/// Whether a record says that something is decided, taken back or holds again.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    Decides,
    Undoes(EntryId),
    Redoes(EntryId),
}

/// Who says it, when, and as which entry.
#[derive(Debug, Clone, Copy)]
pub(super) struct By<'a> {
    pub(super) id: EntryId,
    pub(super) reviewer: &'a str,
    pub(super) time: Timestamp,
}

/// One line without its end: control characters are escaped in it.
///
/// # Errors
/// None that is known; the serializer's, where it has one.
pub(super) fn line(
    by: By<'_>,
    decision: &Override,
    answered: &Answered,
    kind: Kind,
) -> Result<String, serde_json::Error> {
    let (undoes, redoes) = match kind {
        Kind::Decides => (None, None),
        Kind::Undoes(of) => (Some(of.to_string()), None),
        Kind::Redoes(of) => (None, Some(of.to_string())),
    };
    serde_json::to_string(&Line {
        id: by.id.to_string(),
        task_id: answered.task_id.as_deref(),
        model: "human",
        mode: "override",
        verdict: decision.word.as_str(),
        scores: Scores { semantic: 0, pragmatic: 0, syntactic: 0 },
        average: 0,
        reasoning: &decision.reason,
        improvements: [],
        timestamp: by.time.whole_second().to_string(),
        round: 0,
        judge_tier: "human",
        previous_rounds: [],
        consensus: None,
        human_override: true,
        at_us: by.time.0,
        reviewer: by.reviewer,
        reason: &decision.reason,
        commit: answered.commit.as_deref(),
        record: decision.record.to_string(),
        undoes,
        redoes,
    })
}

/// What a line says, to be compared with the ledger.
#[derive(Debug, Deserialize)]
pub(super) struct Says {
    pub(super) id: String,
    pub(super) record: String,
    pub(super) reviewer: String,
    pub(super) verdict: String,
    pub(super) reason: String,
    pub(super) undoes: Option<String>,
    pub(super) redoes: Option<String>,
}

impl Says {
    pub(super) fn read(line: &str) -> Option<Self> {
        serde_json::from_str(line).ok()
    }
}
