//! Asking over HTTP, whatever protocol the endpoint speaks.
//!
//! The other side may be slow, broken or hostile: every wait has an end, every body a limit, no
//! redirect is followed, and the key is in no text that comes out of here.

mod address;
mod client;
mod completion;
mod fault;
mod mask;
mod memory;
mod refusal;
mod spelled;
mod tries;
mod wishes;

use super::{Ask, Failure, FailureKind, Reply};
use crate::engine::retry::Policy;
use address::Address;
use client::{Broken, Incoming, Limits, Outgoing};
pub(super) use completion::{Completion, Finish, Wrong, document, text, without_mark};
pub(super) use fault::{answered, may_cost, seconds};
pub(super) use mask::Mask;
pub use memory::Memory;
pub(super) use refusal::read as read_refusal;
use reqwest::Method;
use secrecy::SecretString;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::Duration;
use tokio::time::Instant;
use tries::{Fault, Tries};
use wishes::Refused;
pub(super) use wishes::{Wish, Without};

/// Characters of the other side's words in one sentence of ours.
pub(super) const WORDS: usize = 200;

/// An endpoint that cannot be asked as it is configured.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// The address is unusable. It is not repeated: it may hold a password.
    #[error("the address of the endpoint cannot be used: {what}")]
    Address {
        /// What is wrong with it.
        what: String,
    },
    /// The key and the content would cross a network unencrypted.
    #[error("{host:?} would be asked over plain http, which only this machine is")]
    PlainHttp {
        /// Whom.
        host: String,
    },
    /// The key has characters that no header can have.
    #[error("the key has characters that cannot be sent in a header")]
    Key,
}

/// Where and how is asked.
#[derive(Debug, Clone)]
pub struct Settings {
    /// Address of the endpoint, with or without `/v1` at its end.
    pub base: String,
    /// Key, sent in a header of the protocol: `Authorization: Bearer`, or `x-api-key`.
    pub key: Option<SecretString>,
    /// A socket of this machine that leads to the endpoint, in place of its host and port.
    pub unix_socket: Option<PathBuf>,
    /// Whether plain http may be spoken to other machines too.
    pub plain_http: bool,
    /// Longest wait for a connection, TLS included.
    pub connect: Duration,
    /// Longest wait for the beginning of a reply. Most endpoints begin when the model has ended.
    pub first_byte: Duration,
    /// Longest wait for a whole reply, for each call.
    pub whole: Duration,
    /// Largest reply, in bytes.
    pub most: usize,
    /// When a call is made again.
    pub retry: Policy,
    /// Where it is kept between processes what models refused, so that it is found out once.
    pub memory: Option<Memory>,
}

impl Settings {
    /// An endpoint without a key, with the usual limits: 5 s to connect, 60 s to the first byte,
    /// 90 s in all, 8 MiB.
    pub fn new(base: impl Into<String>) -> Self {
        Self {
            base: base.into(),
            key: None,
            unix_socket: None,
            plain_http: false,
            connect: Duration::from_secs(5),
            first_byte: Duration::from_secs(60),
            whole: Duration::from_secs(90),
            most: 8 << 20,
            retry: Policy::default(),
            memory: None,
        }
    }
}

/// The proxy through which an endpoint is asked, without what it may hold of a user and a password;
/// `None` where there is none, or the address is none.
pub fn proxy(endpoint: &str) -> Option<String> {
    Address::parse(endpoint, true).ok()?.proxy()
}

/// What differs between the protocols that endpoints speak.
#[derive(Debug)]
pub(super) struct Protocol {
    /// What stands before the address where the two name an endpoint.
    pub(super) name: &'static str,
    /// Where questions go, below the base.
    pub(super) resource: &'static str,
    /// Where the models are listed, below the base.
    pub(super) models: &'static str,
    /// How the key is sent.
    pub(super) key: KeyHeader,
    /// Headers of every request.
    pub(super) headers: &'static [(&'static str, &'static str)],
    /// The body of a question.
    pub(super) body: fn(&Ask, Without) -> Vec<u8>,
    /// What a body with status 200 and this content type says.
    pub(super) read: fn(&[u8], &str) -> Result<Completion, Wrong>,
    /// Whether a stream of events has come to its end, so that nobody need wait for more.
    pub(super) ended: fn(&[u8]) -> bool,
    /// What a refusal, by its status and body, refuses of a question that could be asked without.
    pub(super) unwanted: fn(u16, &str) -> Option<Wish>,
}

/// The header that carries a key.
#[derive(Debug)]
pub(super) struct KeyHeader {
    /// Its name, in small letters.
    pub(super) header: &'static str,
    /// What stands before the key.
    pub(super) before: &'static str,
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
                .exchange(Method::POST, self.protocol.resource, Some(body), until)
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
            let fault = match self.exchange(Method::GET, self.protocol.models, None, until).await {
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
        method: Method,
        resource: &str,
        body: Option<Vec<u8>>,
        until: Instant,
    ) -> Result<Incoming, Broken> {
        let made = self
            .client
            .get_or_init(|| client::client(self.protocol, &self.address, &self.settings));
        let client = made.as_ref().map_err(|why| Broken::Unreached {
            why: format!("no connection can be prepared: {why}"),
            passes: false,
        })?;
        let Settings { first_byte, whole, most, .. } = self.settings;
        let limits = Limits { first_byte, whole, until, most, ended: self.protocol.ended };
        let outgoing = Outgoing { method, url: self.address.join(resource), body };
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
        let what = format!("the reply is no answer: {what}{of}");
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
