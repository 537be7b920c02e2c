use super::*;
use std::fs;
use std::io::Write;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

const ID: &str = "0123456789abcdef0123456789abcdef";
/// All that a box must have, with and without what it may lack.
const TOOLS: &str = "sh dd cat tail wc grep sleep mkdir sync readlink ln rm uname";

mod kills;

fn record(n: u32) -> Request {
    let id = format!("{n:032x}");
    let hostile = r#"$(touch canary) `id` \\n \" EOF ' %s %d ~ * 🦄 é"#;
    let record = format!(r#"{{"id":"{id}","reason":"{hostile}"}}"#);
    Request { path: String::new(), make: true, record, id }
}

fn to(path: &Path, request: Request) -> Request {
    Request { path: path.to_str().unwrap().to_owned(), ..request }
}

/// A directory of links to programs; each is BusyBox where that is asked for.
fn programs(names: &str, busybox: bool) -> tempfile::TempDir {
    let dir = tempfile::tempdir().unwrap();
    for name in names.split(' ') {
        let real = if busybox { "busybox" } else { name };
        let real = ["/usr/bin", "/bin"].map(|d| Path::new(d).join(real));
        let real = real.iter().find(|p| p.exists()).unwrap_or_else(|| panic!("{name} is needed"));
        symlink(real, dir.path().join(name)).unwrap();
    }
    dir
}

/// A box that is a shell of this machine.
fn shell(words: &[&str], path: Option<&Path>) -> Command {
    let mut run = Command::new(words[0]);
    run.args(&words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    if let Some(path) = path {
        run.env("PATH", path);
    }
    run
}

fn run(words: &[&str], path: Option<&Path>, requests: &[Request]) -> Vec<Reply> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let mut command = tokio::process::Command::from(shell(words, path));
        let mut child = command.arg("-c").arg(super::command()).spawn().unwrap();
        let (input, output) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let mut replies = Vec::new();
        let append = Append::new(input, output, Duration::from_secs(30)).unwrap();
        append.run(requests, &mut replies).await.unwrap();
        child.wait().await.unwrap();
        replies
    })
}

const NEW: Reply =
    Ok(Appended { already: false, synced: Synced::File, repaired: false, others: 0 });
const OLD: Reply = Ok(Appended { already: true, synced: Synced::File, repaired: false, others: 0 });
const MENDED: Reply =
    Ok(Appended { already: false, synced: Synced::File, repaired: true, others: 0 });

#[test]
fn every_shell_appends_to_the_letter_and_once() {
    let busy = programs(&format!("{TOOLS} busybox flock"), true);
    let bare = programs(TOOLS, false);
    let shells: [(&[&str], Option<&Path>); 5] = [
        (&["dash"], None),
        (&["bash"], None),
        (&["bash", "--posix"], None),
        (&["/bin/busybox", "sh"], Some(busy.path())),
        (&["/bin/dash"], Some(bare.path())),
    ];
    for (words, path) in shells {
        if words[0].contains("busybox") && !Path::new(words[0]).exists() {
            continue;
        }
        let dir = tempfile::tempdir().unwrap();
        let file = dir.path().join("new dir/a'b.jsonl");
        let (one, two) = (to(&file, record(1)), to(&file, record(2)));
        let both = [one.clone(), two.clone()];
        assert_eq!(run(words, path, &both), [NEW, NEW], "{words:?}");
        assert_eq!(run(words, path, &both), [OLD, OLD], "{words:?}");
        let text = format!("{}\n{}\n", one.record, two.record);
        assert_eq!(fs::read_to_string(&file).unwrap(), text, "{words:?}");
        // Nothing but the file is left.
        assert_eq!(fs::read_dir(file.parent().unwrap()).unwrap().count(), 1);
        assert!(!Path::new("canary").exists());
    }
}

