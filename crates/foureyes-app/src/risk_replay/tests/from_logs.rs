//! The same from logs and ledgers on the disk: what `risk replay` does between its arguments and its document.

use super::*;
use crate::collect;
use crate::domain::review::{Act, AuditRate, Label, Reviewer, Seed, WindowStart, Word};
use crate::engine::cost::{Price, Prices};
use crate::files::paths::DataDir;
use crate::jsonl::{self, Settings};
use crate::store::ledger::{Ledger, fresh_id};
use serde_json::{Value, json};

const DAY: i64 = 86_400_000_000;
const SECOND: i64 = 1_000_000;
/// Changes and panels of each history.
const FEWER: (usize, usize) = (400, 90);

/// The first instant of the day of the history.
fn midnight() -> Timestamp {
    Timestamp::parse_day("2026-03-02").unwrap()
}

/// The line of a change, as the hook writes it.
fn pushed(number: usize, change: &PastChange) -> Value {
    let verdict = if change.is_flagged { "NO-GO" } else { "GO" };
    let score = if change.is_flagged { 2 } else { 5 };
    json!({
        "commit": format!("{number:040x}"),
        "timestamp": Timestamp(midnight().0 + number as i64 * SECOND).to_string(),
        "author": change.author, "judge_model": "judge", "files_evaluated": change.files,
        "scores": {"semantic": score, "pragmatic": 4, "syntactic": 4},
        "verdict": verdict, "findings": "f", "revision_suggestions": [],
        "content_sha": sha(change.content_sha.as_deref()), "latency_ms": 900,
        "risk": {"depth": "quick", "rules": [], "lines": 1, "files": 1},
    })
}

/// The lines of a run by a panel.
fn judged(number: usize, run: &PastRun) -> Vec<Value> {
    let tiers = ["quick", "deep", "tiebreaker"];
    let calls = run.spent.calls as usize;
    let decision = match run.decided {
        Decided::Accept => "accept",
        Decided::Reject => "reject",
        Decided::Person => "escalate",
    };
    let milliseconds = (run.spent.seconds.unwrap() * 1000.0).round();
    let line = |(round, tier): (usize, &&str)| {
        let is_first = round == 0;
        let mut line = json!({
            "task_id": format!("task {number}"), "run": format!("{number:032x}"), "model": "judge",
            "mode": tier, "judge_tier": tier, "verdict": "accept", "depth": "panel",
            "scores": {"semantic": 4, "pragmatic": 4, "syntactic": 4}, "average": 4.0,
            "reasoning": "r", "improvements": [], "round": round + 1, "previous_rounds": [],
            "timestamp": Timestamp(midnight().0 + number as i64 * SECOND).to_string(),
            "files": ["notes/b.md"], "content_sha": sha(run.content_sha.as_deref()),
            // The third judge begins when both of the others have answered.
            "latency_ms": if round < 2 { milliseconds } else { 0.0 },
            "usage": {"prompt_tokens": if is_first { run.spent.tokens } else { Some(0) },
                      "completion_tokens": 0},
        });
        if round + 1 == calls {
            line["decision"] = decision.into();
        }
        line
    };
    tiers.iter().take(calls).enumerate().map(line).collect()
}

fn sha(content: Option<&str>) -> String {
    blake3::hash(content.unwrap().as_bytes()).to_hex().to_string()
}

