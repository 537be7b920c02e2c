//! What a start of the program comes to: a reply, or a failure by its name.

use super::error::{self, Error};
use super::events::{Answer, Events, FAILED, FILTERED, Stop, TOOLS, UNKNOWN};
use super::log::Log;
use super::run::{Ended, How};
use super::{Settings, absent};
use crate::engine::finish::Finish;
use crate::engine::retry::asked;
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
///
/// A whole answer counts however the program ends afterwards, unless it did what it must not: asked for a
/// tool, or another agent.
pub(super) fn read(
    ended: &Ended,
    settings: &Settings,
    mask: &Mask,
    limit: Duration,
) -> Result<Reply, Failure> {
    let (events, log) = (&ended.events, &ended.log);
    if let Some(fault) = forbidden(events, log, mask) {
        return Err(fault.of(events, log, mask));
    }
    if let Some(answer) = events.answer() {
        return Ok(reply(answer, events, log));
    }
    if let How::Exited(status) = &ended.how
        && events.is_silent()
        && let Some(failure) = absent::failure(*status, &log.end(), settings, mask)
    {
        return Err(failure);
    }
    let reported = error::telling(events.errors());
    let fault = match (&ended.how, reported) {
        (How::Broken(error), _) => {
            Fault::new(FailureKind::Unavailable, format!("failed to read from opencode: {error}"))
        }
        (How::Stopped(stop @ (Stop::Endless(_) | Stop::TooLong(_))), _) => {
            stopped(stop, events, log, mask)
        }
        (_, Some(error)) => reports(&error, log, mask),
        (How::Stopped(stop), None) => stopped(stop, events, log, mask),
        (How::Exited(status), None) if status.success() => empty(events, log, mask),
        (How::Exited(status), None) => exited(*status, events, log, mask),
        (How::Late, None) => late(events, log, mask, limit),
    };
    Err(fault.of(events, log, mask))
}

/// What it printed for people, once it has ended well. Nobody was asked for it.
pub(super) fn listed(
    ended: &Ended,
    settings: &Settings,
    mask: &Mask,
    limit: Duration,
) -> Result<String, Failure> {
    match &ended.how {
        How::Exited(status) if status.success() => {
            Ok(String::from_utf8_lossy(&ended.printed).into_owned())
        }
        _ => read(ended, settings, mask, limit)
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
        let failed = match self.may_cost {
            true => failed(events, log).max(1 - events.steps().min(1)),
            false => 0,
        };
        Failure {
            beginning: mask.beginning(shown.as_bytes()),
            attempts: attempts(events, log),
            uncounted: events.uncounted() + failed,
            usage: events.usage(),
            ..Failure::new(self.kind, self.what)
        }
    }
}

/// Calls that failed without a step. Of some versions the log has them, of others the events.
fn failed(events: &Events, log: &Log) -> u32 {
    log.failed().max(events.refusals())
}

/// Calls that were made, as far as the program shows them.
fn attempts(events: &Events, log: &Log) -> u32 {
    (events.steps() + failed(events, log)).max(1)
}

/// What comes of a whole answer, which has the reason for which its step ended.
fn reply(answer: Answer<'_>, events: &Events, log: &Log) -> Reply {
    Reply {
        usage: events.usage(),
        finish: Finish::read(Some(answer.reason), false),
        attempts: attempts(events, log),
        uncounted: events.uncounted() + failed(events, log),
        ..Reply::new(answer.text)
    }
}

/// What the program did that it must not, whatever else it did.
fn forbidden(events: &Events, log: &Log, mask: &Mask) -> Option<Fault> {
    if let Some(tool) = events.tool() {
        let tool = mask.line(tool, 40);
        let what = format!("the model asked for a tool ({tool}), which was refused");
        return Some(Fault::new(FailureKind::InvalidAnswer, what));
    }
    let what = "opencode did not find its agent \"judge\" and would have asked another one";
    let other = Fault { may_cost: true, ..Fault::new(FailureKind::Unavailable, what) };
    log.has_other_agent().then_some(other)
}

/// Why a program that ended well, or was ended after the model's end, gave no answer.
fn empty(events: &Events, log: &Log, mask: &Mask) -> Fault {
    let what = match events.reason() {
        None => {
            let (kind, cause) = printed(events, log, mask);
            let what = match cause.is_empty() {
                true => "opencode ended without an error and without an answer".to_owned(),
                false => format!("opencode ended without an answer: {cause}"),
            };
            return Fault::new(kind.unwrap_or(FailureKind::InvalidAnswer), what);
        }
        Some(UNKNOWN | TOOLS) => "opencode ended without an error before the model had finished",
        Some(FILTERED) => "a filter of the endpoint withheld the answer",
        Some(FAILED) => "the model ended with an error",
        Some(_) => "opencode ended without an error and with an empty answer",
    };
    Fault::new(FailureKind::InvalidAnswer, what)
}

/// What the program printed for people, on standard error or else among its events, from the line that
/// names a class; and that class.
fn printed(events: &Events, log: &Log, mask: &Mask) -> (Option<FailureKind>, String) {
    let texts = [log.cause(), events.notice()];
    for text in &texts {
        let lines: Vec<_> = text.lines().collect();
        let named = lines.iter().enumerate().find_map(|(at, line)| Some((at, error::kind(line)?)));
        if let Some((at, kind)) = named {
            let rest = lines.get(at..).unwrap_or_default().join("\n");
            return (Some(kind), mask.line(&rest, WORDS));
        }
    }
    let cause = texts.iter().map(|text| mask.line(text, WORDS)).find(|cause| !cause.is_empty());
    (None, cause.unwrap_or_default())
}

