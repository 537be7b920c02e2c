//! What is told of logs that fail, and when they are opened anew.

use super::MessageSender;
use super::services::Edition;
use crate::fleet::FleetError;
use crate::store::cache::{CacheError, RowError};
use crate::tui::message::Message;
use crate::tui::model::Problem;

/// What to do where the cache or a log failed.
pub(super) const AGAIN: &str = "the logs may have changed meanwhile: pull, or start again";

/// The same where the store does not answer.
const RETRIED: &str =
    "start the servers that are down: an answer without them would be wrong; the console retries";

/// The problem reported where an archive is asked that was let go of, as the logs were opened anew twice.
pub(super) fn gone() -> Problem {
    Problem::new("the logs were reread in the meantime", "R rereads them and builds the list")
}

/// Tells of a cache that cannot be read. A damaged one is made again from the logs.
pub(super) fn failed(sender: &MessageSender, edition: &Edition, error: &CacheError) -> Problem {
    renew(sender, edition, error.is_damage() || is_down(error));
    Problem::from_error(error, next_step(error))
}

/// An error of the store, as it is shown.
pub fn store_problem(error: FleetError) -> Problem {
    let error = CacheError::of_store(error);
    Problem::from_error(&error, next_step(&error))
}

/// What to do where the logs failed.
pub(super) fn next_step(error: &CacheError) -> &'static str {
    match error {
        CacheError::Store(_) if is_down(error) => RETRIED,
        CacheError::Store(_) => "R reads the store again",
        _ => AGAIN,
    }
}

/// Whether nodes of the store do not answer: it is opened anew until they do.
fn is_down(error: &CacheError) -> bool {
    let CacheError::Store(error) = error else { return false };
    matches!(error.downcast_ref(), Some(FleetError::Down { .. }))
}

/// The same of a record. Where the log changed underneath, it is read again.
pub(super) fn stale(sender: &MessageSender, edition: &Edition, error: &RowError) -> Problem {
    if let RowError::Cache(error) = error {
        return failed(sender, edition, error);
    }
    renew(sender, edition, error.is_outdated());
    Problem::from_error(error, AGAIN)
}

fn renew(sender: &MessageSender, edition: &Edition, needed: bool) {
    if needed {
        edition.archive.forget();
        sender.send(Message::Outdated(edition.number));
    }
}
