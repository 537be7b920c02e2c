//! Where lines go, from the reader to the rows and rejects of a collection.

use super::no_records::OF_LOG;
use super::{Collection, LogFile, Request};
use crate::domain::{Accounting, RecordId, Window};
use crate::frame::query::{Query, Scope};
use crate::jsonl::{Named, Settings, read_one};
use proptest::prelude::*;
use std::collections::HashSet;
use std::fs;
use std::io::Write;
use std::path::Path;

fn log(dir: &Path, box_name: &str, name: &str, text: &str) -> LogFile {
    let path = dir.join(name);
    let gzip = name.ends_with(".gz");
    if gzip {
        let file = fs::File::create(&path).unwrap();
        let mut gz = flate2::write::GzEncoder::new(file, flate2::Compression::fast());
        gz.write_all(text.as_bytes()).unwrap();
        gz.finish().unwrap();
    } else {
        fs::write(&path, text).unwrap();
    }
    LogFile { box_name: box_name.to_owned(), name: name.to_owned(), path, limit: None, gzip }
}

fn request<'a>(dir: &'a Path, files: &'a [LogFile], settings: &'a Settings) -> Request<'a> {
    Request { dir, files, settings, progress: &|_| {} }
}

/// What a collection counts; the rows and rejects that it has are as many as it says.
fn counted(all: &Collection) -> Accounting {
    let counts = all.accounting();
    assert!(counts.balances(), "{counts:?}");
    let query = Query::parse("").unwrap();
    let scope = Scope {
        boxes: all.boxes(),
        now: crate::domain::Timestamp(0),
        reviews: crate::domain::review::Reviews::none(),
    };
    let rows = all.matching(&query, &scope, Window::ALL).unwrap();
    assert_eq!(rows.len() as u64, counts.records, "rows");
    assert_eq!(all.records(&rows).unwrap().len(), rows.len(), "records of the logs");
    let kept = all.rejects(usize::MAX).unwrap().len() as u64;
    assert_eq!(kept + all.rejects_unkept(), counts.rejected, "rejects");
    counts
}

fn record(n: u8) -> String {
    format!("{{\"commit\":\"c{n}\",\"timestamp\":\"2026-02-15T10:30:00Z\",\"verdict\":\"NO-GO\"}}")
}

/// A line, where it goes, and the records on it.
fn line(kind: u8, n: u8) -> (String, Accounting, Vec<u8>) {
    let pad = "\0".repeat(usize::from(n) * 3 + 1);
    let one = Accounting { lines: 1, ..Accounting::default() };
    let (text, counts) = match kind {
        0 => ("no record".to_owned(), Accounting { rejected: 1, ..one }),
        1 => (record(n)[..30].to_owned(), Accounting { rejected: 1, ..one }),
        2 => {
            (format!("{{\"commit\":\"{n}\",\"job\":\"build\"}}"), Accounting { foreign: 1, ..one })
        }
        3 => (pad, Accounting { blank: 1, ..one }),
        4 => ("\t".to_owned(), Accounting { blank: 1, ..one }),
        5 => (pad + &record(n), one),
        6 => (record(n).replace(',', ",\n"), Accounting { lines: 3, joined: 2, ..one }),
        7 => (record(n) + &record(n ^ 1), Accounting { split: 1, ..one }),
        8 => (format!("{{\"a\":{}", record(n)), Accounting { split: 1, rejected: 1, ..one }),
        _ => (record(n), one),
    };
    let records = match kind {
        0..=4 => vec![],
        7 => vec![n, n ^ 1],
        _ => vec![n],
    };
    (text, counts, records)
}

type Lines = Vec<(u8, u8)>;

fn lines() -> impl Strategy<Value = Lines> {
    prop::collection::vec((0..14_u8, 0..20_u8), 1..25)
}

