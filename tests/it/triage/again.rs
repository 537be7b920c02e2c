//! What was counted of a segment is not counted again, and nobody can tell from an answer.

use super::world::{NOW, World, contents};
use foureyes::calibration::Policy;
use foureyes::domain::{ByKind, Triage, Window};
use foureyes::files::paths::DataDir;
use foureyes::jsonl::Settings;
use foureyes::store::cache::Archive;
use foureyes::thesaurus::Thesaurus;
use foureyes::triage::{Ask, triage};
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Logs that are read with terms of quality.
fn world() -> World {
    let thesaurus = Some(Thesaurus::built_in().clone());
    World { settings: Settings { thesaurus, ..Settings::default() }, ..World::new() }
}

/// A push record that all counts of triage are made of. Few contents, so that doubles, repeats and contents
/// that passed later are common.
fn line(n: u32) -> String {
    let minute = n * 7919 % 14_400;
    let (day, hour, minute) = (minute / 1440 + 8, minute / 60 % 24, minute % 60);
    let time = match n % 17 {
        16 => String::new(),
        _ => format!("\"timestamp\":\"2026-02-{day:02}T{hour:02}:{minute:02}:00Z\","),
    };
    let findings = ["The date is wrong.", "Odd.", "Name an owner."][n as usize / 3 % 3];
    format!(
        "{{\"commit\":\"{:07x}\",\"content_sha\":\"{:04x}\",{time}\"judge_model\":\"m{}\",\"verdict\":\"{}\",\
         \"scores\":{{\"semantic\":{},\"pragmatic\":{},\"syntactic\":4}},\"findings\":\"{findings}\",\
         \"prompt_sha\":\"{:016x}\",\"judge_sha\":\"{:016x}\",\"mode\":\"{}\",\"latency_ms\":{},\
         \"schema\":\"foureyes/push/1\"}}\n",
        n % 211,
        n % 97,
        n % 2,
        ["GO", "NO-GO", "UNDETERMINED", "NO-GO"][n as usize / 5 % 4],
        n % 5 + 1,
        n / 2 % 5 + 1,
        n / 97 % 2,
        n / 50 % 3 + 1,
        ["advisory", "blocking"][n as usize % 2],
        n * 31 % 90_000,
    )
}

fn lines(from: u32, to: u32) -> String {
    (from..to).map(line).collect()
}

fn asked(world: &World, data: &DataDir, window: Window, limit: usize) -> Triage {
    let (collected, archive) = world.open(data);
    of_archive(&collected, &archive, window, limit)
}

fn of_archive(
    collected: &foureyes::collect::Collected,
    archive: &Archive,
    window: Window,
    limit: usize,
) -> Triage {
    let policies = &ByKind::new(Policy::for_family);
    let ask = Ask { window, limit, rejects: limit, now: NOW, policies };
    triage(archive, collected, None, (Vec::new(), Vec::new()), ask).unwrap()
}

/// Asks the data directory that stays, and a fresh one.
fn compare(world: &World, window: Window, limit: usize) -> Triage {
    let fresh = tempfile::tempdir().unwrap();
    let warm = asked(world, &world.data(), window, limit);
    let cold = asked(world, &DataDir::at(fresh.path()), window, limit);
    assert_eq!(
        serde_json::to_string_pretty(&warm).unwrap(),
        serde_json::to_string_pretty(&cold).unwrap(),
        "{window:?}, {limit}"
    );
    warm
}

/// Files of the cache by the end of their name, and their bytes.
fn files(world: &World, end: &str) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut all = contents(&world.cache());
    all.retain(|path, _| path.to_string_lossy().ends_with(end));
    all
}

fn remove(files: impl IntoIterator<Item = impl AsRef<Path>>) {
    files.into_iter().for_each(|path| std::fs::remove_file(path).unwrap());
}

/// Days before now at which windows begin and end: all, whole segments, parts of them, nothing.
const DAYS: [Option<u32>; 7] = [None, Some(13), Some(9), Some(7), Some(5), Some(2), Some(0)];

fn window(from: usize, to: usize) -> Window {
    let day = |at: usize| DAYS[at % DAYS.len()].map(|days| NOW.minus_days(days));
    Window { from: day(from), to: day(to) }
}

const NAMES: [&str; 4] = ["south/m.jsonl", "north/m.jsonl", "north/z.jsonl", "a.jsonl"];

