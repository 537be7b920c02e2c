//! What came from each box lately.

use super::MessageSender;
use super::services::Services;
use super::trouble::{failed, gone};
use crate::overview;
use crate::tui::message::Message;
use std::sync::Arc;

/// Counts it.
pub(super) fn count(services: &Services, sender: &MessageSender, edition: u64) {
    let Some(open) = services.edition(edition) else {
        return sender.send(Message::Activity { edition, result: Err(gone()) });
    };
    let counted = overview::activity(&open.archive, (services.clock)(), &|| false);
    let result = match counted {
        Ok(counted) => Ok(Arc::new(counted.unwrap_or_default())),
        Err(error) => Err(failed(sender, &open, &error)),
    };
    sender.send(Message::Activity { edition, result });
}
