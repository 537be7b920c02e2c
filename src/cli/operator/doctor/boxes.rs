//! Boxes: connection, keys, clock, log paths.

use super::ask::{Ask, Error};
use super::check::{Check, Part};
use super::logs::{local_logs, logs};
use crate::config::{BoxConfig, Config, Place};
use crate::source::client::ClientError;
use crate::source::session::Error as SessionError;
use crate::source::ssh::{Error as SshError, Reason};
use std::time::{Instant, SystemTime, UNIX_EPOCH};

/// Seconds that two clocks may differ: more can put a record into another day.
const SKEW: i64 = 30;

/// What to do about a box that is connected and does not answer.
const OVERLOADED: &str = "check whether the box is overloaded, and try ssh by hand";

/// Checks all boxes, as many at a time as pulls would, in configured order.
pub(super) fn checks(config: &Config, ask: &Ask<'_>) -> Vec<Check> {
    let mut checks = Vec::new();
    for group in config.boxes.chunks(config.pull.parallel.max(1)) {
        std::thread::scope(|scope| {
            let running: Vec<_> = group.iter().map(|b| scope.spawn(move || one(b, ask))).collect();
            for thread in running {
                checks.extend(thread.join().unwrap_or_default());
            }
        });
    }
    checks
}

fn one(config: &BoxConfig, ask: &Ask<'_>) -> Vec<Check> {
    let checks = match &config.place {
        Place::Local => logs(config, &local_logs(&config.logs), Part::Local),
        Place::Ssh(_) => over_ssh(config, ask),
    };
    checks.into_iter().map(|c| c.of_box(&config.name)).collect()
}

fn over_ssh(config: &BoxConfig, ask: &Ask<'_>) -> Vec<Check> {
    let (began, before) = (Instant::now(), now());
    let answer = ask(config);
    let took = began.elapsed();
    let checkup = match answer {
        Ok(checkup) => Some(checkup),
        Err(Error::Box(ClientError::RemoteSession { source, .. })) if is_of_shell(&source) => None,
        Err(error) => return vec![refused(config, &error)],
    };
    let mut checks = vec![
        Check::ok("connection", format!("answered in {} ms", took.as_millis())),
        Check::ok("host key", "known, and the one that answered"),
        Check::ok("key", "accepted"),
    ];
    match checkup {
        Some(checkup) => {
            let rtt = i64::try_from(took.as_secs()).unwrap_or(i64::MAX);
            checks.push(clock(checkup.clock, before, rtt));
            checks.extend(logs(config, &checkup.paths, Part::Remote));
        }
        None => {
            let text = "its shell did not complete the script";
            let advice = format!("check what this prints: ssh {} sh -c true", config.name);
            checks.push(Check::fail("shell", text, Part::Remote).advise(advice));
        }
    }
    checks
}

/// Whether a session broke off because the shell there did something else, or ended.
fn is_of_shell(error: &SessionError) -> bool {
    matches!(error, SessionError::NoAnswer { .. } | SessionError::Cut) || error.is_mixture()
}

fn refused(config: &BoxConfig, error: &Error) -> Check {
    let reason = match error {
        Error::Box(ClientError::Connect(SshError::Connect { reason, .. })) => Some(reason),
        _ => None,
    };
    let name = match reason {
        Some(Reason::HostUnknown | Reason::HostKeyChanged | Reason::HostKeyRevoked) => "host key",
        Some(Reason::AuthRefused) => "key",
        _ => "connection",
    };
    let (text, advice) = match error {
        Error::Box(ClientError::Connect(error)) => {
            (crate::domain::chain(error), crate::advice::of_ssh(error, &config.name))
        }
        Error::Box(ClientError::RemoteSession { source: SessionError::Idle(limit), .. }) => {
            let text = format!("connected, and no answer within {} s", limit.as_secs_f32());
            (text, Some(OVERLOADED.to_owned()))
        }
        _ => (crate::domain::chain(error), Some(OVERLOADED.to_owned())),
    };
    let mut check = Check::fail(name, text, Part::Remote);
    check.advice = advice;
    check
}

/// The box's clock was read at some time between `before` and `rtt` seconds later.
fn clock(theirs: Option<i64>, before: i64, rtt: i64) -> Check {
    let Some(theirs) = theirs else {
        return Check::warn("clock", "its `date` does not print seconds since 1970");
    };
    let skew = match theirs - before {
        late if late < 0 => late,
        ahead => (ahead - rtt).max(0),
    };
    if skew.abs() <= SKEW {
        return Check::ok("clock", format!("differs by {} s from this machine's", skew.abs()));
    }
    let way = if skew < 0 { "behind" } else { "ahead of" };
    let text = format!(
        "its clock is {} s {way} this machine's; records may fall on the wrong day",
        skew.abs()
    );
    Check::warn("clock", text).advise(crate::advice::CLOCK)
}

fn now() -> i64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(0, |d| i64::try_from(d.as_secs()).unwrap_or(i64::MAX))
}

#[cfg(test)]
#[path = "boxes_tests.rs"]
mod tests;
