//! Errors as the program reports them, and their classes by their words.

use crate::provider::FailureKind;
use crate::provider::http::text;
use serde_json::Value;

/// An error that the program reports.
pub(super) struct Error<'a> {
    /// Its class in the program's own words.
    pub(super) name: String,
    pub(super) message: String,
    /// What the endpoint answered, where it did.
    pub(super) status: Option<u16>,
    /// What else is known: body and headers of the endpoint, whether the call may be repeated.
    pub(super) data: &'a Value,
}

impl<'a> Error<'a> {
    /// Reads an event: version 1 has a name and data, version 2 has all in one object.
    fn new(event: &'a Value) -> Self {
        let error = event.get("error").unwrap_or(&Value::Null);
        let data = error.get("data").unwrap_or(error);
        let message = text(data, "message").or_else(|| text(error, "message"));
        let status = data.get("statusCode").or_else(|| error.get("status")).and_then(Value::as_u64);
        Self {
            name: text(error, "name").or_else(|| text(error, "type")).unwrap_or_default(),
            message: message.or_else(|| error.as_str().map(str::to_owned)).unwrap_or_default(),
            status: status.and_then(|status| u16::try_from(status).ok()),
            data,
        }
    }

    /// The class that its words name.
    pub(super) fn kind(&self) -> Option<FailureKind> {
        kind(&self.name).or_else(|| kind(&self.message))
    }

    /// Whether it reports a connection that broke after the question was sent.
    pub(super) fn is_broken(&self) -> bool {
        is_broken(&self.name) || is_broken(&self.message)
    }

    /// Whether the endpoint may answer the same question at another time, if it is known.
    pub(super) fn is_retryable(&self) -> Option<bool> {
        self.data.get("isRetryable")?.as_bool()
    }

    /// Whether the program does not try again after it.
    fn is_final(&self) -> bool {
        self.is_retryable() == Some(false) || FINAL.contains(&self.name.as_str())
    }

    /// Whether it only reports that something failed.
    fn is_vague(&self) -> bool {
        self.status.is_none()
            && self.kind().is_none()
            && ["", "UnknownError", "unknown"].contains(&self.name.as_str())
    }
}

/// The error that tells most: the last that is not vague. With a model that is unknown, an error without
/// any reason comes after the one that names it.
pub(super) fn telling(events: &[Value]) -> Option<Error<'_>> {
    let last = || events.iter().rev().map(Error::new);
    last().find(|error| !error.is_vague()).or_else(|| last().next_back())
}

/// Whether the program does not try again after the last of these errors.
pub(super) fn is_final(events: &[Value]) -> bool {
    events.last().is_some_and(|event| Error::new(event).is_final())
}

/// Names of errors that no other try mends, of both versions.
const FINAL: [&str; 11] = [
    "ContextOverflowError",
    "MessageAbortedError",
    "MessageOutputLengthError",
    "ProviderAuthError",
    "aborted",
    "permission.rejected",
    "provider.auth",
    "provider.content-filter",
    "provider.invalid-request",
    "provider.no-route",
    "provider.quota",
];

/// Words of errors that have no status, with their classes. The first that is found counts.
const NAMED: [(&str, FailureKind); 29] = [
    ("timed out", FailureKind::Timeout),
    ("timeout", FailureKind::Timeout),
    ("etimedout", FailureKind::Timeout),
    ("rate limit", FailureKind::RateLimited),
    ("rate_limit", FailureKind::RateLimited),
    ("rate-limit", FailureKind::RateLimited),
    ("too many requests", FailureKind::RateLimited),
    ("provider.quota", FailureKind::RateLimited),
    ("model not found", FailureKind::Unavailable),
    ("modelnotfound", FailureKind::Unavailable),
    ("provider not found", FailureKind::Unavailable),
    ("providerinit", FailureKind::Unavailable),
    ("provider.no-route", FailureKind::Unavailable),
    ("unable to connect", FailureKind::Unavailable),
    ("cannot connect", FailureKind::Unavailable),
    ("connection refused", FailureKind::Unavailable),
    ("econnrefused", FailureKind::Unavailable),
    ("ehostunreach", FailureKind::Unavailable),
    ("enetunreach", FailureKind::Unavailable),
    ("enotfound", FailureKind::Unavailable),
    ("eai_again", FailureKind::Unavailable),
    ("getaddrinfo", FailureKind::Unavailable),
    ("certificate", FailureKind::Unavailable),
    ("api key", FailureKind::Unauthorized),
    ("unauthorized", FailureKind::Unauthorized),
    ("provider.auth", FailureKind::Unauthorized),
    ("provider.content-filter", FailureKind::InvalidAnswer),
    ("provider.invalid", FailureKind::InvalidAnswer),
    ("messageoutputlength", FailureKind::InvalidAnswer),
];

/// Words of a connection that broke: the network's fault, or of somebody between.
const BROKEN: [&str; 16] = [
    "econnaborted",
    "econnreset",
    "epipe",
    "broken pipe",
    "socket hang up",
    "connection was closed",
    "connection closed",
    "connection reset",
    "connection error",
    "connection lost",
    "other side closed",
    "premature close",
    "und_err_socket",
    "fetch failed",
    "network error",
    "provider.transport",
];

/// The class of an error that has no status, by its words.
pub(super) fn kind(message: &str) -> Option<FailureKind> {
    let message = message.to_lowercase();
    let named = NAMED.into_iter().find(|(part, _)| message.contains(part)).map(|(_, kind)| kind);
    // As a number of its own: it may be in a time or an identifier.
    let numbers = || message.split(|c: char| !c.is_alphanumeric() && !"-_.".contains(c));
    let is_limited = || numbers().any(|number| number.trim_end_matches('.') == "429");
    named
        .or_else(|| is_limited().then_some(FailureKind::RateLimited))
        .or_else(|| is_broken(&message).then_some(FailureKind::Unavailable))
}

fn is_broken(message: &str) -> bool {
    let message = message.to_lowercase();
    BROKEN.iter().any(|part| message.contains(part))
}
