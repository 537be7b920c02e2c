//! Asking a model. The rest of the program knows questions and replies, no protocol.
//!
//! All of it runs on a tokio runtime of the caller. A name is looked up on a thread that cannot be
//! interrupted: end a runtime with `shutdown_background`, or it waits for a resolver that hangs.

pub mod anthropic;
mod calls;
pub mod chat;
mod follow;
pub mod http;
pub mod key;
pub mod opencode;
pub mod scripted;
pub mod service;

pub use calls::counted;
pub use follow::{OnStage, followed, numbered};

use std::time::Duration;
use tokio::time::Instant;

use crate::domain::Usage;
use crate::engine::finish::Finish;

/// Who says a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Role {
    /// The operator: rules that hold for the whole conversation.
    System,
    /// The question, with the content.
    User,
}

/// One message of a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Message {
    /// Who says it.
    pub role: Role,
    /// Its text.
    pub text: String,
}

/// One question to a model.
#[derive(Debug, Clone, PartialEq)]
pub struct Ask {
    /// The model's name, as the endpoint knows it.
    pub model: String,
    /// What is said, in order.
    pub messages: Vec<Message>,
    /// Sampling temperature, where one is wanted.
    pub temperature: Option<f64>,
    /// Most tokens of the answer, where bounded.
    pub max_tokens: Option<u32>,
    /// JSON Schema the answer should fit. A wish: where the endpoint takes no schemas it is left out.
    pub schema: Option<serde_json::Value>,
    /// The call word that the messages name, for a provider that answers from a file.
    pub call: Option<String>,
    /// Most calls of a model that are made for it, where that is fewer than the provider would make. Tries
    /// to which nothing was answered are none.
    pub calls: Option<u32>,
    /// Most requests that may cost something, answered or not, where a spend cap holds.
    pub paid: Option<u32>,
}

/// What a model answered. Its texts may be hostile.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The answer.
    pub text: String,
    /// The model that answered, as the answer names it.
    pub served_model: Option<String>,
    /// Tokens, where the answer counts them.
    pub usage: Option<Usage>,
    /// How the model ended.
    pub finish: Finish,
    /// The other choices of the same reply, where there are several: they can only make it stricter.
    pub others: Vec<String>,
    /// What came of answers in replies that failed, in part or in whole.
    pub failed: Vec<String>,
    /// Where something stands in place of an answer that is empty.
    pub elsewhere: Option<&'static str>,
    /// Requests made, repeats included.
    pub attempts: u32,
    /// Those of them to which nothing was answered.
    pub unanswered: u32,
    /// Those of them whose connection ended without a reply: a model may have answered all the same.
    pub ended: u32,
    /// Those of them that may have cost something and whose tokens are not in `usage`.
    pub uncounted: u32,
    /// Time spent waiting between them.
    pub waited: Duration,
    /// From the first call to the last byte.
    pub latency: Duration,
}

impl Reply {
    /// A reply of a text and nothing else, to the first call. Nobody counted its tokens.
    pub fn new(text: impl Into<String>) -> Self {
        Self {
            text: text.into(),
            served_model: None,
            usage: None,
            finish: Finish::Whole,
            others: Vec::new(),
            failed: Vec::new(),
            elsewhere: None,
            attempts: 1,
            unanswered: 0,
            ended: 0,
            uncounted: 1,
            waited: Duration::ZERO,
            latency: Duration::ZERO,
        }
    }
}

/// The tokens of two calls.
fn both(one: Option<Usage>, other: Option<Usage>) -> Option<Usage> {
    match (one, other) {
        (Some(one), Some(other)) => Some(one.plus(other)),
        (one, other) => one.or(other),
    }
}

/// Why there is no answer, in the classes that records know.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum FailureKind {
    /// No answer within the time.
    Timeout,
    /// Nobody there, or nobody who knows the model.
    Unavailable,
    /// The key was refused.
    Unauthorized,
    /// Too many calls, or no balance.
    RateLimited,
    /// The endpoint failed.
    ServerError,
    /// There was a reply, and it is no answer.
    InvalidAnswer,
}

impl FailureKind {
    /// All of them.
    pub const ALL: [Self; 6] = crate::domain::variants();

    /// Whether a call that ended so may have cost something: who refuses has not asked a model.
    pub const fn may_cost(self) -> bool {
        matches!(self, Self::Timeout | Self::ServerError | Self::InvalidAnswer)
    }

    /// Its name in records and scripts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Timeout => "timeout",
            Self::Unavailable => "unavailable",
            Self::Unauthorized => "unauthorized",
            Self::RateLimited => "rate_limited",
            Self::ServerError => "server_error",
            Self::InvalidAnswer => "invalid_answer",
        }
    }
}

