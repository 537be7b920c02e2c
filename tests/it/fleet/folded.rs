//! Evaluations of the store that are folded as they come.

use super::reads::logs;
use super::{Desk, SHARED, database};
use crate::cli::{Home, begin_window};
use foureyes::assess::{self, Ask, Evaluations, Held};
use foureyes::domain::review::Present;
use foureyes::domain::{JudgementKind, RecordId, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::store::cache::Archive;
use foureyes::store::ledger::Ledger;
use serde_json::{Value, json};
use std::path::Path;

fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

fn present(desk: &Desk) -> Present {
    let data = DataDir::at(desk.home.path().join("data"));
    Ledger::load(&data).unwrap().present(now())
}

/// The report without what takes each record that has no label: a store gives counts alone.
fn report(archive: &Archive, present: &Present, ask: &Ask<'_>) -> Value {
    let mut report = assess::report(archive, present, ask).unwrap().unwrap();
    (report.readiness.prices, report.readiness.arriving) = (Vec::new(), None);
    serde_json::to_value(&report).unwrap()
}

/// Ids of records that a filter matches, in order.
fn ids(desk: &Desk, filter: &str) -> Vec<String> {
    let found = desk.good(&["records", filter, "--json"]);
    let id = |line: &str| serde_json::from_str::<Value>(line).unwrap()["id"].clone();
    found.lines().map(|line| id(line).as_str().unwrap().to_owned()).collect()
}

#[test]
fn folded_evaluations_decide_as_on_one_machine() {
    let (made, name) = (Home::new(), database());
    let desk = Desk::new("anna", &logs(&made), &SHARED.ports, &name);
    desk.good(&["fleet", "init"]);
    desk.publish();
    let (here, there) = desk.archives();
    let until = Timestamp(now().0 - 3_600_000_000);
    let mut asked = 0;
    let mut same = |of: JudgementKind, held: &[Held]| -> Value {
        let present = present(&desk);
        let ask = Ask { held, ..Ask::new(of, now(), until, &[]) };
        let (ours, theirs) = (report(&here, &present, &ask), report(&there, &present, &ask));
        assert_eq!(ours, theirs, "{of:?}");
        asked += 1;
        ours
    };
    // Without a window all of a year counts.
    for of in JudgementKind::ALL {
        let ours = same(of, &[]);
        assert!(ours["days"].as_array().unwrap().len() > 5, "{ours}");
    }
    for family in JudgementKind::ALL {
        begin_window(&desk.home.path().join("data"), "anna", family, "2026-11-03");
        let family = family.as_str();
        desk.good(&["gate", "audit", "1", "--since", "2026-11-03", "--family", family]);
    }
    JudgementKind::ALL.into_iter().for_each(|of| drop(same(of, &[])));
    let some = ids(&desk, "family:push (verdict:go | verdict:no-go) since:2026-11-01");
    let tasks = ids(&desk, "evaluation:task");
    for (id, word) in some.iter().step_by(9).zip(["poor", "acceptable", "unsure"].iter().cycle()) {
        desk.good(&["label", id, word]);
    }
    tasks.iter().take(4).for_each(|id| drop(desk.good(&["label", id, "poor"])));
    // A word that is changed, and a window after another one.
    desk.good(&["label", &some[0], "acceptable"]);
    JudgementKind::ALL.into_iter().for_each(|of| drop(same(of, &[])));
    // Of what this machine holds, some is in the store and some is not.
    let all = Evaluations::load(&here, JudgementKind::Push, &|| false).unwrap().unwrap();
    let mut held = assess::held(&all, &present(&desk), now());
    held.push((RecordId([7; 32]), now()));
    let inside = held.len() / 2;
    held.push((RecordId([8; 32]), held[inside].1));
    let ours = same(JudgementKind::Push, &held);
    assert!(ours["blocks"].to_string().contains("logs_shrunk"), "{}", ours["blocks"]);
    desk.good(&["gate", "window", "2026-11-06"]);
    drop(same(JudgementKind::Push, &[]));
    assert_eq!(asked, 8);
}

/// A box with so many pushes on each of three days, alike but for their commits and times.
fn pushes(boxes: &Path, each: u32) {
    let line = |day: u32, n: u32| {
        let verdict = ["GO", "NO-GO", "GO", "GO"][n as usize % 4];
        let time = format!("2026-11-0{day}T{:02}:{:02}:{:02}Z", n / 3600, n / 60 % 60, n % 60);
        let line = json!({"commit": format!("{day}{n:07x}"), "author": "claw", "judge_model": "m",
            "verdict": verdict, "timestamp": time, "latency_ms": 900 + n % 7,
            "files_evaluated": ["a.md"], "mode": "advisory"});
        format!("{line}\n")
    };
    std::fs::create_dir_all(boxes.join("attic")).unwrap();
    for day in 1..4 {
        let lines: String = (0..each).map(|n| line(day, n)).collect();
        std::fs::write(boxes.join(format!("attic/2026-11-0{day}.jsonl")), lines).unwrap();
    }
}

#[test]
fn what_is_kept_does_not_grow_with_evaluations_without_a_label() {
    let kept = |each: u32| {
        let (made, name) = (Home::new(), database());
        let boxes = made.path().join("boxes");
        pushes(&boxes, each);
        let desk = Desk::new("anna", &boxes, &SHARED.ports, &name);
        desk.good(&["fleet", "init"]);
        begin_window(&desk.home.path().join("data"), "anna", JudgementKind::Push, "2026-11-01");
        desk.good(&["gate", "audit", "1", "--since", "2026-11-01"]);
        desk.publish();
        ids(&desk, "verdict:no-go").iter().take(5).for_each(|id| {
            desk.good(&["label", id, "poor"]);
        });
        let (present, until) = (present(&desk), now());
        let (here, there) = desk.archives();
        let ask = Ask::new(JudgementKind::Push, until, until, &[]);
        assert_eq!(report(&here, &present, &ask), report(&there, &present, &ask));
        let all = Evaluations::folded(&there, &present, &ask).unwrap().unwrap();
        let stand_for: u64 = all.all().iter().map(|one| u64::from(one.times)).sum();
        assert_eq!(stand_for, u64::from(each) * 3);
        all.all().len()
    };
    let (few, many) = (kept(900), kept(3600));
    assert_eq!(few, many);
    assert!(many < 700, "{many}");
}
