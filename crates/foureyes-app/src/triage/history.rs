//! What else was said of the same content.

use crate::domain::review::Reviews;
use crate::domain::{Family, Record, Timestamp, Window};
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
/// Runs of the older runner have no id: there a run begins with each first round of its box.
pub fn run_of<'a, T>(record: &Record, all: &'a [T], row: impl Fn(&T) -> &Record) -> Vec<&'a T> {
    let is_line = |one: &&T| {
        let one = row(one);
        one.family != Family::Override
            && (&one.box_name, &one.run) == (&record.box_name, &record.run)
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
    let begins = |one: &&T| row(one).round.is_none_or(|round| round <= 1);
    let first = lines.iter().take(here + 1).rposition(begins).unwrap_or(0);
    let later = lines.iter().skip(here + 1).position(begins);
    let end = later.map_or(lines.len(), |later| here + 1 + later);
    lines.into_iter().take(end).skip(first).collect()
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
