//! Bytes of the cache that change underneath, and what is asked of it afterwards.

use super::world::{NOW, World, contents, push};
use foureyes::calibration::Policy;
use foureyes::collect::Collected;
use foureyes::domain::review::Reviews;
use foureyes::domain::{ByKind, JudgementKind, Window};
use foureyes::files::paths::DataDir;
use foureyes::frame::query::{Query, Scope};
use foureyes::frame::trend::{By, TrendSpec};
use foureyes::store::cache::Archive;
use foureyes::triage::{Ask, TriageError, triage};
use std::io::Write;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

type Question = fn(&Collected, &Archive) -> Result<String, TriageError>;

/// What is asked, as each command asks it.
const QUESTIONS: [Question; 5] = [say, records, show, trend, rejects];

fn say(collected: &Collected, archive: &Archive) -> Result<String, TriageError> {
    let ask = Ask {
        window: Window::ALL,
        limit: usize::MAX,
        rejects: usize::MAX,
        now: NOW,
        policies: &ByKind::new(Policy::for_family),
    };
    let said = triage(archive, collected, None, (Vec::new(), Vec::new()), ask)?;
    Ok(serde_json::to_string(&said).unwrap())
}

fn matching(archive: &Archive, filter: &str) -> Result<String, TriageError> {
    let query = Query::parse(filter).unwrap();
    let scope = Scope { boxes: archive.boxes(), now: NOW, reviews: Reviews::none() };
    let mut rows = archive.matching(&query, &scope, Window::ALL)?;
    archive.first(&mut rows, usize::MAX)?;
    let mut text = String::new();
    archive.each_record(&rows, |located| {
        text += &serde_json::to_string(&located.record).unwrap();
        Ok::<_, TriageError>(())
    })?;
    Ok(text)
}

fn records(_: &Collected, archive: &Archive) -> Result<String, TriageError> {
    matching(archive, "\"word 3\"")
}

fn show(_: &Collected, archive: &Archive) -> Result<String, TriageError> {
    (0..16).map(|digit| matching(archive, &format!("id:{digit:x}"))).collect()
}

fn trend(_: &Collected, archive: &Archive) -> Result<String, TriageError> {
    let mut text = String::new();
    for by in [By::Day, By::Model, By::Box] {
        let spec = TrendSpec { by, family: JudgementKind::Push, window: Window::ALL };
        let trend = archive.trend(&spec, NOW)?;
        text += &serde_json::to_string(&trend).unwrap();
    }
    Ok(text)
}

fn rejects(_: &Collected, archive: &Archive) -> Result<String, TriageError> {
    Ok(serde_json::to_string(&archive.rejects(usize::MAX)?).unwrap())
}

/// Logs with doubles, repeats, rejects, undated records and an end that is not complete.
fn world() -> World {
    let world = World::new();
    let line = |n: u32| {
        let record = push(n % 37, n % 3, n % 5, ["GO", "NO-GO", "UNDETERMINED"][n as usize % 3]);
        record.replace('}', &format!(",\"findings\":\"word {n} of many\"}}\n"))
    };
    for (name, from) in [("north/a.jsonl", 0), ("south/a.jsonl", 20), ("south/b.jsonl", 50)] {
        let lines: String = (from..from + 40).map(line).collect();
        world.write(name, format!("{lines}no record {from}\n{{\"torn\n{}", &line(from + 7)[..30]));
    }
    world.warm();
    // A second segment, and flags of the first that change with it.
    world.write("north/b.jsonl", (10..70).map(line).collect::<String>() + "none either\n");
    world.warm();
    world
}

fn ask(world: &World, data: &DataDir, at: usize) -> String {
    let collected = world.collected(data);
    let question = QUESTIONS[at];
    collected.ask(&world.settings, &|_| {}, |archive| question(&collected, archive)).unwrap()
}

/// Changes a byte; size, times and inode stay.
fn flip(path: &Path, at: usize, bit: u32) {
    let file = std::fs::File::options().read(true).write(true).open(path).unwrap();
    let before = file.metadata().unwrap().modified().unwrap();
    let mut byte = [0];
    file.read_exact_at(&mut byte, at as u64).unwrap();
    file.write_all_at(&[byte[0] ^ 1 << (bit % 8)], at as u64).unwrap();
    file.set_modified(before).unwrap();
}

fn files(world: &World, end: &str) -> Vec<(PathBuf, Vec<u8>)> {
    contents(&world.cache())
        .into_iter()
        .filter(|(p, _)| p.to_str().unwrap().ends_with(end))
        .collect()
}

