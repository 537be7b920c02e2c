//! Numbers, durations and times in a query.

use super::ast::{Day, Moment, Test, Unit};
use super::error::Fault;
use super::render::visible;
use crate::domain::Timestamp;

/// Reads a comparison of scores.
pub(super) fn score(equal: bool, text: &str) -> Result<Test<f32>, Fault> {
    test(equal, text, |t| {
        if !is_decimal(t) {
            return Err(Fault::BadNumber(visible(t)));
        }
        let number = t.parse::<f32>().ok().filter(|v| v.is_finite());
        number.ok_or_else(|| Fault::BadNumber(visible(t)))
    })
}

/// Reads a comparison of durations, in milliseconds.
pub(super) fn latency(equal: bool, text: &str) -> Result<Test<i64>, Fault> {
    test(equal, text, milliseconds)
}

/// Reads a comparison of rounds, which are whole numbers.
pub(super) fn round(equal: bool, text: &str) -> Result<Test<u32>, Fault> {
    test(equal, text, |t| {
        let digits = t.bytes().all(|b| b.is_ascii_digit());
        t.parse().ok().filter(|_| digits).ok_or_else(|| Fault::BadNumber(visible(t)))
    })
}

/// Reads a point in time.
pub(super) fn moment(text: &str) -> Result<Moment, Fault> {
    if let Ok(day) = day(text) {
        return Ok(Moment::Day(day));
    }
    let unit = Unit::ALL.into_iter().find(|u| text.ends_with(u.letter()));
    let ago = unit.and_then(|unit| {
        let digits = &text[..text.len() - 1];
        let plain = digits.bytes().all(|b| b.is_ascii_digit());
        Some(Moment::Ago(digits.parse().ok().filter(|_| plain)?, unit))
    });
    ago.or_else(|| Timestamp::parse(text).map(Moment::At))
        .ok_or_else(|| Fault::BadTime(visible(text)))
}

/// Reads a UTC day.
pub(super) fn day(text: &str) -> Result<Day, Fault> {
    match text {
        "today" => Ok(Day::Today),
        "yesterday" => Ok(Day::Yesterday),
        _ => Timestamp::parse_day(text)
            .map(|t| Day::Date(t.day()))
            .ok_or_else(|| Fault::BadDay(visible(text))),
    }
}

/// Reads a comparison: a sign and a number, a number, or a range with both ends within.
fn test<T: PartialOrd>(
    equal: bool,
    text: &str,
    number: impl Fn(&str) -> Result<T, Fault>,
) -> Result<Test<T>, Fault> {
    type Make<T> = fn(T) -> Test<T>;
    let signs: [(&str, Make<T>); 4] =
        [("<=", Test::AtMost), (">=", Test::AtLeast), ("<", Test::Below), (">", Test::Above)];
    if equal {
        return number(text).map(Test::Equal);
    }
    if let Some((rest, make)) = signs.iter().find_map(|(s, m)| Some((text.strip_prefix(s)?, m))) {
        return number(rest).map(make);
    }
    let Some((from, to)) = text.split_once("..") else {
        return number(text).map(Test::Equal);
    };
    let (from, to) = (number(from)?, number(to)?);
    if from > to { Err(Fault::BackwardRange) } else { Ok(Test::Between(from, to)) }
}

fn is_decimal(text: &str) -> bool {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |t: &str| !t.is_empty() && t.bytes().all(|b| b.is_ascii_digit());
    digits(whole) && digits(fraction)
}

/// Reads a number with a unit, exactly.
fn milliseconds(text: &str) -> Result<i64, Fault> {
    let units = [("ms", 1), ("s", 1_000), ("m", 60_000)];
    let split = units.iter().find_map(|(u, ms)| Some((text.strip_suffix(u)?, *ms)));
    let Some((number, unit)) = split else {
        let bare = text.trim_end_matches(char::is_alphabetic);
        let known = is_decimal(bare);
        return Err(if known {
            Fault::BadUnit(visible(text))
        } else {
            Fault::BadNumber(visible(text))
        });
    };
    if !is_decimal(number) {
        let bare = number.trim_end_matches(char::is_alphabetic);
        let unit = bare.len() < number.len() && is_decimal(bare);
        return Err(if unit {
            Fault::BadUnit(visible(text))
        } else {
            Fault::BadNumber(visible(text))
        });
    }
    let (whole, fraction) = number.split_once('.').unwrap_or((number, ""));
    let fraction = fraction.trim_end_matches('0');
    let too_fine = || Fault::TooFine(visible(text));
    // No unit is longer than 60,000 ms: a fifth digit after the point cannot make a whole number.
    let scale = 10_i64
        .checked_pow(u32::try_from(fraction.len()).ok().filter(|n| *n <= 5).ok_or_else(too_fine)?);
    let parts = (whole.parse::<i64>().ok(), format!("0{fraction}").parse::<i64>().ok(), scale);
    let (Some(whole), Some(fraction), Some(scale)) = parts else {
        return Err(Fault::BadNumber(visible(text)));
    };
    if fraction * unit % scale != 0 {
        return Err(too_fine());
    }
    let whole = whole.checked_mul(unit).and_then(|w| w.checked_add(fraction * unit / scale));
    whole.ok_or_else(|| Fault::BadNumber(visible(text)))
}
