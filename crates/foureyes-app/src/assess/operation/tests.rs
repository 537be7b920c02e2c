use super::*;
use crate::assess::Report;
use crate::calibration::Block;
use crate::domain::review::{
    Dated, EntryId, Given, Label, ModeSet, ModeWaiver, StepSaid, WindowStart, Word,
};
use crate::domain::{ByKind, HookMode};

/// A report that says READY after 36 days, the last of which are open.
fn ready() -> Readiness {
    let text = include_str!("../../../../../tests/data/versions/0.2.0/readiness.json");
    serde_json::from_str::<Report>(text).map(|r| r.readiness).unwrap_or_else(|e| panic!("{e}"))
}

fn time(day: &str) -> Timestamp {
    Timestamp::parse_day(day).unwrap_or_else(|| panic!("{day}"))
}

/// Noon of 1 December 2026.
fn now() -> Timestamp {
    Timestamp(time("2026-12-01").0 + 12 * HOUR)
}

fn dated<T>(time: Timestamp, what: T) -> Dated<T> {
    Dated { entry: EntryId([1; 16]), time, reviewer: "anna".to_owned(), what }
}

/// A window since 25 October, and boxes that block since yesterday, each with the end of its waiver.
fn present(boxes: &[(&str, Option<&str>)]) -> Present {
    let mut present = Present::default();
    let start = WindowStart::new(time("2026-10-25"));
    present.rules.get_mut(JudgementKind::Push).windows.push(dated(time("2026-10-25"), start));
    for (name, until) in boxes {
        let waiver = until.map(|until| ModeWaiver {
            name: "Anna".to_owned(),
            reason: "a trial".to_owned(),
            until: time(until),
        });
        let set = ModeSet { waiver, ..ModeSet::new(*name, HookMode::Blocking) };
        present.modes.push(dated(time("2026-11-30"), set));
    }
    present
}

fn box_report(name: &str, state: BoxState, age: i64) -> BoxReport {
    BoxReport {
        name: name.to_owned(),
        state,
        data_age_s: Some(age),
        complete: None,
        error: None,
        records: 1,
        files: 1,
        foreign: 0,
        notices: Vec::new(),
        listed: None,
    }
}

fn operation(present: &Present, readiness: Option<&Readiness>) -> Operation {
    with(present, readiness, &[], &|_| false)
}

fn with(
    present: &Present,
    readiness: Option<&Readiness>,
    boxes: &[BoxReport],
    is_seen: &dyn Fn(&RecordId) -> bool,
) -> Operation {
    let modes = Modes::new(present, now());
    let readiness = ByKind::new(|family| readiness.filter(|_| family == JudgementKind::Push));
    let (reviewer, now, family) = (Some("anna"), now(), family_in_view(present));
    Operation::new(&Sources {
        present,
        modes: &modes,
        family,
        readiness,
        boxes,
        reviewer,
        is_seen,
        now,
    })
}

fn reasons(operation: &Operation) -> Vec<(&str, &BlockReason)> {
    operation.blocking.iter().map(|b| (b.name.as_deref().unwrap_or(""), &b.reason)).collect()
}

#[test]
fn nothing_is_known_of_an_empty_ledger() {
    let empty = operation(&Present::default(), None);
    assert_eq!((empty.blocking.len(), empty.window, empty.blind), (0, None, None));
    // One that begins later is in view before it does.
    let mut later = Present::default();
    let start = WindowStart::new(time("2026-12-05"));
    later.rules.get_mut(JudgementKind::Push).windows.push(dated(now(), start));
    let window = operation(&later, None).window.map(|window| (window.from, window.day));
    assert_eq!(window, Some((time("2026-12-05"), 0)));
}

#[test]
fn window_is_counted_before_its_answer_is_known() {
    let (present, ready) = (present(&[]), ready());
    let counting = operation(&present, None).window;
    let counting = counting.map(|w| (w.day, w.needed, w.result));
    assert_eq!(counting, Some((37, 14, None)));
    let known = operation(&present, Some(&ready)).window;
    let known = known.map(|w| (w.day, w.needed, w.result));
    assert_eq!(known, Some((36, 14, Some(ReadinessResult::Ready))));
}

#[test]
fn boxes_that_block_have_a_reason_and_a_watch() {
    let both = present(&[("attic", None), ("small", Some("2026-12-05"))]);
    let counting = operation(&both, None);
    assert_eq!(reasons(&counting)[1], ("attic", &BlockReason::Counting));
    let ready = ready();
    let found = operation(&both, Some(&ready));
    let (name, why) = ("Anna".to_owned(), "a trial".to_owned());
    let waiver = BlockReason::Waiver { until: time("2026-12-05"), name, why };
    assert_eq!(reasons(&found), [("small", &waiver), ("attic", &BlockReason::Ready)]);
    // 36 of its 48 hours are over at noon of the second day.
    assert!(found.blocking.iter().all(|of| of.watch == Watch::Left(12)));
    let over = present(&[("small", Some("2026-12-01"))]);
    assert!(operation(&over, Some(&ready)).blocking.is_empty(), "the waiver is over");
    // The watch is done once its hours are over.
    let mut watched = both;
    watched.modes.iter_mut().for_each(|mode| mode.time = time("2026-11-28"));
    let found = operation(&watched, Some(&ready));
    assert!(found.blocking.iter().all(|of| of.watch == Watch::Over), "{:?}", found.blocking);
    let step = Some("watch".to_owned());
    let step = StepSaid { runbook: "enable".to_owned(), step, note: None };
    watched.steps.push(dated(now(), step));
    let found = operation(&watched, Some(&ready));
    assert!(found.blocking.iter().all(|of| of.watch == Watch::Done), "{:?}", found.blocking);
}

