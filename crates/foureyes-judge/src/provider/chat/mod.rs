//! Asking an endpoint that speaks as OpenAI's does: `POST /v1/chat/completions`.

mod answer;
mod question;
mod stream;

use super::http::{Endpoint, KeyHeader, Protocol};
pub use super::http::{Error, Memory, Settings, proxy};
use super::{Ask, Failure, Reply};
use tokio::time::Instant;

static PROTOCOL: Protocol = Protocol {
    name: "",
    resource: "chat/completions",
    models: "models",
    key: KeyHeader { header: "authorization", before: "Bearer " },
    headers: &[],
    body: question::body,
    read: answer::read,
    ended: stream::has_ended,
    unwanted: question::unwanted,
};

/// An endpoint that speaks as OpenAI's does.
#[derive(Debug)]
pub struct Chat(Endpoint);

impl Chat {
    /// Checks the settings. Nothing is connected, read or looked up yet.
    ///
    /// # Errors
    /// When the address or the key cannot be used.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        Endpoint::new(&PROTOCOL, settings).map(Self)
    }

    /// The whole address of the endpoint: it holds no secret.
    pub fn base(&self) -> String {
        self.0.base()
    }

    /// Asks a question and waits for its reply, until a moment at most.
    ///
    /// Dropping the future closes the connection at once.
    ///
    /// # Errors
    /// Every way of getting no answer. A reply without any text is one all the same: what it cost
    /// is known, and what to make of it is not decided here.
    pub async fn ask(&self, ask: &Ask, until: Instant) -> Result<Reply, Failure> {
        self.0.ask(ask, until).await
    }

    /// Whether no proxy may stand before it: it is this machine, or is spoken to in plain http.
    pub(super) fn is_direct(&self) -> bool {
        self.0.is_direct()
    }

    /// Calls that are made for one question at most, see [`super::Provider::calls`].
    pub fn calls(&self) -> u32 {
        self.0.calls()
    }

    /// Asks for the names of the models.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn models(&self, until: Instant) -> Result<Vec<String>, Failure> {
        self.0.models(until).await
    }

    /// The same; `None` of an endpoint that runs and lists none.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn listed(&self, until: Instant) -> Result<Option<Vec<String>>, Failure> {
        self.0.listed(until).await
    }
}

#[cfg(test)]
mod tests;
