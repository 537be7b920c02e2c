//! Lists over an archive that stays open: order, filters, single rows, cancelling.

use super::world::{NOW, World, push};
use foureyes::domain::review::Reviews;
use foureyes::domain::{Record, RecordId, Timestamp, Window};
use foureyes::frame::query::{Query, Scope};
use foureyes::generate::{Spec, generate};
use foureyes::store::cache::{Archive, Row};
use foureyes::triage::history;
use std::collections::{BTreeSet, HashMap};
use std::io::Write;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Logs of all families with doubles, repeats, bypasses and dirt, one of them compressed.
pub(super) fn made(records: u64) -> World {
    let world = World::new();
    let spec = Spec::new(records, 3, 11, NOW);
    let spec = Spec { repository: false, boxes: 3, dirt: 0.2, ..spec };
    generate(&spec, &world.home.path().join("made")).unwrap();
    std::fs::remove_dir(world.logs()).unwrap();
    std::fs::rename(world.home.path().join("made/boxes"), world.logs()).unwrap();
    let line = |n: u32| push(n % 128, n % 2, n % 5, ["GO", "NO-GO"][n as usize % 2]) + "\n";
    let tied: String = (0..200).map(line).collect();
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    gz.write_all(tied.as_bytes()).unwrap();
    world.write("packed/day.jsonl.gz", gz.finish().unwrap());
    world.write("plain/day.jsonl", (100..260).map(line).collect::<String>());
    // The last line may still grow: it stands in memory only.
    world.append("plain/tail.jsonl", push(77, 1, 3, "NO-GO"));
    world
}

/// All records, in whatever order the cache has them.
pub(super) fn records(archive: &Archive) -> Vec<Record> {
    let all = archive.matching(&Query::parse("").unwrap(), &scope(archive), Window::ALL).unwrap();
    archive.records(&all).unwrap().into_iter().map(|located| located.record).collect()
}

/// The ids of rows.
pub(super) fn ids(archive: &Archive, rows: &[Row]) -> Vec<RecordId> {
    let located = archive.records(rows).unwrap();
    let ids: Vec<_> = located.into_iter().map(|l| l.record.id).collect();
    assert_eq!(archive.ids(rows).unwrap(), ids);
    ids
}

fn scope(archive: &Archive) -> Scope<'_> {
    Scope { boxes: archive.boxes(), now: NOW, reviews: Reviews::none() }
}

fn list(archive: &Archive, query: &str, window: Window) -> Vec<Row> {
    let query = Query::parse(query).unwrap();
    archive.list(&query, &scope(archive), window, &|| false).unwrap().unwrap()
}

/// Archives of the same logs that keep nothing, too little, and all.
fn archives(world: &World) -> Vec<Archive> {
    let keep = [None, Some(0), Some(40_000), Some(1 << 30)];
    let open = keep.map(|bytes| {
        let (_, mut archive) = world.open(&world.data());
        bytes.into_iter().for_each(|bytes| archive.keep(bytes));
        archive
    });
    let [.., last] = &open;
    assert!(!last.warm(&|| true).unwrap() && last.warm(&|| false).unwrap());
    assert!(last.kept_bytes() > 40_000);
    open.into()
}

/// Ids in the order in which records are listed, by what the records themselves say.
pub(super) fn in_order(world: &World, mut records: Vec<Record>) -> Vec<RecordId> {
    let files = world.collected(&world.data()).files;
    let rank: HashMap<(&str, &str), usize> =
        files.iter().zip(0..).map(|(f, n)| ((f.box_name.as_str(), f.name.as_str()), n)).collect();
    records.sort_by_key(|r| {
        let first = &r.origins[0];
        let rank = rank[&(first.box_name.as_str(), first.file.as_str())];
        (r.timestamp.is_none(), r.timestamp.map(|t| -t.0), rank, first.byte)
    });
    records.iter().map(|r| r.id).collect()
}

