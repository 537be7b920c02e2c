//! What a start of the program comes to: a reply, or a failure by its name.

use super::events::{Events, Stop, TOOLS, UNKNOWN};
use super::launch::{MISSING, UNUSABLE};
use super::log::Log;
use super::run::{Ended, How};
use crate::engine::retry::{WaitHeaders, asked};
use crate::provider::http::{Mask, WORDS, answered, may_cost, read_refusal, seconds, text};
use crate::provider::{Failure, FailureKind, Reply};
use serde_json::Value;
use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;
use std::time::Duration;

/// A failure of a question that was never asked.
pub(super) fn unasked(kind: FailureKind, what: impl Into<String>) -> Failure {
    Failure { attempts: 0, uncounted: 0, ..Failure::new(kind, what) }
}

/// A failure of a program that could not be started.
pub(super) fn not_started(error: &std::io::Error) -> Failure {
    unasked(FailureKind::Unavailable, format!("failed to start opencode: {error}"))
}

/// What it answered. `limit` is how long it was waited for at most.
pub(super) fn read(ended: &Ended, mask: &Mask, limit: Duration) -> Result<Reply, Failure> {
    let (events, log) = (&ended.events, &ended.log);
    let fault = match &ended.how {
        How::Exited(status) if status.success() => match empty(events) {
            None => return Ok(reply(events, log)),
            Some(what) => Fault::new(FailureKind::InvalidAnswer, what),
        },
        How::Exited(status) => match absent(*status, log, mask) {
            Some(failure) => return Err(failure),
            None => exited(*status, log, mask),
        },
        How::Stopped(stop) => stopped(stop, log, mask),
        How::Late => late(log, mask, limit),
        How::Broken(error) => {
            Fault::new(FailureKind::Unavailable, format!("failed to read from opencode: {error}"))
        }
    };
    Err(fault.of(events, log, mask))
}

/// What it printed for people, once it has ended well. Nobody was asked for it.
pub(super) fn listed(ended: &Ended, mask: &Mask, limit: Duration) -> Result<String, Failure> {
    match &ended.how {
        How::Exited(status) if status.success() => {
            Ok(String::from_utf8_lossy(&ended.printed).into_owned())
        }
        _ => read(ended, mask, limit)
            .map(|reply| reply.text)
            .map_err(|failure| unasked(failure.kind, failure.what)),
    }
}

struct Fault {
    kind: FailureKind,
    what: String,
    /// Whether the calls that failed may have cost something.
    may_cost: bool,
    /// What came, where it is not the text of the last step.
    shown: Option<String>,
}

impl Fault {
    fn new(kind: FailureKind, what: impl Into<String>) -> Self {
        Self { kind, what: what.into(), may_cost: kind.may_cost(), shown: None }
    }

    fn of(self, events: &Events, log: &Log, mask: &Mask) -> Failure {
        let shown = self.shown.unwrap_or_else(|| events.text().to_owned());
        let failed = if self.may_cost { log.failed().max(1 - events.steps().min(1)) } else { 0 };
        Failure {
            beginning: mask.beginning(shown.as_bytes()),
            attempts: attempts(events, log),
            uncounted: events.uncounted() + failed,
            usage: events.usage(),
            ..Failure::new(self.kind, self.what)
        }
    }
}

/// Calls that were made, as far as the program shows them.
fn attempts(events: &Events, log: &Log) -> u32 {
    (events.steps() + log.failed()).max(1)
}

/// Why a program that ended well gave no answer.
fn empty(events: &Events) -> Option<&'static str> {
    match events.reason() {
        None => Some("opencode ended without an error and without an answer"),
        Some(UNKNOWN | TOOLS) => {
            Some("opencode ended without an error before the model had finished")
        }
        Some("content-filter") => Some("a filter of the endpoint withheld the answer"),
        Some("error") => Some("the model ended with an error"),
        Some(_) if events.text().trim().is_empty() => {
            Some("opencode ended without an error and with an empty answer")
        }
        Some(_) => None,
    }
}

fn reply(events: &Events, log: &Log) -> Reply {
    Reply {
        usage: events.usage(),
        cut: events.reason() == Some("length"),
        attempts: attempts(events, log),
        uncounted: events.uncounted() + log.failed(),
        ..Reply::new(events.text())
    }
}

fn exited(status: ExitStatus, log: &Log, mask: &Mask) -> Fault {
    let how = match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit code".to_owned(),
    };
    let end = log.end();
    let words = mask.line(end.trim(), WORDS);
    let what = match words.is_empty() {
        true => format!("opencode ended with {how}"),
        false => format!("opencode ended with {how}: {words}"),
    };
    Fault { may_cost: true, ..Fault::new(FailureKind::Unavailable, what) }
}

/// A program that never ran: the shell that would have become it says why.
fn absent(status: ExitStatus, log: &Log, mask: &Mask) -> Option<Failure> {
    let what = match status.code()? {
        MISSING => "was not found",
        UNUSABLE => "cannot be started",
        _ => return None,
    };
    let what = format!("the program {what}: {}", mask.line(log.end().trim(), WORDS));
    Some(unasked(FailureKind::Unavailable, what))
}

