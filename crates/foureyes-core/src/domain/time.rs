//! Instants, UTC days and windows.

use jiff::{civil, tz::TimeZone};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::collections::HashSet;
use std::fmt;

/// An instant in UTC, microseconds since 1970.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Timestamp(pub i64);

/// How far a clock may be from another before what it says is doubted, in microseconds.
pub const AHEAD: i64 = 600_000_000;

/// Microseconds in a second.
const SECOND: i64 = 1_000_000;

/// Microseconds in a day.
const DAY: i64 = 86_400_000_000;

/// Brings lines into the order in which they were written, by their times and places. Where a line has whole seconds
/// only, nobody knows when in its second it was written: there places tell the order.
pub fn sort_by_writing<T, P: Ord>(lines: &mut [T], written: impl Fn(&T) -> (Option<Timestamp>, P)) {
    let coarse: HashSet<Timestamp> = lines
        .iter()
        .filter_map(|line| written(line).0)
        .filter(|at| at.0.rem_euclid(SECOND) == 0)
        .collect();
    lines.sort_by_key(|line| {
        let (at, place) = written(line);
        let second = at.map(Timestamp::whole_second);
        let within = at.filter(|_| second.is_none_or(|second| !coarse.contains(&second)));
        (second, within, place)
    });
}

impl Timestamp {
    /// Reads an RFC 3339 or ISO 8601 instant; without an offset it is taken as UTC.
    pub fn parse(text: &str) -> Option<Self> {
        let text = text.trim();
        if let Some(fast) = parse_plain(text.as_bytes()) {
            return Some(fast);
        }
        if let Ok(t) = text.parse::<jiff::Timestamp>() {
            return Some(Self(t.as_microsecond()));
        }
        let local: civil::DateTime = text.parse().ok()?;
        let has_time = text.contains(':');
        let zoned = local.to_zoned(TimeZone::UTC).ok().filter(|_| has_time)?;
        Some(Self(zoned.timestamp().as_microsecond()))
    }

    /// The start of a UTC day written `YYYY-MM-DD`.
    pub fn parse_day(text: &str) -> Option<Self> {
        let day: civil::Date = text.parse().ok().filter(|_| text.len() == 10)?;
        Some(Self(day.to_zoned(TimeZone::UTC).ok()?.timestamp().as_microsecond()))
    }

    /// The UTC day it falls in, as days since 1970.
    pub fn day(self) -> i32 {
        i32::try_from(self.0.div_euclid(DAY)).unwrap_or(i32::MAX)
    }

    /// The Monday of the UTC week it falls in, as days since 1970.
    pub fn monday(self) -> i32 {
        let day = self.day();
        // The first of January 1970 was a Thursday.
        day - (day + 3).rem_euclid(7)
    }

    /// The first instant of a UTC day given as days since 1970; of days that are further away than
    /// instants can be told, the last one that can.
    pub fn of_day(day: i32) -> Self {
        Self(i64::from(day).saturating_mul(DAY))
    }

    /// The UTC day as `YYYY-MM-DD`.
    pub fn day_text(self) -> String {
        self.to_string().chars().take(10).collect()
    }

    /// The beginning of its second.
    pub fn whole_second(self) -> Self {
        Self(self.0.div_euclid(1_000_000) * 1_000_000)
    }

    /// The instant that `at_us` gives beside this time of a line, in microseconds since 1970. One of another second says
    /// nothing.
    pub fn exact(self, at_us: Option<i64>) -> Self {
        let at = at_us.map(Self).filter(|at| at.whole_second() == self.whole_second());
        at.unwrap_or(self)
    }

    /// Whole seconds from `earlier` to this instant; negative when it is before.
    pub fn seconds_since(self, earlier: Self) -> i64 {
        (self.0 - earlier.0).div_euclid(1_000_000)
    }

    /// This instant moved on by whole days.
    pub fn plus_days(self, days: u32) -> Self {
        Self(self.0 + i64::from(days) * DAY)
    }

    /// This instant moved back by whole days.
    pub fn minus_days(self, days: u32) -> Self {
        Self(self.0 - i64::from(days) * DAY)
    }
}

