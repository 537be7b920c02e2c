//! The kinds of the queue: for calibration, for triage, for conflicts.

use super::logs::{lines, push};
use super::paper;
use super::world::{NOW, Setup, World};
use foureyes::domain::review::Reviewer;
use foureyes::domain::review::{Act, AuditRate, Label, Present, Seed, WindowStart, Word};
use foureyes::domain::{RecordId, Timestamp};
use foureyes::store::ledger::id_of;
use foureyes::tui::input::Input;
use foureyes::tui::model::{Days, Pane, QueueKind};
use foureyes::tui::{Effect, Message};
use std::collections::{BTreeMap, BTreeSet};

mod conflicts;
mod exports;
mod eyes;
mod forms;
mod gate;
mod guide;
mod many;
mod mine;
mod queue;
mod repeats;
mod seconds;
mod seen;
mod sets;
mod sixteen_days;
mod state;

/// Records of a day, every other one flagged.
fn day(of: u32, count: u32) -> String {
    let verdict = |n| if n % 2 == 0 { "NO-GO" } else { "GO" };
    let one = |n| push(&format!("{of:02}{n:06}aa"), of, n, verdict(n));
    lines(&(0..count).map(one).collect::<Vec<_>>())
}

/// A first of February with 80 records, and three days of twelve before the present.
fn logs() -> Vec<(&'static str, String)> {
    let flagged = |n: u32| push(&format!("01{n:06}aa"), 1, n % 60, "NO-GO");
    vec![
        ("north/2026-02-01.jsonl", lines(&(0..80).map(flagged).collect::<Vec<_>>())),
        ("north/2026-02-17.jsonl", day(17, 12)),
        ("north/2026-02-18.jsonl", day(18, 12)),
        ("north/2026-02-19.jsonl", day(19, 12)),
    ]
}

/// A console that is tall enough to have read every record.
fn setup() -> Setup {
    let mut setup =
        Setup { size: (120, 400), stale: "nowhere", contents: true, ..Setup::default() };
    setup.facts.days = Days::All;
    setup.facts.queue_since = None;
    setup
}

fn date(day: i64) -> Timestamp {
    Timestamp(Timestamp::parse_day("2026-02-01").unwrap().0 + (day - 1) * 86_400_000_000)
}

/// Writes an entry as somebody.
fn say(world: &World, who: &str, at: Timestamp, act: &Act) {
    let by = Reviewer { name: who.to_owned(), machine: "desk".to_owned() };
    let mut ledger = world.ledger();
    let id = id_of(format!("{who} {at:?} {act:?}").as_bytes());
    ledger.append(&by, id, at, act).unwrap();
}

/// Begins a window and draws so much of what passed since the 17th.
fn begin(world: &World, rate: f64) {
    let from = date(17);
    say(world, "lead", date(16), &Act::Window(WindowStart::new(from)));
    let rate = AuditRate {
        family: Default::default(),
        from,
        stratum: None,
        rate,
        seed: Some(Seed([3; 32])),
        withheld: false,
        forward: false,
    };
    say(world, "lead", date(16), &Act::Rate(rate));
}

/// The console over these logs with a window; nobody labelled anything.
fn calibrating(rate: f64) -> World {
    let world = World::ready(&setup(), &logs());
    begin(&world, rate);
    let mut world = world.again();
    world.keys("2");
    world
}

/// All records by their commits.
fn ids(world: &mut World) -> BTreeMap<String, RecordId> {
    world.keys("3");
    let list = world.model.list().unwrap();
    let read = |line| {
        let shown = world.model.rows.get(list.edition, list.row(line)?)?;
        Some((shown.row.commit.clone()?, shown.row.id))
    };
    let found: BTreeMap<_, _> = (0..list.len()).filter_map(read).collect();
    assert_eq!(found.len(), list.len(), "every record is read");
    found
}

fn resize(world: &mut World, (width, height): (u16, u16)) {
    world.tell(Message::Input(Input::Resize { width, height }));
    world.settle();
}

fn drawn(world: &World) -> String {
    paper::text(&paper::drawn(&world.model))
}

fn note(world: &World) -> String {
    world.model.notices.current().map(|n| n.text.clone()).unwrap_or_default()
}

fn here(world: &World) -> RecordId {
    world.model.selected().unwrap().row.id
}

fn present(world: &World) -> Present {
    world.ledger().present(NOW)
}

/// Labels of a record that count, the earliest first.
fn given(world: &World, id: RecordId) -> Vec<(String, Label)> {
    let present = present(world);
    let all = present.labels.get(&id).cloned().unwrap_or_default();
    all.into_iter().map(|given| (given.reviewer, given.label)).collect()
}

fn kind(world: &World) -> QueueKind {
    world.model.calibrate.selection.kind
}
