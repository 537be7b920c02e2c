//! The spans of time that bars and columns stand for.

use crate::domain::{Timestamp, Window};
use crate::frame::query::{Day, Moment, Node, Term};
use jiff::civil::Date;
use serde::{Serialize, Serializer};
use std::collections::BTreeSet;

/// How long a span is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// A UTC day.
    Day,
    /// A week from Monday on, as ISO 8601 has it.
    Week,
    /// A month of the calendar.
    Month,
}

/// A span of whole UTC days.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Span {
    /// Its first day, as days since 1970; in JSON `YYYY-MM-DD`.
    #[serde(serialize_with = "day")]
    pub first: i32,
    /// Its last day.
    #[serde(serialize_with = "day")]
    pub last: i32,
}

/// Most spans of an axis: two months of days.
const MOST: usize = 62;

/// Days without a record after which what lies before is left off an axis that has no beginning
/// of its own: the clock of a box that lost its time must not make a month of data one bar.
const GAP: i64 = 366;

/// The spans, one after the other without a gap.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Axis {
    pub(super) step: Step,
    pub(super) spans: Vec<Span>,
}

/// Where a day is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    Before,
    At(usize),
    After,
}

impl Axis {
    /// The spans of a window in which records of those days are.
    pub(super) fn new(window: Window, now: Timestamp, days: &BTreeSet<i32>) -> Self {
        let last = last(window, now, days);
        let first = match window.from {
            Some(from) => from.day().min(last),
            None => connected(days, last),
        };
        let (span, most) = (i64::from(last) - i64::from(first), MOST as i64);
        let step = match span {
            0.. if span < most => Step::Day,
            _ if span <= (most - 1) * 7 => Step::Week,
            _ => Step::Month,
        };
        Self { step, spans: spans(step, first, last) }
    }

    /// Where a day is among them.
    pub(super) fn place(&self, day: i32) -> Place {
        let at = self.spans.partition_point(|s| s.last < day);
        match self.spans.get(at) {
            None => Place::After,
            Some(span) if day < span.first => Place::Before,
            Some(_) => Place::At(at),
        }
    }

    /// The conditions that a record lies before them.
    pub(super) fn before(&self) -> Vec<Node> {
        self.spans.first().map(|s| until(s.first)).into_iter().collect()
    }

    /// The conditions that a record lies after them.
    pub(super) fn after(&self) -> Vec<Node> {
        self.spans.last().map(|s| since(s.last.saturating_add(1))).into_iter().collect()
    }
}

impl Span {
    /// The conditions that a record lies in it.
    pub(super) fn nodes(&self) -> Vec<Node> {
        if self.first == self.last {
            return vec![Node::Term(Term::Day(Day::Date(self.first)))];
        }
        vec![since(self.first), until(self.last.saturating_add(1))]
    }
}

fn since(day: i32) -> Node {
    Node::Term(Term::Since(Moment::Day(Day::Date(day))))
}

fn until(day: i32) -> Node {
    Node::Term(Term::Until(Moment::Day(Day::Date(day))))
}

/// The last day to show: that of now, so that days on which nothing came are seen; but where a
/// window without a beginning holds old logs only, their last day.
fn last(window: Window, now: Timestamp, days: &BTreeSet<i32>) -> i32 {
    if let Some(to) = window.to {
        return Timestamp(to.0.saturating_sub(1)).day();
    }
    let today = now.day();
    let newest = days.range(..=today).next_back().copied();
    let old = newest.filter(|d| i64::from(today) - i64::from(*d) > MOST as i64);
    if window.from.is_some() { today } else { old.unwrap_or(today) }
}

/// The first day that no long gap parts from the last one.
fn connected(days: &BTreeSet<i32>, last: i32) -> i32 {
    let mut first = last;
    for day in days.range(..=last).rev() {
        if i64::from(first) - i64::from(*day) > GAP {
            break;
        }
        first = *day;
    }
    first
}

/// The spans from the one that holds the first day to the one that holds the last, at most
/// [`MOST`], the newest ones.
fn spans(step: Step, first: i32, last: i32) -> Vec<Span> {
    let mut spans = Vec::new();
    let mut end = last;
    while spans.len() < MOST && end >= first {
        let start = start(step, end);
        spans.push(Span { first: start, last: finish(step, start) });
        end = start.saturating_sub(1);
    }
    spans.reverse();
    spans
}

/// The first day of the span that holds a day.
fn start(step: Step, day: i32) -> i32 {
    match step {
        Step::Day => day,
        // 1970-01-01 was a Thursday.
        Step::Week => day.saturating_sub((i64::from(day) + 3).rem_euclid(7) as i32),
        Step::Month => of_month(day, Date::first_of_month),
    }
}