fn stopped(stop: &Stop, log: &Log, mask: &Mask) -> Fault {
    let invalid = |what: String| Fault::new(FailureKind::InvalidAnswer, what);
    match stop {
        Stop::Tool(tool) => {
            let tool = mask.line(tool, 40);
            invalid(format!("the model asked for a tool ({tool}), which was refused"))
        }
        Stop::Endless(steps) => invalid(format!(
            "the model's answer broke off {steps} times, and opencode would go on repeating it"
        )),
        Stop::TooLong(most) => invalid(format!("opencode printed more than {most} bytes")),
        Stop::Garbled => invalid("opencode printed something other than an event".to_owned()),
        Stop::OtherAgent => {
            let what = "opencode did not find its agent \"judge\" and would have asked another one";
            Fault { may_cost: true, ..Fault::new(FailureKind::Unavailable, what) }
        }
        Stop::Calls if log.failed() == 0 => {
            invalid("the model's answer broke off, and no call was left".to_owned())
        }
        Stop::Calls => repeated(log, mask, "no call was left"),
        Stop::Error(event) => error(event, log, mask),
    }
}

fn late(log: &Log, mask: &Mask, limit: Duration) -> Fault {
    let waited = format!("opencode gave no answer within {} s", seconds(limit));
    match log.failed() {
        0 => Fault::new(FailureKind::Timeout, waited),
        _ => repeated(log, mask, &waited),
    }
}

/// The endpoint failed again and again. Its statuses are not shown, only its words.
fn repeated(log: &Log, mask: &Mask, beginning: &str) -> Fault {
    let last = log.last().unwrap_or_default();
    let kind = named(last).unwrap_or(FailureKind::ServerError);
    let words = match mask.line(last, WORDS) {
        words if words.is_empty() => words,
        words => format!(": {words}"),
    };
    let times = match log.failed() {
        1 => "once".to_owned(),
        times => format!("{times} times"),
    };
    Fault::new(kind, format!("{beginning}; the endpoint failed {times}{words}"))
}

/// Words of errors that have no status, with their classes. The first that is found counts.
const NAMED: [(&str, FailureKind); 16] = [
    ("timed out", FailureKind::Timeout),
    ("timeout", FailureKind::Timeout),
    ("rate limit", FailureKind::RateLimited),
    ("rate_limit", FailureKind::RateLimited),
    ("too many requests", FailureKind::RateLimited),
    ("429", FailureKind::RateLimited),
    ("model not found", FailureKind::Unavailable),
    ("unable to connect", FailureKind::Unavailable),
    ("cannot connect", FailureKind::Unavailable),
    ("connection refused", FailureKind::Unavailable),
    ("econnrefused", FailureKind::Unavailable),
    ("enotfound", FailureKind::Unavailable),
    ("getaddrinfo", FailureKind::Unavailable),
    ("certificate", FailureKind::Unavailable),
    ("api key", FailureKind::Unauthorized),
    ("unauthorized", FailureKind::Unauthorized),
];

/// The class of an error that has no status, by its words.
fn named(words: &str) -> Option<FailureKind> {
    let words = words.to_lowercase();
    NAMED.into_iter().find(|(part, _)| words.contains(part)).map(|(_, kind)| kind)
}

/// An error that the program reports.
fn error(event: &Value, log: &Log, mask: &Mask) -> Fault {
    let error = event.get("error").unwrap_or(&Value::Null);
    let data = error.get("data").unwrap_or(&Value::Null);
    let message = text(data, "message").unwrap_or_default();
    // Where the program itself fails, only its log says why.
    let message = log.gave_up().map_or(message, str::to_owned);
    let status = data.get("statusCode").and_then(Value::as_u64);
    let status = status.and_then(|status| u16::try_from(status).ok());
    let words = mask.line(&message, WORDS);
    let name = text(error, "name").unwrap_or_default();
    let kind = match name.as_str() {
        "ContextOverflowError" => {
            let what = format!("the question is longer than the model takes: {words}");
            return Fault { may_cost: false, ..Fault::new(FailureKind::InvalidAnswer, what) };
        }
        "ProviderAuthError" => FailureKind::Unauthorized,
        "MessageOutputLengthError" => FailureKind::InvalidAnswer,
        _ => named(&message).unwrap_or(FailureKind::ServerError),
    };
    match status {
        Some(status) => refused(status, data, &words, mask),
        None => Fault::new(kind, format!("opencode reports {}: {words}", mask.line(&name, 40))),
    }
}

/// An error with the status that the endpoint answered.
fn refused(status: u16, data: &Value, words: &str, mask: &Mask) -> Fault {
    let body = text(data, "responseBody").unwrap_or_else(|| words.to_owned());
    let header = |name: &str| data.get("responseHeaders")?.get(name)?.as_str();
    let headers =
        WaitHeaders { milliseconds: header("retry-after-ms"), after: header("retry-after") };
    let wait = asked(&headers, jiff::Timestamp::now());
    let wait =
        wait.map_or_else(String::new, |wait| format!("; it asks to wait {} s", seconds(wait)));
    let what = format!("the endpoint {} ({status}): {words}{wait}", answered(status));
    let kind = read_refusal(status, &body).kind;
    let shown = mask.beginning(body.as_bytes());
    Fault { may_cost: may_cost(status), shown, ..Fault::new(kind, what) }
}
