//! Whatever happens to logs and cache between two runs, the second says what a fresh one says.

use super::world::{World, contents, push};
use foureyes::domain::{Measure, Window};
use foureyes::jsonl::Settings;
use proptest::prelude::*;
use std::collections::BTreeSet;
use std::io::{Read, Write};
use std::path::PathBuf;

const NAMES: [&str; 6] = [
    "south/m.jsonl",
    "north/m.jsonl",
    "a.jsonl",
    "north/z.jsonl.1",
    "south/c.jsonl",
    "north/q.jsonl.2.gz",
];

/// Something that happens: what, to which file, and two numbers to choose by.
type Step = (u8, usize, u16, u16);

struct Story {
    world: World,
    /// What is missing of the last piece of each log.
    rest: Vec<Vec<u8>>,
}

impl Story {
    fn new() -> Self {
        let world = World::new();
        // A directory without any log is an error.
        world.write("keep.jsonl", push(2, 0, 2, "GO") + "\n");
        Self { world, rest: vec![Vec::new(); NAMES.len()] }
    }

    fn path(&self, at: usize) -> PathBuf {
        self.world.logs().join(NAMES[at])
    }

    fn bytes(&self, at: usize) -> Option<Vec<u8>> {
        std::fs::read(self.path(at)).ok()
    }

    fn step(&mut self, (what, at, a, b): Step) {
        let at = at % NAMES.len();
        let gzip = NAMES[at].ends_with(".gz");
        match what % 16 {
            // Most of what happens is that logs grow.
            0..=6 if gzip => drop(self.world.write(NAMES[at], gz(&piece(a, b)))),
            0..=4 => self.append(at, &piece(a, b), usize::MAX),
            5..=6 => self.append(at, &piece(a, b), usize::from(b) % 90 + 1),
            7 => drop(std::fs::remove_file(self.path(at))),
            8 => self.cut(at, a),
            9 => self.replace(at, a),
            10 => self.overwrite(at, a),
            11 => self.touch(at),
            12 => self.damage(a, b),
            13 => self.settings(a),
            14 => self.rotate(at),
            _ => self.append(at, b"", usize::MAX),
        }
    }

    /// Completes what was torn, then adds a piece, torn at `cut`.
    fn append(&mut self, at: usize, piece: &[u8], cut: usize) {
        let (now, later) = piece.split_at(cut.min(piece.len()));
        let mut bytes = std::mem::replace(&mut self.rest[at], later.to_vec());
        bytes.extend_from_slice(now);
        self.world.append(NAMES[at], bytes);
    }

    fn cut(&self, at: usize, a: u16) {
        let Some(bytes) = self.bytes(at) else { return };
        let file = std::fs::File::options().write(true).open(self.path(at)).unwrap();
        file.set_len(u64::from(a) % (bytes.len() as u64 + 1)).unwrap();
    }

    /// Another file of the same name: as long as before, or with the same first line and longer.
    fn replace(&self, at: usize, a: u16) {
        let Some(mut bytes) = self.bytes(at) else { return };
        if a.is_multiple_of(2) {
            swap(&mut bytes);
        } else {
            let first = bytes.iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| n + 1);
            let long = piece(a, 3).repeat(bytes.len() / 40 + 1);
            bytes.splice(first.., long);
        }
        let beside = self.world.home.path().join("beside");
        std::fs::write(&beside, bytes).unwrap();
        std::fs::rename(beside, self.path(at)).unwrap();
    }

    /// The same file and length, other content.
    fn overwrite(&self, at: usize, a: u16) {
        let Some(mut bytes) = self.bytes(at) else { return };
        swap(&mut bytes);
        // A clock tick, so that the time of the change differs from that of the last one.
        std::thread::sleep(std::time::Duration::from_millis(10));
        let mut file = std::fs::File::options().write(true).open(self.path(at)).unwrap();
        file.write_all(&bytes).unwrap();
        if a.is_multiple_of(2) {
            file.write_all(&piece(a, 1)).unwrap();
        }
    }

    fn touch(&self, at: usize) {
        if let Ok(file) = std::fs::File::options().append(true).open(self.path(at)) {
            file.set_modified(std::time::SystemTime::now()).unwrap();
        }
    }

    fn damage(&self, a: u16, b: u16) {
        let from = self.world.data().cache().join("from");
        if !from.exists() {
            return;
        }
        let all: Vec<_> = contents(&from).into_iter().collect();
        let Some((path, mut bytes)) = all.get(usize::from(a) % all.len().max(1)).cloned() else {
            return;
        };
        match b % 5 {
            0 => return std::fs::remove_file(path).unwrap(),
            1 => bytes.clear(),
            2 => bytes.truncate(bytes.len() / 2),
            3 => bytes.extend_from_slice(b"more"),
            _ => {
                let at = usize::from(b) % bytes.len().max(1);
                if let Some(byte) = bytes.get_mut(at) {
                    *byte ^= 1 << (b % 8);
                }
            }
        }
        std::fs::write(path, bytes).unwrap();
    }

    fn settings(&mut self, a: u16) {
        match a % 3 {
            0 => drop(self.world.settings.aliases.insert("PASS".into(), "GO".into())),
            1 => self.world.settings.aliases.clear(),
            _ => self.world.settings.depth = 120 + usize::from(a % 9),
        }
    }

    fn rotate(&mut self, at: usize) {
        let (from, to) = (self.path(at), self.path(3));
        if from.exists() && at != 3 && !NAMES[at].ends_with("gz") {
            std::fs::create_dir_all(to.parent().unwrap()).unwrap();
            std::fs::rename(from, to).unwrap();
            self.rest[at].clear();
        }
    }
}

