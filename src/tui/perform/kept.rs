//! Records whose verdicts a list must not tell: pushes of open days that the reviewer has not labelled.

use super::MessageSender;
use super::services::{Edition, Services};
use super::trouble::{failed, stale};
use crate::assess::OpenDays;
use crate::domain::review::Reviews;
use crate::domain::{Family, Outcome, RecordId, Timestamp, Window};
use crate::frame::query::{Moment, Node, Query, Scope, Term};
use crate::overview::Hidden;
use crate::store::cache::Row;
use crate::triage::TriageError;
use crate::tui::model::Problem;
use std::collections::HashSet;

/// Such records of the span of a list.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Their ids.
    pub(super) ids: HashSet<RecordId>,
    rows: HashSet<(u32, u32)>,
    all: Vec<Row>,
}

impl Kept {
    /// Whether a row is one of them.
    pub(super) fn has(&self, row: &Row) -> bool {
        self.rows.contains(&(row.segment, row.row))
    }

    /// Takes them out of rows; gives how many those were.
    pub(super) fn take_out(&self, rows: &mut Vec<Row>) -> usize {
        let before = rows.len();
        rows.retain(|row| !self.has(row));
        before - rows.len()
    }
}

/// Looks for them in a span; none where all may be told. `None` where it was cancelled.
pub(super) fn kept(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    (window, open_days): (Window, Option<&OpenDays>),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Kept>, Problem> {
    let (Some(days), Some(who)) = (open_days, &services.reviewer) else {
        return Ok(Some(Kept::default()));
    };
    let archive = &open.archive;
    let now = (services.clock)();
    let scope = Scope { boxes: archive.boxes(), now, reviews: Reviews::none() };
    let failed = |error| failed(sender, open, &error);
    let rows = archive.list(&judged(days), &scope, window, stop).map_err(failed)?;
    let Some(mut rows) = rows else { return Ok(None) };
    rows.retain(|row| days.holds(Timestamp(row.ts)));
    let ids = archive.ids(&rows).map_err(failed)?;
    let present = super::review::present(services)?;
    let mut kept = Kept::default();
    for (row, id) in rows.iter().zip(ids) {
        if !days.may_know(&present, &who.name, id) {
            kept.ids.insert(id);
            kept.rows.insert((row.segment, row.row));
            kept.all.push(*row);
        }
    }
    Ok(Some(kept))
}

/// The same as the tables of a span count them.
pub(super) fn hidden(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    (window, open_days): (Window, Option<&OpenDays>),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Hidden>, Problem> {
    let Some(kept) = kept(services, sender, open, (window, open_days), stop)? else {
        return Ok(None);
    };
    let span = (window, (services.clock)());
    Hidden::read(&open.archive, &kept.all, span, stop).map_err(|error| match &error {
        TriageError::Cache(error) => failed(sender, open, error),
        TriageError::Row(error) => stale(sender, open, error),
    })
}

/// Judged pushes since the beginning of the window.
fn judged(days: &OpenDays) -> Query {
    let no = |outcome| Node::Not(Box::new(Node::Term(Term::Outcome(outcome))));
    let mut parts = vec![
        Node::Term(Term::Family(Family::Push)),
        Node::Term(Term::Since(Moment::At(days.from()))),
        no(None),
    ];
    parts.extend((!days.hides_undetermined()).then(|| no(Some(Outcome::Undetermined))));
    Query::new(Node::And(parts))
}