#[test]
fn list_order_is_independent_of_cache() {
    let world = made(3_000);
    let (mut said, mut kept) = (BTreeSet::new(), Vec::new());
    for archive in archives(&world) {
        let all = records(&archive);
        assert!(
            all.iter().any(|r| r.origins.len() > 1) && all.iter().any(|r| r.timestamp.is_none())
        );
        let mut times: Vec<_> = all.iter().map(|r| r.timestamp).collect();
        times.sort_unstable();
        times.dedup();
        assert!(times.len() + 100 < all.len(), "times are equal often");
        for _ in 0..2 {
            let rows = list(&archive, "", Window::ALL);
            assert_eq!(ids(&archive, &rows), in_order(&world, all.clone()));
            let mut first = rows.clone();
            first.reverse();
            archive.first(&mut first, 70).unwrap();
            assert_eq!(first, rows[..70]);
        }
        let window = Window { from: Some(NOW.minus_days(6)), to: Some(NOW.minus_days(1)) };
        let inside = all.iter().filter(|r| window.holds(r.timestamp)).cloned().collect();
        let rows = list(&archive, "", window);
        assert_eq!(ids(&archive, &rows), in_order(&world, inside));
        said.insert(format!("{all:?}"));
        kept.push(archive.kept_bytes());
    }
    assert_eq!(said.len(), 1, "what is kept changes nothing that is said");
    assert!(kept[..2] == [0, 0] && kept[2] <= 40_000 && kept[3] > 40_000, "{kept:?}");
}

/// A log that grows is read into several segments. Small ones are merged around one that is large, so that others
/// of its records stand between those of one segment.
#[test]
fn equal_times_keep_the_order_of_a_log_whose_segments_were_merged() {
    let world = World::new();
    let mut written = 0..;
    let mut grow = |count: usize| {
        // Every third is undated, the others are of one time.
        let line = |n: u32| push(n, 1, if n.is_multiple_of(3) { 0 } else { 2 }, "GO") + "\n";
        world.append("box/day.jsonl", written.by_ref().take(count).map(line).collect::<String>());
        world.open(&world.data()).1
    };
    grow(5);
    grow(16_500);
    (0..9).for_each(|_| drop(grow(3)));
    let mut archive = grow(1);
    let segments = archive.matching(&Query::parse("").unwrap(), &scope(&archive), Window::ALL);
    let segments: BTreeSet<u32> = segments.unwrap().iter().map(|row| row.segment).collect();
    assert!(segments.len() < 5, "small ones are merged");
    let rows = list(&archive, "", Window::ALL);
    assert_eq!(rows.len(), 16_533);
    assert_eq!(ids(&archive, &rows), in_order(&world, records(&archive)));
    let undated = list(&archive, "undated:yes", Window::ALL);
    archive.keep(1 << 30);
    assert!(archive.warm(&|| false).unwrap());
    assert_eq!(list(&archive, "", Window::ALL), rows);
    assert_eq!(list(&archive, "undated:yes", Window::ALL), undated);
}

#[test]
fn filtered_list_is_independent_of_cache() {
    let world = made(2_000);
    let queries = [
        "is:flagged",
        "-is:flagged",
        "verdict:no-go score:<3",
        "error:any | box:plain",
        "is:repeat",
        "e",
        "text:the",
        "path:research/",
        "latency:>2s family:push",
        "undated:yes",
        "id:00",
        "zz zz",
    ];
    let archives = archives(&world);
    let scope = Scope { boxes: archives[0].boxes(), now: NOW, reviews: Reviews::none() };
    for text in queries {
        let query = Query::parse(text).unwrap();
        let mut found = archives[0].matching(&query, &scope, Window::ALL).unwrap();
        archives[0].first(&mut found, usize::MAX).unwrap();
        for archive in &archives {
            for _ in 0..2 {
                assert_eq!(list(archive, text, Window::ALL), found, "{text}");
            }
        }
        let none = ["zz zz"].contains(&text);
        assert_eq!(found.is_empty(), none, "{text}");
    }
}