/// Reads exactly `YYYY-MM-DDTHH:MM:SSZ`, what nearly every log carries, without a general parser.
fn parse_plain(b: &[u8]) -> Option<Timestamp> {
    let [
        y1,
        y2,
        y3,
        y4,
        b'-',
        m1,
        m2,
        b'-',
        d1,
        d2,
        b'T',
        h1,
        h2,
        b':',
        n1,
        n2,
        b':',
        s1,
        s2,
        b'Z',
    ] = *b
    else {
        return None;
    };
    let digit = |c: u8| Some(i64::from(c.checked_sub(b'0').filter(|d| *d < 10)?));
    let two = |a, b| Some(digit(a)? * 10 + digit(b)?);
    let (year, month, day) = (two(y1, y2)? * 100 + two(y3, y4)?, two(m1, m2)?, two(d1, d2)?);
    let (hour, minute, second) = (two(h1, h2)?, two(n1, n2)?, two(s1, s2)?);
    let leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let longest = match month {
        4 | 6 | 9 | 11 => 30,
        2 => 28 + i64::from(leap),
        1..=12 => 31,
        _ => return None,
    };
    if !(1..=longest).contains(&day) || hour > 23 || minute > 59 || second > 59 {
        return None;
    }
    // Days from civil date, the era-based form of H. Hinnant's "chrono-compatible date algorithms".
    let y = year - i64::from(month <= 2);
    let era = y.div_euclid(400);
    let of_era = y.rem_euclid(400);
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    let days = era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468;
    let at = (days * 86_400 + hour * 3_600 + minute * 60 + second) * 1_000_000;
    // The last hours of the year 9999 are no instants that can be shown.
    (at <= jiff::Timestamp::MAX.as_microsecond()).then_some(Timestamp(at))
}

impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match jiff::Timestamp::from_microsecond(self.0) {
            Ok(t) => write!(f, "{t}"),
            Err(_) => write!(f, "{}µs", self.0),
        }
    }
}

impl Serialize for Timestamp {
    fn serialize<S: Serializer>(&self, s: S) -> Result<S::Ok, S::Error> {
        s.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Timestamp {
    fn deserialize<D: Deserializer<'de>>(d: D) -> Result<Self, D::Error> {
        let text = String::deserialize(d)?;
        Self::parse(&text).ok_or_else(|| serde::de::Error::custom("no RFC 3339 instant"))
    }
}

/// A half-open span of time `[from, to)`; an end that is `None` is open.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Window {
    /// First instant inside.
    pub from: Option<Timestamp>,
    /// First instant after.
    pub to: Option<Timestamp>,
}

impl Window {
    /// Everything, records without a timestamp among it.
    pub const ALL: Self = Self { from: None, to: None };

    /// Whether it is [`Window::ALL`].
    pub fn is_all(&self) -> bool {
        *self == Self::ALL
    }

    /// What of it is dated ahead of a clock that shows `now`, by more than clocks differ.
    pub fn ahead_of(&self, now: Timestamp) -> Self {
        let clock = Timestamp(now.0.saturating_add(AHEAD));
        Self { from: Some(self.from.map_or(clock, |from| from.max(clock))), to: self.to }
    }

    /// Whether a record of that time is inside; an undated one is inside only [`Window::ALL`].
    pub fn holds(&self, timestamp: Option<Timestamp>) -> bool {
        match timestamp {
            None => self.is_all(),
            Some(t) => self.from.is_none_or(|f| t >= f) && self.to.is_none_or(|e| t < e),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_out_of_range_saturate() {
        assert_eq!(Timestamp::of_day(i32::MIN), Timestamp(i64::MIN));
        assert_eq!(Timestamp::of_day(i32::MAX), Timestamp(i64::MAX));
        assert_eq!(Timestamp::of_day(-1).day(), -1);
    }

    #[test]
    fn the_quick_reader_agrees_with_jiff() {
        for text in [
            "1970-01-01T00:00:00Z",
            "2024-02-29T23:59:59Z",
            "2026-02-15T10:30:00Z",
            "1969-12-31T23:59:59Z",
        ] {
            let slow = text.parse::<jiff::Timestamp>().map(|t| t.as_microsecond());
            assert_eq!(parse_plain(text.as_bytes()).map(|t| t.0), slow.ok(), "{text}");
        }
        for text in [
            "2023-02-29T00:00:00Z",
            "2026-13-01T00:00:00Z",
            "2026-04-31T00:00:00Z",
            "2026-01-01T24:00:00Z",
            "9999-12-31T00:00:00Z",
        ] {
            assert_eq!(Timestamp::parse(text), None, "{text}");
        }
    }

    #[test]
    fn offsets_and_naive_times_are_read() {
        let utc = Timestamp::parse("2026-02-15T10:30:00Z");
        assert!(utc.is_some());
        assert_eq!(Timestamp::parse("2026-02-15T11:30:00+01:00"), utc);
        assert_eq!(Timestamp::parse("2026-02-15 10:30:00"), utc);
        for bad in ["", "yesterday", "2026-02-15", "1771151400"] {
            assert_eq!(Timestamp::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn undated_is_in_no_window_but_all() {
        assert!(Window::ALL.holds(None));
        let window = Window { from: Timestamp::parse_day("2026-01-01"), to: None };
        assert!(!window.holds(None));
        assert!(window.holds(Timestamp::parse("2026-01-01T00:00:00Z")));
        assert!(!window.holds(Timestamp::parse("2025-12-31T23:59:59Z")));
    }
}