#[test]
fn a_flipped_byte_of_any_file_of_the_cache_changes_no_answer() {
    let world = world();
    let logs = contents(&world.logs());
    let fresh = DataDir::at(world.home.path().join("fresh"));
    let right: Vec<String> = (0..QUESTIONS.len()).map(|at| ask(&world, &fresh, at)).collect();
    assert!(right.iter().all(|answer| answer.len() > 200), "{right:?}");
    for (end, flips) in [
        ("slim.columns", 60),
        ("text.columns", 60),
        ("flags.columns", 40),
        ("rejects", 40),
        ("json", 40),
    ] {
        let mut noticed = 0;
        for n in 0..flips {
            let all = files(&world, end);
            let (path, bytes) = &all[n % all.len()];
            // Every k-th byte, from the first to the last.
            let at = (bytes.len() - 1) * n / (flips - 1);
            flip(path, at, n as u32);
            for turn in 0..QUESTIONS.len() {
                let question = (n + turn) % QUESTIONS.len();
                let answer = ask(&world, &world.data(), question);
                assert_eq!(answer, right[question], "{end}: byte {at}, question {question}");
            }
            let damaged = |(p, b): &(PathBuf, Vec<u8>)| {
                p == path && b.len() == bytes.len() && b.get(at) != bytes.get(at)
            };
            if end != "json" && files(&world, end).iter().any(damaged) {
                flip(path, at, n as u32);
            } else {
                noticed += 1;
            }
        }
        assert!(noticed * 3 > flips, "{end}: {noticed} of {flips} were noticed");
    }
    assert!(logs == contents(&world.logs()), "a log was written to");
}

#[test]
fn changed_byte_in_grown_log_is_detected_without_reading_records() {
    let world = World::new();
    let text: String = (0..20_000).map(|n| push(n, n % 3, 1, "GO") + "\n").collect();
    assert!(text.len() > 3 << 19, "{} bytes", text.len());
    let path = world.write("a.jsonl", &text);
    let go = || {
        let (_, archive) = world.open(&world.data());
        archive.tally(Window::ALL, 0).unwrap().tally.counts.go
    };
    assert_eq!(go(), 20_000);
    for (n, part) in (1..10_u64).enumerate() {
        let at = text[text.len() * part as usize / 10..].find("\"GO\"").unwrap();
        let at = text.len() * part as usize / 10 + at + 1;
        let mut file = std::fs::File::options().write(true).open(&path).unwrap();
        file.write_all_at(b"XX", at as u64).unwrap();
        std::io::Seek::seek(&mut file, std::io::SeekFrom::End(0)).unwrap();
        writeln!(file, "{}", push(30_000 + n as u32, 1, 1, "NO-GO")).unwrap();
        assert_eq!(go(), 19_999 - n as u64, "changed at {at}");
    }
}

#[test]
fn unwritable_cache_is_used_and_growth_is_cached_elsewhere() {
    let world = world();
    let said = |bytes: &std::sync::atomic::AtomicU64| {
        let collected = world.collected(&world.data());
        let read = |n| {
            bytes.fetch_add(n, std::sync::atomic::Ordering::Relaxed);
        };
        let archive = collected.open(&world.settings, &read).unwrap();
        let text = QUESTIONS.map(|question| question(&collected, &archive).unwrap());
        (text, archive.aside().map(str::to_owned))
    };
    let bytes = std::sync::atomic::AtomicU64::new(0);
    let (before, aside) = said(&bytes);
    assert_eq!(aside, None);
    // Nobody can open a directory to write, whoever it is.
    let lock = world.cache().join("lock");
    std::fs::remove_file(&lock).unwrap();
    std::fs::create_dir(&lock).unwrap();
    let stands = super::world::contents(&world.cache());
    let (mut warm, aside) = said(&bytes);
    assert!(aside.unwrap().contains("lock"));
    assert_eq!(bytes.load(std::sync::atomic::Ordering::Relaxed), 0, "the cache holds it all");
    assert!(warm[0].contains("cache_aside"), "{}", warm[0]);
    // Beside the caveat all is the same.
    let caveat = |text: &str| {
        let mut value: serde_json::Value = serde_json::from_str(text).unwrap();
        value["caveats"].as_array_mut().unwrap().retain(|c| c["id"] != "cache_aside");
        value.to_string()
    };
    warm[0] = caveat(&warm[0]);
    let before = [&[caveat(&before[0])][..], &before[1..]].concat();
    assert_eq!(warm.to_vec(), before);
    world.append("north/b.jsonl", push(999, 1, 1, "GO") + "\n");
    let (grown, aside) = said(&bytes);
    assert!(aside.is_some());
    assert!(bytes.load(std::sync::atomic::Ordering::Relaxed) > 0);
    assert_ne!(grown[1..], warm[1..]);
    assert!(super::world::contents(&world.cache()) == stands, "the cache was written to");
}
