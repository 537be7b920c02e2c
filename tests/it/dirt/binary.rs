//! The same logs through the program: what was written down is what it prints.

use super::corpus::{self, check_row};
use super::reference;
use foureyes::domain::{RejectRow, Triage};
use foureyes::jsonl::Settings;
use serde_json::{Deserializer, Value};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs the program with nothing of this machine but the paths given, and gives what it printed.
fn foureyes(home: &Path, command: &str, from: &[PathBuf]) -> String {
    let mut run = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    run.args(command.split(' ')).arg("--json").arg("--data-dir").arg(home.join("data"));
    for path in from {
        run.arg("--from").arg(path);
    }
    run.env_clear().env("HOME", home).current_dir(home).stdin(Stdio::null());
    let output = run.output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command}: {}: {errors}", output.status);
    let text = String::from_utf8(output.stdout).unwrap();
    let raw = |c: &char| c.is_control() && *c != '\n';
    assert_eq!(text.chars().find(raw), None, "{command} prints a control character");
    text
}

fn boxes() -> [PathBuf; 2] {
    ["north", "south"].map(|name| corpus::root().join(name))
}

fn triage(home: &Path, from: &[PathBuf]) -> Triage {
    serde_json::from_str(&foureyes(home, "triage --limit 1000", from)).unwrap()
}

/// JSON Lines, one array, or a document that holds the array.
fn rows(text: &str, key: &str) -> Vec<Value> {
    let mut all = Vec::new();
    for value in Deserializer::from_str(text).into_iter() {
        match value.unwrap() {
            Value::Array(rows) => all.extend(rows),
            Value::Object(mut document) => match document.remove(key) {
                Some(Value::Array(rows)) => all.extend(rows),
                _ => all.push(Value::Object(document)),
            },
            other => panic!("{other}"),
        }
    }
    all
}

fn contents() -> BTreeMap<String, Vec<u8>> {
    let all = corpus::all();
    all.into_iter().map(|e| (e.file.clone(), corpus::bytes(&e.file))).collect()
}

#[test]
fn triage_counts_the_hand_written_logs_as_was_written_down() {
    let (home, before) = (tempfile::tempdir().unwrap(), contents());
    for run in ["first", "second, from what the first one kept"] {
        let triage = triage(home.path(), &boxes());
        assert!(triage.counts.accounting.balances(), "{run}: {:?}", triage.counts);
        let counts = serde_json::to_value(triage.counts).unwrap();
        for (name, wanted) in corpus::total() {
            assert_eq!(counts[&name], wanted, "{run}: {name} of {counts}");
        }
        let total = corpus::total();
        let flagged =
            total["no_go"] + total["undetermined"] - total["bypassed"] - total["earlier_rounds"];
        // The override of issue-43, which names no record, settles its last round.
        let flagged = flagged - 1;
        assert_eq!(triage.flagged.len() as u64, flagged, "{run}");
        assert_eq!(triage.rejects.len() as u64, total["rejected"], "{run}");
        check_rejects(&triage.rejects);
    }
    assert!(before == contents(), "a log was written to");
}

/// Every reject that is written down is there, at the place the reference gives it.
fn check_rejects(rows: &[RejectRow]) {
    for expected in corpus::all() {
        let mut found: Vec<_> = rows.iter().filter(|r| r.file.ends_with(&expected.file)).collect();
        found.sort_by_key(|r| r.byte);
        let bytes = corpus::bytes(&expected.file);
        let reference = reference::read(&bytes, &Settings::default());
        assert_eq!(found.len(), expected.reject.len(), "{}", expected.file);
        for ((found, wanted), place) in found.iter().zip(&expected.reject).zip(&reference.rejects) {
            assert_eq!((found.line, found.byte), (wanted.line, place.byte), "{}", expected.file);
            assert!(found.reason.contains(&wanted.reason), "{}: {found:?}", expected.file);
        }
    }
}

#[test]
fn rejects_lists_every_fragment() {
    let home = tempfile::tempdir().unwrap();
    let rows = rows(&foureyes(home.path(), "records --rejects", &boxes()), "rejects");
    let rows: Vec<RejectRow> =
        rows.into_iter().map(|row| serde_json::from_value(row).unwrap()).collect();
    assert_eq!(rows.len() as u64, corpus::total()["rejected"]);
    check_rejects(&rows);
}

#[test]
fn records_lists_distinct_records_with_content_and_origins() {
    let home = tempfile::tempdir().unwrap();
    let rows = rows(&foureyes(home.path(), "records", &boxes()), "records");
    assert_eq!(rows.len() as u64, corpus::total()["records"]);
    let at = |file: &str, line: u64, byte: u64| {
        let here = |origin: &Value| {
            let path = origin["file"].as_str().unwrap();
            path.ends_with(file) && origin["line"] == line && origin["byte"] == byte
        };
        let holds = |row: &&Value| row["origins"].as_array().unwrap().iter().any(here);
        let found: Vec<_> = rows.iter().filter(holds).collect();
        assert_eq!(found.len(), 1, "{file}:{line} is an origin of one record");
        found[0]
    };
    let mut ids = BTreeMap::new();
    let mut repeats = Vec::new();
    for expected in corpus::all() {
        let bytes = corpus::bytes(&expected.file);
        let reference = reference::read(&bytes, &Settings::default());
        for (wanted, piece) in expected.record.iter().zip(&reference.found) {
            let row = at(&expected.file, wanted.line, piece.place.byte);
            let name = format!("{}:{}", expected.file, wanted.line);
            check_row(wanted, row, &name);
            match &wanted.same {
                Some(other) => repeats.push((name, other.clone(), row["id"].clone())),
                None => drop(ids.entry(name).or_insert(row["id"].clone())),
            }
        }
    }
    for (name, other, id) in repeats {
        assert_eq!(ids.get(&other), Some(&id), "{name} repeats {other}");
    }
}