/// A question that got no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Its class.
    pub kind: FailureKind,
    /// What happened, in one sentence: no key in it; texts of the other side may be hostile.
    pub what: String,
    /// Beginning of what came instead of an answer, at most 500 characters.
    pub beginning: Option<String>,
    /// What came of answers in replies that failed, in part or in whole.
    pub failed: Vec<String>,
    /// Requests made, repeats included.
    pub attempts: u32,
    /// Those of them to which nothing was answered.
    pub unanswered: u32,
    /// Those of them whose connection ended without a reply: a model may have answered all the same.
    pub ended: u32,
    /// Those of them that may have cost something and whose tokens are not in `usage`.
    pub uncounted: u32,
    /// Time spent waiting between them.
    pub waited: Duration,
    /// From the first call until it was given up.
    pub latency: Duration,
    /// Tokens, where a reply that is no answer counts them: they cost all the same.
    pub usage: Option<Usage>,
}

impl Failure {
    /// A failure of the first call, with nothing to show for it.
    pub fn new(kind: FailureKind, what: impl Into<String>) -> Self {
        Self {
            kind,
            what: what.into(),
            beginning: None,
            failed: Vec::new(),
            attempts: 1,
            unanswered: 0,
            ended: 0,
            uncounted: u32::from(kind.may_cost()),
            waited: Duration::ZERO,
            latency: Duration::ZERO,
            usage: None,
        }
    }
}

/// Whoever is asked.
// There is one of them in a run: nothing is gained by a box.
#[allow(clippy::large_enum_variant)]
#[derive(Debug)]
pub enum Provider {
    /// An OpenAI-compatible endpoint.
    Chat(chat::Chat),
    /// An endpoint that speaks as Anthropic's does.
    Anthropic(anthropic::Anthropic),
    /// The program `opencode`.
    Opencode(opencode::Opencode),
    /// A service that asks the judges.
    Service(service::Service),
    /// Answers from a file.
    Scripted(scripted::Scripted),
}

impl Provider {
    /// Asks a question and waits for its reply, until a moment at most.
    ///
    /// Dropping the future ends everything at once, connections too.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn ask(&self, ask: &Ask, until: Instant) -> Result<Reply, Failure> {
        match self {
            Self::Chat(chat) => chat.ask(ask, until).await,
            Self::Anthropic(anthropic) => anthropic.ask(ask, until).await,
            Self::Opencode(opencode) => opencode.ask(ask, until).await,
            Self::Service(_) => Err(service::Service::no_questions()),
            Self::Scripted(scripted) => scripted.ask(ask, until).await,
        }
    }

    /// Where the answers come from, as one name: the address of an endpoint, of which one proxy may
    /// have several, or a program with its version, which may take seconds to find out, once.
    pub fn base(&self) -> String {
        match self {
            Self::Chat(chat) => chat.base(),
            Self::Anthropic(anthropic) => anthropic.base(),
            Self::Opencode(opencode) => opencode.base(),
            Self::Service(service) => service.base(),
            Self::Scripted(_) => "script".to_owned(),
        }
    }

    /// The same without the version of a program: nothing is started for it.
    pub fn address(&self) -> String {
        match self {
            Self::Opencode(opencode) => opencode.address(),
            Self::Chat(_) | Self::Anthropic(_) | Self::Service(_) | Self::Scripted(_) => {
                self.base()
            }
        }
    }

    /// Finds out the version of a program, until a moment at most. Afterwards [`Provider::base`] waits for
    /// nothing.
    pub async fn find_version(&self, until: Instant) {
        if let Self::Opencode(opencode) = self {
            opencode.find_version(until).await;
        }
    }

    /// Calls of a model that are made for one question at most, the second question included. Those are not
    /// counted to which nothing was answered, or that an endpoint refused unread.
    pub fn calls(&self) -> u32 {
        match self {
            Self::Chat(chat) => chat.calls(),
            Self::Anthropic(anthropic) => anthropic.calls(),
            Self::Opencode(opencode) => opencode.calls(),
            Self::Service(service) => service.calls(),
            // One, and the second question.
            Self::Scripted(_) => 2,
        }
    }

    /// Names the models that can be asked.
    ///
    /// # Errors
    /// Every way of getting no answer.
    pub async fn models(&self, until: Instant) -> Result<Vec<String>, Failure> {
        match self {
            Self::Chat(chat) => chat.models(until).await,
            Self::Anthropic(anthropic) => anthropic.models(until).await,
            Self::Opencode(opencode) => opencode.models(until).await,
            Self::Service(service) => service.models(until).await,
            Self::Scripted(scripted) => Ok(scripted.models().to_vec()),
        }
    }

    /// The same; `None` of an endpoint of models that runs and lists none.
    ///
    /// # Errors
    /// Every way of getting no answer. A service lists its judges: one that does not is none.
    pub async fn listed(&self, until: Instant) -> Result<Option<Vec<String>>, Failure> {
        match self {
            Self::Chat(chat) => chat.listed(until).await,
            Self::Anthropic(anthropic) => anthropic.listed(until).await,
            Self::Opencode(opencode) => opencode.listed(until).await,
            Self::Service(_) | Self::Scripted(_) => self.models(until).await.map(Some),
        }
    }
}