#[test]
fn torn_line_is_terminated_first() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.jsonl");
    let one = to(&file, record(1));
    let line = &one.record;
    fs::write(&file, "{\"theirs\":").unwrap();
    assert_eq!(run(&["sh"], None, std::slice::from_ref(&one)), [MENDED]);
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{{\"theirs\":\n{line}\n"));
    // Our own, cut at every byte: what is there twice is never a whole record.
    for cut in 1..line.len() {
        if !line.is_char_boundary(cut) || cut % 7 != 0 && cut + 9 < line.len() {
            continue;
        }
        fs::write(&file, format!("{{}}\n{}", &line[..cut])).unwrap();
        assert_eq!(run(&["sh"], None, std::slice::from_ref(&one)), [MENDED], "{cut}");
        let text = format!("{{}}\n{}\n{line}\n", &line[..cut]);
        assert_eq!(fs::read_to_string(&file).unwrap(), text);
    }
    // All but its end.
    fs::write(&file, line).unwrap();
    let mended = Ok(Appended { already: true, synced: Synced::File, repaired: true, others: 0 });
    assert_eq!(run(&["sh"], None, std::slice::from_ref(&one)), [mended]);
    assert_eq!(fs::read_to_string(&file).unwrap(), format!("{line}\n"));
}

#[test]
fn changed_line_with_same_id_is_reported() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.jsonl");
    let one = to(&file, record(1));
    let changed = one.record.replace("EOF", "eof");
    fs::write(&file, format!("{changed}\n\0\u{1b}\n")).unwrap();
    let result = Ok(Appended { already: false, synced: Synced::File, repaired: false, others: 1 });
    assert_eq!(run(&["sh"], None, std::slice::from_ref(&one)), [result]);
    let text = format!("{changed}\n\0\u{1b}\n{}\n", one.record);
    assert_eq!(fs::read_to_string(&file).unwrap(), text);
}

#[test]
fn non_regular_file_is_rejected_and_unchanged() {
    let dir = tempfile::tempdir().unwrap();
    let at = |name: &str| dir.path().join(name);
    fs::create_dir(at("dir")).unwrap();
    symlink(at("nowhere"), at("link")).unwrap();
    Command::new("mkfifo").arg(at("pipe")).status().unwrap();
    fs::write(at("file"), b"").unwrap();
    let must = |path: PathBuf| Request { make: false, ..to(&path, record(1)) };
    let asked = [
        must(at("none")),
        to(&at("dir"), record(1)),
        to(&at("link"), record(1)),
        to(&at("pipe"), record(1)),
        to(Path::new("/dev/full"), record(1)),
        to(&at("file/x/y"), record(1)),
    ];
    let refusals = [
        Refusal::Missing,
        Refusal::Kind,
        Refusal::Kind,
        Refusal::Kind,
        Refusal::Kind,
        Refusal::Directory,
    ];
    assert_eq!(run(&["sh"], None, &asked), refusals.map(Err));
    assert!(!at("none").exists() && !at("nowhere").exists());
}

#[test]
fn partial_input_is_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.jsonl");
    fs::write(&file, "{}\n").unwrap();
    let one = to(&file, record(1));
    let all = SCRIPT.opening("@word") + &text(std::slice::from_ref(&one)).unwrap();
    let from = SCRIPT.opening("@word").len();
    let whole = all.find(&format!(".{}\n", one.id)).unwrap() + one.id.len() + 2;
    for cut in (from..all.len()).filter(|cut| cut % 5 == 0 || *cut + 12 > whole) {
        let mut child = shell(&["sh"], None).arg("-c").arg(super::command()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&all.as_bytes()[..cut]).unwrap();
        drop(stdin);
        child.wait_with_output().unwrap();
        let text = fs::read_to_string(&file).unwrap();
        let expected =
            if cut < whole { "{}\n".to_owned() } else { format!("{{}}\n{}\n", one.record) };
        assert_eq!(text, expected, "{cut} of {whole}");
    }
}

