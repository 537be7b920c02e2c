//! Tests of generate: what it says it made is what a slow reader finds.

mod crosscheck;
mod folder;
mod planted;
mod reader;
mod runs;

use foureyes::domain::{Accounting, Family, Outcome, Timestamp};
use foureyes::generate::{Families, Kind, Spec, Summary, demo_spec, generate};
use reader::{Found, find};
use serde_json::Value;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// 2026-02-15T10:30:00Z
const NOW: Timestamp = Timestamp(1_771_151_400_000_000);

fn logs_only(records: u64, seed: u64) -> Spec {
    Spec { repository: false, ..Spec::new(records, 9, seed, NOW) }
}

fn make(spec: &Spec) -> (tempfile::TempDir, Summary) {
    let dir = tempfile::tempdir().unwrap();
    let summary = generate(spec, dir.path()).unwrap();
    (dir, summary)
}

/// Every file below a directory but git's own, by its path there.
fn files(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut open = vec![root.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in std::fs::read_dir(dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with(".git") {
                open.push(path);
            } else if path.is_file() {
                let text = std::fs::read(&path).unwrap();
                found.insert(path.strip_prefix(root).unwrap().to_owned(), text);
            }
        }
    }
    found
}

fn logs(root: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    files(root).into_iter().filter(|(p, _)| p.starts_with("boxes")).collect()
}

fn agrees(spec: &Spec) -> (tempfile::TempDir, Summary, Found) {
    let (dir, summary) = make(spec);
    let found = Found::new(logs(dir.path()).values());
    assert_eq!(found.counts, summary.accounting, "{spec:?}");
    assert!(summary.accounting.balances(), "{summary:?}");
    let of = |family: Family| summary.families[usize::from(family.code())];
    assert_eq!(of(Family::Pick), of(Family::Prompt));
    let beside = of(Family::Pick) + of(Family::Prompt);
    assert_eq!(beside > 0, spec.picks > 0);
    assert_eq!(summary.accounting.records, spec.records + beside);
    assert_eq!(summary.families.iter().sum::<u64>(), spec.records + beside);
    assert_eq!(found.outcomes(Outcome::Go), summary.go);
    assert_eq!(found.outcomes(Outcome::NoGo), summary.no_go);
    assert_eq!(found.outcomes(Outcome::Undetermined), summary.undetermined);
    let undated = found.records.iter().filter(|r| r["timestamp"].is_null()).count() as u64;
    assert_eq!(undated, summary.undated);
    let latencies = found.records.iter().filter(|r| r["latency_ms"].is_u64()).count() as u64;
    assert_eq!(latencies, summary.latencies);
    assert_eq!(found.outages(), summary.outages);
    let bytes = logs(dir.path()).values().map(Vec::len).sum::<usize>() as u64;
    assert_eq!((logs(dir.path()).len() as u64, bytes), (summary.files, summary.bytes));
    (dir, summary, found)
}

#[test]
fn summary_matches_reference_reader() {
    for seed in 0..3 {
        for dirt in [0.0, 0.04, 0.3, 0.5] {
            for families in [Families::Push, Families::All] {
                let boxes = 1 + seed as u32 % 3;
                agrees(&Spec { dirt, families, boxes, ..logs_only(700, seed) });
            }
        }
    }
}

#[test]
fn small_and_odd_sizes_are_made_exactly() {
    for records in [0, 1, 2, 3, 10, 41] {
        for days in [1, 2, 30] {
            agrees(&Spec { days, dirt: 0.3, boxes: 3, ..logs_only(records, 5) });
        }
    }
}

