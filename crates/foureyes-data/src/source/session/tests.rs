use super::*;
use crate::source::digest::{Algorithm, of_range};
use crate::source::listing::{FileKind, RootKind};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::Stdio;
use tokio::process::{ChildStdin, Command};

type Local = RemoteSession<ChildStdin>;

/// A box that is a shell of this machine; `path` is its PATH.
fn local(shell: &[&str], path: Option<&Path>) -> (tokio::process::Child, Local) {
    let mut run = Command::new(shell[0]);
    run.args(&shell[1..]).arg("-c").arg(command()).kill_on_drop(true);
    if let Some(path) = path {
        run.env("PATH", path);
    }
    let mut child = run.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let (stdin, stdout) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
    (child, RemoteSession::new(stdout, stdin, Duration::from_secs(10)).unwrap())
}

/// A directory of links to programs.
fn programs(names: &[&str]) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in names {
        let real = ["/usr/bin", "/bin"].map(|d| Path::new(d).join(name));
        symlink(real.iter().find(|p| p.exists()).unwrap(), dir.path().join(name)).unwrap();
    }
    dir
}

/// A directory in which every program is BusyBox.
fn busybox() -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    let real = ["/usr/bin/busybox", "/bin/busybox"].into_iter().find(|p| Path::new(p).exists());
    let real = real.expect("busybox is needed for this test");
    for name in
        "busybox sh dd cat tail head wc tr stat xargs sha256sum gzip cksum date printf".split(' ')
    {
        symlink(real, dir.path().join(name)).unwrap();
    }
    dir
}

async fn all_of(session: &mut Local, requests: &[Request], zip: Compression) -> Vec<String> {
    let mut seen = Vec::new();
    let mut data = Vec::new();
    let done: Result<(), FetchError<Infallible>> = session
        .fetch(requests, zip, |part| {
            match part {
                ResponsePart::Start(answer) => seen.push(format!("{answer:?}")),
                ResponsePart::Data(bytes) => data.extend_from_slice(bytes),
                ResponsePart::End => {
                    seen.push(String::from_utf8_lossy(&std::mem::take(&mut data)).into_owned());
                }
            }
            Ok(())
        })
        .await;
    done.unwrap();
    seen
}

fn ask(number: usize, end: u64) -> Request {
    Request { number, end, most: 1 << 30, candidates: Vec::new() }
}

fn candidate(id: usize, text: &[u8], algorithm: Algorithm) -> Candidate {
    let len = text.len() as u64;
    let mut from = std::io::Cursor::new(text);
    let head = (len, of_range(algorithm, &mut from, 0, len).unwrap());
    Candidate { id, unzipped: false, offset: len, head, block: (0, 0, "-".into()) }
}

