//! Pushes that were stopped: somebody waits for them.

use super::services::{Edition, Services};
use crate::domain::review::{Present, Word};
use crate::domain::{RecordId, Window};
use crate::frame::query::{Node, Query, Scope, Term};
use crate::queue::Queue;
use crate::store::cache::{CacheError, Row};
use std::collections::HashSet;

/// Those of a span that nobody decided on; `None` where it was cancelled.
pub(super) fn stopped(
    services: &Services,
    open: &Edition,
    present: &Present,
    window: Window,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Vec<(RecordId, Row)>>, CacheError> {
    let archive = &open.archive;
    let reviews = present.reviews();
    let scope = Scope { boxes: archive.boxes(), now: (services.clock)(), reviews: &reviews };
    let query = Query::new(Node::Term(Term::Stopped));
    let Some(rows) = archive.list(&query, &scope, window, stop)? else { return Ok(None) };
    Ok(Some(archive.ids(&rows)?.into_iter().zip(rows).collect()))
}

/// Those that the reviewer labelled acceptable: an override is due.
pub(super) fn with_override_due(
    services: &Services,
    present: &Present,
    stopped: &[(RecordId, Row)],
) -> Vec<(RecordId, Row)> {
    let Some(who) = &services.reviewer else { return Vec::new() };
    let is_due = |record: RecordId| {
        let own = present.word_of(record, &who.name);
        own.is_some_and(|own| own.label.label == Word::Acceptable)
    };
    stopped.iter().filter(|(record, _)| is_due(*record)).copied().collect()
}

/// Puts these at the beginning of a queue; their order stays.
pub(super) fn put_first(queue: &mut Queue, first: &[(RecordId, Row)]) {
    let first: HashSet<(u32, u32)> = first.iter().map(|(_, row)| (row.segment, row.row)).collect();
    let open = queue.rows.len() - queue.later;
    let later = queue.rows.split_off(open);
    let rows = std::mem::take(&mut queue.rows).into_iter();
    let (first, rest): (Vec<Row>, Vec<Row>) =
        rows.partition(|row| first.contains(&(row.segment, row.row)));
    queue.rows = [first, rest, later].concat();
}