#[test]
fn demo_has_every_dirt_kind_and_its_pushes_are_commits() {
    let (dir, summary, _) = agrees(&demo_spec());
    let every = [
        Kind::ScoresAsText,
        Kind::ScoresAsFloats,
        Kind::ScoresFlat,
        Kind::ScoreOutOfRange,
        Kind::AverageAsInteger,
        Kind::ImprovementsAsText,
        Kind::MissingKey,
        Kind::UnknownTask,
        Kind::Undated,
        Kind::KeyOrder,
        Kind::UnknownField,
        Kind::UnknownWord,
        Kind::CodeFence,
        Kind::HostileText,
        Kind::HostileName,
        Kind::CrLf,
        Kind::Indented,
        Kind::Twice,
        Kind::TwiceReordered,
        Kind::OnBothBoxes,
        Kind::TwoOnOneLine,
        Kind::TornHead,
        Kind::HalfOverwritten,
        Kind::DuplicateKey,
        Kind::InvalidUtf8,
        Kind::Garbage,
        Kind::Blank,
        Kind::White,
        Kind::EmptyFile,
        Kind::GrownYesterday,
        Kind::Incomplete,
        Kind::NoFinalNewline,
    ];
    for kind in every {
        assert!(summary.dirt.get(&kind).is_some_and(|n| *n > 0), "{kind:?} {:?}", summary.dirt);
    }
    assert_eq!(summary.dirt.len(), every.len());
    assert!(summary.families.iter().all(|n| *n > 0));
    assert!(summary.bypassed > 0);
    assert!(summary.repeats > 0 && summary.outages > 20);
    let text: Vec<u8> = logs(dir.path()).into_values().flatten().collect();
    for raw in [&b"\\u001b"[..], "\u{202e}".as_bytes(), "\u{9b}".as_bytes(), b"<script>", b"AKIA"] {
        assert!(find(&text, raw).is_some(), "{}", String::from_utf8_lossy(raw));
    }
    assert!(find(&text, b"\x1b").is_none(), "JSON holds no raw escape");
}

#[test]
fn the_same_seed_gives_the_same_bytes_and_another_seed_others() {
    let spec = Spec::new(400, 6, 11, NOW);
    let (a, first) = make(&spec);
    let (b, second) = make(&spec);
    assert_eq!(first, second);
    let but_config = |root: &Path| -> BTreeMap<PathBuf, Vec<u8>> {
        files(root).into_iter().filter(|(p, _)| p != Path::new("foureyes.toml")).collect()
    };
    assert_eq!(but_config(a.path()), but_config(b.path()));
    let (c, _) = make(&Spec { seed: 12, ..spec.clone() });
    for (path, text) in logs(c.path()).into_iter().filter(|(_, text)| !text.is_empty()) {
        assert_ne!(logs(a.path()).get(&path), Some(&text), "{path:?}");
    }
    // Over an earlier run, whatever it was.
    generate(&spec, c.path()).unwrap();
    assert_eq!(but_config(a.path()), but_config(c.path()));
}

#[test]
fn the_bytes_of_a_seed_never_change() {
    // A change here changes every benchmark and snapshot: it must be meant.
    let (dir, _) = make(&Spec { dirt: 0.1, ..Spec::new(300, 4, 1, NOW) });
    let mut hash = blake3::Hasher::new();
    for (path, text) in logs(dir.path()) {
        hash.update(path.to_str().unwrap().as_bytes()).update(&text);
    }
    assert_eq!(hash.finalize().to_hex().as_str(), PINNED);
}

const PINNED: &str = "6932b283f89baff6a0611e3625ea4254393b196ebd2e730228dcfbe615d139d7";

#[test]
fn clean_output_is_one_ordered_record_per_line() {
    let (dir, summary, found) = agrees(&Spec { dirt: 0.0, ..logs_only(3_000, 2) });
    let counts = Accounting { lines: 3_000, records: 3_000, ..Accounting::default() };
    assert_eq!(summary.accounting, counts);
    assert!(summary.dirt.is_empty());
    let start = Timestamp::parse("2026-02-07T00:00:00Z").unwrap();
    for record in &found.records {
        let time = Timestamp::parse(record["timestamp"].as_str().unwrap()).unwrap();
        assert!((start..NOW).contains(&time), "{record}");
    }
    for (path, text) in logs(dir.path()) {
        let lines = text.split(|b| *b == b'\n').filter(|l| !l.is_empty());
        let times: Vec<String> = lines
            .map(|l| serde_json::from_slice::<Value>(l).unwrap()["timestamp"].to_string())
            .collect();
        let name = path.file_stem().unwrap().to_str().unwrap();
        if path.parent().unwrap().ends_with("judge-verdicts") {
            assert!(
                times.is_sorted() && times.iter().all(|t| t[1..].starts_with(name)),
                "{path:?}"
            );
        }
    }
}
