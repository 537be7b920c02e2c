//! How fast the gate answers over a million records and 5,000 labels, once they are loaded, how fast
//! the calibration queue is built of that answer, and how long the rest of the screen takes.
//!
//! The records are those of a year, so that the labels close its first days.
//!
//! `cargo bench --bench readiness -- [RECORDS]`
//!
//! It ends with an error where a bound is missed.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use foureyes::assess::{
    Ask, Breakdown, Divided, Evaluations, Reviewer, Turn, assess_loaded, drift, replays, waiting,
};
use foureyes::collect::given;
use foureyes::config::Config;
use foureyes::domain::review::{
    AuditRate, Dated, EntryId, Given, Label, Present, Seed, WindowStart, Word,
};
use foureyes::domain::{JudgementKind, Outcome, RecordId, Timestamp};
use foureyes::files::paths::DataDir;
use foureyes::generate::{Families, Spec, generate};
use foureyes::jsonl::Settings;
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
        Spec { repository: false, families: Families::Push, ..Spec::new(records, 365, 1, NOW) };
    generate(&spec, &scratch.path().join("made")).unwrap();
    let data = DataDir::at(scratch.path().join("data"));
    let logs = [scratch.path().join("made/boxes")];
    let collected = given(&data, &logs, NOW, &mut std::io::empty()).unwrap();
    drop(collected.open(&Settings::default(), &|_| {}).unwrap());
    let begin = Instant::now();
    let archive = collected.open(&Settings::default(), &|_| {}).unwrap();
    let all = Evaluations::load(&archive, JudgementKind::Push, &|| false).unwrap().unwrap();
    println!("loading {} evaluations: {} ms", all.all().len(), begin.elapsed().as_millis());
    let ask = Ask::new(JudgementKind::Push, NOW, NOW, &[]);
    let present = labelled(&all, &ask);
    let days = assess_loaded(&all, &present, &ask).readiness.window.closed_days;
    println!("with {} labels, {days} days are closed", present.labels.len());
    assert!(days > 2, "nothing of the labels would reach the gate");
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
    // What follows the answer on the screen, which shows it meanwhile.
    measure("parts, rules and drift", || {
        let divided = Divided::new(&all, &present, &ask);
        for by in Breakdown::ALL {
            assert!(!divided.breakdown(&archive, &all, by, &Config::default()).unwrap().is_empty());
        }
        assert!(!replays(&all, &divided.contents.distinct).is_empty());
        drop(drift(&all));
    });
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
    let spent = spent.map_or_else(|| "unknown".to_owned(), |ms| format!("{ms} ms"));
    let mut times = all.clone();
    times.sort_unstable();
    let low = times[TIMES / 4];
    println!("{what}: {low} ms, the first {} ms, CPU {spent} (of {times:?})", all[0]);
    low
}

/// Hundredths of a second that the processors spent on this process, where the system tells.
fn ticks() -> Option<u64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace().skip(11).take(2);
    fields.map(|field| field.parse::<u64>().ok()).sum()
}

/// A window, an audit rate, and 5,000 labels of what is due on the first days.
fn labelled(all: &Evaluations, ask: &Ask<'_>) -> Present {
    fn dated<T>(what: T) -> Dated<T> {
        Dated { entry: EntryId([1; 16]), time: Timestamp(0), reviewer: "anna".to_owned(), what }
    }
    let from = all.all()[0].at;
    let mut present = Present::default();
    present
        .rules
        .get_mut(JudgementKind::Push)
        .windows
        .push(dated(WindowStart::new(Timestamp::of_day(from.day()))));
    let seed = Some(Seed([7; 32]));
    let rate = AuditRate {
        family: Default::default(),
        from,
        stratum: None,
        rate: 0.02,
        seed,
        withheld: false,
        forward: false,
    };
    present.rules.get_mut(JudgementKind::Push).rates.push(dated(rate));
    let days = assess_loaded(all, &present, ask).readiness.days;
    let due: Vec<RecordId> = days.iter().flat_map(|day| &day.missing).copied().collect();
    for record in due.into_iter().take(5000) {
        let at = all.find(record).unwrap();
        let word = match all.all()[at].outcome {
            Outcome::NoGo => Word::Poor,
            _ => Word::Acceptable,
        };
        let given = Given {
            entry: EntryId([2; 16]),
            time: NOW,
            reviewer: "anna".to_owned(),
            label: Label::new(record, word),
            import: None,
        };
        present.labels.insert(record, vec![given]);
    }
    present
}
