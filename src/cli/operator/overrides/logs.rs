//! Finding the records that are overridden.

use super::super::label::find;
use super::super::reading::{self, From};
use super::super::{Context, Failure};
use crate::domain::review::Reviews;
use crate::domain::{Record, RecordId, Window};
use crate::frame::query::{Node, Query, Scope, Term};

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