/// Lists and fetches hostile names under one shell, and gives what the box could do.
async fn every_question_is_answered(shell: &[&str], path: Option<&Path>) -> Abilities {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    std::fs::write(at("a b\n'$(id).jsonl"), "one\ntwo\n").unwrap();
    std::fs::write(at("-rf.jsonl"), "dash\n").unwrap();
    std::fs::write(at("z.jsonl.1"), "old\n").unwrap();
    std::fs::write(at("other.txt"), "no log\n").unwrap();
    std::fs::create_dir(at("dir.jsonl")).unwrap();
    symlink("loop.jsonl", at("loop.jsonl")).unwrap();
    let (_child, mut session) = local(shell, path);
    let root = dir.path().to_str().unwrap();
    let roots = [format!("{root}/"), format!("{root}/nope"), "/dev/null".into()];
    let listing = session.list(&roots).await.unwrap();
    let kinds: Vec<_> = listing.roots.iter().map(|r| r.kind).collect();
    assert_eq!(kinds, [RootKind::Directory, RootKind::Missing, RootKind::File]);
    let found = |name: &str| {
        let path = dir.path().join(name).to_str().unwrap().as_bytes().to_vec();
        listing.files.iter().find(|f| f.path == path).unwrap()
    };
    assert_eq!(found("dir.jsonl").kind, FileKind::Directory);
    assert_eq!(found("loop.jsonl").kind, FileKind::Dangling);
    assert_eq!(listing.files.len(), 6, "{:?}", listing.files);
    let (odd, dash, old) = (found("a b\n'$(id).jsonl"), found("-rf.jsonl"), found("z.jsonl.1"));
    assert_eq!([odd, dash, old].map(|f| f.stat.unwrap().size), [8, 5, 4]);
    let can = listing.abilities;
    let mut grown = ask(odd.number, 8);
    grown.candidates =
        vec![candidate(5, b"two\n", can.algorithm), candidate(7, b"one\n", can.algorithm)];
    let mut copy = ask(old.number, 4);
    copy.candidates = vec![candidate(7, b"old\n", can.algorithm)];
    let requests = [grown, ask(dash.number, 5), copy, ask(999, 5)];
    let blind = can.algorithm == Algorithm::None;
    let first = [if blind { "Known(5)" } else { "Known(7)" }, "two\n"];
    let third = if blind { ["Known(7)", ""] } else { ["New", "old\n"] };
    let expected = [first, ["New", "dash\n"], third, ["Unreadable", ""]].concat();
    for zip in [can.compression, Compression::Raw] {
        assert_eq!(all_of(&mut session, &requests, zip).await, expected, "{zip:?}");
    }
    assert_eq!(session.round_trips(), 3);
    parts_are_cut_to_the_byte(&mut session, &at("z.jsonl.1"), old.number, can.algorithm).await;
    can
}

/// A file that grew after it was listed sends no more than was asked for, from wherever that begins.
async fn parts_are_cut_to_the_byte(
    session: &mut Local,
    file: &Path,
    number: usize,
    can: Algorithm,
) {
    let text: String = (0..60_000).map(|n| format!("{n}\n")).collect();
    std::fs::write(file, &text).unwrap();
    for start in [0, 1, 65_535, 65_536, 131_072, 140_000] {
        for length in [1, 70_000, 131_072, 200_000] {
            let mut part = ask(number, (start + length) as u64);
            part.candidates = vec![candidate(3, &text.as_bytes()[..start], can)];
            let sent = all_of(session, &[part], Compression::Raw).await;
            assert!(sent[1] == text[start..start + length], "{length} from {start}");
        }
    }
}

#[tokio::test]
async fn dash_bash_and_posix_mode_answer_alike() {
    for shell in [&["dash"][..], &["bash"], &["bash", "--posix"]] {
        let can = every_question_is_answered(shell, None).await;
        assert!(can.cuts && can.stats && can.now > 1_700_000_000, "{can:?}");
        assert_eq!(can.algorithm, Algorithm::Sha256);
    }
}

#[tokio::test]
async fn busybox_answers_with_gzip() {
    let path = busybox();
    let can = every_question_is_answered(&["busybox", "sh"], Some(path.path())).await;
    assert_eq!(can.compression, Compression::Gzip);
    assert!(can.cuts && can.stats);
    assert_eq!(can.algorithm, Algorithm::Sha256);
}

/// Programs that the script uses where a box has them.
const USED: [&str; 13] = [
    "cat",
    "tail",
    "head",
    "wc",
    "tr",
    "stat",
    "xargs",
    "sha256sum",
    "cksum",
    "openssl",
    "gzip",
    "zstd",
    "date",
];

fn is_there(name: &&str) -> bool {
    ["/usr/bin", "/bin"].iter().any(|dir| Path::new(dir).join(name).exists())
}

