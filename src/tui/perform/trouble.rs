//! What is told of logs that fail, and when they are opened anew.

use super::MessageSender;
use super::next_step::{AGAIN, is_down, next_step};
use super::services::Edition;
use crate::store::cache::{CacheError, RowError};
use crate::tui::message::Message;
use crate::tui::model::Problem;

/// The problem reported where an archive is asked that was let go of, as the logs were opened anew twice.
pub(super) fn gone() -> Problem {
    Problem::new("the logs were reread in the meantime", "R rereads them and builds the list")
}

/// Tells of a cache that cannot be read. A damaged one is made again from the logs.
pub(super) fn failed(sender: &MessageSender, edition: &Edition, error: &CacheError) -> Problem {
    renew(sender, edition, error.is_damage() || is_down(error));
    Problem::from_error(error, next_step(error))
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
