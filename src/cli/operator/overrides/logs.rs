//! Finding the records that are overridden.

use super::super::label::find;
use super::super::reading::{self, From};
use super::super::{Context, Failure};
use crate::domain::review::Reviews;
use crate::domain::{Record, RecordId, Window};
use crate::frame::query::{Match, Node, Query, Scope, Term, TextField};
use crate::overrides;

/// The records that words name, each once, in their order: bound to their ids from here on,
/// whatever comes into the logs.
pub(super) fn rows(
    context: &Context,
    from: &From,
    words: &[String],
) -> Result<Vec<Record>, Failure> {
    let collected = reading::collect(context, from)?;
    let mut ids: Vec<RecordId> = Vec::new();
    for id in find::all(context, &collected, words)? {
        if !ids.contains(&id) {
            ids.push(id);
        }
    }
    let terms = ids.iter().map(|id| Node::Term(Term::Id(id.to_string()))).collect();
    let query = Query::new(Node::Or(terms));
    let mut rows: Vec<Record> = reading::ask(context, &collected, |archive| {
        let scope = Scope { boxes: archive.boxes(), now: context.now, reviews: Reviews::none() };
        let found = archive.matching(&query, &scope, Window::ALL)?;
        Ok(archive.records(&found)?.into_iter().map(|located| located.record).collect())
    })?;
    rows.sort_by_key(|row| ids.iter().position(|id| *id == row.id));
    Ok(rows)
}

/// The record of a task's escalation that waits for a person, by these reviews.
pub(super) fn escalation_of_task(
    context: &Context,
    from: &From,
    task: &str,
    box_name: Option<&str>,
    reviews: &Reviews,
) -> Result<Record, Failure> {
    let waits = Node::Term(Term::Escalation);
    last(context, from, of_task(task, box_name).chain([waits]), reviews)?.ok_or_else(|| {
        Failure::usage("no escalation of this task waits for a person")
            .hint("`foureyes records is:escalation` lists those that wait")
    })
}

/// The last record that judges left of a task, on one box where one is named: what a decision by task
/// answers.
pub(super) fn last_of_task(
    context: &Context,
    from: &From,
    task: &str,
    box_name: Option<&str>,
) -> Result<Record, Failure> {
    last(context, from, of_task(task, box_name), Reviews::none())?.ok_or_else(no_run)
}

/// All records of a task, on one box where one is named.
pub(super) fn all_of_task(
    context: &Context,
    from: &From,
    task: &str,
    box_name: Option<&str>,
) -> Result<Vec<RecordId>, Failure> {
    let collected = reading::collect(context, from)?;
    let found = reading::ask(context, &collected, |archive| {
        Ok(overrides::of_task(archive, task, box_name)?)
    })?;
    match found.is_empty() {
        true => Err(no_run()),
        false => Ok(found),
    }
}

fn no_run() -> Failure {
    Failure::usage("no run of this task is in the logs").hint(
        "`foureyes pull` fetches new records, and `foureyes records 'family:task'` lists tasks",
    )
}

/// What a record of a task meets, on one box where one is named.
fn of_task(task: &str, box_name: Option<&str>) -> impl Iterator<Item = Node> {
    let exact = |field, text: &str| Node::Term(Term::Text(field, Match::Exact, text.to_owned()));
    let of_box = box_name.map(|name| exact(TextField::Box, name));
    [exact(TextField::Task, task)].into_iter().chain(of_box)
}

/// The last record by judges that meets all terms.
fn last(
    context: &Context,
    from: &From,
    terms: impl Iterator<Item = Node>,
    reviews: &Reviews,
) -> Result<Option<Record>, Failure> {
    let collected = reading::collect(context, from)?;
    let query = Query::new(Node::And(terms.collect()));
    let rows: Vec<Record> = reading::ask(context, &collected, |archive| {
        let scope = Scope { boxes: archive.boxes(), now: context.now, reviews };
        let mut found = archive.matching(&query, &scope, Window::ALL)?;
        archive.first(&mut found, usize::MAX)?;
        Ok(archive.records(&found)?.into_iter().map(|located| located.record).collect())
    })?;
    let by_judges = |row: &Record| row.family.has_rounds();
    // Of one second the later line.
    Ok(rows.into_iter().filter(by_judges).max_by_key(|row| row.timestamp))
}
