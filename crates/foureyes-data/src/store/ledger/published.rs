//! Entries of ledgers that others published, beside those that are here.

use super::check::is_future;
use crate::domain::Timestamp;
use crate::domain::review::{Entry, EntryId, Sequence};
use std::collections::{HashMap, HashSet};

/// Adds what was published of a ledger to what is here of it. An entry that is in both counts as it is here:
/// seeds are not published. Only when an assignment counts does the store say.
pub(super) fn join<'a>(sequence: &mut Sequence<'a>, published: &'a [Entry], now: Timestamp) {
    let there: HashMap<EntryId, &Entry> = published.iter().map(|entry| (entry.id, entry)).collect();
    let here: HashSet<EntryId> =
        sequence.entries.iter().chain(&sequence.doubted).map(|entry| entry.id).collect();
    for entry in &mut sequence.entries {
        let timed = there.get(&entry.id).filter(|_| entry.act.is_timed_by_store());
        *entry = timed.copied().unwrap_or(entry);
    }
    for entry in published.iter().filter(|entry| !here.contains(&entry.id)) {
        let list = match is_future(entry, now) {
            true => &mut sequence.doubted,
            false => &mut sequence.entries,
        };
        list.push(entry);
    }
}
