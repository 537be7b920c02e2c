//! Logs that hold little but what is no record: the real program counts all of it, keeps little, and says so.

use foureyes::domain::Triage;
use foureyes::domain::review::{Act, Label, Reviewer, Word};
use foureyes::files::paths::DataDir;
use foureyes::jsonl::{Settings, read_one};
use foureyes::store::ledger::{Ledger, fresh_id};
use std::io::{BufWriter, Write};
use std::path::Path;
use std::process::{Command, Stdio};

const GOOD: &str = "{\"commit\":\"good\",\"timestamp\":\"2026-02-15T10:30:00Z\",\"verdict\":\"NO-GO\",\
                    \"judge_model\":\"m\"}\n";

/// A line of a build that stands beside verdicts.
fn build(n: u32) -> String {
    format!(
        "{{\"commit\":\"{n:07x}\",\"timestamp\":\"2026-02-15T11:00:00Z\",\"status\":\"success\"}}\n"
    )
}

struct Ran {
    out: String,
    err: String,
    /// The most memory that it had, in KiB.
    peak: u64,
}

/// Runs the program on the logs of a home, and watches its memory.
fn run(home: &Path, args: &[&str]) -> Ran {
    let mut command = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    command.args(args).args(["--data-dir", "data", "--from", "logs"]);
    command.env_clear().env("HOME", home).current_dir(home).stdin(Stdio::null());
    let [out, err] = ["out", "err"].map(|name| home.join(name));
    command.stdout(std::fs::File::create(&out).unwrap());
    command.stderr(std::fs::File::create(&err).unwrap());
    let mut child = command.spawn().unwrap();
    let (status, mut peak) = (format!("/proc/{}/status", child.id()), 0);
    let ended = loop {
        let text = std::fs::read_to_string(&status).unwrap_or_default();
        let line = text.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        peak = line.map_or(peak, |line| line.trim().trim_end_matches(" kB").parse().unwrap());
        if let Some(ended) = child.try_wait().unwrap() {
            break ended;
        }
        std::thread::sleep(std::time::Duration::from_millis(2));
    };
    let [out, err] = [out, err].map(|path| std::fs::read_to_string(path).unwrap());
    assert!(ended.success(), "{args:?}: {ended}: {err}");
    Ran { out, err, peak }
}

fn triage(home: &Path) -> Triage {
    serde_json::from_str(&run(home, &["triage", "--json"]).out).unwrap()
}

fn home() -> tempfile::TempDir {
    let home = tempfile::tempdir().unwrap();
    std::fs::create_dir(home.path().join("logs")).unwrap();
    home
}

fn write(home: &Path, name: &str, parts: impl Iterator<Item = String>) {
    let file = std::fs::File::create(home.join("logs").join(name)).unwrap();
    let mut file = BufWriter::new(file);
    if name.ends_with(".gz") {
        let mut gz = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        parts.for_each(|part| gz.write_all(part.as_bytes()).unwrap());
        gz.finish().unwrap().flush().unwrap();
    } else {
        parts.for_each(|part| file.write_all(part.as_bytes()).unwrap());
        file.flush().unwrap();
    }
}

/// Bytes of all files below a directory.
fn size(dir: &Path) -> u64 {
    let entries = std::fs::read_dir(dir).unwrap().map(|entry| entry.unwrap());
    let size = |entry: std::fs::DirEntry| match entry.file_type().unwrap().is_dir() {
        true => size(&entry.path()),
        false => entry.metadata().unwrap().len(),
    };
    entries.map(size).sum()
}

/// A day of logs with so many rejects in 100 MB.
const REJECTS: u64 = 5_000_000;

#[cfg(target_os = "linux")]
#[test]
fn millions_of_lines_that_are_no_record_take_little_memory_and_cache() {
    let good = || std::iter::once(GOOD.to_owned());
    let rejects = (0..REJECTS / 1000).map(|n| format!("not a record {n:06}\n").repeat(1000));
    let torn = std::iter::repeat_n("{\"a\":1,\n".repeat(1000), 1000);
    let foreign = (0..400_000).map(build);
    for (name, parts, rejected, foreign) in [
        (
            "a.jsonl",
            Box::new(rejects.chain(good())) as Box<dyn Iterator<Item = String>>,
            REJECTS,
            0,
        ),
        ("a.jsonl.gz", Box::new(torn.chain(good())), 1_000_000, 0),
        ("a.jsonl", Box::new(foreign.chain(good())), 0, 400_000),
    ] {
        let home = home();
        write(home.path(), name, parts);
        let ran = run(home.path(), &["triage", "--json"]);
        assert!(ran.peak > 0 && ran.peak < 300 << 10, "{name}: {} KiB", ran.peak);
        let cache = size(&home.path().join("data"));
        assert!(cache < 50_000_000, "{name}: {cache} bytes of cache");
        assert!(ran.out.len() < 100_000, "{name}: a document of {} bytes", ran.out.len());
        let triage: Triage = serde_json::from_str(&ran.out).unwrap();
        let counts = triage.counts.accounting;
        assert!(counts.balances(), "{counts:?}");
        assert_eq!((counts.records, counts.rejected, counts.foreign), (1, rejected, foreign));
        let listed = rejected.min(50);
        assert_eq!(triage.rejects.len() as u64, listed);
        assert_eq!((triage.rejects_total, triage.rejects_left_out), (rejected, rejected - listed));
        let list = run(home.path(), &["records", "--rejects", "--json"]);
        assert_eq!(list.out.lines().count() as u64, rejected.min(1000), "{name}");
        let more = foureyes::text::separated(rejected.saturating_sub(1000));
        let more = format!("{more} more were counted");
        assert_eq!(list.err.contains(&more), rejected > 1000, "{name}: {}", list.err);
    }
}

