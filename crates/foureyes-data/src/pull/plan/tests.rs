use super::*;
use crate::source::listing::{Abilities, Compression};
use crate::store::cursor::Cursor;

fn entry(path: &str, inode: u64, offset: u64) -> Entry {
    let stamp = Stamp {
        device: Some(1),
        inode: Some(inode),
        size: offset,
        modified: Some(5),
        changed: Some(5),
        nanos: None,
        settled: true,
    };
    Entry {
        path: RemotePath(path.into()),
        generation: 0,
        local: path.replace('/', "%2F"),
        live: true,
        gzip: path.ends_with(".gz"),
        archived: false,
        damaged: false,
        cursor: Cursor { offset, stamp: Some(stamp), ..Cursor::default() },
    }
}

fn seen(number: usize, path: &str, inode: u64, size: u64, changed: i64) -> Seen {
    let stat = Stat {
        device: Some(1),
        inode: Some(inode),
        size,
        modified: Some(changed),
        changed: Some(changed),
        nanos: None,
    };
    Seen { number, path: path.into(), kind: FileKind::Regular, stat: Some(stat) }
}

fn listing(files: Vec<Seen>) -> Listing {
    Listing {
        abilities: Abilities {
            algorithm: Algorithm::Sha256,
            cuts: true,
            compression: Compression::Zstd,
            stats: true,
            now: 100,
            now_nanos: 0,
        },
        roots: vec![Root { kind: RootKind::Directory, path: b"/d".to_vec() }],
        files,
    }
}

fn planned(known: &[Entry], files: Vec<Seen>) -> Plan {
    plan(known, &listing(files), &["/d".to_owned()], 1 << 30)
}

/// The asks as (number, candidates).
fn asked(plan: &Plan) -> Vec<(usize, Vec<(usize, bool)>)> {
    plan.asks.iter().map(|a| (a.number, a.candidates.clone())).collect()
}

#[test]
fn rotation_is_taken_off_names() {
    let all = [
        ("/d/a.jsonl", "/d/a.jsonl"),
        ("/d/a.jsonl.1", "/d/a.jsonl"),
        ("/d/a.jsonl.12.gz", "/d/a.jsonl"),
        ("/d/a.jsonl.gz", "/d/a.jsonl"),
        ("/d/7", "/d/7"),
        ("/d/2026.02", "/d/2026"),
    ];
    for (path, expected) in all {
        assert_eq!(stem(path.as_bytes()), expected.as_bytes(), "{path}");
    }
}

#[test]
fn unchanged_file_is_not_requested() {
    let known = [entry("/d/a.jsonl", 1, 10), entry("/d/b.jsonl", 2, 10)];
    let plan =
        planned(&known, vec![seen(1, "/d/a.jsonl", 1, 10, 5), seen(2, "/d/b.jsonl", 2, 10, 6)]);
    assert_eq!(plan.unchanged, [0]);
    assert_eq!(asked(&plan), [(2, vec![(1, false)])], "touched: compared again");
}

#[test]
fn a_chain_of_renames_is_followed_by_inode() {
    let known = [entry("/d/a.jsonl", 1, 10), entry("/d/a.jsonl.1", 2, 10)];
    let now = vec![
        seen(1, "/d/a.jsonl", 3, 4, 90),
        seen(2, "/d/a.jsonl.1", 1, 12, 90),
        seen(3, "/d/a.jsonl.2", 2, 10, 90),
    ];
    let asked = asked(&planned(&known, now));
    let first = |n: usize| asked.iter().find(|a| a.0 == n).unwrap().1.first().copied();
    assert_eq!([first(1), first(2), first(3)], [None, Some((0, false)), Some((1, false))]);
}

#[test]
fn a_shortened_file_is_never_taken_for_a_continuation() {
    let known = [entry("/d/a.jsonl", 1, 10)];
    let plan = planned(&known, vec![seen(1, "/d/a.jsonl", 1, 4, 90)]);
    assert_eq!(asked(&plan), [(1, vec![])]);
    assert_eq!(plan.asks[0].own, Some(0));
}

#[test]
fn original_file_is_requested_before_its_copies() {
    let known = [entry("/d/z.jsonl", 1, 10)];
    let now = vec![seen(1, "/d/z.jsonl.1", 9, 20, 90), seen(2, "/d/z.jsonl", 1, 20, 90)];
    let plan = planned(&known, now);
    assert_eq!(asked(&plan), [(2, vec![(0, false)]), (1, vec![(0, false)])]);
}

#[test]
fn gzip_may_replace_a_copy() {
    let known = [entry("/d/a.jsonl", 1, 10)];
    let now = vec![seen(1, "/d/a.jsonl", 3, 0, 90), seen(2, "/d/a.jsonl.1.gz", 4, 3, 90)];
    let plan = planned(&known, now);
    let gzip = plan.asks.iter().find(|a| a.number == 2).unwrap();
    assert_eq!(gzip.candidates, [(0, true)]);
}

#[test]
fn without_hashes_only_the_file_itself_is_trusted() {
    let known = [entry("/d/a.jsonl", 1, 10)];
    let mut listing =
        listing(vec![seen(1, "/d/a.jsonl.1", 9, 20, 90), seen(2, "/d/a.jsonl", 1, 20, 90)]);
    listing.abilities.algorithm = Algorithm::None;
    let plan = plan(&known, &listing, &["/d".to_owned()], 1 << 30);
    assert_eq!(asked(&plan), [(2, vec![(0, false)]), (1, vec![])]);
}

#[test]
fn unrequested_files_are_ignored() {
    let mut listing = listing(vec![
        seen(1, "/d/a.jsonl.1.bak", 1, 1, 5),
        seen(2, "/d/a.jsonl.1x", 2, 1, 5),
        seen(3, "/e/v.log", 3, 1, 5),
        seen(4, "/e/v.log.1", 4, 1, 5),
        seen(5, "/e/v.log.old", 5, 1, 5),
    ]);
    listing.roots.push(Root { kind: RootKind::File, path: b"/e/v.log".to_vec() });
    let plan = plan(&[], &listing, &["/d".to_owned(), "/e/v.log".to_owned()], 1 << 30);
    assert_eq!(plan.asks.iter().map(|a| a.number).collect::<Vec<_>>(), [3, 4]);
}

#[test]
fn a_directory_that_cannot_be_seen_deletes_nothing() {
    let gone = entry("/d/a.jsonl", 1, 10);
    assert!(is_gone(&gone, &listing(vec![]), &HashSet::new()));
    let mut closed = listing(vec![]);
    closed.roots[0].kind = RootKind::Closed;
    assert!(!is_gone(&gone, &closed, &HashSet::new()));
    let elsewhere = entry("/other/a.jsonl", 1, 10);
    assert!(!is_gone(&elsewhere, &listing(vec![]), &HashSet::new()));
}

#[test]
fn planning_time_grows_linearly_with_files() {
    let took = |count: u64| {
        let name = |n: u64| format!("/d/{n}.jsonl");
        let known: Vec<_> = (0..count).map(|n| entry(&name(n), n + 1, 10)).collect();
        let files: Vec<_> = (0..count).map(|n| seen(n as usize, &name(n), n + 1, 20, 50)).collect();
        let once = || {
            let start = std::time::Instant::now();
            assert_eq!(planned(&known, files.clone()).asks.len() as u64, count);
            start.elapsed()
        };
        (0..3).map(|_| once()).min().unwrap_or_default()
    };
    // 32 times the files: a square would be a thousand times.
    let (few, many) = (took(500), took(16_000));
    assert!(many < few * 300, "{few:?} for 500 files and {many:?} for 16,000");
}
