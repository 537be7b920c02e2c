//! The list of records: a line for each, and one for each run of a task.

use super::kept::Kept;
use super::queues::QueueListing;
use super::services::{Edition, Services};
use crate::domain::Window;
use crate::domain::review::Reviews;
use crate::frame::query::{Query, Scope};
use crate::queue::{Queue, arrange};
use crate::store::cache::{Archive, CacheError, Row};
use crate::tui::effect::ListAsk;

/// The list of records in its order, and how many records there are with the earlier rounds that a line stands for.
pub(super) fn list(
    services: &Services,
    open: &Edition,
    (ask, kept): (&ListAsk, &Kept),
    reviews: &Reviews,
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<QueueListing>, CacheError> {
    let Some(mut found) = newest(services, open, ask, reviews, cancel)? else {
        return Ok(None);
    };
    let rows = std::mem::take(&mut found.queue.rows);
    found.queue.rows = arranged(services, &open.archive, (ask, kept), rows)?;
    Ok(Some(found))
}

/// Rows in the order that is asked for; those whose verdict is hidden last, as they came.
fn arranged(
    services: &Services,
    archive: &Archive,
    (ask, kept): (&ListAsk, &Kept),
    rows: Vec<Row>,
) -> Result<Vec<Row>, CacheError> {
    if !ask.hides {
        let is_kept = |row: &Row| ask.sort.column.is_telling() && kept.has(row);
        let (hidden, shown): (Vec<_>, Vec<_>) = rows.into_iter().partition(is_kept);
        let mut rows = arrange(ask.sort, archive, shown)?;
        rows.extend(hidden);
        return Ok(rows);
    }
    let present = super::review::present(services).unwrap_or_default();
    let labelled = services.reviewer.as_ref().map(|who| present.labelled_by(&who.name));
    let labelled = labelled.unwrap_or_default();
    let ids = archive.ids(&rows)?;
    let (shown, hidden): (Vec<_>, Vec<_>) =
        rows.into_iter().zip(&ids).partition(|(_, id)| labelled.contains(*id));
    let mut rows = arrange(ask.sort, archive, shown.into_iter().map(|(row, _)| row).collect())?;
    rows.extend(hidden.into_iter().map(|(row, _)| row));
    Ok(rows)
}

/// The same as it comes, the newest first. Where the filter asks for what a single round says, each that it finds is a
/// line.
fn newest(
    services: &Services,
    open: &Edition,
    ask: &ListAsk,
    reviews: &Reviews,
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<QueueListing>, CacheError> {
    let archive = &open.archive;
    let scope = Scope { boxes: archive.boxes(), now: (services.clock)(), reviews };
    let listed = |query: &Query| archive.newest(query, &scope, ask.window, cancel);
    let listing = |(rows, beyond), whole| {
        let queue = Queue { rows, beyond, ..Queue::default() };
        QueueListing { queue, whole, ..QueueListing::default() }
    };
    if !ask.rounds && !ask.query.tells_rounds_apart() {
        let Some(found) = listed(&ask.query.of_whole_runs())? else { return Ok(None) };
        // Where logs have no earlier rounds at all, the search is made once.
        let whole = match has_earlier_rounds(open, &scope, cancel)? {
            Some(false) => Some(found.0.len()),
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

/// Whether the logs have earlier rounds of runs, which is found once; `None` where it was cancelled, and where a
/// store elsewhere would have to be asked.
fn has_earlier_rounds(
    open: &Edition,
    scope: &Scope<'_>,
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<bool>, CacheError> {
    if let Some(known) = open.earlier_rounds.get() {
        return Ok(Some(*known));
    }
    let Some(here) = open.archive.here() else { return Ok(None) };
    let count = here.count(&Query::earlier_rounds(), scope, Window::ALL, cancel)?;
    Ok(count.map(|count| *open.earlier_rounds.get_or_init(|| count > 0)))
}
