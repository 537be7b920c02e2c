use super::matching::PROPOSALS;
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
        asked_upto: 0,
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
        left_out: 0,
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
fn file_that_is_not_read_is_named_and_no_log_is_not() {
    let mut listing = listing(vec![
        seen(1, "/d/a.jsonl.1.bak", 1, 1, 5),
        seen(2, "/d/a.jsonl-20261129.xz", 2, 1, 5),
        seen(3, "/e/v.log", 3, 1, 5),
        seen(4, "/e/v.log.1", 4, 1, 5),
        seen(5, "/e/v.log.old", 5, 1, 5),
        seen(6, "/e/v.log~", 6, 1, 5),
        seen(7, "/e/v.logs", 7, 1, 5),
        Seen { kind: FileKind::Directory, stat: None, ..seen(8, "/d/b.jsonl", 8, 1, 5) },
        Seen { stat: None, ..seen(9, "/d/c.jsonl", 9, 1, 5) },
        seen(10, "/d/d.jsonl", 10, 1 << 31, 5),
    ]);
    listing.roots.push(Root { kind: RootKind::File, path: b"/e/v.log".to_vec() });
    let plan = plan(&[], &listing, &["/d".to_owned(), "/e/v.log".to_owned()], 1 << 30);
    assert_eq!(plan.asks.iter().map(|a| a.number).collect::<Vec<_>>(), [3, 4, 5]);
    let named: Vec<String> = plan.facts.iter().map(Fact::to_string).collect();
    assert_eq!(
        named,
        [
            "/d/a.jsonl.1.bak is a backup copy and is not read",
            "/d/a.jsonl-20261129.xz is compressed with xz and is not read",
            "/e/v.log~ is a backup copy and is not read",
            "/d/b.jsonl is a directory and is not read",
            "/d/c.jsonl is gone again and is not read",
            "/d/d.jsonl has 2147483648 bytes, more than the limit",
        ]
    );
    assert_eq!(plan.listed, FileCounts { offered: 9, read: 0, unread: 6 });
}

#[test]
fn so_many_files_are_named_and_the_others_counted() {
    let name = |n: usize| format!("/d/{n}.jsonl.xz");
    let files: Vec<_> = (0..NAMED + 3).map(|n| seen(n + 1, &name(n), n as u64, 1, 5)).collect();
    let plan = planned(&[], files);
    assert_eq!(plan.facts.len(), NAMED + 1);
    assert_eq!(plan.facts.last(), Some(&Fact::AlsoUnread { files: 3 }));
    assert_eq!(plan.listed.unread, NAMED as u64 + 3);
}

#[test]
fn log_that_was_rotated_is_found_under_each_name() {
    for name in [
        "a.jsonl.1",
        "a.jsonl-20261129",
        "a.jsonl.2026-11-29",
        "a.jsonl.old",
        "old-a.jsonl",
        "2026-11-29.jsonl",
    ] {
        let known = [entry("/d/a.jsonl", 1, 10)];
        let now = vec![
            seen(1, "/d/a.jsonl", 3, 4, 90),
            seen(2, &format!("/d/{name}"), 1, 12, 90),
            seen(3, "/d/new.jsonl", 7, 9, 90),
        ];
        let mut asked = asked(&planned(&known, now));
        asked.sort();
        assert_eq!(asked, [(1, vec![]), (2, vec![(0, false)]), (3, vec![])], "{name}");
        for ending in [".gz", ".zst"] {
            let packed = format!("/d/{name}{ending}");
            let now = vec![seen(1, "/d/a.jsonl", 3, 4, 90), seen(2, &packed, 8, 3, 90)];
            let asked = asked_of(&known, now);
            assert_eq!(asked, [(1, vec![]), (2, vec![(0, true)])], "{packed}");
        }
    }
}

fn asked_of(known: &[Entry], now: Vec<Seen>) -> Vec<(usize, Vec<(usize, bool)>)> {
    let mut asked = asked(&planned(known, now));
    asked.sort();
    asked
}

