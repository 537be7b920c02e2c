//! How fast the gate answers over a million records and 5,000 labels, once they are loaded, and how
//! fast the calibration queue is built of that answer.
//!
//! `cargo bench --bench readiness -- [RECORDS]`
//!
//! It ends with an error where a bound is missed.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use foureyes::assess::{Ask, Evaluations, Reviewer, Turn, assess_loaded, waiting};
use foureyes::collect::given;
use foureyes::domain::review::{
    AuditRate, Dated, EntryId, Given, Label, Present, Seed, WindowStart, Word,
};
use foureyes::domain::{Outcome, Timestamp};
use foureyes::generate::{Families, Spec, generate};
use foureyes::jsonl::Settings;
use foureyes::store::paths::DataDir;
use std::time::Instant;

/// 2026-10-22T00:00:00Z.
const NOW: Timestamp = Timestamp(1_792_627_200_000_000);
/// Milliseconds for an answer.
const BOUND: u128 = 100;
/// Milliseconds for the answer and the queue that is made of it.
const QUEUE_BOUND: u128 = 200;
/// Measurements of each.
const TIMES: usize = 15;

fn main() {
    let records = std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(1_000_000);
    let scratch = tempfile::tempdir().unwrap();
    let spec =
        Spec { repository: false, families: Families::Push, ..Spec::new(records, 21, 1, NOW) };
    generate(&spec, &scratch.path().join("made")).unwrap();
    let data = DataDir::at(scratch.path().join("data"));
    let logs = [scratch.path().join("made/boxes")];
    let collected = given(&data, &logs, NOW, &mut std::io::empty()).unwrap();
    drop(collected.open(&Settings::default(), &|_| {}).unwrap());
    let begin = Instant::now();
    let archive = collected.open(&Settings::default(), &|_| {}).unwrap();
    let all = Evaluations::load(&archive, &|| false).unwrap().unwrap();
    println!("loading {} evaluations: {} ms", all.all().len(), begin.elapsed().as_millis());
    let present = labelled(&all);
    let ask =
        Ask { now: NOW, policy: None, complete_until: NOW, missing_boxes: &[], cancel: &|| false };
    let answer = measure("answering", || {
        let assessment = assess_loaded(&all, &present, &ask);
        assert_eq!(assessment.labels, present.labels.len());
    });
    let queue = measure("answering and building the queue", || {
        let assessed = assess_loaded(&all, &present, &ask);
        for turn in [Turn::Mixed, Turn::Decides] {
            let who = Reviewer { name: "anna", repeats: 0.1, turn };
            let waits = waiting(&all, &assessed, &present, who, NOW);
            assert!(waits.due.len() > 5000, "{}", waits.due.len());
        }
    });
    println!("with {} labels", present.labels.len());
    std::process::exit(i32::from(answer > BOUND || queue > QUEUE_BOUND));
}

/// The lower quartile of several times in milliseconds: what else runs on the machine only adds.
fn measure(what: &str, run: impl Fn()) -> u128 {
    let one = || {
        let begin = Instant::now();
        run();
        begin.elapsed().as_millis()
    };
    let before = ticks();
    let all: Vec<u128> = (0..TIMES).map(|_| one()).collect();
    let spent = ticks().zip(before).map(|(now, before)| (now - before) * 10 / TIMES as u64);
    let mut times = all.clone();
    times.sort_unstable();
    let low = times[TIMES / 4];
    println!("{what}: {low} ms, the first {} ms, CPU {spent:?} ms (of {times:?})", all[0]);
    low
}

/// Hundredths of a second that the processors spent on this process, where the system tells.
fn ticks() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    fields.map(|field| field.parse::<u64>().ok()).sum()
}

/// A window, an audit rate and 5,000 labels.
fn labelled(all: &Evaluations) -> Present {
    fn dated<T>(what: T) -> Dated<T> {
        Dated { entry: EntryId([1; 16]), time: Timestamp(0), reviewer: "anna".to_owned(), what }
    }
    let from = all.all()[0].at;
    let mut present = Present::default();
    present.windows.push(dated(WindowStart { from: Timestamp::of_day(from.day()) }));
    let rate = AuditRate { from, stratum: None, rate: 0.002, seed: Some(Seed([7; 32])) };
    present.rates.push(dated(rate));
    for e in all.all().iter().filter(|e| e.outcome == Outcome::NoGo).take(5000) {
        let given = Given {
            entry: EntryId([2; 16]),
            time: NOW,
            reviewer: "anna".to_owned(),
            label: Label::new(e.id, Word::Poor),
            import: None,
        };
        present.labels.insert(e.id, vec![given]);
    }
    present
}
