//! How far overrides came on their way to boxes.

use super::services::{Services, lock};
use crate::domain::{RecordId, chain};
use crate::overrides::{self, Delivery, Outbox};
use crate::store::ledger::Ledger;
use std::collections::BTreeMap;

/// Delivery states of overrides; or, in a sentence, why that is not known.
pub(super) fn delivery_states(
    services: &Services,
    ledger: &Ledger,
) -> Result<Vec<Delivery>, String> {
    let mut slot = lock(&services.outbox);
    let read = match slot.as_mut() {
        Some(book) => book.reload(),
        None => Outbox::load(&services.data).map(|book| *slot = Some(book)),
    };
    match (read, slot.as_ref()) {
        (Ok(()), Some(book)) => Ok(overrides::deliveries(ledger, book, (services.clock)())),
        (Err(error), _) => {
            Err(format!("{}: the delivery status of overrides is unknown", chain(&error)))
        }
        (Ok(()), None) => Ok(Vec::new()),
    }
}

/// The same by their records.
pub(super) fn by_record(delivery_states: Vec<Delivery>) -> BTreeMap<RecordId, Vec<Delivery>> {
    let mut by: BTreeMap<RecordId, Vec<Delivery>> = BTreeMap::new();
    for state in delivery_states {
        by.entry(state.record).or_default().push(state);
    }
    by
}
