//! What is said of time, with a clock that is given: around midnight UTC, ahead and behind.

use super::{PlainOrJson, saved::Document};
use crate::answers::triage::boxes::freshness;
use crate::domain::review::{Act, AuditRate, EntryId, Reviewer, WindowStart};
use crate::domain::{BoxReport, BoxState, Timestamp};
use crate::store::ledger::Saved;

const SECOND: i64 = 1_000_000;

fn midnight() -> Timestamp {
    Timestamp::parse_day("2026-03-01").unwrap()
}

fn fresh(report: &BoxReport, now: Timestamp) -> String {
    freshness(report.state, report.age_at(now)).raw()
}

fn report(complete: Option<Timestamp>, age: Option<i64>) -> BoxReport {
    BoxReport {
        name: "small".to_owned(),
        state: BoxState::Ok,
        data_age_s: age,
        complete,
        error: None,
        records: 1,
        files: 1,
        notices: Vec::new(),
        foreign: 0,
        listed: None,
    }
}

#[test]
fn age_of_data_grows_over_midnight_and_names_clocks_that_differ() {
    let complete = midnight();
    let at = |seconds: i64| {
        fresh(&report(Some(complete), None), Timestamp(complete.0 + seconds * SECOND))
    };
    assert_eq!(at(0), "ok, data 0 s ago");
    assert_eq!(at(119), "ok, data 119 s ago");
    assert_eq!(at(86_400), "ok, data 24 h ago");
    assert_eq!(at(-1), "ok, data 1 s in the future (clocks differ)");
    assert_eq!(at(-86_400), "ok, data 86400 s in the future (clocks differ)");
    // What the pull found is the least: a clock that is set back makes nothing younger.
    let known = report(Some(complete), Some(300));
    assert_eq!(fresh(&known, Timestamp(complete.0 - SECOND)), "ok, data 5 min ago");
    assert_eq!(fresh(&report(None, None), complete), "ok, no data yet");
}

#[test]
fn what_was_saved_names_the_day_it_was_given_whatever_the_clock_says() {
    let by = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    let saved = Saved {
        entry: EntryId([1; 16]),
        path: "anna@desk.jsonl".into(),
        already: false,
        repaired: false,
    };
    let text = |act: &Act, now: i64| {
        let mut text = Vec::new();
        let time = Timestamp(midnight().0 + now);
        Document::new(&by, time, act, &saved).write_plain(&mut text).unwrap();
        String::from_utf8(text).unwrap()
    };
    let window = Act::Window(WindowStart::new(midnight()));
    let rate = Act::Rate(AuditRate::new(midnight(), None, 0.5, None));
    for now in [-86_400 * SECOND, -1, 0, 1, 86_400 * SECOND] {
        assert!(text(&window, now).starts_with("saved: calibration from 2026-03-01T00:00:00Z,"));
        let rate = text(&rate, now);
        assert!(rate.starts_with("saved: audit 0.5 of all that passes from 2026-03-01T00:00:00Z,"));
        // It reaches back only where its first instant is over.
        assert_eq!(rate.contains("reaches back"), now > 0, "{now}: {rate}");
    }
}