/// What a replay says of a history that is written to the disk and read again.
fn replayed_from_logs(planted: &Planted) -> ReplayDocument {
    let dir = tempfile::tempdir().unwrap();
    let (logs, data) = (dir.path().join("logs"), DataDir::at(dir.path().join("data")));
    std::fs::create_dir(&logs).unwrap();
    let (mut pushes, mut labels) = (String::new(), Vec::new());
    for (number, change) in planted.past.changes.iter().enumerate() {
        let line = pushed(number, change).to_string();
        let id = jsonl::read_one(line.as_bytes(), &Settings::default()).unwrap().id;
        let word = if planted.poor[number] { Word::Poor } else { Word::Acceptable };
        labels.push(Label { blind: true, ..Label::new(id, word) });
        pushes += &(line + "\n");
    }
    let runs = planted.past.runs.iter().enumerate().flat_map(|(number, run)| judged(number, run));
    let runs: String = runs.map(|line| line.to_string() + "\n").collect();
    std::fs::write(logs.join("2026-03-02.jsonl"), pushes + &runs).unwrap();

    let now = Timestamp(midnight().0 + 2 * DAY);
    let by = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    let mut ledgers = Ledger::load(&data).unwrap();
    let rate = AuditRate::new(midnight(), None, 0.5, Some(Seed([7; 32])));
    for (at, act) in [
        (midnight(), Act::Window(WindowStart::new(midnight()))),
        (midnight(), Act::Rate(rate)),
        (Timestamp(midnight().0 + DAY), Act::Labels { labels, import: None }),
    ] {
        ledgers.append(&by, fresh_id(at), at, &act).unwrap();
    }

    let collected = collect::given(&data, &[logs], now, &mut std::io::empty()).unwrap();
    let archive = collected.open(&Settings::default(), &|_| {}).unwrap();
    let (family, since) = (JudgementKind::Push, midnight());
    let price = Price { model: "judge".to_owned(), prompt: 10.0, completion: 10.0 };
    let past = past(&archive, family, since, now, &Prices(vec![price])).unwrap();
    let present = ledgers.present(now);
    let labels = labels_of((&archive, &collected.boxes), family, &present, now).unwrap();
    let rules = rules();
    let facts = facts_of(&past, &rules, &[]);
    let evidences = Evidences::new(&past.runs, &TaskConfig::default(), Some(1.0));
    let asked = Planned { family, rules: &rules, since, now, evidences: &evidences };
    replay(&asked, &past, &facts, &labels)
}

/// The share of what passed wrongly that is risky, where the audit draws among all that passed.
fn reached() -> f64 {
    let (changes, panels) = (FEWER.0 as f64, FEWER.1 as f64);
    let risky = changes * RISKY * POOR[1] * MISSED;
    let other = changes * (1.0 - RISKY) * POOR[0] * MISSED;
    risky / (risky + other + panels * 0.5)
}

#[test]
fn replay_of_logs_and_ledgers_covers_the_truth_in_95_of_100_seeds() {
    let next = std::sync::atomic::AtomicU64::new(0);
    let work = || {
        let (mut covered, mut widths) = (0, Vec::new());
        loop {
            let seed = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            if seed >= 100 {
                return (covered, widths);
            }
            let planted = planted_with(1000 + seed, FEWER);
            let found = replayed_from_logs(&planted);
            assert_eq!(found.changes as usize, FEWER.0 + FEWER.1);
            assert_eq!(found.deeper.least, found.deeper.most, "{:?}", found.caveats);
            // A part of what passed was drawn, and only that counts as missed.
            let misses = planted.poor.iter().zip(&planted.past.changes);
            let misses = misses.filter(|(poor, change)| **poor && !change.is_flagged).count();
            assert!(found.reached.of > 0 && (found.reached.of as usize) < misses);
            covered += u32::from(covers(&found, &planted.truth, reached()));
            let calls = &found.calls;
            widths.push((calls.high.unwrap() - calls.low.unwrap()) / planted.truth.calls as f64);
        }
    };
    let all: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..2).map(|_| scope.spawn(work)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap()).collect()
    });
    let covered: u32 = all.iter().map(|(covered, _)| covered).sum();
    let widths = || all.iter().flat_map(|(_, widths)| widths);
    assert_eq!(widths().count(), 100);
    assert!(covered >= 95, "{covered} of 100");
    // An interval that says nothing covers everything.
    let mean = widths().sum::<f64>() / 100.0;
    assert!(mean < 0.25, "{mean}");
}