/// The text of lines, and what must be counted of them but for doubles.
fn text(lines: &[(u8, u8)]) -> (String, Accounting, Vec<u8>) {
    let (mut all, mut counts, mut records) = (String::new(), Accounting::default(), Vec::new());
    for (text, of_line, found) in lines.iter().map(|(kind, n)| line(*kind, *n)) {
        all.extend([text.as_str(), "\n"]);
        counts.add(&of_line);
        records.extend(found);
    }
    (all, counts, records)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Records, doubles across logs and boxes, rejects, foreign lines, padding, a line that is begun: each is known
    /// beforehand, however often the logs are read on the way, and with no cache at all.
    #[test]
    fn every_line_is_in_the_count_where_it_belongs(
        one in lines(), two in lines(), packed in lines(), more in lines(), is_open in any::<bool>(),
    ) {
        let (home, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let settings = Settings::default();
        let mut wanted = Accounting::default();
        let mut records = Vec::new();
        let mut files = Vec::new();
        for (box_name, name, lines) in [("a", "1.jsonl", &one), ("b", "2.jsonl", &two), ("b", "3.jsonl.gz", &packed)] {
            let (text, counts, found) = text(lines);
            files.push(log(home.path(), box_name, name, &text));
            wanted.add(&counts);
            records.extend(found);
        }
        counted(&Collection::open(&request(cache.path(), &files, &settings)).unwrap());
        let (mut grown, counts, found) = text(&more);
        wanted.add(&counts);
        records.extend(found);
        if is_open {
            grown += "{\"commit\":\"begun";
            wanted.add(&Accounting { lines: 1, incomplete: 1, ..Accounting::default() });
        }
        let mut file = fs::File::options().append(true).open(&files[0].path).unwrap();
        file.write_all(grown.as_bytes()).unwrap();
        wanted.records = records.iter().collect::<HashSet<_>>().len() as u64;
        wanted.duplicates = records.len() as u64 - wanted.records;
        let all = request(cache.path(), &files, &settings);
        prop_assert_eq!(counted(&Collection::open(&all).unwrap()), wanted);
        prop_assert_eq!(counted(&Collection::open(&all).unwrap()), wanted);
        let memory = Collection::open_in_memory(&all).unwrap();
        prop_assert_eq!(counted(&memory), wanted);
        prop_assert_eq!(memory.rejects(usize::MAX).unwrap(), Collection::open(&all).unwrap().rejects(usize::MAX).unwrap());
    }
}

#[test]
fn rejects_of_a_growing_log_are_kept_up_to_a_bound_and_all_counted() {
    let (home, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let settings = Settings::default();
    let bad = "no record\n".repeat(OF_LOG as usize - 100);
    let files = [
        log(home.path(), "a", "1.jsonl", &bad),
        log(home.path(), "a", "2.jsonl.gz", &bad.repeat(30)),
    ];
    let open = || Collection::open(&request(cache.path(), &files, &settings)).unwrap();
    assert_eq!(counted(&open()).rejected, 31 * 900);
    let mut file = fs::File::options().append(true).open(&files[0].path).unwrap();
    file.write_all(bad.as_bytes()).unwrap();
    let all = open();
    assert_eq!(counted(&all).rejected, 32 * 900);
    let kept = all.rejects(usize::MAX).unwrap();
    let of = |name: &str| kept.iter().filter(|row| row.file == name).count() as u64;
    assert_eq!((of("1.jsonl"), of("2.jsonl.gz")), (OF_LOG, OF_LOG));
    assert_eq!(kept[999].line, OF_LOG);
    let size = |entry: fs::DirEntry| entry.metadata().unwrap().len();
    let bytes: u64 = fs::read_dir(cache.path()).unwrap().map(|entry| size(entry.unwrap())).sum();
    assert!(bytes < 400_000, "{bytes} bytes of cache for 29,000 rejects");
}

#[test]
fn a_ledger_that_names_a_foreign_line_makes_it_a_record_again() {
    let (home, cache) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let build = |n: u32| format!("{{\"commit\":\"{n}\",\"job\":\"build\"}}");
    let text = format!("{}\n{}\n{}\n{{\"level\":3}}\n", build(1), build(2), record(3));
    let files = [log(home.path(), "a", "1.jsonl", &text)];
    let open = |ids: &[RecordId]| {
        let ids: HashSet<RecordId> = ids.iter().copied().collect();
        let settings = Settings { named: Named::new(move || ids), ..Settings::default() };
        let counts = counted(&Collection::open(&request(cache.path(), &files, &settings)).unwrap());
        (counts.records, counts.foreign)
    };
    let id = |line: &str| read_one(line.as_bytes(), &Settings::default()).unwrap().id;
    assert_eq!(open(&[]), (1, 3));
    // One that is no line of these logs changes nothing; one that is brings it back, and it stays.
    assert_eq!(open(&[id(&build(9))]), (1, 3));
    assert_eq!(open(&[id(&build(2))]), (2, 2));
    assert_eq!(open(&[id(&build(2)), id(&record(3))]), (2, 2));
    assert_eq!(open(&[id(&build(1)), id(&build(2))]), (3, 1));
}