#[test]
fn log_growing_between_runs_completes_last_record_once() {
    let home = tempfile::tempdir().unwrap();
    let path = home.path().join("grows.jsonl");
    let first = "{\"commit\":\"a\",\"timestamp\":\"2026-02-15T10:30:00Z\",\"verdict\":\"GO\"}\n";
    let second = "{\"commit\":\"b\",\"verdict\":\"NO-GO\",\"findings\":\"caf\u{e9} \\u00e9\"}\n";
    let log = [first, second].concat().into_bytes();
    let at = |part: &str| first.len() + second.find(part).unwrap();
    let cuts =
        [first.len(), at("{") + 1, at("\u{e9}") + 1, at("\\u00e9") + 3, log.len() - 1, log.len()];
    let mut written = 0;
    for cut in cuts {
        let mut file = std::fs::File::options().create(true).append(true).open(&path).unwrap();
        file.write_all(&log[written..cut]).unwrap();
        written = cut;
        let counts = triage(home.path(), std::slice::from_ref(&path)).counts.accounting;
        let whole = cut >= log.len() - 1;
        assert!(counts.balances(), "{counts:?}");
        assert_eq!(counts.records, 1 + u64::from(whole), "cut at {cut}: {counts:?}");
        assert_eq!(counts.duplicates + counts.rejected, 0, "cut at {cut}: {counts:?}");
        assert_eq!(counts.incomplete, u64::from(cut > first.len() && !whole), "cut at {cut}");
    }
    assert_eq!(std::fs::read(&path).unwrap(), log);
}

/// Runs `triage` with a configuration, and gives the document and what was said beside it.
fn triage_with(home: &Path, config: &str, log: &Path) -> (Triage, String) {
    std::fs::write(home.join("test.toml"), config).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_foureyes"));
    run.args(["triage", "--json", "--config", "test.toml", "--data-dir", "data", "--from"])
        .arg(log);
    run.env_clear().env("HOME", home).current_dir(home).stdin(Stdio::null());
    let output = run.output().unwrap();
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(output.status.success(), "{}: {errors}", output.status);
    (serde_json::from_slice(&output.stdout).unwrap(), errors)
}

fn gzip(path: &Path, bytes: &[u8]) {
    let file = std::fs::File::create(path).unwrap();
    let mut gz = flate2::write::GzEncoder::new(file, flate2::Compression::default());
    gz.write_all(bytes).unwrap();
    gz.finish().unwrap();
}

#[test]
fn compressed_log_beyond_limit_is_named_and_hides_nothing() {
    let home = tempfile::tempdir().unwrap();
    let logs = home.path().join("logs");
    std::fs::create_dir(&logs).unwrap();
    let line = |n: u32| format!("{{\"commit\":\"{n:07x}\",\"verdict\":\"GO\"}}\n");
    gzip(&logs.join("a.jsonl.gz"), (0..100).map(line).collect::<String>().as_bytes());
    std::fs::write(logs.join("b.jsonl"), line(100)).unwrap();
    let bound = line(0).len() * 40;
    let (all, _) = triage_with(home.path(), "", &logs);
    assert_eq!((all.counts.go, all.counts.accounting.rejected), (101, 0));
    let (cut, said) =
        triage_with(home.path(), &format!("[limits]\nunpacked_bytes = {bound}\n"), &logs);
    assert_eq!((cut.counts.go, cut.counts.accounting.rejected), (41, 1));
    assert!(cut.counts.accounting.balances());
    let caveat = cut.caveats.iter().find(|c| c.id == "beyond_limit").unwrap();
    assert!(caveat.text.contains("a.jsonl.gz") && caveat.text.contains(&bound.to_string()));
    assert!(said.contains("a.jsonl.gz"), "{said}");
}

#[test]
fn repeated_records_of_compressed_log_are_counted_with_first_origins() {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("a.jsonl.gz");
    let line = |n: u32| format!("{{\"commit\":\"{n:07x}\",\"verdict\":\"NO-GO\"}}\n");
    gzip(&log, (line(1).repeat(20_000) + &line(2) + &line(1)).as_bytes());
    for _ in 0..2 {
        let (said, _) = triage_with(home.path(), "", &log);
        let counts = said.counts.accounting;
        assert_eq!((counts.records, counts.duplicates, counts.balances()), (2, 20_000, true));
        let places = said.flagged.iter().map(|row| row.origins.len()).max();
        assert_eq!(places, Some(64));
    }
}

/// Of all logs of the operator the last line may be the longest.
#[cfg(target_os = "linux")]
#[test]
fn gibibyte_unterminated_line_is_read_in_bounded_memory() {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("a.jsonl");
    std::fs::write(&log, "{\"commit\":\"a\",\"verdict\":\"GO\"}\n").unwrap();
    // A hole takes no room on the disk.
    std::fs::File::options().write(true).open(&log).unwrap().set_len(1 << 30).unwrap();
    let mut run = Command::new("sh");
    run.args(["-c", "ulimit -v 1000000 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_foureyes")]);
    run.args(["triage", "--json", "--data-dir", "data", "--from"]).arg(&log);
    run.env_clear().env("HOME", home.path()).env("PATH", "/usr/bin:/bin");
    let output = run.current_dir(home.path()).stdin(Stdio::null()).output().unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{}: {errors}", output.status);
    let said: Triage = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((said.counts.go, said.counts.accounting.lines), (1, 2));
}
