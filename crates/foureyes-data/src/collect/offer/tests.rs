use super::*;
use crate::files::paths::DataDir;
use proptest::prelude::*;
use std::os::unix::fs::symlink;

const GZIP: &[u8] = b"\x1f\x8b\x08\0";

/// Names, what to put there, and why it is not read.
const FILES: [(&str, &[u8], Option<&str>); 22] = [
    ("v.jsonl", b"", None),
    ("v.jsonl-20261129", b"", None),
    ("v.jsonl-20261129.gz", GZIP, None),
    ("v.jsonl-20261130.zst", b"\x28\xb5\x2f\xfd", None),
    ("v.jsonl.2026-11-28", b"", None),
    ("v.jsonl.old", b"", None),
    ("v.jsonl.1", b"", None),
    ("v.jsonl.2.zst", b"", None),
    (".hidden.jsonl", b"", None),
    ("v.jsonl.3.xz", b"", Some("compressed with xz")),
    ("v.jsonl-1.bz2", b"", Some("compressed with bzip2")),
    ("v.jsonl.lz4", b"", Some("compressed with lz4")),
    ("v.jsonl.tmp", b"", Some("a temporary file")),
    (".v.jsonl.swp", b"", Some("a temporary file")),
    ("v.jsonl~", b"", Some("a backup copy")),
    ("w.JSONL", b"", Some("not named like a log")),
    ("a.jsonl", b"PK\x03\x04more", None),
    ("b.jsonl", GZIP, None),
    ("c.jsonl", b"\xfd7zXZ\0", None),
    ("run.eval", b"PK\x03\x04", Some("")),
    ("run.json", b"{}", Some("")),
    ("notes.txt", b"", Some("")),
];

fn local(dir: &Path) -> (Vec<LogFile>, SourceBox) {
    path_of_box(dir.to_str().unwrap())
}

fn path_of_box(path: &str) -> (Vec<LogFile>, SourceBox) {
    let text = format!("[[box]]\nname = \"here\"\nlocal = true\nlogs = [{path:?}]\n");
    let (config, _, problems) = crate::config::check(text.as_bytes(), None);
    assert!(problems.is_empty(), "{problems:?}");
    let data = DataDir::at(std::env::temp_dir().join("foureyes-no-data"));
    let collected = crate::collect::configured(&data, &config, Timestamp(9));
    (collected.files, collected.boxes.into_iter().next().unwrap())
}

fn given(dir: &Path) -> Result<(Vec<LogFile>, SourceBox), crate::collect::CollectError> {
    let data = DataDir::at(dir.with_extension("data"));
    let found = crate::collect::given(&data, &[dir.into()], Timestamp(9), &mut io::empty())?;
    Ok((found.files, found.boxes.into_iter().next().unwrap()))
}

fn names_of(files: &[LogFile]) -> Vec<String> {
    let name = |f: &LogFile| f.path.file_name().unwrap().to_string_lossy().into_owned();
    files.iter().map(name).collect()
}

#[test]
fn each_file_is_read_or_named_with_its_reason_by_each_way() {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes, _) in FILES {
        std::fs::write(dir.path().join(name), bytes).unwrap();
    }
    let mut logs: Vec<&str> = FILES.iter().filter(|f| f.2.is_none()).map(|f| f.0).collect();
    logs.sort_unstable();
    for (files, source) in [local(dir.path()), given(dir.path()).unwrap()] {
        let mut names = names_of(&files);
        names.sort_unstable();
        assert_eq!(names, logs);
        let packed = files.iter().filter(|f| f.gzip).count();
        assert_eq!(packed, 3);
        let named: Vec<_> =
            FILES.iter().filter(|f| f.2.is_some_and(|why| !why.is_empty())).collect();
        assert_eq!(source.notices.len(), named.len(), "{:?}", source.notices);
        for (name, _, why) in &named {
            let text = format!("{name} is {} and is not read", why.unwrap());
            assert_eq!(source.notices.iter().filter(|n| n.ends_with(&text)).count(), 1, "{text}");
        }
        let counts = FileCounts { offered: 19, read: 12, unread: 7 };
        assert_eq!((source.listed, source.state, source.error), (Some(counts), BoxState::Ok, None));
    }
}

#[test]
fn file_that_is_named_is_read_unless_it_is_something_else() {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes, what) in [
        ("verdicts", &b"{}\n"[..], None),
        ("run.eval", b"PK\x03\x04", Some("a ZIP archive")),
        ("packed", GZIP, Some("compressed with gzip, but not named *.gz")),
        ("v.jsonl.xz", b"\xfd7zXZ\0", Some("compressed with xz")),
        ("runs.db", b"SQLite format 3\0", Some("a database of SQLite")),
        ("a.jsonl", b"PK\x03\x04", None),
    ] {
        let path = dir.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        match (given(&path), what) {
            (Ok((files, _)), None) => assert_eq!(names_of(&files), [name]),
            (Err(error), Some(what)) => {
                let end = format!("/{name} is {what} and is not read");
                assert!(error.to_string().ends_with(&end), "{error}");
            }
            (other, _) => panic!("{name}: {other:?}"),
        }
    }
}