#[tokio::test]
async fn each_program_may_be_missing_but_dd() {
    for missing in USED {
        let there = USED.into_iter().filter(|name| *name != missing).filter(is_there);
        let path = programs(&there.chain(["sh", "dd"]).collect::<Vec<_>>());
        let can = every_question_is_answered(&["/bin/sh"], Some(path.path())).await;
        assert_eq!(can.stats, !["stat", "xargs"].contains(&missing), "{missing}");
        assert_eq!(can.now == 0, missing == "date", "{missing}");
    }
}

#[tokio::test]
async fn shell_with_dd_is_enough() {
    for extra in [&[][..], &["cksum"], &["wc"], &["cat", "tr", "tail"], &["gzip", "head"]] {
        let path = programs(&[&["sh", "dd"], extra].concat());
        let can = every_question_is_answered(&["/bin/sh"], Some(path.path())).await;
        assert_eq!((can.stats, can.now), (false, 0), "{extra:?}");
        assert_eq!(can.algorithm == Algorithm::Cksum, extra.contains(&"cksum"));
    }
    let path = programs(&["sh"]);
    let (_child, mut session) = local(&["/bin/sh"], Some(path.path()));
    let failed = session.list(&["/nowhere".into()]).await;
    assert!(matches!(failed, Err(Error::NoAnswer { .. })), "{failed:?}");
}

/// Replaces a program by a shell script. Another process writes it: what this one has open for writing, a test
/// beside this one may pass on to a program, and then the script is busy.
fn fake(dir: &Path, name: &str, script: &str) {
    let path = dir.join(name);
    let _ = std::fs::remove_file(&path);
    let write = "printf '#!/bin/sh\n%s\n' \"$1\" >\"$2\" && chmod 755 \"$2\"";
    let wrote =
        std::process::Command::new("sh").args(["-c", write, "sh", script]).arg(path).status();
    assert!(wrote.unwrap().success());
}

#[tokio::test]
async fn size_that_no_program_gives_fails_with_the_file() {
    let dir = tempfile::tempdir().unwrap();
    for (name, bytes) in
        [("empty.jsonl", 0), ("one.jsonl", 1), ("block.jsonl", 65_536), ("more.jsonl", 200_001)]
    {
        std::fs::write(dir.path().join(name), vec![0; bytes]).unwrap();
    }
    let roots = [dir.path().to_str().unwrap().to_owned()];
    // A wc or a stat that answers nothing, or nonsense, is passed over.
    for (name, script) in
        [("wc", "exit 1"), ("wc", "echo no"), ("stat", "echo 1:2:3"), ("stat", "exit 0")]
    {
        let path = programs(&["sh", "dd", "xargs"]);
        fake(path.path(), name, script);
        let (_child, mut session) = local(&["/bin/sh"], Some(path.path()));
        let files = session.list(&roots).await.unwrap().files;
        let sizes: Vec<u64> = files.iter().map(|f| f.stat.unwrap().size).collect();
        assert_eq!(sizes, [65_536, 0, 200_001, 1], "{name}: {script}");
    }
    let path = programs(&["sh", "wc"]);
    fake(path.path(), "dd", "exec /bin/dd \"$@\" 2>/dev/null");
    fake(path.path(), "wc", "exit 0");
    let (_child, mut session) = local(&["/bin/sh"], Some(path.path()));
    let failed = session.list(&roots).await;
    let Err(error @ Error::NoSize { .. }) = failed else { panic!("{failed:?}") };
    assert!(error.to_string().ends_with("block.jsonl"), "{error}");
    assert!(!error.is_mixture());
}

