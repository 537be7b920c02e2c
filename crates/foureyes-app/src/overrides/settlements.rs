//! What settled runs of tasks, of many at once.

use super::settling;
use crate::domain::review::Reviews;
use crate::domain::{Family, Record, RecordId, Timestamp, Window};
use crate::frame::query::{Decision, Match, Node, Query, Scope, Term, TextField};
use crate::store::cache::{Archive, RowError};
use std::collections::{BTreeMap, HashMap, HashSet};

/// The overrides in logs that answer runs, by the last record of each.
#[derive(Debug, Default)]
pub struct Settlements(HashMap<RecordId, Record>);

impl Settlements {
    /// Finds them in the logs.
    ///
    /// # Errors
    /// A cache or a log that cannot be read any more.
    pub fn find(archive: &Archive) -> Result<Self, RowError> {
        let is_override = Node::Term(Term::Family(Family::Override));
        let decided = Node::Term(Term::Override(Decision::Any));
        let mut tasks: BTreeMap<(String, String), Vec<Record>> = BTreeMap::new();
        for row in in_order(archive, Node::Or(vec![decided, is_override]))? {
            if let Some(task) = row.task_id.clone() {
                tasks.entry((row.box_name.clone(), task)).or_default().push(row);
            }
        }
        let mut found = HashMap::new();
        for ((box_name, task), lines) in &tasks {
            for row in lines.iter().filter(|row| is_end(row)) {
                let by = match settling(row, lines) {
                    Some(by) => Some(by.clone()),
                    // It may name a round before the last one.
                    None => settling(row, &of_task(archive, box_name, task)?).cloned(),
                };
                found.extend(by.map(|by| (row.id, by)));
            }
        }
        Ok(Self(found))
    }

    /// Adds those among all lines of a task on a box, in their order. `decided` are the overrides among
    /// them, and the ends of runs that one answers.
    pub fn add(&mut self, all: &[Record], decided: &HashSet<RecordId>) {
        let lines: Vec<&Record> = all.iter().filter(|row| decided.contains(&row.id)).collect();
        for row in lines.iter().filter(|row| is_end(row)) {
            let by = settling(row, lines.iter().copied()).or_else(|| settling(row, all));
            self.0.extend(by.map(|by| (row.id, by.clone())));
        }
    }

    /// The override that answers the run which a record ends.
    pub fn of(&self, row: &Record) -> Option<&Record> {
        self.0.get(&row.id)
    }
}

/// Whether a record says what its run came to.
fn is_end(row: &Record) -> bool {
    row.family != Family::Override && row.decision.is_some()
}

/// All records of a task on a box.
fn of_task(archive: &Archive, box_name: &str, task: &str) -> Result<Vec<Record>, RowError> {
    let text = |field, text: &str| Node::Term(Term::Text(field, Match::Exact, text.to_owned()));
    in_order(archive, Node::And(vec![text(TextField::Task, task), text(TextField::Box, box_name)]))
}

/// The records that match, the oldest first. What ledgers say is no line of a log.
fn in_order(archive: &Archive, query: Node) -> Result<Vec<Record>, RowError> {
    // No query of ours is relative to the time.
    let scope = Scope { boxes: archive.boxes(), now: Timestamp(0), reviews: Reviews::none() };
    let mut rows = archive.matching(&Query::new(query), &scope, Window::ALL)?;
    archive.first(&mut rows, usize::MAX)?;
    rows.reverse();
    Ok(archive.records(&rows)?.into_iter().map(|located| located.record).collect())
}