proptest! {
    #![proptest_config(ProptestConfig { cases: 16, failure_persistence: None, max_shrink_iters: 100, ..Default::default() })]
    #[test]
    fn any_window_and_limit_has_the_answer_of_logs_read_anew(
        steps in prop::collection::vec((0_usize..12, 0_u32..900, 0_usize..49, 0_usize..5), 3..14)
    ) {
        let world = world();
        // More flagged rows than are remembered, and a second segment.
        world.write("west/m.jsonl", lines(0, 600));
        world.warm();
        for (what, n, span, limit) in steps {
            let name = NAMES[what % NAMES.len()];
            match what {
                // The same records again: in a log that is before or behind, or one that repeats another.
                0..=3 => world.append(name, lines(n, n + 9)),
                4..=7 => world.append(name, lines(n, n + 1)),
                // An end that may still grow.
                8 => world.append(name, line(n).trim_end()),
                9 => world.append(name, "\nno record\n"),
                // By a clock that is ahead.
                11 => world.append(name, line(n).replace("2026-02", "2026-03")),
                _ => world.settings_differ(n),
            }
            let (window, limit) = (window(span, span / 7), [0, 3, 100, 140, usize::MAX][limit]);
            compare(&world, window, limit);
        }
    }
}

impl World {
    /// Reads the logs by other rules, under which other words are verdicts.
    fn settings_differ(&self, n: u32) {
        // A cache that is read by others is of no use to these, nor what was counted of it.
        let aliases = BTreeMap::from([("GO".to_owned(), "NO-GO".to_owned())]);
        let aliases = if n.is_multiple_of(2) { aliases } else { BTreeMap::new() };
        let other = Settings { aliases, ..self.settings.clone() };
        let collected = self.collected(&self.data());
        let archive = collected.open(&other, &|_| {}).unwrap();
        of_archive(&collected, &archive, Window::ALL, 5);
    }
}

#[test]
fn second_run_needs_no_column() {
    let world = world();
    for (n, name) in NAMES.into_iter().enumerate() {
        let from = 300 * n as u32;
        world.write(name, lines(from, from + 300));
        world.warm();
    }
    let all = compare(&world, Window::ALL, 20);
    for id in ["asked_until_go", "unexplained", "unjudged_while_blocking", "judge_mixed"] {
        assert!(all.caveats.iter().any(|caveat| caveat.id == id), "{id}: {:?}", all.caveats);
    }
    assert!(all.flagged_total > 400 && all.counts.undated > 0);
    let (collected, archive) = world.open(&world.data());
    let columns = files(&world, ".columns");
    assert_eq!(columns.len(), NAMES.len() * 3, "{:?}", columns.keys());
    remove(columns.keys());
    assert_eq!(of_archive(&collected, &archive, Window::ALL, 20), all);
    assert!(archive.tally(Window { from: Some(NOW.minus_days(5)), to: None }, 0).is_err());
}

#[test]
fn what_is_counted_ahead_is_not_read_again() {
    let world = world();
    for (n, name) in NAMES.into_iter().enumerate() {
        world.write(name, lines(300 * n as u32, 300 * n as u32 + 300));
        world.warm();
    }
    let filters = ["mode:=blocking is:evaluation outcome:undetermined", "is:flagged score:<=2"];
    let answers = |archive: &Archive| {
        let counts = filters.map(|filter| archive.count_fixed(filter, Window::ALL).unwrap());
        let tally = archive.tally(Window::ALL, 0).unwrap();
        (counts, tally.tally, archive.configured(Window::ALL).unwrap())
    };
    remove(files(&world, ".counts").keys());
    let each = answers(&world.open(&world.data()).1);
    assert!(each.0.iter().all(|count| *count > 100), "{:?}", each.0);
    let archive = world.open(&world.data()).1;
    archive.count_ahead(Window::ALL, &filters).unwrap();
    // The rows that are listed first are put in order by their ids.
    remove(
        files(&world, ".columns").keys().filter(|path| !path.to_string_lossy().contains(".slim.")),
    );
    assert_eq!(answers(&archive), each);
}

#[test]
fn after_one_more_line_only_what_it_touches_is_counted() {
    let world = world();
    world.write("a.jsonl", lines(0, 400));
    world.warm();
    world.write("b.jsonl", lines(1000, 1400));
    world.warm();
    let before = files(&world, ".counts");
    assert_eq!(before.len(), 2);
    // Of a commit that nobody judged.
    world.append("b.jsonl", line(5).replace("0000005", "abcdef0"));
    let all = compare(&world, Window::ALL, 0);
    let after = files(&world, ".counts");
    assert_eq!(after.len(), 3);
    assert!(before.iter().all(|(path, bytes)| after.get(path) == Some(bytes)));
    // Of one that was: its evaluation is replaced, so flags of that segment change, and its counts.
    assert!(line(5).contains("2026-02-15"));
    world.append("b.jsonl", line(5).replace("2026-02-15", "2026-02-18"));
    let more = compare(&world, Window::ALL, 0);
    assert_eq!(more.counts.repeats, all.counts.repeats + 1);
    let last = files(&world, ".counts");
    let kept = after.iter().filter(|(path, bytes)| last.get(*path) == Some(bytes)).count();
    assert_eq!((last.len(), kept), (4, 2), "{:?}", last.keys());
}

