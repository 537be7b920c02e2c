//! Asking over HTTP, whatever protocol the endpoint speaks.
//!
//! The other side may be slow, broken or hostile: every wait has an end, every body a limit, no
//! redirect is followed, and the key is in no text that comes out of here.

mod address;
mod client;
mod completion;
mod events;
mod fault;
mod mask;
mod memory;
mod post;
mod protocol;
mod refusal;
mod server;
mod settings;
mod spelled;
mod tries;
mod wishes;

use super::{Ask, Failure, FailureKind, Reply};
use crate::engine::retry::Policy;
use address::Address;
use client::{Broken, Ended, Incoming, Limits, Outgoing};
pub(super) use completion::{Completion, Finish, Wrong, document, text, without_mark};
pub(super) use events::{is_final, last as last_event};
pub(super) use fault::{answered, may_cost, seconds};
pub(super) use mask::Mask;
pub use memory::Memory;
pub use post::{PostError, post_json};
pub(super) use protocol::{KeyHeader, Protocol};
pub(super) use refusal::read as read_refusal;
use reqwest::Method;
pub use server::{Server, ServerReply, ServerSettings};
pub use settings::{Error, Settings, proxy};
use std::collections::BTreeMap;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use tries::{Fault, Tries};
use wishes::Refused;
pub(super) use wishes::{Wish, Without};

/// Characters of the other side's words in one sentence of ours.
pub(super) const WORDS: usize = 200;

/// A reply with status 200 to what was no question.
pub(super) struct Posted {
    /// Its body.
    pub(super) body: Vec<u8>,
    /// Calls made.
    pub(super) attempts: u32,
    /// From the first call to the last byte.
    pub(super) latency: Duration,
}

/// An endpoint, and what was found out about its models.
#[derive(Debug)]
pub(super) struct Endpoint {
    protocol: &'static Protocol,
    address: Address,
    settings: Settings,
    mask: Mask,
    /// Made when the first question is asked: a push that asks nothing pays nothing.
    client: OnceLock<Result<reqwest::Client, String>>,
    refused: Mutex<BTreeMap<String, Refused>>,
}

impl Endpoint {
    /// Checks the settings. Nothing is connected, read or looked up yet.
    ///
    /// # Errors
    /// When the address or the key cannot be used.
    pub(super) fn new(protocol: &'static Protocol, settings: Settings) -> Result<Self, Error> {
        let address = Address::parse(&settings.base, settings.plain_http)?;
        if let Some(key) = &settings.key {
            client::key_value(protocol, key)?;
        }
        let mask = Mask::new(settings.key.as_ref());
        let client = OnceLock::new();
        Ok(Self { protocol, address, settings, mask, client, refused: Mutex::default() })
    }

    /// The protocol where it is no usual one, and the whole address: it holds no secret.
    pub(super) fn base(&self) -> String {
        format!("{}{}", self.protocol.name, self.address.base())
    }

    /// Whether no proxy may stand before it: it is this machine, or is spoken to in plain http.
    pub(super) fn is_direct(&self) -> bool {
        self.address.is_loopback() || self.address.is_plain()
    }

    /// Asks a question and waits for its reply, until a moment at most.
    ///
    /// Dropping the future closes the connection at once.
    ///
    /// # Errors
    /// Every way of getting no answer. A reply without any text is one all the same: what it cost
    /// is known, and what to make of it is not decided here.
    pub(super) async fn ask(&self, ask: &Ask, until: Instant) -> Result<Reply, Failure> {
        let most = ask.calls.unwrap_or(u32::MAX);
        let retry = self.settings.retry;
        let mut tries = Tries::new(Policy { attempts: retry.attempts.min(most), ..retry }, until);
        let known = self.known(&ask.model);
        let mut without = known;
        let completion = loop {
            tries.begin()?;
            let body = (self.protocol.body)(ask, without);
            let fault = match self
                .exchange((Method::POST, self.protocol.resource), Some(body), until, None)
                .await
            {
                Ok(incoming) if incoming.status == 200 => match self.completion(&incoming) {
                    Ok(completion) => break completion,
                    Err(fault) => fault,
                },
                Ok(incoming) => {
                    let words = String::from_utf8_lossy(&incoming.body);
                    let unwanted = (self.protocol.unwanted)(incoming.status, &words);
                    if unwanted.is_some_and(|wish| without.drop_wish(wish, ask)) {
                        // Another question, not the same once more.
                        continue;
                    }
                    self.refused(&incoming)
                }
                Err(broken) => self.broken(broken),
            };
            tries.after(fault).await?;
        };
        if without != known {
            self.remember(&ask.model, known, without);
        }
        Ok(Reply {
            text: self.mask.text(&completion.text),
            served_model: completion.model.map(|model| self.mask.text(&model)),
            usage: completion.usage,
            cut: completion.finish == Finish::Limit,
            attempts: tries.calls(),
            uncounted: tries.uncounted()
                + u32::from(!completion.usage.is_some_and(|u| u.is_whole())),
            latency: tries.latency(),
        })
    }

