//! Asking an endpoint that speaks as Anthropic's does: `POST /v1/messages`.

mod answer;
mod question;

use super::http::{Endpoint, KeyHeader, Protocol};
pub use super::http::{Error, Memory, Settings};
use super::{Ask, Failure, Reply};
use tokio::time::Instant;

/// The maker's own endpoint.
pub const ENDPOINT: &str = "https://api.anthropic.com";

/// The variable of the environment in which the maker's own programs look for a key.
pub const KEY_VARIABLE: &str = "ANTHROPIC_API_KEY";

/// Most tokens of an answer that nobody bounds: the protocol knows no question without a bound.
pub const MAX_TOKENS: u32 = 8192;

static PROTOCOL: Protocol = Protocol {
    name: "anthropic ",
    resource: "messages",
    // The most that one page has; without it there are twenty.
    models: "models?limit=1000",
    key: KeyHeader { header: "x-api-key", before: "" },
    headers: &[("anthropic-version", "2023-06-01")],
    body: question::body,
    read: answer::read,
    // It is never asked for a stream.
    ended: |_| false,
    unwanted: question::unwanted,
};

/// An endpoint that speaks as Anthropic's does.
#[derive(Debug)]
pub struct Anthropic(Endpoint);

impl Anthropic {
    /// Checks the settings. Nothing is connected, read or looked up yet.
    ///
    /// # Errors
    /// When the address or the key cannot be used.
    pub fn new(settings: Settings) -> Result<Self, Error> {
        Endpoint::new(&PROTOCOL, settings).map(Self)
    }

    /// The protocol and the whole address of the endpoint: it holds no secret.
    pub fn base(&self) -> String {
        self.0.base()
    }

    /// Asks a question and waits for its reply, until a moment at most.
    ///
    /// Dropping the future closes the connection at once.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn ask(&self, ask: &Ask, until: Instant) -> Result<Reply, Failure> {
        self.0.ask(ask, until).await
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
