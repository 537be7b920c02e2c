//! The directory written by hand, against what was written down about it beforehand.

use super::reference;
use super::seen::{self, Piece, Seen};
use foureyes::domain::{Accounting, Cause, Family, Outcome, Record};
use foureyes::jsonl::Settings;
use serde::Deserialize;
use serde_json::{Map, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What must be made of one file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Expected {
    pub(super) file: String,
    counts: BTreeMap<String, u64>,
    pub(super) reject: Vec<ExpectedReject>,
    pub(super) record: Vec<ExpectedRecord>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedReject {
    pub(super) line: u64,
    /// What its reason must hold.
    #[serde(default)]
    pub(super) reason: String,
    /// How its bytes start.
    #[serde(default)]
    text: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct ExpectedRecord {
    pub(super) line: u64,
    /// Fields by the names of `records --json`.
    #[serde(default)]
    pub(super) is: Map<String, Value>,
    /// Fields that must not be there; `a.b` is `b` of `a`.
    #[serde(default)]
    pub(super) absent: Vec<String>,
    /// `file:line` of the record whose content it repeats.
    pub(super) same: Option<String>,
}

pub(super) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/dirt")
}

pub(super) fn all() -> Vec<Expected> {
    let mut paths: Vec<_> =
        std::fs::read_dir(root().join("expected")).unwrap().map(|e| e.unwrap().path()).collect();
    paths.retain(|p| p.extension().is_some_and(|e| e == "toml") && !p.ends_with("total.toml"));
    paths.sort();
    let read = |p: &PathBuf| std::fs::read_to_string(p).unwrap();
    paths
        .iter()
        .map(|p| toml::from_str(&read(p)).unwrap_or_else(|e| panic!("{p:?}: {e}")))
        .collect()
}

/// The counts of both boxes together, by the names of `triage --json`.
pub(super) fn total() -> BTreeMap<String, u64> {
    #[derive(Deserialize)]
    struct Total {
        counts: BTreeMap<String, u64>,
    }
    let text = std::fs::read_to_string(root().join("expected/total.toml")).unwrap();
    toml::from_str::<Total>(&text).unwrap().counts
}

pub(super) fn bytes(file: &str) -> Vec<u8> {
    std::fs::read(root().join(file)).unwrap()
}

/// Panics unless a row has every field that is expected and none that is not.
pub(super) fn check_row(expected: &ExpectedRecord, row: &Value, at: &str) {
    for (key, value) in &expected.is {
        assert!(holds(row.get(key), value), "{at}: {key} is {:?}, not {value}", row.get(key));
    }
    for path in &expected.absent {
        let found = path.split('.').try_fold(row, |v, key| v.get(key)).filter(|v| !v.is_null());
        assert_eq!(found, None, "{at}: {path}");
    }
}

/// Tells whether `found` is `wanted`, or an object that holds every field of it. Numbers are
/// compared as floats, and `false` stands for a field that is left out.
fn holds(found: Option<&Value>, wanted: &Value) -> bool {
    match (found, wanted) {
        (None, wanted) => *wanted == Value::Bool(false),
        (Some(Value::Object(found)), Value::Object(wanted)) => {
            wanted.iter().all(|(k, v)| holds(found.get(k), v))
        }
        (Some(Value::Array(found)), Value::Array(wanted)) => {
            found.len() == wanted.len() && found.iter().zip(wanted).all(|(f, w)| holds(Some(f), w))
        }
        (Some(Value::Number(found)), Value::Number(wanted)) => {
            let (found, wanted) = (found.as_f64().unwrap(), wanted.as_f64().unwrap());
            (found - wanted).abs() < 1e-5
        }
        (Some(found), wanted) => found == wanted,
    }
}

/// Checks one reader, whichever, against everything that is written down.
fn check_all(read: fn(&[u8], &Settings) -> Seen) {
    let settings = Settings::default();
    let (mut sum, mut first) = (Accounting::default(), BTreeMap::new());
    let (mut repeats, mut distinct) = (Vec::new(), BTreeMap::new());
    for expected in all() {
        let bytes = bytes(&expected.file);
        let seen = read(&bytes, &settings);
        seen.check(&bytes);
        check_counts(&expected, &seen.accounting);
        check_rejects(&expected, &seen, &bytes);
        let lines: Vec<_> = seen.found.iter().map(|p| p.place.line).collect();
        let wanted: Vec<_> = expected.record.iter().map(|r| r.line).collect();
        assert_eq!(lines, wanted, "{}: lines of records", expected.file);
        for (wanted, Piece { record, identity, .. }) in expected.record.iter().zip(&seen.found) {
            let at = format!("{}:{}", expected.file, wanted.line);
            check_row(wanted, &serde_json::to_value(record).unwrap(), &at);
            match &wanted.same {
                Some(other) => repeats.push((at, other.clone(), identity.clone())),
                None => drop(first.entry(at).or_insert(identity.clone())),
            }
        }
        sum.add(&seen.accounting);
        for piece in seen.found {
            distinct.insert(piece.identity, piece.record);
        }
    }
    for (at, other, identity) in &repeats {
        assert_eq!(first.get(other), Some(identity), "{at} repeats {other}");
    }
    check_total(&distinct.into_values().collect::<Vec<_>>(), repeats.len() as u64, sum);
}

/// Checks the sums over both boxes; the duplicates are those that the content tells.
fn check_total(distinct: &[Record], repeats: u64, sum: Accounting) {
    let count = |name: &str, test: fn(&Record) -> bool| {
        let found = distinct.iter().filter(|r| test(r)).count() as u64;
        assert_eq!(found, total()[name], "{name}");
    };
    count("records", |_| true);
    count("undated", |r| r.timestamp.is_none());
    count("go", |r| r.outcome == Some(Outcome::Go));
    count("no_go", |r| r.outcome == Some(Outcome::NoGo));
    count("undetermined", |r| r.outcome == Some(Outcome::Undetermined));
    count("overrides", |r| r.family == Family::Override);
    count("bypassed", |r| r.cause == Some(Cause::Bypassed));
    let sum = Accounting { records: sum.records - repeats, duplicates: repeats, ..sum };
    assert!(sum.balances());
    for (name, found) in counts(&sum) {
        assert_eq!(found, total()[&name], "{name}");
    }
}

fn counts(accounting: &Accounting) -> BTreeMap<String, u64> {
    serde_json::from_value(serde_json::to_value(accounting).unwrap()).unwrap()
}

fn check_counts(expected: &Expected, seen: &Accounting) {
    for (name, count) in counts(seen) {
        let wanted = expected.counts.get(&name).copied().unwrap_or(0);
        assert_eq!(count, wanted, "{}: {name} of {seen:?}", expected.file);
    }
}

fn check_rejects(expected: &Expected, seen: &Seen, bytes: &[u8]) {
    let lines: Vec<_> = seen.rejects.iter().map(|r| r.line).collect();
    let wanted: Vec<_> = expected.reject.iter().map(|r| r.line).collect();
    assert_eq!(lines, wanted, "{}: lines of rejects: {:#?}", expected.file, seen.rejects);
    for (wanted, reject) in expected.reject.iter().zip(&seen.rejects) {
        let text = &bytes[reject.byte as usize..(reject.byte + reject.len) as usize];
        assert!(
            text.starts_with(wanted.text.as_bytes()),
            "{}: {}",
            expected.file,
            text.escape_ascii()
        );
        assert!(reject.reason.contains(&wanted.reason), "{}: {reject:?}", expected.file);
    }
}

#[test]
fn reader_matches_expected_results_of_handwritten_logs() {
    check_all(seen::read);
}

#[test]
fn reference_matches_expected_results_of_handwritten_logs() {
    check_all(reference::read);
}

#[test]
fn the_reader_agrees_with_the_reference_on_the_hand_written_logs() {
    for expected in all() {
        let bytes = bytes(&expected.file);
        let settings = Settings::default();
        seen::read(&bytes, &settings).agrees(&reference::read(&bytes, &settings), &bytes);
    }
}

#[test]
fn every_hand_written_log_is_described_and_kept_to_the_byte() {
    let described: BTreeSet<_> = all().into_iter().map(|e| e.file).collect();
    let mut there = BTreeSet::new();
    for name in ["north", "south"] {
        for entry in std::fs::read_dir(root().join(name)).unwrap() {
            there.insert(format!("{name}/{}", entry.unwrap().file_name().to_str().unwrap()));
        }
    }
    assert_eq!(described, there);
    // What a checkout that converts line ends, or an editor that saves, would have changed.
    assert!(bytes("south/garbage.jsonl").starts_with(b"\xef\xbb\xbf{"));
    assert_eq!(bytes("south/garbage.jsonl").windows(2).filter(|w| w == b"\r\n").count(), 5);
    assert_eq!(bytes("north/indented.jsonl").windows(2).filter(|w| w == b"\r\n").count(), 3);
    assert!(bytes("north/last-utf8.jsonl").ends_with(b"\xc3"));
    assert!(bytes("south/utf16.jsonl").ends_with(b"\n\0"));
}
