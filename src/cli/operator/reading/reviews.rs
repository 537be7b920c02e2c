//! What people said of records.

use super::notes::warn_unsound;
use crate::advice;
use crate::cli::{Context, Failure};
use crate::collect::Collected;
use crate::config;
use crate::domain::review::Reviews;
use crate::frame::query::Query;
use crate::overrides::{self, Delivery, Outbox};
use crate::store::ledger::Ledger;
use crate::triage::{Seen, SeenError};

/// What people said of records, where a filter asks for it.
pub(in crate::cli::operator) fn reviews(
    context: &Context,
    query: &Query,
) -> Result<Reviews, Failure> {
    if !query.asks_reviews() {
        return Ok(Reviews::default());
    }
    let ledgers = Ledger::load(&context.data).map_err(advice::of_ledger)?;
    warn_unsound(&ledgers, context.now);
    let who = config::reviewer(&context.config, &context.environment, None);
    let mut reviews = ledgers.reviews(context.now).read_by(who.map(|who| who.name));
    overrides::mark(&mut reviews, &all_deliveries(context, &ledgers)?);
    Ok(reviews)
}

/// The mark of the last visit, where a filter asks for what is new since then.
pub(in crate::cli::operator) fn visit(
    context: &Context,
    collected: &Collected,
    query: &Query,
) -> Result<Option<Seen>, Failure> {
    if !query.asks_new() || collected.is_spooled() || collected.store().is_some() {
        return Ok(None);
    }
    Seen::load(&context.data, &collected.collection).map_err(seen_failure)
}

/// A mark of what was seen that cannot be read or written.
pub(in crate::cli::operator) fn seen_failure(error: SeenError) -> Failure {
    let hint = match error.is_write() {
        true => "the disk may be full or read-only: `--data-dir DIR` puts it elsewhere",
        false => "it only holds what was seen and can be deleted",
    };
    Failure::local(error).hint(hint)
}

/// How the overrides of the ledgers stand; nothing is read where there is none.
fn all_deliveries(context: &Context, ledgers: &Ledger) -> Result<Vec<Delivery>, Failure> {
    let book = Outbox::load(&context.data).map_err(advice::of_outbox)?;
    Ok(overrides::deliveries(ledgers, &book, context.now))
}