/// A sentence with what explains it, if anything does.
fn explained(what: String, cause: &str) -> String {
    if cause.is_empty() { what } else { format!("{what}: {cause}") }
}

fn exited(status: ExitStatus, events: &Events, log: &Log, mask: &Mask) -> Fault {
    let how = match (status.code(), status.signal()) {
        (Some(code), _) => format!("exit code {code}"),
        (None, Some(signal)) => format!("signal {signal}"),
        (None, None) => "no exit code".to_owned(),
    };
    let (kind, cause) = printed(events, log, mask);
    let what = explained(format!("opencode ended with {how}"), &cause);
    Fault { may_cost: true, ..Fault::new(kind.unwrap_or(FailureKind::Unavailable), what) }
}

fn stopped(stop: &Stop, events: &Events, log: &Log, mask: &Mask) -> Fault {
    let invalid = |what: String| Fault::new(FailureKind::InvalidAnswer, what);
    match stop {
        Stop::Endless(steps) => invalid(format!(
            "the model's answer broke off {steps} times, and opencode would go on repeating it"
        )),
        Stop::TooLong(most) => {
            let notice = if events.is_silent() { events.notice() } else { String::new() };
            let what = format!("opencode printed more than {most} bytes");
            invalid(explained(what, &mask.line(&notice, WORDS)))
        }
        Stop::Calls if failed(events, log) == 0 => {
            invalid("the model's answer broke off, and no call was left".to_owned())
        }
        Stop::Calls => repeated(log, mask, "no call was left"),
        // Tools, agents and errors have their own words.
        Stop::Ended | Stop::Error | Stop::Tool(_) | Stop::OtherAgent => empty(events, log, mask),
    }
}

fn late(events: &Events, log: &Log, mask: &Mask, limit: Duration) -> Fault {
    let waited = format!("opencode gave no answer within {} s", seconds(limit));
    if log.failed() > 0 {
        return repeated(log, mask, &waited);
    }
    let (kind, cause) = match events.is_silent() {
        true => printed(events, log, mask),
        false => (None, String::new()),
    };
    Fault::new(kind.unwrap_or(FailureKind::Timeout), explained(waited, &cause))
}

/// The endpoint failed again and again. Its statuses are not shown, only its words.
fn repeated(log: &Log, mask: &Mask, beginning: &str) -> Fault {
    let last = log.last().unwrap_or_default();
    let kind = error::kind(last).unwrap_or(FailureKind::ServerError);
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

/// An error that the program reports.
fn reports(error: &Error<'_>, log: &Log, mask: &Mask) -> Fault {
    // Where the program itself fails, only its log says why.
    let message = log.gave_up().unwrap_or(&error.message);
    let cause = mask.line(message, WORDS);
    let kind = error::kind(message).or_else(|| error.kind());
    let what = || explained(format!("opencode reports {}", mask.line(&error.name, 40)), &cause);
    match (error.name.as_str(), error.status) {
        ("ContextOverflowError", _) => {
            let what = explained("the question is longer than the model takes".to_owned(), &cause);
            Fault { may_cost: false, ..Fault::new(FailureKind::InvalidAnswer, what) }
        }
        (_, Some(status @ 400..)) => refused(status, error.data, &cause, mask),
        _ if error.is_broken() => {
            let kind = kind.unwrap_or(FailureKind::Unavailable);
            let what = explained("the connection to the endpoint broke".to_owned(), &cause);
            // The model may have begun to answer.
            Fault { may_cost: true, ..Fault::new(kind, what) }
        }
        // The endpoint took the question, and its answer cannot be used.
        (_, Some(_)) => {
            let kind = kind.unwrap_or(match error.is_retryable() {
                Some(true) => FailureKind::ServerError,
                _ => FailureKind::InvalidAnswer,
            });
            Fault { may_cost: true, ..Fault::new(kind, what()) }
        }
        ("ProviderAuthError", None) => Fault::new(FailureKind::Unauthorized, what()),
        ("MessageOutputLengthError", None) => Fault::new(FailureKind::InvalidAnswer, what()),
        _ => Fault::new(kind.unwrap_or(FailureKind::ServerError), what()),
    }
}

/// An error with the status that the endpoint answered.
fn refused(status: u16, data: &Value, words: &str, mask: &Mask) -> Fault {
    let body = text(data, "responseBody").unwrap_or_else(|| words.to_owned());
    let headers = data.get("responseHeaders").and_then(Value::as_object).into_iter().flatten();
    let headers = headers.filter_map(|(name, value)| Some((name.as_str(), value.as_str()?)));
    let wait = asked(headers, jiff::Timestamp::now());
    let wait =
        wait.map_or_else(String::new, |wait| format!("; it asks to wait {} s", seconds(wait)));
    let what = format!("the endpoint {} ({status}): {words}{wait}", answered(status));
    let kind = read_refusal(status, &body).kind;
    let shown = mask.beginning(body.as_bytes());
    Fault { may_cost: may_cost(status), shown, ..Fault::new(kind, what) }
}
