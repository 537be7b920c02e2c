//! What else was said of the same content.

use crate::domain::review::Reviews;
use crate::domain::{Family, Record, Timestamp, Window};
use crate::frame::Round;
use crate::frame::query::{Match, Node, Query, Scope, Term, TextField};
use crate::store::cache::{Archive, Cancel, RowError};

/// What else was said of the content of a record. The record itself is among it, so that a reader
/// sees where it stands.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct History {
    /// Evaluations of the first of its files, across commits and boxes, the newest first.
    pub file: Vec<Record>,
    /// How many there are, whether given or cut.
    pub file_total: usize,
    /// Records of the same task on the same box: its rounds and decisions, the oldest first.
    pub rounds: Vec<Record>,
    /// How many there are, whether given or cut.
    pub rounds_total: usize,
}

/// The task that records name where they know none.
const NO_TASK: &str = "unknown";

/// Looks for it, at most `most` of each kind, the newest; `None` where it was cancelled.
///
/// # Errors
/// A cache or a log that cannot be read any more.
pub fn history(
    archive: &Archive,
    record: &Record,
    most: usize,
    cancel: Cancel<'_>,
) -> Result<Option<History>, RowError> {
    let text = |field, text: &str| Node::Term(Term::Text(field, Match::Exact, text.to_owned()));
    let find = |query: Node| newest(archive, &Query::new(query), most, cancel);
    let mut history = History::default();
    if let Some(file) = record.files.first() {
        let Some(found) = find(text(TextField::Path, file))? else { return Ok(None) };
        (history.file, history.file_total) = found;
    }
    if let Some(task) = record.task_id.as_deref().filter(|task| *task != NO_TASK) {
        let of_box = text(TextField::Box, &record.box_name);
        let query = Node::And(vec![text(TextField::Task, task), of_box]);
        let Some(found) = find(query)? else { return Ok(None) };
        (history.rounds, history.rounds_total) = found;
        history.rounds.reverse();
    }
    Ok(Some(history))
}

/// The lines of the run of a task that a record is a line of, in their order; empty where it is of
/// none. `all` are records of the task, the oldest first, as [`History::rounds`] has them.
///
/// Runs of the older runner have no id: there rounds are of one run as they are for the KPIs.
pub fn run_of<'a, T>(record: &Record, all: &'a [T], row: impl Fn(&T) -> &Record) -> Vec<&'a T> {
    let is_line = |one: &&T| {
        let one = row(one);
        let same = record.run.is_none() || one.run == record.run;
        one.family != Family::Override && one.box_name == record.box_name && same
    };
    let mut lines: Vec<&T> = all.iter().filter(is_line).collect();
    if record.run.is_some() {
        // Lines of one second may stand in any order.
        lines.sort_by_key(|one| row(one).round);
    }
    let Some(here) = lines.iter().position(|one| row(one).id == record.id) else {
        return Vec::new();
    };
    if record.run.is_some() {
        return lines;
    }
    let begins = |at: usize| {
        let before = at.checked_sub(1).and_then(|before| lines.get(before));
        !before.zip(lines.get(at)).is_some_and(|(last, next)| goes_on(row(last), row(next)))
    };
    let first = (0..=here).rev().find(|at| begins(*at)).unwrap_or(here);
    let end = (here + 1..lines.len()).find(|at| begins(*at)).unwrap_or(lines.len());
    lines.into_iter().take(end).skip(first).collect()
}

/// Whether a record without the name of a run goes on with the run of the one before it.
fn goes_on(last: &Record, next: &Record) -> bool {
    let by_time = last.timestamp.is_some() && next.timestamp.is_some();
    let file = |record: &Record| record.origins.first().map(|origin| origin.file.clone());
    let rounds = Round::of_record(last).zip(Round::of_record(next));
    (by_time || file(last) == file(next))
        && rounds.is_some_and(|(last, next)| next.follows(last, by_time))
}

/// The newest records that a query matches, and how many there are in all.
fn newest(
    archive: &Archive,
    query: &Query,
    most: usize,
    cancel: Cancel<'_>,
) -> Result<Option<(Vec<Record>, usize)>, RowError> {
    // No query of ours is relative to the time.
    let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
    let Some(rows) = archive.list(query, &scope, Window::ALL, cancel)? else { return Ok(None) };
    let located = archive.records(&rows[..most.min(rows.len())])?;
    Ok(Some((located.into_iter().map(|l| l.record).collect(), rows.len())))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn lines_without_a_run_are_one_as_they_are_for_the_figures() {
        let line = |id: u8, round: u8, cause: Option<&str>| -> Record {
            serde_json::from_value(json!({
                "id": format!("{id:02x}").repeat(32), "box": "b", "family": "task", "outcome": "go",
                "timestamp": format!("2026-02-15T10:00:{id:02}Z"), "verdict": "accept", "commit": null,
                "task_id": "t", "author": null, "model": null, "files": [], "scores": {},
                "findings": null, "cause": cause, "round": round, "origins": [],
            }))
            .unwrap()
        };
        // The first round was asked once more for want of an answer; then another run begins.
        let all = [
            line(1, 1, Some("timeout")),
            line(2, 1, None),
            line(3, 3, None),
            line(4, 2, None),
            line(5, 3, None),
        ];
        let rounds = |of: usize| -> Vec<u8> {
            run_of(&all[of], &all, |one| one).iter().map(|one| one.id.0[0]).collect()
        };
        assert_eq!(rounds(1), [1, 2, 3]);
        assert_eq!(rounds(4), [4, 5]);
    }
}