#[test]
fn ready_is_withdrawn_or_lapses() {
    let attic = present(&[("attic", None), ("small", Some("2026-12-05"))]);
    let mut withdrawn = ready();
    withdrawn.result = ReadinessResult::NotReady;
    withdrawn.kpis[4].withdrawn = Some("2026-11-26".to_owned());
    let found = operation(&attic, Some(&withdrawn));
    let since = BlockReason::Withdrawn(Some(time("2026-11-26")));
    assert_eq!(reasons(&found)[0], ("attic", &since));
    let mut lapsed = ready();
    lapsed.result = ReadinessResult::NotEnoughEvidence;
    let undecided = operation(&attic, Some(&lapsed));
    assert_eq!(reasons(&undecided)[0], ("attic", &BlockReason::Undecided));
    let (id, text) = (STALE_EVIDENCE.to_owned(), String::new());
    lapsed.blocks.push(Block { id, text, waived: None });
    lapsed.window.evidence_until = Some("2026-11-13".to_owned());
    let found = operation(&attic, Some(&lapsed));
    // More days than 14 are open: what those lack that are too many.
    let labels = overdue_labels(&lapsed.days, 14);
    let reason = BlockReason::Lapsed { since: Some(time("2026-11-13")), labels };
    assert!(labels > 0 && labels < found.to_label, "{labels} of {}", found.to_label);
    assert_eq!(reasons(&found)[0], ("attic", &reason));
    assert!(found.window.is_some_and(|window| window.is_lapsed));
}

#[test]
fn nearer_limit_of_blindness_counts_what_was_seen() {
    let (present, mut open) = (present(&[]), ready());
    let share = |labelled, blind| BlindShare { labelled, blind, ..BlindShare::default() };
    if let Some(quality) = &mut open.label_quality {
        quality.open_days = [share(9, 9), share(20, 20)];
    }
    let day = open.days.iter_mut().rfind(|day| day.missing.len() > 1);
    let day = day.unwrap_or_else(|| panic!("an open day"));
    let missing = day.missing.clone();
    day.missing_no_go = vec![missing[0]];
    let of = |seen: &dyn Fn(&RecordId) -> bool| {
        with(&present, Some(&open), &[], seen).blind.map(|b| (b.blind, b.of, b.is_short()))
    };
    // 5 points are left to 95 %, 20 to 80 %.
    assert_eq!(of(&|_| false), Some((20, 20, false)));
    assert_eq!(of(&|id| *id == missing[0]), Some((20, 20, false)));
    // 20 of 21 is 95.2 %.
    assert_eq!(of(&|id| *id == missing[1]), Some((20, 21, false)));
    if let Some(quality) = &mut open.label_quality {
        quality.open_days = [share(3, 3), share(0, 0)];
    }
    let of = |seen: &dyn Fn(&RecordId) -> bool| {
        with(&present, Some(&open), &[], seen).blind.map(|b| (b.blind, b.of, b.is_short()))
    };
    assert_eq!(of(&|id| *id == missing[0]), Some((3, 4, true)));
}

#[test]
fn labels_of_today_are_those_of_the_reviewer() {
    let given = |reviewer: &str, time: Timestamp| Given {
        entry: EntryId([2; 16]),
        time,
        reviewer: reviewer.to_owned(),
        label: Label::new(RecordId([3; 32]), Word::Poor),
        import: None,
    };
    let of = |given: Given| {
        let mut present = present(&[]);
        present.labels.insert(RecordId([3; 32]), vec![given]);
        operation(&present, None).is_labelled_today
    };
    assert!(of(given("anna", now())));
    assert!(!of(given("bert", now())) && !of(given("anna", now().minus_days(1))));
}

#[test]
fn oldest_data_and_failed_pulls_are_in_view() {
    let boxes = [
        box_report("a", BoxState::Ok, 5),
        box_report("b", BoxState::Ok, 22),
        box_report("c", BoxState::Stale, 90_000),
        box_report("d", BoxState::Empty, 0),
        box_report("e", BoxState::Stale, 100_000),
    ];
    let found = with(&Present::default(), None, &boxes, &|_| false);
    assert_eq!((found.boxes, found.data_age_s), (5, Some(22)));
    let names: Vec<_> = found.stale.iter().map(|of| (of.name.as_str(), of.age_s)).collect();
    assert_eq!(names, [("e", Some(100_000)), ("c", Some(90_000))], "d was never asked");
}