#[tokio::test]
async fn rotated_log_is_unpacked_by_what_the_box_has() {
    let dir = tempfile::tempdir().unwrap();
    let text: String = (0..20_000).map(|n| format!("{n}\n")).collect();
    let (old, end) = text.split_at(60_000);
    let mut gz = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut gz, text.as_bytes()).unwrap();
    std::fs::write(dir.path().join("l.jsonl-20261129.gz"), gz.finish().unwrap()).unwrap();
    let zst = zstd::encode_all(text.as_bytes(), 1).unwrap();
    std::fs::write(dir.path().join("l.jsonl.1.zst"), zst).unwrap();
    let roots = [dir.path().to_str().unwrap().to_owned()];
    for missing in ["tail", "head", "cat", "stat", "none"] {
        let there = USED.into_iter().filter(|name| *name != missing).filter(is_there);
        let path = programs(&there.chain(["sh", "dd"]).collect::<Vec<_>>());
        let (_child, mut session) = local(&["/bin/sh"], Some(path.path()));
        let listing = session.list(&roots).await.unwrap();
        for file in &listing.files {
            let mut request = ask(file.number, file.stat.unwrap().size);
            request.candidates = vec![Candidate {
                unzipped: true,
                ..candidate(4, old.as_bytes(), listing.abilities.algorithm)
            }];
            let sent = all_of(&mut session, &[request], Compression::Raw).await;
            assert_eq!(sent, ["Known(4)", end], "{missing}");
        }
    }
}

#[tokio::test]
async fn names_beyond_the_bound_are_counted_on_the_box() {
    let dir = tempfile::tempdir().unwrap();
    for n in 0..listing::MOST_FILES + 7 {
        std::fs::File::create(dir.path().join(format!("{n}.jsonl"))).unwrap();
    }
    let (_child, mut session) = local(&["sh"], None);
    let listing = session.list(&[dir.path().to_str().unwrap().to_owned()]).await.unwrap();
    // A pattern that matches nothing takes a place, too.
    assert!(listing.files.len() + 3 > listing::MOST_FILES, "{}", listing.files.len());
    assert_eq!(listing.files.len() as u64 + listing.left_out, listing::MOST_FILES as u64 + 7);
    assert!(listing.files.iter().all(|file| file.stat.is_some_and(|stat| stat.size == 0)));
}

#[tokio::test]
async fn a_large_offset_is_verified_at_both_ends() {
    let dir = tempfile::tempdir().unwrap();
    let text: String = (0..200_000).map(|n| format!("{n}\n")).collect();
    std::fs::write(dir.path().join("l.jsonl"), &text).unwrap();
    let (_child, mut session) = local(&["sh"], None);
    let listing = session.list(&[dir.path().to_str().unwrap().to_owned()]).await.unwrap();
    let mut from = std::io::Cursor::new(text.as_bytes());
    let mut hash = |at, len| of_range(listing.abilities.algorithm, &mut from, at, len).unwrap();
    let end = text.len() as u64;
    let cut = end - 10_000;
    let mut r = ask(1, end);
    r.candidates = vec![Candidate {
        id: 3,
        unzipped: false,
        offset: cut,
        head: (4096, hash(0, 4096)),
        block: (cut - 4096, 4096, hash(cut - 4096, 4096)),
    }];
    let seen = all_of(&mut session, &[r.clone()], Compression::Zstd).await;
    assert_eq!(seen, ["Known(3)", &text[cut as usize..]]);
    r.candidates[0].block.0 -= 1;
    r.most = 50;
    assert_eq!(all_of(&mut session, &[r], Compression::Raw).await, ["New", &text[..50]]);
}

#[tokio::test]
async fn an_end_before_the_last_mark_is_a_cut() {
    let (mut child, mut session) = local(&["sh"], None);
    session.list(&["/nowhere".into()]).await.unwrap();
    child.kill().await.unwrap();
    let done: Result<(), FetchError<Infallible>> =
        session.fetch(&[ask(1, 1)], Compression::Raw, |_| Ok(())).await;
    assert!(matches!(done, Err(FetchError::RemoteSession(Error::Cut))), "{done:?}");
}

#[tokio::test]
async fn a_path_with_a_line_break_is_refused() {
    let (_child, mut session) = local(&["sh"], None);
    let refused = session.list(&["/a\n/b".into()]).await;
    assert!(matches!(refused, Err(Error::Path { .. })), "{refused:?}");
}