#[test]
fn a_row_is_found_by_its_id_and_has_a_position_in_every_list() {
    let world = made(800);
    for archive in archives(&world) {
        let rows = list(&archive, "", Window::ALL);
        for (at, id) in ids(&archive, &rows).into_iter().enumerate().step_by(7) {
            assert_eq!(archive.find_row(id).unwrap(), Some(rows[at]));
            assert_eq!(archive.position(&rows, id).unwrap(), Some(at));
            assert_eq!(archive.position(&rows[..at], id).unwrap(), None);
            let mut other = id;
            other.0[31] ^= 1;
            assert_eq!(archive.find_row(other).unwrap(), None, "the beginning alone is not enough");
        }
    }
}

#[test]
fn cancelled_list_is_discarded_and_next_one_is_complete() {
    let world = made(800);
    let (_, mut archive) = world.open(&world.data());
    archive.keep(1 << 30);
    let scope = Scope { boxes: archive.boxes(), now: NOW, reviews: Reviews::none() };
    let query = Query::parse("text:the").unwrap();
    let whole = list(&archive, "text:the", Window::ALL);
    let mut most = 0;
    loop {
        let looks = AtomicUsize::new(0);
        let cancel = || looks.fetch_add(1, Ordering::Relaxed) >= most;
        let found = archive.list(&query, &scope, Window::ALL, &cancel).unwrap();
        if let Some(rows) = found {
            assert_eq!(rows, whole);
            break;
        }
        assert!(looks.into_inner() > most, "it stopped without having been told to");
        most += 1;
    }
    assert!(most >= 4, "it looked {most} times");
}

#[test]
fn history_has_evaluations_of_file_and_rounds_of_task() {
    let world = World::new();
    let judged = |commit: u32, day: u32, files: &str| {
        push(commit, 1, day, "NO-GO")
            .replace("\"model\"", &format!("\"files_evaluated\":[{files}],\"model\""))
    };
    let round = |task: &str, round: u32, hour: u32| {
        format!(
            "{{\"task_id\":\"{task}\",\"model\":\"m\",\"mode\":\"quick\",\"verdict\":\"improve\",\
             \"scores\":{{}},\"round\":{round},\"timestamp\":\"2026-02-12T{hour:02}:00:00Z\"}}"
        )
    };
    let lines = [
        judged(1, 1, "\"a/x.md\""),
        judged(2, 3, "\"b\",\"a/x.md\""),
        judged(3, 2, "\"a/x.md\",\"b\""),
        judged(4, 2, "\"a/x.md.old\""),
        round("t-1", 2, 11),
        round("t-1", 1, 10),
        round("t-10", 1, 9),
        round("unknown", 1, 8),
        round("unknown", 2, 9),
    ];
    world.write("here/a.jsonl", lines.join("\n") + "\n");
    world.write("there/a.jsonl", round("t-1", 1, 23) + "\n" + &judged(9, 5, "\"a/x.md\"") + "\n");
    let (_, archive) = world.open(&world.data());
    let all = records(&archive);
    let of = |record: &Record, most| history(&archive, record, most, &|| false).unwrap().unwrap();
    let commit = |n: u32| all.iter().find(|r| r.commit == Some(format!("{n:07x}"))).unwrap();
    let commits =
        |rows: &[Record]| -> Vec<_> { rows.iter().map(|r| r.commit.clone().unwrap()).collect() };
    let found = of(commit(1), 10);
    assert_eq!(commits(&found.file), ["0000009", "0000002", "0000003", "0000001"]);
    assert_eq!((found.file_total, found.rounds_total), (4, 0));
    let found = of(commit(1), 2);
    assert_eq!(
        (commits(&found.file), found.file_total),
        (vec!["0000009".into(), "0000002".into()], 4)
    );
    let task = |task: &str| {
        all.iter().find(|r| r.box_name == "here" && r.task_id.as_deref() == Some(task))
    };
    let found = of(task("t-1").unwrap(), 10);
    assert_eq!(found.rounds.iter().map(|r| r.round).collect::<Vec<_>>(), [Some(1), Some(2)]);
    assert!(found.file.is_empty());
    assert!(of(task("unknown").unwrap(), 10).rounds.is_empty(), "unknown is not a task");
    assert_eq!(history(&archive, commit(1), 10, &|| true).unwrap(), None);
    assert!(commit(9).timestamp > Some(Timestamp(0)));
}
