//! How long an endpoint asks to wait.

use serde_json::Value;
use std::time::Duration;

/// What a header holds.
#[derive(Debug, Clone, Copy)]
enum Unit {
    Milliseconds,
    /// Seconds, a date (RFC 9110, section 10.2.3), or seconds with units: `1m2s`, `300ms`.
    Seconds,
    /// The same, or the instant of the end in seconds or milliseconds since 1970, or by RFC 3339.
    Reset,
}

/// The headers that say how long to wait, in small letters. `retry-after-ms` is the most exact one and
/// counts first.
pub const WAIT_HEADERS: [&str; 3] = ["retry-after-ms", "retry-after", "llm_provider-retry-after"];
/// How headers begin that say when a limit is over.
const RESETS: [&str; 4] =
    ["x-ratelimit-reset", "ratelimit-reset", "anthropic-ratelimit-", "x-rate-limit-reset"];
/// How headers begin and end that say how much of a limit is left: one of nothing is the one that was hit.
const REMAINING: &str = "remaining";
/// Longest time that a header may mean as a number of seconds; what is larger is an instant.
const LONGEST: f64 = 1e8;

/// Reads from the headers of a reply how long an endpoint asks to wait.
///
/// `headers` are names in small letters and their values, `now` is what an instant is counted from. Of
/// several limits the one of which nothing remains counts; where none is named so, the shortest. An
/// instant in the past asks for no wait; what is neither number nor instant asks for nothing. A number
/// too large for a duration is the longest there is.
pub fn asked<'a>(
    headers: impl IntoIterator<Item = (&'a str, &'a str)>,
    now: jiff::Timestamp,
) -> Option<Duration> {
    let headers: Vec<(&str, &str)> = headers.into_iter().collect();
    let named = |name: &str| headers.iter().find(|(n, _)| *n == name).map(|(_, value)| *value);
    let own = WAIT_HEADERS.iter().find_map(|name| {
        let unit = if name.ends_with("-ms") { Unit::Milliseconds } else { Unit::Seconds };
        wait(named(name)?, unit, now)
    });
    own.or_else(|| {
        let resets = headers.iter().filter(|(name, _)| {
            name.contains("reset") && RESETS.iter().any(|begin| name.starts_with(begin))
        });
        let (mut hit, mut any) = (None, None);
        for (name, value) in resets {
            let Some(wait) = wait(value, Unit::Reset, now) else { continue };
            let remaining = named(&name.replace("reset", REMAINING));
            if remaining.and_then(number).is_some_and(|left| left <= 0.0) {
                hit = hit.max(Some(wait));
            }
            any = Some(any.map_or(wait, |least: Duration| least.min(wait)));
        }
        hit.or(any)
    })
}

/// Reads the same from the body of a refusal: `retryDelay` of Google's errors, or `retry_after` beside a
/// message, in seconds or with units.
pub fn asked_in_body(body: &Value) -> Option<Duration> {
    match body {
        Value::Object(members) => members.iter().find_map(|(key, value)| match key.as_str() {
            "retryDelay" | "retry_delay" | "retry_after" | "retryAfter" => {
                let text = value.as_str().map(str::to_owned);
                let text = text.or_else(|| value.as_f64().map(|seconds| seconds.to_string()))?;
                number(&text).map(duration).or_else(|| with_units(&text))
            }
            "retry_after_ms" | "retryAfterMs" => {
                value.as_f64().filter(|ms| *ms >= 0.0).map(|ms| duration(ms / 1000.0))
            }
            _ => asked_in_body(value),
        }),
        Value::Array(items) => items.iter().find_map(asked_in_body),
        _ => None,
    }
}

fn wait(text: &str, unit: Unit, now: jiff::Timestamp) -> Option<Duration> {
    let text = text.trim();
    let plain = number(text);
    match (unit, plain) {
        (Unit::Milliseconds, plain) => plain.map(|ms| duration(ms / 1000.0)),
        (Unit::Reset, Some(instant)) if instant >= LONGEST => {
            let seconds = if instant >= LONGEST * 1e3 { instant / 1000.0 } else { instant };
            let left = seconds - now.as_millisecond() as f64 / 1000.0;
            Some(duration(left.max(0.0)))
        }
        (Unit::Seconds | Unit::Reset, Some(seconds)) => Some(duration(seconds)),
        (Unit::Seconds, None) => until(text, now).or_else(|| with_units(text)),
        (Unit::Reset, None) => {
            let instant = text.parse::<jiff::Timestamp>().ok();
            let left = instant.map(|instant| {
                Duration::try_from(instant.duration_since(now)).unwrap_or(Duration::ZERO)
            });
            left.or_else(|| until(text, now)).or_else(|| with_units(text))
        }
    }
}

/// A number that is not negative. Fractions are not allowed by the standard, and are sent.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.parse().ok().filter(|_| plain)
}

/// Numbers with units behind each other: `1m2.5s`, `300ms`, `2h`.
fn with_units(text: &str) -> Option<Duration> {
    let (mut rest, mut sum) = (text.trim(), 0.0);
    if rest.is_empty() {
        return None;
    }
    while !rest.is_empty() {
        let end = rest.find(|c: char| !(c.is_ascii_digit() || c == '.'))?;
        let (digits, unit) = rest.split_at(end);
        let (factor, name) =
            [("ms", 0.001), ("s", 1.0), ("m", 60.0), ("h", 3600.0), ("d", 86_400.0)]
                .into_iter()
                .find(|(name, _)| unit.starts_with(name))
                .map(|(name, factor)| (factor, name))?;
        sum += number(digits)? * factor;
        rest = unit.get(name.len()..)?;
    }
    Some(duration(sum))
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

fn until(date: &str, now: jiff::Timestamp) -> Option<Duration> {
    let then = jiff::Timestamp::try_from(httpdate::parse_http_date(date).ok()?).ok()?;
    Some(Duration::try_from(then.duration_since(now)).unwrap_or(Duration::ZERO))
}
