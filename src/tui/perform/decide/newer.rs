//! Whether a newer verdict on the content of records came.

use super::super::next_step::AGAIN;
use super::super::services::{Edition, Services};
use super::super::{CancelFlag, MessageSender};
use crate::domain::review::Reviews;
use crate::domain::{Record, RecordId, Timestamp, Window, chain};
use crate::frame::query::{Match, Node, Query, Scope, Term, TextField};
use crate::tui::message::Message;
use crate::tui::model::{Problem, ShownRecord};
use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;
use std::sync::atomic::Ordering;

/// The task that records name where they know none.
const NO_TASK: &str = "unknown";

/// Looks whether a record is still there, and for the newest verdict on its content after it.
pub(in crate::tui::perform) fn newer(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    edition: u64,
    of: &ShownRecord,
) {
    let record = of.row.id;
    let Some(open) = services.edition(edition) else { return };
    let stop = || cancel.load(Ordering::Relaxed);
    let result =
        find_newest(&open, &[record], &stop).map(|mut found| match found.remove(&record) {
            Some((newest, _)) => (true, newest.map(|row| Arc::new(ShownRecord::listed(&row)))),
            None => (false, None),
        });
    if !stop() {
        sender.send(Message::Newer { record, edition, result });
    }
}

/// Records that are there, each behind the newest evaluation of the same content where that came after
/// it.
pub(super) type NewestVerdicts = HashMap<RecordId, (Option<Record>, Record)>;

/// Looks for records, and for the newest evaluations of the same contents, all in one look.
pub(super) fn find_newest(
    open: &Edition,
    records: &[RecordId],
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<NewestVerdicts, Problem> {
    let archive = &open.archive;
    let failed = |error: &dyn std::error::Error| Problem::new(chain(error), AGAIN);
    let mut rows = Vec::new();
    for record in records {
        rows.extend(archive.find_row(*record).map_err(|e| failed(&e))?);
    }
    let located = archive.records(&rows).map_err(|e| failed(&e))?;
    let rows: Vec<Record> = located.into_iter().map(|l| l.record).collect();
    let same: BTreeSet<Content> = rows.iter().filter_map(content).collect();
    if same.is_empty() {
        return Ok(rows.into_iter().map(|row| (row.id, (None, row))).collect());
    }
    let query = Query::new(Node::Or(same.iter().map(same_content).collect()));
    // No query of ours is relative to the time.
    let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
    let same = archive.list(&query, &scope, Window::ALL, cancel).map_err(|e| failed(&e))?;
    let same = archive.records(&same.unwrap_or_default()).map_err(|e| failed(&e))?;
    let mut newest: HashMap<Content, Record> = HashMap::new();
    // The newest come first. One with a commit and a task is of both.
    for row in same.into_iter().map(|l| l.record) {
        for content in contents(&row) {
            newest.entry(content).or_insert_with(|| row.clone());
        }
    }
    let after = |row: &Record| {
        let newest = newest.get(&content(row)?)?;
        (newest.id != row.id && newest.timestamp > row.timestamp).then(|| newest.clone())
    };
    Ok(rows.into_iter().map(|row| (row.id, (after(&row), row))).collect())
}

/// What was evaluated: a commit, or a task with its box.
type Content = (String, Option<String>);

/// What a record is of: its commit, else its task.
fn content(row: &Record) -> Option<Content> {
    contents(row).next()
}

/// The commit of a record and its task, as far as it names them.
fn contents(row: &Record) -> impl Iterator<Item = Content> {
    let task = row.task_id.as_ref().filter(|task| *task != NO_TASK);
    let task = task.map(|task| (task.clone(), Some(row.box_name.clone())));
    row.commit.iter().map(|commit| (commit.clone(), None)).chain(task)
}

/// Evaluations of the same content: of a push its commit, of a task its rounds on the box.
fn same_content((of, box_name): &Content) -> Node {
    let text = |field, text: &str| Node::Term(Term::Text(field, Match::Exact, text.to_owned()));
    let evaluation = Node::Not(Box::new(Node::Term(Term::Outcome(None))));
    Node::And(match box_name {
        None => vec![text(TextField::Commit, of), evaluation],
        Some(name) => vec![text(TextField::Task, of), text(TextField::Box, name), evaluation],
    })
}