#[test]
fn merged_segments_are_not_compared_again() {
    let world = world();
    world.write("a.jsonl", lines(0, 400));
    let lifted = || world.open(&world.data()).1.lifted(Window::ALL).unwrap();
    let right = lifted();
    assert!(right > 5, "{right}");
    let away = world.home.path().join("away");
    std::fs::create_dir(&away).unwrap();
    let mut segments = Vec::new();
    world.warm();
    for n in 0..12 {
        // A content that nothing else is about, so that no text is looked at.
        let of = format!("\"content_sha\":\"other{n}\",\"before\":");
        world.append("b.jsonl", line(n).replace("\"content_sha\":", &of));
        let (_, archive) = world.open(&world.data());
        let texts: Vec<_> = files(&world, ".text.columns").into_keys().collect();
        let moved = texts.iter().map(|path| (path, away.join(path.file_name().unwrap())));
        let moved: Vec<_> = moved.collect();
        moved.iter().for_each(|(path, away)| std::fs::rename(path, away).unwrap());
        assert_eq!(archive.lifted(Window::ALL).unwrap(), right, "{n}");
        moved.iter().for_each(|(path, away)| std::fs::rename(away, path).unwrap());
        archive.remember();
        segments.push(texts.len());
    }
    assert!(!segments.is_sorted(), "{segments:?}");
    compare(&world, Window::ALL, 5);
}

#[test]
fn damaged_bytes_are_counted_again_and_written_as_they_were() {
    let world = world();
    world.write("a.jsonl", lines(0, 12));
    world.warm();
    world.write("b.jsonl", lines(97, 109));
    let ask = || {
        let (collected, archive) = world.open(&world.data());
        let asked = of_archive(&collected, &archive, Window::ALL, 2);
        serde_json::to_string(&asked).unwrap()
    };
    // The first one counts other questions, too.
    remove(files(&world, ".counts").keys());
    remove(files(&world, "passed").keys());
    let right = ask();
    let all: Vec<_> = files(&world, ".counts").into_iter().chain(files(&world, "passed")).collect();
    assert_eq!(all.len(), 3);
    for (path, bytes) in &all {
        for at in 0..bytes.len() {
            let mut other = bytes.clone();
            match at % 3 {
                0 => other.truncate(at),
                1 => other[at] ^= 1 << (at % 8),
                _ => other.insert(at, other[at].wrapping_add(1)),
            }
            std::fs::write(path, other).unwrap();
            assert_eq!(ask(), right, "{} at {at}", path.display());
            assert!(std::fs::read(path).unwrap() == *bytes, "{} at {at}", path.display());
        }
    }
}

#[test]
fn file_of_another_segment_or_in_the_way_is_not_read() {
    let world = world();
    for (name, from) in [("a.jsonl", 0), ("b.jsonl", 97)] {
        world.write(name, lines(from, from + 60));
        world.warm();
    }
    let right = compare(&world, Window::ALL, 9);
    let counts: Vec<_> = files(&world, ".counts").into_iter().collect();
    let [(first, one), (second, other)] = &counts[..] else { panic!("{counts:?}") };
    std::fs::write(first, other).unwrap();
    std::fs::write(second, one).unwrap();
    assert_eq!(compare(&world, Window::ALL, 9), right);
    for path in [first, second, &world.cache().join("passed")] {
        std::fs::remove_file(path).unwrap();
        std::fs::create_dir(path).unwrap();
    }
    assert_eq!(compare(&world, Window::ALL, 9), right);
    assert_eq!(compare(&world, Window::ALL, 9), right);
}

#[test]
fn runs_at_once_count_alike() {
    let world = world();
    world.write("a.jsonl", lines(0, 500));
    let right = compare(&world, Window::ALL, 9);
    for turn in 0..4 {
        remove(files(&world, if turn % 2 == 0 { ".counts" } else { "passed" }).keys());
        std::thread::scope(|scope| {
            let runs = [0; 4].map(|_| scope.spawn(|| asked(&world, &world.data(), Window::ALL, 9)));
            runs.into_iter().for_each(|run| assert_eq!(run.join().unwrap(), right));
        });
    }
    let left = contents(&world.cache());
    let mut names = left.keys().map(|path| path.file_name().unwrap().to_str().unwrap());
    assert!(!names.any(|name| name.starts_with(".tmp")), "{:?}", left.keys());
}
