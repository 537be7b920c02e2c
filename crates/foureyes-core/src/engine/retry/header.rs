//! How long an endpoint asks to wait.

use std::time::Duration;

/// The headers that say it, as they came.
#[derive(Debug, Clone, Copy, Default)]
pub struct WaitHeaders<'a> {
    /// `retry-after-ms`: milliseconds. It is the more exact one and counts where it is readable.
    pub milliseconds: Option<&'a str>,
    /// `Retry-After`: seconds, or a date (RFC 9110, section 10.2.3).
    pub after: Option<&'a str>,
}

/// Reads how long an endpoint asks to wait.
///
/// `now` is what a date is counted from. A date in the past asks for no wait; what is neither
/// number nor date asks for nothing. A number too large for a duration is the longest there is.
pub fn asked(headers: &WaitHeaders<'_>, now: jiff::Timestamp) -> Option<Duration> {
    let milliseconds = headers.milliseconds.and_then(number).map(|ms| duration(ms / 1000.0));
    milliseconds.or_else(|| {
        let after = headers.after?.trim();
        number(after).map(duration).or_else(|| until(after, now))
    })
}

/// A number that is not negative. Fractions are not allowed by the standard, and are sent.
fn number(text: &str) -> Option<f64> {
    let text = text.trim();
    let plain = text.bytes().all(|b| b.is_ascii_digit() || b == b'.');
    text.parse().ok().filter(|_| plain)
}

fn duration(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

fn until(date: &str, now: jiff::Timestamp) -> Option<Duration> {
    let then = jiff::Timestamp::try_from(httpdate::parse_http_date(date).ok()?).ok()?;
    Some(Duration::try_from(then.duration_since(now)).unwrap_or(Duration::ZERO))
}
