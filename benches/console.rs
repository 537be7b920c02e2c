//! How fast an archive that stays open answers what the console asks of it.
//!
//! `cargo bench --bench console -- [--records N] [--rounds N] [--from DIR]`
//!
//! Without `--from` it generates the logs first. It ends with an error where a bound is missed.
#![allow(clippy::print_stdout, clippy::unwrap_used, clippy::expect_used, clippy::indexing_slicing)]

use foureyes::collect::given;
use foureyes::domain::review::Reviews;
use foureyes::domain::{Timestamp, Window};
use foureyes::files::paths::DataDir;
use foureyes::frame::query::{Query, Scope};
use foureyes::generate::{Spec, generate};
use foureyes::jsonl::Settings;
use foureyes::store::cache::{Archive, Row};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// 2026-10-22T00:00:00Z.
const NOW: Timestamp = Timestamp(1_792_627_200_000_000);
/// Bytes that the archive may keep.
const KEEP: usize = 1 << 30;

/// With `box:` of the first box behind it.
const TYPED: &str = "verdict:no-go score.pragmatic:<3 latency:>2s";
const FREE: &str = "\"free words\"";

struct Asked {
    records: u64,
    rounds: usize,
    from: Option<PathBuf>,
}

fn main() {
    let asked = asked();
    let scratch = tempfile::tempdir().unwrap();
    let logs = asked.from.clone().unwrap_or_else(|| {
        let spec = Spec { repository: false, ..Spec::new(asked.records, 21, 1, NOW) };
        generate(&spec, &scratch.path().join("made")).unwrap();
        scratch.path().join("made/boxes")
    });
    let data = DataDir::at(scratch.path().join("data"));
    drop(open(&data, &logs));
    let mut bench = Bench { data, logs, rounds: asked.rounds, missed: 0 };
    bench.first();
    bench.again();
    std::process::exit(i32::from(bench.missed > 0));
}

/// Reads the arguments; what cargo adds is passed over.
fn asked() -> Asked {
    let mut asked = Asked { records: 1_000_000, rounds: 9, from: None };
    let mut words = std::env::args().skip(1);
    while let Some(word) = words.next() {
        let mut value = || words.next().expect("the flag needs a value");
        match word.as_str() {
            "--records" => asked.records = value().parse().expect("a number of records"),
            "--rounds" => asked.rounds = value().parse().expect("a number of rounds"),
            "--from" => asked.from = Some(value().into()),
            _ => {}
        }
    }
    asked
}

fn open(data: &DataDir, logs: &Path) -> Archive {
    let collected = given(data, &[logs.to_path_buf()], NOW, &mut std::io::empty()).unwrap();
    let mut archive = collected.open(&Settings::default(), &|_| {}).unwrap();
    archive.keep(KEEP);
    archive
}

fn list(archive: &Archive, query: &str, cancel: &(dyn Fn() -> bool + Sync)) -> Option<Vec<Row>> {
    let scope = Scope { boxes: archive.boxes(), now: NOW, reviews: Reviews::none() };
    let of_box = format!("{query} box:=\"{}\"", archive.boxes()[0]);
    let query = if query == TYPED { &of_box } else { query };
    archive.list(&Query::parse(query).unwrap(), &scope, Window::ALL, cancel).unwrap()
}

/// Processor time of this process in milliseconds, in steps of 10; 0 where the system does not say.
fn processor() -> f64 {
    let stat = std::fs::read_to_string("/proc/self/stat").unwrap_or_default();
    let fields = stat.rsplit(')').next().unwrap_or_default().split_whitespace();
    fields.skip(11).take(2).filter_map(|n| n.parse::<f64>().ok()).sum::<f64>() * 10.0
}

struct Bench {
    data: DataDir,
    logs: PathBuf,
    rounds: usize,
    missed: usize,
}

