//! What a request is refused with.

use super::admission::Full;
use super::reply::{Answer, answer};
use crate::domain::Timestamp;
use crate::engine::judgements::RequestKind;
use hyper::header::{ALLOW, HeaderValue, RETRY_AFTER};
use hyper::{Method, StatusCode};
use serde_json::Value;
use std::time::Duration;

/// Seconds after which a service that shuts down may be another one, or a full disk has room again.
const AFTER_OUTAGE: Duration = Duration::from_secs(5);

/// A request that gets no judgement.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Refusal {
    status: StatusCode,
    /// Its name, for programs.
    code: &'static str,
    /// What happened, for people.
    message: String,
    retry_after: Option<Duration>,
    /// The method that is taken instead.
    allow: Option<Method>,
}

impl Refusal {
    fn new(status: StatusCode, code: &'static str, message: impl Into<String>) -> Self {
        Self { status, code, message: message.into(), retry_after: None, allow: None }
    }

    fn after(self, wait: Duration) -> Self {
        Self { retry_after: Some(wait), ..self }
    }

    pub(super) fn no_token() -> Self {
        let message = "the token is missing, unknown or expired";
        Self::new(StatusCode::UNAUTHORIZED, "token", message)
    }

    pub(super) fn no_tokens() -> Self {
        let message = "the service cannot read its tokens";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "tokens", message)
    }

    pub(super) fn scope(kind: RequestKind) -> Self {
        let message = format!("the token does not allow judgements of {}", kind.plural());
        Self::new(StatusCode::FORBIDDEN, "scope", message)
    }

    pub(super) fn malformed(why: &str) -> Self {
        Self::new(StatusCode::BAD_REQUEST, "request", format!("the request is malformed: {why}"))
    }

    pub(super) fn too_large(most: usize) -> Self {
        let message = format!("the request has more than {most} bytes");
        Self::new(StatusCode::PAYLOAD_TOO_LARGE, "size", message)
    }

    pub(super) fn slow() -> Self {
        let message = "the body of the request did not arrive in time";
        Self::new(StatusCode::REQUEST_TIMEOUT, "slow", message)
    }

    pub(super) fn full(full: Full, wait: Duration) -> Self {
        let (code, message) = match full {
            Full::Client => ("client_queue", "too many contents of this client wait for a judge"),
            Full::All => ("queue", "too many contents wait for a judge"),
        };
        Self::new(StatusCode::TOO_MANY_REQUESTS, code, message).after(wait)
    }

    pub(super) fn memory(full: Full, wait: Duration) -> Self {
        let (code, message) = match full {
            Full::Client => ("client_memory", "the requests of this client take up its memory"),
            Full::All => ("memory", "the requests of all clients take up the memory for them"),
        };
        Self::new(StatusCode::TOO_MANY_REQUESTS, code, message).after(wait)
    }

    pub(super) fn connections(wait: Duration) -> Self {
        let message = "too many connections of this client are open";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "connections", message).after(wait)
    }

    pub(super) fn encoding() -> Self {
        let message = "the body of a request must not be compressed";
        Self::new(StatusCode::UNSUPPORTED_MEDIA_TYPE, "encoding", message)
    }

    pub(super) fn cap(now: Timestamp) -> Self {
        let midnight = Timestamp::of_day(now.day() + 1);
        let left = u64::try_from(midnight.seconds_since(now)).unwrap_or_default() + 1;
        let message = "the contents per day that the token allows are used up";
        Self::new(StatusCode::TOO_MANY_REQUESTS, "cap", message).after(Duration::from_secs(left))
    }

    pub(super) fn no_judge(why: String) -> Self {
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "judge", why)
    }

    pub(super) fn draining() -> Self {
        let message = "the service is shutting down";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "shutdown", message).after(AFTER_OUTAGE)
    }

    pub(super) fn late() -> Self {
        let message = "there was no judgement before the deadline";
        Self::new(StatusCode::GATEWAY_TIMEOUT, "deadline", message)
    }

    pub(super) fn method(allowed: Method) -> Self {
        let message = format!("this address takes only {allowed}");
        let refusal = Self::new(StatusCode::METHOD_NOT_ALLOWED, "method", message);
        Self { allow: Some(allowed), ..refusal }
    }

    pub(super) fn no_judgement() -> Self {
        Self::new(StatusCode::NOT_FOUND, "judgement", "this client has no judgement with this id")
    }

    pub(super) fn no_route() -> Self {
        Self::new(StatusCode::NOT_FOUND, "route", "there is nothing at this address")
    }

    pub(super) fn damaged() -> Self {
        let message = "the judgement in the log of the service is damaged";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "damaged", message)
    }

    pub(super) fn unlogged(why: &str) -> Self {
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "log", why)
    }

    pub(super) fn unwritable() -> Self {
        let message = "the service cannot write its log, so no judge is asked";
        Self::new(StatusCode::SERVICE_UNAVAILABLE, "log", message).after(AFTER_OUTAGE)
    }

    pub(super) fn bug() -> Self {
        let message = "a bug of the service ended the request";
        Self::new(StatusCode::INTERNAL_SERVER_ERROR, "bug", message)
    }

    /// It as an answer.
    pub(super) fn answer(&self) -> Answer {
        let mut response = answer(self.status, "application/json", self.error().to_string());
        if let Some(seconds) = self.retry_after_s() {
            response.headers_mut().insert(RETRY_AFTER, HeaderValue::from(seconds));
        }
        let allow = self.allow.as_ref().and_then(|m| HeaderValue::from_str(m.as_str()).ok());
        response.headers_mut().extend(allow.map(|method| (ALLOW, method)));
        response
    }

    /// The same as the last event of a stream, whose status is sent already.
    pub(super) fn json(&self) -> Value {
        let mut json = self.error();
        json["status"] = self.status.as_u16().into();
        if let Some(seconds) = self.retry_after_s() {
            json["retry_after_s"] = seconds.into();
        }
        json
    }

    fn error(&self) -> Value {
        serde_json::json!({"error": {"code": self.code, "message": self.message}})
    }

    /// Rounded up: whoever waits so long is not early.
    fn retry_after_s(&self) -> Option<u64> {
        self.retry_after.map(|wait| wait.as_secs() + u64::from(wait.subsec_nanos() > 0))
    }
}
