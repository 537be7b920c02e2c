//! Sixteen mornings of an operator who does first what comes first to hand. Records come day by day: a judge
//! that misses nothing, blocks one in a hundred that is fine, and gets a quarter of what a busy team pushes.

use super::*;
use foureyes::assess::Report;
use foureyes::calibration::{KpiResult, ReadinessResult};
use foureyes::domain::JudgementKind;
use foureyes::domain::review::{ContentHash, Requested, Shown};
use std::sync::Arc;

const DAYS: u32 = 16;
/// Pushes of a day, of which each fifth is poor.
const PUSHES: u32 = 27;
/// Each is acceptable, and is flagged all the same.
const BLOCKED: [(u32, u32); 3] = [(3, 1), (8, 2), (12, 4)];

fn commit(day: u32, push: u32) -> String {
    format!("{day:02}{push:06}aa")
}

/// What a push deserves, by its commit.
fn truth(commit: &str) -> Word {
    let push: u32 = commit[2..8].parse().unwrap();
    if push.is_multiple_of(5) { Word::Poor } else { Word::Acceptable }
}

fn log(day: u32) -> String {
    let record = |n| {
        let commit = commit(day, n);
        let is_flagged = truth(&commit) == Word::Poor || BLOCKED.contains(&(day, n));
        let mut record = push(&commit, day, n, if is_flagged { "NO-GO" } else { "GO" });
        record["served_model"] = "fastest-2026".into();
        record["prompt_sha"] = "0".repeat(64).into();
        record["latency_ms"] = 3000.into();
        record
    };
    lines(&(0..PUSHES).map(record).collect::<Vec<_>>())
}

/// Half past nine of the morning after a day.
fn morning(day: u32) -> Timestamp {
    Timestamp(date(i64::from(day) + 1).0 + 34_200_000_000)
}

/// The console on the morning after the first day: a window began with it, and all that passes is drawn.
fn first_morning() -> World {
    let setup = Setup { now: morning(1), size: (120, 700), ..setup() };
    let world = World::ready(&setup, &[("north/2026-02-01.jsonl", log(1))]);
    let from = date(1);
    say(&world, "lead", date(0), &Act::Window(WindowStart::new(from)));
    say(&world, "lead", date(0), &Act::Rate(AuditRate::new(from, None, 1.0, Some(Seed([3; 32])))));
    world.again()
}

/// The console on the next morning, with the records of another day.
fn next_morning(world: &World, day: u32) -> World {
    world.append(&format!("north/2026-02-{day:02}.jsonl"), &log(day));
    world.on(morning(day))
}

/// The console a minute later, with all that was labelled until then.
fn later(world: &World) -> World {
    world.on(Timestamp(world.model.now.0 + 60_000_000))
}

fn report(world: &World) -> Arc<Report> {
    world.model.assessments.get(JudgementKind::Push).result.value.clone().expect("it was counted")
}

/// Labels as a sitting writes them, with the content on the screen.
fn labels(
    world: &mut World,
    who: &str,
    records: impl IntoIterator<Item = (RecordId, Option<Requested>)>,
) {
    let commits: BTreeMap<RecordId, String> =
        ids(world).into_iter().map(|(commit, id)| (id, commit)).collect();
    let label = |(record, requested): (RecordId, Option<Requested>)| {
        let shown = Some(Shown::Content(ContentHash([1; 32])));
        let label = Label::new(record, truth(&commits[&record]));
        Label { blind: true, shown, requested, ..label }
    };
    let labels: Vec<Label> = records.into_iter().map(label).collect();
    if !labels.is_empty() {
        say(world, who, world.model.now, &Act::Labels { labels, import: None });
    }
}

/// What the state line says when too few labels are blind.
fn warns(world: &World) -> bool {
    let short = |blind: foureyes::assess::BlindState| blind.is_short();
    let operation = world.model.operation.as_ref();
    operation.and_then(|of| of.blind).is_some_and(short) && drawn(world).contains("! blind ")
}

const PRICE: &str = "will no longer count as blind";

#[test]
fn who_looks_first_is_warned_on_the_first_morning_and_on_each_after_it() {
    let mut world = first_morning();
    for day in 1..=DAYS {
        if day > 1 {
            world = next_morning(&world, day);
            assert!(warns(&world), "day {day}: {}", drawn(&world));
        }
        // What was flagged: nothing of it is shown before the price is.
        world.keys("1 enter 2 b");
        let asked = drawn(&world);
        assert!(asked.contains(PRICE), "day {day}: {asked}");
        let hidden = world.model.price().unwrap();
        assert!(hidden > 0 && asked.contains(&hidden.to_string()), "day {day}: {asked}");
        world.keys("ctrl-s a");
        // What was just done has cost it: said at once, and not only where READY is refused for it.
        assert!(warns(&world), "day {day}: {}", drawn(&world));
    }
    let given = present(&world).labels;
    let given: Vec<_> = given.values().flatten().collect();
    assert_eq!(given.len(), DAYS as usize);
    assert!(given.iter().all(|given| !given.label.blind));
    assert_ne!(report(&world).readiness.result, ReadinessResult::Ready);
}

#[test]
fn who_heeds_the_warning_has_a_judge_that_is_ready_after_sixteen_days() {
    let mut world = first_morning();
    for day in 1..=DAYS {
        if day > 1 {
            world = next_morning(&world, day);
        }
        world.keys("2 b");
        assert!(drawn(&world).contains(PRICE), "day {day}: {}", drawn(&world));
        world.keys("esc");
        let first = world.selected().unwrap();
        world.keys(if truth(&first) == Word::Poor { "p" } else { "a" });
        assert!(!warns(&world), "day {day}: {}", drawn(&world));
        // The rest of the sitting, and then the second words of another reviewer.
        world = later(&world);
        let open = report(&world);
        let open = open.readiness.days.iter().flat_map(|day| &day.missing);
        let open: Vec<_> = open.map(|record| (*record, None)).collect();
        labels(&mut world, "anna", open);
        world = later(&world);
        let waiting = report(&world);
        let waiting = waiting.readiness.reviewer_error.second_words.waiting.iter();
        let waiting: Vec<_> =
            waiting.map(|second| (second.record, Some(second.requested))).collect();
        labels(&mut world, "bert", waiting);
    }
    let world = later(&world);
    let report = report(&world);
    let r = &report.readiness;
    let open = r.kpis.iter().filter(|kpi| kpi.gated && kpi.result != KpiResult::Met);
    let open: Vec<&str> = open.map(|kpi| kpi.id.as_str()).collect();
    let blocks: Vec<&str> = r.blocks.iter().map(|block| block.id.as_str()).collect();
    assert_eq!((r.result, open, blocks), (ReadinessResult::Ready, vec![], vec![]));
    assert!(drawn(&world).contains("READY"), "{}", drawn(&world));
}

#[test]
fn price_says_what_the_share_becomes() {
    let mut world = first_morning();
    world.keys("2 a a a");
    let blind = world.model.operation.as_ref().unwrap().blind.unwrap();
    let hidden = world.model.price().unwrap() as u64;
    world.keys("b");
    let (kept, of, after) = (blind.blind, blind.of, blind.of + hidden);
    let needed = if blind.needed > 0.9 { "95 %" } else { "80 %" };
    let asked =
        format!("{hidden} {PRICE}: {kept} of {of} becomes {kept} of {after}, {needed} needed");
    assert!(kept > 0 && drawn(&world).contains(&asked), "{asked}\n{}", drawn(&world));
}
