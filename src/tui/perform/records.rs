//! The list of records: a line for each, and one for each run of a task.

use super::queues::QueueListing;
use super::services::Services;
use crate::domain::review::Reviews;
use crate::frame::query::{Query, Scope};
use crate::queue::Queue;
use crate::store::cache::{Archive, CacheError};
use crate::tui::effect::ListAsk;

/// The list of records, and how many records there are with the earlier rounds that a line stands for.
/// Where the filter asks for what a single round says, each that it finds is a line.
pub(super) fn list(
    services: &Services,
    archive: &Archive,
    ask: &ListAsk,
    reviews: &Reviews,
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<QueueListing>, CacheError> {
    let scope = Scope { boxes: archive.boxes(), now: (services.clock)(), reviews };
    let listed = |query: &Query| archive.newest(query, &scope, ask.window, cancel);
    let listing = |(rows, beyond), whole| (Queue { rows, beyond, ..Queue::default() }, whole, None);
    if !ask.rounds && !ask.query.tells_rounds_apart() {
        let Some(found) = listed(&ask.query.of_whole_runs())? else { return Ok(None) };
        // Logs of this machine tell at once whether there is any earlier round; then the search is made once.
        let earlier = match archive.here() {
            Some(here) => here.count(&Query::earlier_rounds(), &scope, ask.window, cancel)?,
            None => None,
        };
        let whole = match earlier {
            Some(0) => Some(found.0.len()),
            _ => archive.count(&ask.query, &scope, ask.window, cancel)?,
        };
        // Of a run that went on after the span that is looked at, the rounds are all there is.
        if !found.0.is_empty() || whole == Some(0) {
            return Ok(whole.map(|whole| listing(found, whole)));
        }
    }
    Ok(listed(&ask.query)?.map(|found| {
        let whole = found.0.len() + found.1;
        listing(found, whole)
    }))
}
