//! Why a result was rejected.

use crate::engine::record::{TaskRecord, TaskTier};
use crate::engine::verdict::{LADDER, TASK, TaskVerdict};

/// Why the judges rejected a result, in a sentence: who did, and what the last of them found. `None` where no round
/// of the run says so.
pub(super) fn of_rejection(records: &[TaskRecord]) -> Option<String> {
    let rejected: Vec<&TaskRecord> = records.iter().filter(|record| rejects(record)).collect();
    let last = rejected.last()?;
    let names: Vec<&str> = rejected.iter().filter_map(|record| name(record.judge_tier)).collect();
    let who = match names.as_slice() {
        [one] => format!("The {one} judge rejected it"),
        _ => format!("The {} judges rejected it", names.join(" and ")),
    };
    let found = last.reasoning.trim();
    Some(if found.is_empty() { format!("{who}.") } else { format!("{who}: {found}") })
}

/// Whether a judge rejected the result in a round.
fn rejects(record: &TaskRecord) -> bool {
    let word = record.verdict.as_str();
    let verdict = TASK.verdict(word).or_else(|| LADDER.verdict(word));
    record.error.is_none()
        && name(record.judge_tier).is_some()
        && verdict == Some(TaskVerdict::Reject)
}

/// A judge by its tier; `None` of a person.
fn name(tier: TaskTier) -> Option<&'static str> {
    Some(match tier {
        TaskTier::Quick => "quick",
        TaskTier::Deep => "deep",
        TaskTier::Tiebreaker => "tiebreaker",
        TaskTier::Human => return None,
    })
}