/// Changes a verdict without changing the length.
fn swap(bytes: &mut [u8]) {
    if let Some(at) = bytes.windows(4).position(|w| w == b"\"GO\"") {
        bytes[at + 1..at + 3].copy_from_slice(b"XX");
    } else if let Some(at) = bytes.windows(2).position(|w| w == b"m0") {
        bytes[at + 1] = b'1';
    }
}

fn gz(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

/// What a writer leaves: from so few records that doubles, repeats and equal times are common.
fn piece(a: u16, b: u16) -> Vec<u8> {
    let (a, b) = (u32::from(a), u32::from(b));
    let verdict = ["GO", "NO-GO", "UNDETERMINED", "PASS"][(b / 7 % 4) as usize];
    let record = push(a % 3, b % 2, a / 3 % 4, verdict);
    match a / 12 % 12 {
        0..=5 => format!("{record}\n"),
        6 => record.replace(',', ",\n").replace('{', "{\n") + "\n",
        7 => format!("{record}{}\n", push(b % 3, a % 2, 1, "NO-GO")),
        8 => format!("{{\"commit\":\"{:07x}\",\"ver{record}\nno record {b}\n\n", a % 3),
        9 => human(a % 3, b) + "\n",
        10 => record,
        _ => (0..b % 40).map(|n| push(n % 5, n % 2, n % 4, verdict) + "\n").collect(),
    }
    .into_bytes()
}

/// A person's decision on a commit.
fn human(commit: u32, reason: u32) -> String {
    format!(
        "{{\"commit\":\"{commit:07x}\",\"model\":\"human\",\"mode\":\"override\",\"human_override\":true,\
         \"judge_tier\":\"human\",\"verdict\":\"accept\",\"reason\":\"{reason}\",\
         \"timestamp\":\"2026-02-12T10:00:00Z\"}}"
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, failure_persistence: None, max_shrink_iters: 200, ..Default::default() })]
    #[test]
    fn warm_cache_equals_cold_one_after_any_change(
        steps in prop::collection::vec((0_u8..16, 0_usize..6, any::<u16>(), any::<u16>()), 3..24)
    ) {
        let mut story = Story::new();
        story.append(0, &piece(12, 1), usize::MAX);
        for (n, step) in steps.into_iter().enumerate() {
            story.step(step);
            if n % 2 == 0 {
                story.world.check();
            } else {
                story.world.warm();
            }
        }
        story.world.check();
    }
}

fn segments(world: &World) -> usize {
    let files = contents(&world.cache());
    files.keys().filter(|path| path.to_string_lossy().ends_with(".slim.columns")).count()
}

#[test]
fn files_added_run_by_run_merge_as_if_read_at_once() {
    let world = World::new();
    for run in 0..12_u32 {
        for n in 0..34 {
            // Newer names come first, so that files are entered before those that are known.
            let file = (11 - run) * 34 + n;
            let lines = (0..3).map(|i| push((file * 2 + i) % 500, i % 2, i, "NO-GO") + "\n");
            let reject = if n % 5 == 0 { "no record\n" } else { "" };
            world.write(&format!("b{}/{file:04}.jsonl", n % 3), lines.collect::<String>() + reject);
        }
        world.warm();
    }
    let said = world.check();
    assert_eq!(said.all.boxes.iter().map(|b| b.files).sum::<u64>(), 408);
    let segments = segments(&world);
    assert!((1..=10).contains(&segments), "{segments} segments");
}

/// What is merged is in memory meanwhile, so it is bounded by its bytes and not by its rows alone.
#[test]
fn segments_of_few_rows_and_long_texts_are_not_merged_into_one() {
    let world = World::new();
    let long = "x".repeat(1 << 20);
    for run in 0..10 {
        let line = |n: u32| {
            push(run * 10 + n, 1, n, "GO").replacen('{', &format!("{{\"findings\":\"{long}\","), 1)
        };
        world.write(&format!("{run}.jsonl"), (0..7).map(|n| line(n) + "\n").collect::<String>());
        world.warm();
    }
    let segments = segments(&world);
    assert_eq!(segments, 2, "70 MiB of texts in segments of at most 64");
}

#[test]
fn log_with_rejects_only_may_grow() {
    let world = World::new();
    for run in 0..24 {
        world.append("a.jsonl", format!("no record {run}\n"));
        world.warm();
    }
    assert_eq!(world.check().all.rejects_total, 24);
}

