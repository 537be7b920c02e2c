//! What people said of records.

use super::notes::warn_unsound;
use crate::advice;
use crate::cli::{Context, Failure};
use crate::config;
use crate::domain::review::Reviews;
use crate::frame::query::Query;
use crate::overrides::{self, Delivery, Outbox};
use crate::store::ledger::Ledger;

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

/// How the overrides of the ledgers stand; nothing is read where there is none.
fn all_deliveries(context: &Context, ledgers: &Ledger) -> Result<Vec<Delivery>, Failure> {
    let book = Outbox::load(&context.data).map_err(advice::of_outbox)?;
    Ok(overrides::deliveries(ledgers, &book, context.now))
}