    /// Posts what is no question to a model, and waits for a reply with status 200. `body` is told how much
    /// time is left. Where `events` are looked at, the reply may come as the last of them.
    ///
    /// # Errors
    /// Every way of getting no such reply.
    pub(super) async fn post(
        &self,
        resource: &str,
        calls: Option<u32>,
        until: Instant,
        events: Option<&Ended>,
        mut body: impl FnMut(Duration) -> Vec<u8>,
    ) -> Result<Posted, Failure> {
        let retry = self.settings.retry;
        let attempts = retry.attempts.min(calls.unwrap_or(u32::MAX));
        let mut tries = Tries::new(Policy { attempts, ..retry }, until);
        loop {
            tries.begin()?;
            let left = until.saturating_duration_since(Instant::now());
            let what = (Method::POST, resource);
            let sent = self.exchange(what, Some(body(left)), until, events).await;
            let fault = match sent.and_then(events::unfolded) {
                Ok(Incoming { status: 200, body, .. }) => {
                    return Ok(Posted { body, attempts: tries.calls(), latency: tries.latency() });
                }
                Ok(incoming) => self.refused(&incoming),
                Err(broken) => self.broken(broken),
            };
            tries.after(fault).await?;
        }
    }

    /// Calls that are made for one question at most, see [`crate::provider::Provider::calls`].
    pub(super) fn calls(&self) -> u32 {
        self.settings.retry.attempts.max(1)
    }

    /// Asks for the names of the models.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub(super) async fn models(&self, until: Instant) -> Result<Vec<String>, Failure> {
        let mut tries = Tries::new(self.settings.retry, until);
        loop {
            tries.begin()?;
            let fault = match self
                .exchange((Method::GET, self.protocol.models), None, until, None)
                .await
            {
                Ok(incoming) if incoming.status == 200 => match names(&incoming.body) {
                    Some(names) => return Ok(names.iter().map(|n| self.mask.text(n)).collect()),
                    None => self.no_answer(&incoming, "it lists no models", None),
                },
                Ok(incoming) => self.refused(&incoming),
                Err(broken) => self.broken(broken),
            };
            tries.after(fault).await?;
        }
    }

    /// What a model is asked without. The file is looked at for the first question of each model.
    fn known(&self, model: &str) -> Without {
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        let recall = || {
            let memory = self.settings.memory.as_ref();
            memory.map(|memory| memory.recall(&self.base(), model)).unwrap_or_default()
        };
        let known = refused.entry(model.to_owned()).or_insert_with(recall);
        known.without(now())
    }

    fn remember(&self, model: &str, known: Without, found: Without) {
        let found = found.beyond(known, now());
        let mut refused = self.refused.lock().unwrap_or_else(PoisonError::into_inner);
        // Another question may have found out something else meanwhile.
        let all = refused.entry(model.to_owned()).or_default();
        found.all().for_each(|(wish, at)| all.note(wish, at));
        if let Some(memory) = &self.settings.memory {
            memory.keep(&self.base(), model, found, now());
        }
    }

    async fn exchange(
        &self,
        (method, resource): (Method, &str),
        body: Option<Vec<u8>>,
        until: Instant,
        events: Option<&Ended>,
    ) -> Result<Incoming, Broken> {
        let made = self.client.get_or_init(|| {
            let headers = client::headers(self.protocol, self.settings.key.as_ref())?;
            client::client(headers, &self.address, &self.settings)
        });
        let client = made.as_ref().map_err(|why| Broken::Unreached {
            why: format!("failed to prepare a connection: {why}"),
            passes: false,
        })?;
        let Settings { first_byte, whole, most, .. } = self.settings;
        let ended: &Ended = events.unwrap_or(&self.protocol.ended);
        let limits = Limits { first_byte, whole, until, most, ended };
        let accept = events.map(|_| events::ACCEPTED);
        let outgoing = Outgoing { method, url: self.address.join(resource), body, accept };
        client::exchange(client, &outgoing, &limits).await
    }

    /// What a good reply says, or why it says nothing.
    fn completion(&self, incoming: &Incoming) -> Result<Completion, Fault> {
        let completion = match (self.protocol.read)(&incoming.body, &incoming.content_type()) {
            Ok(completion) => completion,
            Err(Wrong::Shape(what, partial)) => return Err(self.no_answer(incoming, what, partial)),
            Err(Wrong::Error(error)) => return Err(self.covered(incoming, &error)),
        };
        let what = match (&completion.refusal, completion.finish) {
            (Some(_), _) => "the model refuses",
            (None, Finish::Filtered) => "a filter of the endpoint withheld it",
            (None, Finish::Failed) => "the model ended with an error",
            (None, Finish::Whole | Finish::Limit) => return Ok(completion),
        };
        let partial = completion.refusal.unwrap_or(completion.text);
        let fault = self.no_answer(incoming, what, Some(partial));
        Err(Fault { usage: completion.usage, ..fault })
    }

    fn no_answer(&self, incoming: &Incoming, what: &str, partial: Option<String>) -> Fault {
        let of = incoming.content_type();
        let of = match of.as_str() {
            "" | "application/json" => String::new(),
            other => format!(" ({})", self.mask.line(other, 60)),
        };
        let shown = partial.as_ref().map_or(incoming.body.as_slice(), |partial| partial.as_bytes());
        let what = format!("the reply is not an answer: {what}{of}");
        Fault::new(FailureKind::InvalidAnswer, what).showing(self.mask.beginning(shown))
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}

/// The names in a list of models: `{"data": [{"id": …}]}`.
fn names(body: &[u8]) -> Option<Vec<String>> {
    let whole: serde_json::Value = serde_json::from_slice(body).ok()?;
    let listed = whole.get("data")?.as_array()?;
    Some(listed.iter().filter_map(|model| text(model, "id")).collect())
}
