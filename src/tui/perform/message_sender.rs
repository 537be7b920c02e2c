//! Where a task sends its message.

use crate::tui::message::Message;
use tokio::sync::mpsc::Sender;

/// Where a task sends its message.
pub(super) struct MessageSender(pub(super) Sender<Message>);

impl MessageSender {
    /// Tells a message; where nobody listens any more, nobody misses it.
    pub(super) fn send(&self, message: Message) {
        let _ = self.0.blocking_send(message);
    }
}