/// Several at once, each a process for a few records.
fn crowd(path: Option<&Path>, file: &Path) {
    let threads: Vec<_> = (0..4_u32)
        .map(|who| {
            let (path, file) = (path.map(Path::to_owned), file.to_owned());
            std::thread::spawn(move || {
                for round in 0..5 {
                    let first = who * 1000 + round * 10;
                    let few: Vec<_> = (first..first + 5).map(|n| to(&file, record(n))).collect();
                    let replies = run(&["/bin/sh"], path.as_deref(), &few);
                    assert!(replies.iter().all(Result::is_ok), "{replies:?}");
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
    let text = fs::read_to_string(file).unwrap();
    let mut lines: Vec<_> = text.lines().collect();
    assert_eq!(lines.len(), 100);
    lines.sort_unstable();
    lines.dedup();
    assert_eq!(lines.len(), 100);
    assert!(lines.iter().all(|l| l.starts_with("{\"id\":\"") && l.ends_with("é\"}")));
}

#[test]
fn several_writers_at_once_lose_nothing_with_and_without_flock() {
    let dir = tempfile::tempdir().unwrap();
    crowd(None, &dir.path().join("a.jsonl"));
    let bare = programs(TOOLS, false);
    crowd(Some(bare.path()), &dir.path().join("b.jsonl"));
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 2, "no lock is left");
}

#[test]
fn held_lock_is_reported_and_dead_lock_is_broken() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.jsonl");
    fs::write(&file, b"").unwrap();
    let one = to(&file, record(1));
    let held = fs::File::open(&file).unwrap();
    held.lock().unwrap();
    assert_eq!(run(&["sh"], None, std::slice::from_ref(&one)), [Err(Refusal::Locked)]);
    drop(held);
    let bare = programs(TOOLS, false);
    let host = Command::new("uname").arg("-n").output().unwrap().stdout;
    let host = String::from_utf8(host).unwrap().trim().to_owned();
    let lock = dir.path().join("a.jsonl.lock");
    for living in [format!("{host}:{}", std::process::id()), "elsewhere:1".to_owned()] {
        symlink(&living, &lock).unwrap();
        let result = run(&["/bin/sh"], Some(bare.path()), std::slice::from_ref(&one));
        assert_eq!(result, [Err(Refusal::Locked)], "{living}");
        assert_eq!(fs::read_link(&lock).unwrap().to_str(), Some(&*living));
        fs::remove_file(&lock).unwrap();
    }
    assert_eq!(fs::read(&file).unwrap(), b"");
    let mut dead = Command::new("true").spawn().unwrap();
    let pid = dead.id();
    dead.wait().unwrap();
    symlink(format!("{host}:{pid}"), &lock).unwrap();
    assert_eq!(run(&["/bin/sh"], Some(bare.path()), std::slice::from_ref(&one)), [NEW]);
    assert_eq!(fs::read_dir(dir.path()).unwrap().count(), 1, "no lock is left");
}

#[test]
fn a_disk_that_is_full_confirms_nothing_and_a_retry_mends_it() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("a.jsonl");
    let before = format!("{}\n", "x".repeat(990));
    fs::write(&file, &before).unwrap();
    let one = to(&file, record(1));
    // A block of it is 512 or 1024 bytes: a part of the record fits.
    let small = programs(&format!("{TOOLS} bash"), false);
    let full = ["/bin/bash", "-c", "ulimit -f 1; trap '' XFSZ; exec sh -c \"$1\"", "bash"];
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let replies = runtime.block_on(async {
        let mut command = tokio::process::Command::from(shell(&full, Some(small.path())));
        let mut child = command.arg(super::command()).spawn().unwrap();
        let (input, output) = (child.stdout.take().unwrap(), child.stdin.take().unwrap());
        let mut replies = Vec::new();
        let append = Append::new(input, output, Duration::from_secs(30)).unwrap();
        append.run(std::slice::from_ref(&one), &mut replies).await.unwrap();
        replies
    });
    assert_eq!(replies, [Err(Refusal::NotThere)]);
    let after = fs::read_to_string(&file).unwrap();
    assert!(after.starts_with(&before) && after.len() <= 1024, "{}", after.len());
    let mended = run(&["sh"], None, std::slice::from_ref(&one));
    assert!(matches!(mended[..], [Ok(Appended { already: false, .. })]), "{mended:?}");
    let last = fs::read_to_string(&file).unwrap();
    assert!(last.starts_with(&after) && last.ends_with(&format!("\n{}\n", one.record)));
}

#[test]
fn multiline_entries_are_rejected_before_connecting() {
    let bad = Request { path: "a\nb".to_owned(), ..record(1) };
    assert!(matches!(text(&[bad]), Err(Error::Path { .. })));
    let bad = Request { record: "{}\n{}".to_owned(), path: "a".to_owned(), ..record(1) };
    assert!(text(&[bad]).is_err());
    assert_eq!(reply("w f 0 0"), Some(NEW));
    for odd in ["", "x", "x odd", "w f 0", "w z 0 0", "q f 0 0", "w f 0 -1", "w f 0 0 0"] {
        assert_eq!(reply(odd), None, "{odd}");
    }
    assert_eq!(ID.len(), record(1).id.len());
}
