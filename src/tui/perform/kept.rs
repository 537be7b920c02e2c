//! Records whose verdicts a list must not tell: pushes of open days that the reviewer has not labelled.

use super::MessageSender;
use super::services::{Edition, Services};
use super::trouble::failed;
use crate::assess::OpenDays;
use crate::domain::review::Reviews;
use crate::domain::{Family, Outcome, RecordId, Timestamp};
use crate::frame::query::{Moment, Node, Query, Scope, Term};
use crate::store::cache::Row;
use crate::tui::effect::ListAsk;
use crate::tui::model::Problem;
use std::collections::HashSet;

/// Such records of the span of a list.
#[derive(Debug, Default)]
pub(super) struct Kept {
    /// Their ids.
    pub(super) ids: HashSet<RecordId>,
    rows: HashSet<(u32, u32)>,
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

/// Looks for them; none where the list may tell all. `None` where it was cancelled.
pub(super) fn kept(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    ask: &ListAsk,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Kept>, Problem> {
    let (Some(days), Some(who)) = (&ask.open_days, &services.reviewer) else {
        return Ok(Some(Kept::default()));
    };
    let archive = &open.archive;
    let now = (services.clock)();
    let scope = Scope { boxes: archive.boxes(), now, reviews: Reviews::none() };
    let failed = |error| failed(sender, open, &error);
    let rows = archive.list(&judged(days), &scope, ask.window, stop).map_err(failed)?;
    let Some(mut rows) = rows else { return Ok(None) };
    rows.retain(|row| days.holds(Timestamp(row.ts)));
    let ids = archive.ids(&rows).map_err(failed)?;
    let present = super::review::present(services)?;
    let mut kept = Kept::default();
    for (row, id) in rows.iter().zip(ids) {
        if !days.may_know(&present, &who.name, id) {
            kept.ids.insert(id);
            kept.rows.insert((row.segment, row.row));
        }
    }
    Ok(Some(kept))
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
