//! What was seen: how far the last visit reached.

use super::next_step::next_step;
use super::services::{Edition, Services};
use crate::domain::review::Reviews;
use crate::frame::query::Query;
use crate::triage::Seen;
use crate::tui::model::Problem;

/// The mark of the last visit. What was seen is known of the logs of this machine alone.
pub(super) fn seen(services: &Services, open: &Edition) -> Result<Option<Seen>, Problem> {
    let collected = &open.collected;
    if collected.store().is_some() {
        return Ok(None);
    }
    let next = "it only holds what was seen and can be deleted";
    Seen::load(&services.data, &collected.collection).map_err(|e| Problem::from_error(&e, next))
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
