//! Asking a model. The rest of the program knows questions and replies, no protocol.

use std::time::Duration;

use crate::domain::Usage;

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
    /// Whether the model says that it stopped at its limit of tokens.
    pub cut: bool,
    /// Calls made, repeats included.
    pub attempts: u32,
    /// From the first call to the last byte.
    pub latency: Duration,
}

/// Why there is no answer, in the classes that records know.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
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

/// A question that got no answer.
#[derive(Debug, Clone, PartialEq)]
pub struct Failure {
    /// Its class.
    pub kind: FailureKind,
    /// What happened, in one sentence: no key in it; texts of the other side may be hostile.
    pub what: String,
    /// Beginning of what came instead of an answer, at most 500 characters.
    pub beginning: Option<String>,
    /// Calls made, repeats included.
    pub attempts: u32,
    /// From the first call until it was given up.
    pub latency: Duration,
}