impl Bench {
    /// Measures what is asked of an archive that was just opened, once an archive.
    fn first(&mut self) {
        println!("first time, each on an archive just opened");
        println!("| what | CPU ms | median ms | from – to | bound |\n|---|--:|--:|--:|---|");
        let (data, logs) = (self.data.clone(), self.logs.clone());
        self.say("open", 0.0, |_| drop(open(&data, &logs)));
        let mut archives: Vec<_> = (0..self.rounds).map(|_| open(&data, &logs)).collect();
        self.say("warm, in one thread", 0.0, |_| {
            assert!(archives.pop().unwrap().warm(&|| false).unwrap());
        });
        // Free words look into eight columns, findings are one of them; the console warms all of
        // them beside its first frames, so their first time is nobody's.
        let asked = [
            ("all", "", 0.0),
            ("typed fields", TYPED, 60.0),
            ("text:words", "text:words", 300.0),
            ("free words", FREE, 0.0),
        ];
        for (name, query, bound) in asked {
            let mut archives: Vec<_> = (0..self.rounds).map(|_| open(&data, &logs)).collect();
            self.say(name, bound, |_| {
                let archive = archives.pop().unwrap();
                let found = list(&archive, query, &|| false);
                std::hint::black_box((found, archive.kept_bytes()));
            });
        }
    }

    /// Measures what is asked of an archive that has been in use.
    fn again(&mut self) {
        let archive = open(&self.data, &self.logs);
        let rows = list(&archive, "", &|| false).unwrap();
        for query in [TYPED, FREE] {
            let found = list(&archive, query, &|| false).unwrap().len();
            println!("{query}: {found} of {} rows", rows.len());
        }
        println!("afterwards; {} MB are kept", archive.kept_bytes() >> 20);
        println!("| what | CPU ms | median ms | from – to | bound |\n|---|--:|--:|--:|---|");
        self.say("all, in order", 0.0, |_| drop(list(&archive, "", &|| false)));
        self.say("typed fields", 60.0, |_| drop(list(&archive, TYPED, &|| false)));
        self.say("free words", 300.0, |_| drop(list(&archive, FREE, &|| false)));
        self.say("text:words", 300.0, |_| drop(list(&archive, "text:words", &|| false)));
        let some = |round: usize| -> Vec<Row> {
            (0..60).map(|i| rows[(i * 16_661 + round * 7_919) % rows.len()]).collect()
        };
        archive.records(&some(99)).unwrap();
        self.say("60 records, anywhere", 10.0, |round| drop(archive.records(&some(round))));
        let ids = archive.ids(&rows).unwrap();
        self.say("row of an id", 0.0, |round| {
            assert!(archive.find_row(ids[round * 997 % ids.len()]).unwrap().is_some());
        });
        self.cancel();
    }

    /// Measures how long an answer goes on after it was cancelled, on an archive just opened.
    fn cancel(&mut self) {
        let mut lasts: Vec<Duration> = Vec::new();
        for round in 0..self.rounds {
            let archive = open(&self.data, &self.logs);
            let start = Instant::now();
            let after = Duration::from_millis(20 + 9 * round as u64);
            let at = AtomicU64::new(0);
            let found = list(&archive, FREE, &|| {
                let over = start.elapsed() >= after;
                if over {
                    at.fetch_max(1, Ordering::Relaxed);
                }
                over
            });
            if found.is_none() {
                lasts.push(start.elapsed().saturating_sub(after));
            }
        }
        self.report("cancelled free words, first time | –", 20.0, lasts);
    }

    fn say(&mut self, name: &str, bound: f64, mut run: impl FnMut(usize)) {
        let spent = processor();
        let times = (0..self.rounds).map(|round| {
            let start = Instant::now();
            run(round);
            start.elapsed()
        });
        let times = times.collect();
        let spent = (processor() - spent) / self.rounds as f64;
        self.report(&format!("{name} | {spent:.0}"), bound, times);
    }

    fn report(&mut self, name: &str, bound: f64, mut times: Vec<Duration>) {
        times.sort_unstable();
        let ms = |t: &Duration| t.as_secs_f64() * 1e3;
        let (Some(first), Some(last)) = (times.first(), times.last()) else {
            return println!("| {name} | never measured |");
        };
        let median = ms(&times[times.len() / 2]);
        let holds = bound == 0.0 || median <= bound;
        self.missed += usize::from(!holds);
        let bound = match (bound > 0.0, holds) {
            (false, _) => String::new(),
            (_, true) => format!("≤ {bound:.0}, holds"),
            (_, false) => format!("≤ {bound:.0}, MISSED"),
        };
        println!("| {name} | {median:.1} | {:.1} – {:.1} | {bound} |", ms(first), ms(last));
    }
}