#[test]
fn directory_without_logs_names_what_is_there() {
    let dir = tempfile::tempdir().unwrap();
    let text = || given(dir.path()).unwrap_err().to_string();
    let empty = format!("there is no log in {}: there are no files", dir.path().display());
    assert_eq!(text(), empty);
    std::fs::write(dir.path().join("a.eval"), "x").unwrap();
    assert!(text().ends_with(": 1 file with another name: a.eval"), "{}", text());
    for name in ["a.eval", "b.json", "c.txt", "d"] {
        std::fs::write(dir.path().join(name), "x").unwrap();
    }
    let end = ": 4 files with other names: a.eval, b.json, c.txt, …";
    assert!(text().ends_with(end), "{}", text());
    let error = local(dir.path()).1.error.unwrap();
    assert!(error.ends_with("(4 files with other names: a.eval, b.json, c.txt, …)"), "{error}");
    std::fs::write(dir.path().join("v.jsonl.xz"), "x").unwrap();
    assert!(text().ends_with("v.jsonl.xz is compressed with xz and is not read"), "{}", text());
    let source = local(dir.path()).1;
    assert_eq!((source.state, source.notices.len()), (BoxState::Empty, 1));
    assert_eq!(source.listed, Some(FileCounts { offered: 1, read: 0, unread: 1 }));
}

#[test]
fn configured_file_of_this_machine_has_its_rotated_ones() {
    let dir = tempfile::tempdir().unwrap();
    for name in
        ["v.log", "v.log.1", "v.log-20261129.gz", "v.log.old", "v.log.2.xz", "v.logs", "w.jsonl"]
    {
        std::fs::write(dir.path().join(name), "x").unwrap();
    }
    let path = dir.path().join("v.log");
    let (files, source) = path_of_box(path.to_str().unwrap());
    let mut names = names_of(&files);
    names.sort();
    assert_eq!(names, ["v.log", "v.log-20261129.gz", "v.log.1", "v.log.old"]);
    assert_eq!(source.listed, Some(FileCounts { offered: 5, read: 4, unread: 1 }));
    std::fs::remove_file(&path).unwrap();
    let (files, source) = path_of_box(path.to_str().unwrap());
    assert_eq!((files.len(), source.error), (3, None), "it was rotated, and none began yet");
}

#[test]
fn many_files_that_are_not_read_are_counted_and_the_first_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("v.jsonl"), "").unwrap();
    for n in 0..NAMED + 4 {
        std::fs::write(dir.path().join(format!("{n:03}.jsonl.xz")), "").unwrap();
    }
    let source = given(dir.path()).unwrap().1;
    assert_eq!(source.notices.len(), NAMED + 1);
    assert_eq!(source.notices.last().unwrap(), "4 more files are not read");
    assert_eq!(source.listed.unwrap().unread, NAMED as u64 + 4);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever stands in a directory under whatever name: what is offered is read or named.
    #[test]
    fn files_offered_are_read_or_named(
        all in proptest::collection::vec((0..FILES.len(), 0..5_u8, 0..4_u8), 0..20),
    ) {
        let dir = tempfile::tempdir().unwrap();
        let mut offered = HashSet::new();
        for (at, how, number) in all {
            let (name, bytes, why) = FILES[at];
            let path = dir.path().join(format!("{number}{name}"));
            let made = match how {
                _ if path.symlink_metadata().is_ok() => Ok(()),
                0 => std::fs::create_dir(&path),
                1 => symlink("nowhere", &path),
                _ => std::fs::write(&path, bytes),
            };
            made.unwrap();
            if why != Some("") {
                offered.insert(path);
            }
        }
        let (files, source) = local(dir.path());
        let listed = source.listed.unwrap();
        prop_assert_eq!(listed.offered, offered.len() as u64);
        prop_assert_eq!(listed.read, files.len() as u64);
        let failed = source.error.as_deref().map_or(0, |e| e.matches("failed to read ").count());
        prop_assert_eq!(listed.unread, (source.notices.len() + failed) as u64);
        prop_assert!(listed.balances());
    }
}

/// A link is read or named by its own name, and what it leads to is read by its own.
#[test]
fn link_takes_no_log_with_it_whatever_it_is_called() {
    for link in ["current.jsonl.link", "a.jsonl~", "a.jsonl.gz", "a.jsonl.1.zst", "z.jsonl.old"] {
        let dir = tempfile::tempdir().unwrap();
        let log = dir.path().join("v.jsonl");
        std::fs::write(&log, "{\"commit\":\"a\",\"verdict\":\"GO\"}\n").unwrap();
        symlink("v.jsonl", dir.path().join(link)).unwrap();
        for (files, source) in [local(dir.path()), given(dir.path()).unwrap()] {
            let paths: Vec<&Path> = files.iter().map(|file| file.path.as_path()).collect();
            assert_eq!(paths, [log.canonicalize().unwrap()], "{link}");
            assert!(files.iter().all(|file| !file.gzip), "{link}");
            let counts = source.listed.unwrap();
            assert!(counts.balances() && counts.read == 1, "{link}: {counts:?}");
            assert_eq!(counts.unread as usize, source.notices.len(), "{link}: {source:?}");
        }
    }
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("z.jsonl.gz"), GZIP).unwrap();
    symlink("z.jsonl.gz", dir.path().join("a.jsonl")).unwrap();
    assert!(local(dir.path()).0.iter().all(|file| file.gzip));
}
