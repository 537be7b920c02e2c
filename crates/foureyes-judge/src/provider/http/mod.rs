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
mod models;
mod pauses;
mod post;
mod protocol;
mod refusal;
mod server;
mod settings;
mod spelled;
mod tries;
mod wishes;

use super::{Ask, Failure, FailureKind, Reply};
use crate::engine::finish::Finish;
use crate::engine::retry::Trouble;
use address::Address;
use client::{Broken, Ended, Incoming, Limits, Outgoing};
pub(super) use completion::{Completion, Wrong, document, text, without_mark};
pub(super) use events::{is_final, last as last_event};
pub(super) use fault::{answered, may_cost, seconds};
pub(super) use mask::Mask;
pub use memory::Memory;
pub use models::is_listed;
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
use tries::{Allowance, Fault, Taken, Tries};
use wishes::Refused;
pub(super) use wishes::{Wish, Without};

/// Most calls of a model for one question: the question, the second one, and one whose connection ended
/// without a reply.
const MOST_CALLS: u32 = 3;
/// Characters of the other side's words in one sentence of ours.
pub(super) const WORDS: usize = 200;

/// A reply with status 200 to what was no question.
pub(super) struct Posted {
    /// Its body.
    pub(super) body: Vec<u8>,
    /// Requests made.
    pub(super) attempts: u32,
    /// Those of them to which nothing was answered.
    pub(super) unanswered: u32,
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
        let most = |most: Option<u32>| most.unwrap_or(u32::MAX);
        let allowance = Allowance {
            calls: most(ask.calls).min(self.calls()),
            paid: most(ask.paid),
            ..self.allowance(until)
        };
        let mut tries = Tries::new(allowance, self.base());
        let known = self.known(&ask.model);
        let mut without = known;
        let completion = loop {
            tries.begin().await?;
            let body = (self.protocol.body)(ask, without);
            let what = (Method::POST, self.protocol.resource);
            let fault = match self.exchange(what, Some(body), until, None).await {
                Ok(incoming) => {
                    let read = match incoming.status {
                        200 => self.completion(&incoming),
                        _ => Err(self.refused(&incoming)),
                    };
                    match read {
                        Ok(completion) => break completion,
                        Err(fault) if self.drops(&incoming, &fault, &mut without, ask) => {
                            // Another question, not the same once more.
                            tries.note(fault);
                            continue;
                        }
                        Err(fault) => fault,
                    }
                }
                Err(broken) => self.broken(broken),
            };
            tries.after(fault).await?;
        };
        if without != known {
            self.remember(&ask.model, known, without);
        }
        let taken = tries.taken();
        Ok(Reply {
            text: self.mask.text(&completion.text),
            served_model: completion.model.map(|model| self.mask.text(&model)),
            usage: completion.usage,
            finish: completion.finish,
            others: completion.others.iter().map(|text| self.mask.text(text)).collect(),
            failed: taken.failed,
            elsewhere: completion.elsewhere,
            attempts: taken.attempts,
            unanswered: taken.unanswered,
            ended: taken.ended,
            uncounted: taken.uncounted + u32::from(!completion.usage.is_some_and(|u| u.is_whole())),
            waited: taken.waited,
            latency: taken.latency,
        })
    }

    /// Whether a reply refuses something of the question that it can be asked without, wherever it says so.
    fn drops(&self, incoming: &Incoming, fault: &Fault, without: &mut Without, ask: &Ask) -> bool {
        // What is wrong with the key, the rate or the time is no refusal of a part of the question.
        let other = matches!(incoming.status, 401 | 403 | 408 | 429);
        let is_error = incoming.status != 200 || fault.is_error;
        if other || !is_error {
            return false;
        }
        let words = String::from_utf8_lossy(&incoming.body);
        let unwanted = (self.protocol.unwanted)(&words);
        unwanted.is_some_and(|wish| without.drop_wish(wish, ask))
    }

    /// What a question may use that nobody bounds.
    fn allowance(&self, until: Instant) -> Allowance {
        Allowance { policy: self.settings.retry, until, calls: u32::MAX, paid: u32::MAX }
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
        let calls = calls.unwrap_or(u32::MAX);
        let mut tries = Tries::new(Allowance { calls, ..self.allowance(until) }, self.base());
        loop {
            tries.begin().await?;
            let left = until.saturating_duration_since(Instant::now());
            let what = (Method::POST, resource);
            let sent = self.exchange(what, Some(body(left)), until, events).await;
            let fault = match sent.and_then(events::unfolded) {
                Ok(Incoming { status: 200, body, .. }) => {
                    let taken = tries.taken();
                    let Taken { attempts, unanswered, latency, .. } = taken;
                    return Ok(Posted { body, attempts, unanswered, latency });
                }
                Ok(incoming) => self.refused(&incoming),
                Err(broken) => self.broken(broken),
            };
            tries.after(fault).await?;
        }
    }

    /// Calls that are made for one question at most, see [`crate::provider::Provider::calls`].
    pub(super) fn calls(&self) -> u32 {
        MOST_CALLS
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
            Err(Wrong::Shape(what, partial)) => {
                let fault = self.no_answer(incoming, what, partial.as_deref());
                // A reply of nothing: a model may have answered all the same.
                let trouble = incoming.body.trim_ascii().is_empty().then_some(Trouble::ENDED);
                let partial = partial.map(|partial| self.mask.text(&partial));
                return Err(Fault { partial, trouble, ..fault });
            }
            Err(Wrong::Error(error)) => return Err(self.covered(incoming, &error)),
        };
        match (completion.refusal, &completion.finish) {
            (None, Finish::Failed(_)) => {
                let fault = self.no_answer(
                    incoming,
                    "the model ended with an error",
                    Some(&completion.text),
                );
                let kind = FailureKind::ServerError;
                let (usage, partial) = (completion.usage, Some(self.mask.text(&completion.text)));
                Err(Fault { kind, usage, partial, trouble: Some(fault::OVERLOADED), ..fault })
            }
            (None, _) => Ok(Completion { refusal: None, ..completion }),
            (Some(refusal), _) => {
                let fault = self.no_answer(incoming, "the model refuses", Some(&refusal));
                Err(Fault { usage: completion.usage, ..fault })
            }
        }
    }

    fn no_answer(&self, incoming: &Incoming, what: &str, partial: Option<&str>) -> Fault {
        let of = incoming.content_type();
        let of = match of.as_str() {
            "" | "application/json" => String::new(),
            other => format!(" ({})", self.mask.line(other, 60)),
        };
        let shown = partial.map_or(incoming.body.as_slice(), str::as_bytes);
        let what = format!("the reply is not an answer: {what}{of}");
        Fault::new(FailureKind::InvalidAnswer, what).showing(self.mask.beginning(shown))
    }
}

/// Seconds since 1970.
fn now() -> i64 {
    jiff::Timestamp::now().as_second()
}