#[test]
fn copy_is_proposed_for_any_new_name_only_while_its_file_is_missing() {
    let known = [entry("/d/a.jsonl", 1, 10), entry("/d/b.jsonl", 2, 20)];
    // Both stand where they stood, one of them longer.
    let there = vec![
        seen(1, "/d/a.jsonl", 1, 10, 5),
        seen(2, "/d/b.jsonl", 2, 30, 90),
        seen(3, "/d/x.jsonl", 3, 40, 90),
    ];
    assert_eq!(asked_of(&known, there), [(2, vec![(1, false)]), (3, vec![])]);
    // One was emptied after it was copied, the other was removed.
    let gone = vec![seen(1, "/d/a.jsonl", 1, 0, 90), seen(3, "/d/x.jsonl", 3, 40, 90)];
    assert_eq!(asked_of(&known, gone), [(1, vec![]), (3, vec![(1, false), (0, false)])]);
    // Nobody knows what is gone where names are left out.
    let mut listing = listing(vec![seen(3, "/d/x.jsonl", 3, 40, 90)]);
    listing.left_out = 1;
    assert_eq!(asked(&plan(&known, &listing, &["/d".to_owned()], 1 << 30)), [(3, vec![])]);
    assert!(!is_gone(&known[0], &listing, &HashSet::new()));
}

#[test]
fn missing_files_are_proposed_a_bounded_number_of_times() {
    let known: Vec<_> = (0..50).map(|n| entry(&format!("/d/{n}.jsonl"), n + 1, 10)).collect();
    let files = (0..50).map(|n| seen(n + 1, &format!("/d/new{n}.jsonl"), 900 + n as u64, 99, 90));
    let plan = planned(&known, files.collect());
    assert_eq!(plan.asks.iter().map(|ask| ask.candidates.len()).sum::<usize>(), PROPOSALS);
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

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]

    /// Each file that is offered is unchanged, asked for or refused, whatever it is called and is.
    #[test]
    fn files_offered_are_read_asked_for_or_named(
        files in proptest::collection::vec((0..NAMES.len(), 0..4_u8, 0..40_u64, 0..7_u8), 0..80),
        known in proptest::collection::vec((0..NAMES.len(), 1..30_u64), 0..20),
    ) {
        let known: Vec<_> = known.iter().map(|(at, n)| entry(&format!("/d/{n}{}", NAMES[*at]), *n, *n)).collect();
        let kinds = [FileKind::Regular, FileKind::Closed, FileKind::Directory, FileKind::Special];
        let mut taken = HashSet::new();
        let mut listed = Vec::new();
        for (at, kind, n, went) in files {
            let mut file = seen(listed.len() + 1, &format!("/d/{n}{}", NAMES[at]), n, n, 5);
            file.kind = kinds[usize::from(kind)];
            if went == 0 || kind > 1 {
                file.stat = None;
            }
            if taken.insert(file.path.clone()) {
                listed.push(file);
            }
        }
        let offered = listed.iter().filter(|f| log_name::kind(&f.path) != NameKind::Other).count() as u64;
        let plan = planned(&known, listed);
        proptest::prop_assert_eq!(plan.listed.offered, offered);
        let also: u64 = plan.facts.iter().map(|fact| match fact {
            Fact::AlsoUnread { files } => *files,
            _ => 1,
        }).sum();
        proptest::prop_assert_eq!(plan.listed.unread, also, "each has its notice");
        proptest::prop_assert_eq!(offered, plan.unchanged.len() as u64 + plan.asks.len() as u64 + also);
    }
}

/// Endings of names.
const NAMES: [&str; 14] = [
    ".jsonl",
    ".jsonl.1",
    ".jsonl-20261129",
    ".jsonl-20261129.gz",
    ".jsonl.old",
    ".jsonl.zst",
    ".jsonl.xz",
    ".jsonl.bak",
    ".jsonl~",
    ".jsonl.2.lz4",
    ".json",
    ".eval",
    ".jsonlx",
    ".JSONL",
];