#[test]
fn record_belongs_to_first_log_for_any_reading_order() {
    let world = World::new();
    let shared = push(1, 1, 1, "NO-GO") + "\n";
    world.write("south/day.jsonl", shared.clone() + &push(1, 1, 2, "GO") + "\n");
    world.check();
    world.write("north/day.jsonl", shared);
    let said = world.check();
    assert_eq!(said.all.counts.accounting.duplicates, 1);
    assert_eq!(said.all.flagged[0].box_name, "north");
    assert_eq!(said.all.flagged[0].origins.len(), 2);
    // A commit judged on two boxes is two evaluations: the one on south is no repeat any more.
    assert_eq!(said.all.counts.repeats, 0);
    let go = said.all.kpis.iter().find(|k| k.id == Measure::GoRate).unwrap();
    assert_eq!((go.numerator, go.denominator), (1, 2));
    let per_box: Vec<u64> = said.all.boxes.iter().map(|b| b.records).collect();
    assert_eq!(per_box, [1, 2]);
}

#[test]
fn damaged_compressed_log_hides_no_others_and_keeps_content() {
    let world = World::new();
    let line = push(1, 1, 1, "NO-GO") + "\n";
    world.write("a.jsonl", push(2, 1, 1, "GO") + "\n");
    let whole: String = (0..400).map(|n| push(n * 7919, n % 3, 1, "GO") + "\n").collect();
    let packed = gz(&[line.as_bytes(), whole.as_bytes()].concat());
    let cases: [(&str, &[u8], u64); 5] = [
        ("whole", &packed, 402),
        ("short", &packed[..packed.len() - 9], 1),
        ("plain", line.as_bytes(), 1),
        ("empty", b"", 1),
        ("extra", &[&packed, &b"rubbish"[..]].concat(), 402),
    ];
    for (case, bytes, least) in cases {
        world.write("z.jsonl.gz", bytes);
        let said = world.check();
        let counts = said.all.counts.accounting;
        assert!(counts.records >= least, "{case}: {counts:?}");
        let damaged = !["whole", "empty"].contains(&case);
        assert_eq!(counts.rejected, u64::from(damaged), "{case}: {:?}", said.all.rejects);
        assert!(said.all.rejects.iter().all(|r| r.reason.contains("compressed")), "{case}");
    }
}

/// The records in what a decoder gives of a damaged log in steps of 256 KiB, each once: it gives nothing of the step
/// in which the damage is.
fn before_damage(packed: &[u8]) -> usize {
    let (mut log, mut whole) = (flate2::read::MultiGzDecoder::new(packed), Vec::new());
    let mut portion = vec![0; 256 << 10];
    while let Ok(got @ 1..) = log.read(&mut portion) {
        whole.extend_from_slice(&portion[..got]);
    }
    let found = foureyes::jsonl::read(&whole, &Settings::default()).found;
    found.into_iter().map(|found| found.record.id).collect::<BTreeSet<_>>().len()
}

#[test]
fn records_before_damage_count_and_can_be_read() {
    let world = World::new();
    // Packed so well that a step is less than what the decoder takes in at once.
    let same = format!(",\"findings\":\"{}\"}}\n", "as before, ".repeat(30));
    let line = |n: u32| push(n * 7919, n % 3, 1, "GO").replace('}', &same);
    let packed = gz((0..6000).map(line).collect::<String>().as_bytes());
    let mut counts = BTreeSet::new();
    for tenth in 1..10 {
        let mut damaged = packed.clone();
        damaged[packed.len() * tenth / 10..][..64].fill(0xff);
        world.write("z.jsonl.gz", &damaged);
        // This reads them all.
        let records = world.check().all.counts.accounting.records;
        assert_eq!(records, before_damage(&damaged) as u64, "{tenth}");
        counts.insert(records);
    }
    assert!(counts.len() > 1, "{counts:?}");
}

#[test]
fn open_archive_is_stable_while_other_runs_rewrite_cache() {
    let world = World::new();
    world.write("a.jsonl", push(1, 1, 1, "NO-GO") + "\n");
    for n in 0..8 {
        world.append("a.jsonl", push(2 + n, 1, 1, "NO-GO") + "\nno record\n");
        world.warm();
    }
    let (_, open) = world.open(&world.data());
    let files = || contents(&world.cache()).len();
    let held = files();
    let say = || (open.tally(Window::ALL, 0).unwrap(), open.rejects(100).unwrap());
    let before = say();
    for n in 0..4 {
        world.append("a.jsonl", push(20 + n, 1, 1, "NO-GO") + "\n");
        world.warm();
        assert_eq!(say(), before);
    }
    std::fs::write(world.cache().join("manifest.json"), "no manifest").unwrap();
    world.warm();
    assert_eq!(say(), before);
    drop(open);
    world.append("a.jsonl", push(30, 1, 1, "NO-GO") + "\n");
    std::fs::write(world.cache().join(".tmpkilled"), "left").unwrap();
    world.warm();
    assert!(files() < held, "{} of {held} are left", files());
}
