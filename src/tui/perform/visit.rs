//! What was seen: how far the last visit reached.

use super::next_step::next_step;
use super::services::{Edition, Services};
use crate::domain::Window;
use crate::domain::review::Reviews;
use crate::frame::query::{Node, Query, Scope, Term};
use crate::triage::Seen;
use crate::tui::model::Problem;
use std::collections::HashSet;

/// The mark of the last visit. What was seen is known of the logs of this machine alone.
pub(super) fn seen(services: &Services, open: &Edition) -> Result<Option<Seen>, Problem> {
    let collected = &open.collected;
    if collected.store().is_some() {
        return Ok(None);
    }
    let next = "it only holds what was seen and can be deleted";
    Seen::load(&services.data, &collected.collection).map_err(|e| Problem::from_error(&e, next))
}

/// The rows that came since the last visit, as `is:new` finds them; none before the first visit. They are found once
/// for an archive.
pub(super) fn new_rows<'e>(services: &Services, open: &'e Edition) -> &'e HashSet<(u32, u32)> {
    open.new_rows.get_or_init(|| {
        // A mark that cannot be read is reported where the overview is counted.
        let Ok(Some(seen)) = seen(services, open) else { return HashSet::new() };
        let reviews = seen.reached(&open.archive).map(|to| Reviews::default().read_until(to));
        let rows = reviews.and_then(|reviews| {
            let now = (services.clock)();
            let scope = Scope { boxes: open.archive.boxes(), now, reviews: &reviews };
            open.archive.matching(&Query::new(Node::Term(Term::New)), &scope, Window::ALL)
        });
        rows.unwrap_or_default().iter().map(|row| (row.segment, row.row)).collect()
    })
}

/// What people said of records, with how far the last visit reached where a query asks for that.
pub(super) fn read_until(
    services: &Services,
    open: &Edition,
    query: &Query,
    reviews: Reviews,
) -> Result<Reviews, Problem> {
    let seen = if query.asks_new() { seen(services, open)? } else { None };
    let reached = seen.map(|seen| seen.reached(&open.archive)).transpose();
    let reached = reached.map_err(|error| Problem::from_error(&error, next_step(&error)))?;
    Ok(match reached {
        Some(reached) => reviews.read_until(reached),
        None => reviews,
    })
}
