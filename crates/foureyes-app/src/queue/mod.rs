//! What is flagged and not yet dealt with.
//!
//! An item is an evaluation that said NO-GO or UNDETERMINED. No item are bypasses, doubles, and
//! evaluations that a later one of the same box, commit and judge repeats: what was said last is
//! what counts. Nor is what the operator labelled. Later items come after all others, in the same
//! order among themselves.

mod order;

pub use order::arrange;

use crate::domain::{RecordId, Sort, Timestamp, Window};
use crate::frame::query::{Node, Query, Scope, Term};
use crate::store::cache::{Archive, CacheError, Cancel, Row};
use crate::store::disposition::{Disposition, Dispositions};
use std::collections::HashSet;

/// Which items, and in which order.
#[derive(Clone, Copy)]
pub struct Ask<'a> {
    /// Items before it are no backlog of ours.
    pub since: Timestamp,
    /// Whether items without a usable time are shown; they cannot be said to be after `since`.
    pub undated: bool,
    /// In which order.
    pub order: Sort,
    /// Only those that it matches.
    pub filter: Option<&'a Query>,
    /// What the operator labelled: that is done with.
    pub labelled: &'a HashSet<RecordId>,
    /// What the filter refers to.
    pub scope: Scope<'a>,
    /// Asks whether to stop.
    pub cancel: Cancel<'a>,
}

/// The items.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Queue {
    /// In order, those put off for later at the end.
    pub rows: Vec<Row>,
    /// How many at the end were put off.
    pub later: usize,
    /// Items without a usable time that are not yet seen, whether shown or left out.
    pub undated: usize,
    /// So many older ones a store elsewhere has beyond those that it lists; dealt with or not.
    pub beyond: usize,
}

/// Lists the queue; `None` where it was cancelled.
///
/// # Errors
/// A cache that cannot be read.
pub fn list(
    archive: &Archive,
    dispositions: &Dispositions,
    ask: &Ask<'_>,
) -> Result<Option<Queue>, CacheError> {
    let window = Window { from: Some(ask.since), to: None };
    let items = |query: &Query, window| archive.newest(query, &ask.scope, window, ask.cancel);
    let Some((dated, mut beyond)) = items(&flagged(ask.filter, None), window)? else {
        return Ok(None);
    };
    let mut undated = Vec::new();
    if archive.undated() > 0 {
        let query = flagged(ask.filter, Some(Term::Undated(true)));
        let Some((rows, more)) = items(&query, Window::ALL)? else { return Ok(None) };
        undated = rows;
        beyond += more;
    }
    let (mut open, mut later) = sorted_out(archive, dispositions, ask.labelled, dated)?;
    let (open_undated, later_undated) = sorted_out(archive, dispositions, ask.labelled, undated)?;
    let undated = open_undated.len() + later_undated.len();
    if ask.undated {
        open.extend(open_undated);
        later.extend(later_undated);
    }
    if (ask.cancel)() {
        return Ok(None);
    }
    let mut rows = arrange(ask.order, archive, open)?;
    let put_off = later.len();
    rows.extend(arrange(ask.order, archive, later)?);
    Ok((!(ask.cancel)()).then_some(Queue { rows, later: put_off, undated, beyond }))
}

/// A queue of items in their order, those that were put off behind all others.
pub fn put_off_last(items: Vec<(RecordId, Row)>, dispositions: &Dispositions) -> Queue {
    let (later, first): (Vec<_>, Vec<_>) =
        items.into_iter().partition(|(id, _)| dispositions.deal(id) == Disposition::Later);
    let put_off = later.len();
    let rows = first.into_iter().chain(later).map(|(_, row)| row).collect();
    Queue { rows, later: put_off, ..Queue::default() }
}

/// What is an item, and matched by a filter.
fn flagged(filter: Option<&Query>, more: Option<Term>) -> Query {
    let mut parts = vec![Node::Term(Term::Flagged), Node::Term(Term::Repeat(false))];
    parts.extend(more.map(Node::Term));
    parts.extend(filter.filter(|query| !query.is_all()).map(|query| query.root().clone()));
    Query::new(Node::And(parts))
}

/// The items that are open, and those put off.
fn sorted_out(
    archive: &Archive,
    dispositions: &Dispositions,
    labelled: &HashSet<RecordId>,
    rows: Vec<Row>,
) -> Result<(Vec<Row>, Vec<Row>), CacheError> {
    if dispositions.is_empty() && labelled.is_empty() {
        return Ok((rows, Vec::new()));
    }
    let (mut open, mut later) = (Vec::new(), Vec::new());
    for (id, row) in archive.ids(&rows)?.iter().zip(&rows) {
        match dispositions.deal(id) {
            _ if labelled.contains(id) => {}
            Disposition::Open => open.push(*row),
            Disposition::Later => later.push(*row),
            Disposition::Seen => {}
        }
    }
    Ok((open, later))
}