#[test]
fn lines_of_other_programs_move_no_rate_and_are_a_number_of_their_log() {
    let home = home();
    write(home.path(), "2026-02-15.jsonl", std::iter::once(GOOD.to_owned()));
    let alone = triage(home.path());
    write(home.path(), "builds.jsonl", (0..4).map(build).chain(["{\"level\":1}\n".to_owned()]));
    write(home.path(), "2026-02-15.jsonl", [GOOD.to_owned(), build(9)].into_iter());
    let beside = triage(home.path());
    assert_eq!(beside.kpis, alone.kpis);
    assert_eq!((beside.flagged_total, beside.counts.undetermined), (1, 0));
    let counts = beside.counts.accounting;
    assert_eq!((counts.lines, counts.records, counts.foreign, counts.rejected), (7, 1, 6, 0));
    let logs: Vec<_> =
        beside.foreign_logs.iter().map(|log| (log.file.as_str(), log.foreign)).collect();
    assert_eq!(logs, [("logs/builds.jsonl", 5), ("logs/2026-02-15.jsonl", 1)]);
    assert_eq!((beside.foreign_logs_total, beside.boxes[0].foreign), (2, 6));
    let caveat = beside.caveats.iter().find(|caveat| caveat.id == "foreign").unwrap();
    let text = "6 lines in 2 logs are from other programs and count in no KPI";
    assert_eq!(caveat.text, format!("{text} (docs/faq.md#lines-from-other-programs)"));
    for args in [&["triage"][..], &["triage", "--markdown", "-"]] {
        let text = run(home.path(), args).out;
        for part in ["foreign 6", "Logs with lines from other programs: 2", "builds.jsonl"] {
            assert!(text.contains(part), "{args:?}: {part:?} is not in {text}");
        }
    }
}

/// A label that an earlier version took for such a line keeps it a record, from the next run on.
#[test]
fn label_of_a_line_of_another_program_keeps_it_a_record() {
    let home = home();
    write(home.path(), "a.jsonl", (0..3).map(build));
    assert_eq!(triage(home.path()).counts.accounting.foreign, 3);
    let id = read_one(build(1).as_bytes(), &Settings::default()).unwrap().id;
    let mut ledger = Ledger::load(&DataDir::at(home.path().join("data"))).unwrap();
    let by = Reviewer { name: "anna".to_owned(), machine: "desk".to_owned() };
    let at = foureyes::domain::Timestamp(1_771_200_000_000_000);
    let label = Act::Label(Label::new(id, Word::Poor));
    ledger.append(&by, fresh_id(at), at, &label).unwrap();
    let counts = triage(home.path()).counts.accounting;
    assert_eq!((counts.records, counts.foreign), (1, 2));
    let shown = run(home.path(), &["records", "label:poor", "--json"]).out;
    assert!(shown.contains(&id.to_string()), "{shown}");
}

#[test]
fn padding_beyond_the_longest_line_hides_no_record() {
    let pad = "\0".repeat(20_000_000);
    for (name, parts) in [
        ("front.jsonl", [pad.as_str(), GOOD, GOOD]),
        ("inside.jsonl", [GOOD, "{\"commit\":\"torn", &(pad.clone() + GOOD)]),
        ("end.jsonl", [GOOD, GOOD, &pad]),
        ("front.jsonl.gz", [&pad, GOOD, GOOD]),
    ] {
        let home = home();
        let more = ["\n".to_owned(), GOOD.replace("good", "last")];
        write(home.path(), name, parts.into_iter().map(str::to_owned).chain(more));
        let counts = triage(home.path()).counts.accounting;
        let torn = u64::from(name.starts_with("inside"));
        assert_eq!((counts.records, counts.duplicates), (2, 1), "{name}: {counts:?}");
        assert_eq!((counts.rejected, counts.blank), (torn, 1), "{name}: {counts:?}");
        assert!(counts.balances(), "{name}: {counts:?}");
    }
}