/// The last day of the span that begins with a day.
fn finish(step: Step, start: i32) -> i32 {
    match step {
        Step::Day => start,
        Step::Week => start.saturating_add(6),
        Step::Month => of_month(start, Date::last_of_month),
    }
}

/// Moves a day within the calendar; one that no calendar has stays where it is.
fn of_month(day: i32, to: fn(Date) -> Date) -> i32 {
    let epoch = jiff::civil::date(1970, 1, 1);
    let moved = || {
        let days = jiff::Span::new().try_days(day).ok()?;
        let date = to(epoch.checked_add(days).ok()?);
        Some(date.since(epoch).ok()?.get_days())
    };
    moved().unwrap_or(day)
}

fn day<S: Serializer>(day: &i32, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(&Timestamp::of_day(*day).day_text())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn at(day: &str) -> Timestamp {
        Timestamp::parse_day(day).unwrap()
    }

    fn axis(from: Option<&str>, now: &str, days: &[&str]) -> (Step, Vec<String>) {
        let window = Window { from: from.map(at), to: None };
        let days = days.iter().map(|d| at(d).day()).collect();
        let axis = Axis::new(window, at(now), &days);
        let text = |d: i32| Timestamp::of_day(d).day_text();
        let named = |s: &Span| format!("{} {}", text(s.first), text(s.last));
        (axis.step, axis.spans.iter().map(named).collect())
    }

    #[test]
    fn every_day_of_a_week_is_there_whether_or_not_something_came() {
        let (step, spans) = axis(Some("2026-11-16"), "2026-11-22", &["2026-11-18"]);
        assert_eq!((step, spans.len()), (Step::Day, 7));
        assert_eq!(spans[0], "2026-11-16 2026-11-16");
        assert_eq!(spans[6], "2026-11-22 2026-11-22");
    }

    #[test]
    fn longer_window_uses_weeks_then_months_within_limit() {
        let (step, spans) = axis(Some("2026-09-22"), "2026-11-22", &[]);
        assert_eq!((step, spans.len()), (Step::Day, 62));
        let (step, spans) = axis(Some("2026-09-21"), "2026-11-22", &[]);
        assert_eq!((step, spans.len()), (Step::Week, 9));
        assert_eq!(spans[0], "2026-09-21 2026-09-27");
        assert_eq!(spans[8], "2026-11-16 2026-11-22");
        let (step, spans) = axis(Some("2025-09-21"), "2026-11-22", &[]);
        assert_eq!((step, spans.len()), (Step::Week, 62));
        let (step, spans) = axis(Some("2025-01-31"), "2026-11-22", &[]);
        assert_eq!((step, spans.len()), (Step::Month, 23));
        assert_eq!(spans[1], "2025-02-01 2025-02-28");
        assert_eq!(axis(Some("1970-01-01"), "2026-11-22", &[]).1.len(), MOST);
    }

    #[test]
    fn window_without_start_spans_records_except_long_gap() {
        let days = ["1970-01-01", "2026-11-01", "2026-11-20", "2031-01-01"];
        let (step, spans) = axis(None, "2026-11-22", &days);
        assert_eq!((step, spans.len()), (Step::Day, 22));
        assert_eq!(spans[0], "2026-11-01 2026-11-01");
    }

    #[test]
    fn old_logs_end_with_their_last_day() {
        let (_, spans) = axis(None, "2026-11-22", &["2024-02-28", "2024-03-01"]);
        assert_eq!(spans.len(), 3);
        assert_eq!(spans[2], "2024-03-01 2024-03-01");
        assert_eq!(axis(None, "2026-11-22", &[]).1, ["2026-11-22 2026-11-22"]);
    }

    #[test]
    fn each_day_is_in_its_span_or_outside() {
        let window = Window { from: Some(at("2025-12-31")), to: None };
        for now in ["2026-01-05", "2026-06-01", "2029-03-01"] {
            let axis = Axis::new(window, at(now), &BTreeSet::new());
            let (first, last) = (axis.spans[0].first, axis.spans.last().unwrap().last);
            assert_eq!(axis.place(first - 1), Place::Before);
            assert_eq!(axis.place(last + 1), Place::After);
            for day in first..=last {
                let Place::At(i) = axis.place(day) else { panic!("{day} is nowhere") };
                assert!((axis.spans[i].first..=axis.spans[i].last).contains(&day));
            }
        }
    }
}
