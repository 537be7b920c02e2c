mod changed;
mod index;

use super::*;
use crate::domain::Outcome;
use std::fs::TryLockError;
use std::os::unix::fs::PermissionsExt;
use std::time::Duration;

const NOW: &str = "2026-03-01T00:10:00Z";

fn now() -> Timestamp {
    Timestamp::parse(NOW).unwrap()
}

fn soon() -> Instant {
    Instant::now() + Duration::from_secs(5)
}

fn sha(digit: char) -> String {
    digit.to_string().repeat(64)
}

fn asked(digit: char) -> Sought {
    let text = str::to_owned;
    Sought {
        content_sha: sha(digit),
        prompt_sha: text("p"),
        judge_model: text("m"),
        judge_sha: text("j"),
    }
}

fn line(commit: &str, content: char, verdict: &str, more: &str) -> String {
    let sha = sha(content);
    format!(
        r#"{{"commit":"{commit}","timestamp":"{NOW}","judge_model":"m","verdict":"{verdict}","prompt_sha":"p","content_sha":"{sha}"{more}}}"#
    )
}

fn find(log: &VerdictLog, digit: char) -> Option<Verdict> {
    let found = all(log, digit);
    strictest(&found, |_| true).cloned()
}

fn all(log: &VerdictLog, digit: char) -> Vec<Verdict> {
    let mut found = log.verdicts(&[asked(digit)], now(), 30);
    assert!(found.unread.is_empty());
    found.verdicts.remove(&sha(digit)).unwrap_or_default()
}

fn commits(verdicts: &[Verdict]) -> Vec<&str> {
    verdicts.iter().filter_map(|v| v.record.commit.as_deref()).collect()
}

#[test]
fn append_goes_to_private_file_of_utc_day() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path().join("a/b"));
    let appended = log.append(now(), &["{}".to_owned()], soon()).unwrap();
    assert_eq!(appended.path, dir.path().join("a/b/2026-03-01.jsonl"));
    assert!(!log.append(now(), &["{\"x\":\n1}".to_owned()], soon()).unwrap().repaired);
    assert_eq!(std::fs::read(&appended.path).unwrap(), b"{}\n{\"x\": 1}\n");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&appended.path), mode(log.dir())), (0o600, 0o700));
    std::fs::set_permissions(&appended.path, std::fs::Permissions::from_mode(0o644)).unwrap();
    log.append(now(), &["{}".to_owned()], soon()).unwrap();
    assert_eq!(mode(&appended.path), 0o644, "what is there stays as it is");
}

#[test]
fn torn_tail_is_kept_and_terminated() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let whole = line("c", '1', "GO", "");
    for cut in 1..whole.len() {
        let Some(tail) = whole.get(..cut) else { continue };
        std::fs::write(log.file(now()), format!("{whole}\n{tail}")).unwrap();
        assert!(log.append(now(), std::slice::from_ref(&whole), soon()).unwrap().repaired);
        let text = std::fs::read_to_string(log.file(now())).unwrap();
        assert_eq!(text, format!("{whole}\n{tail}\n{whole}\n"));
    }
}

#[test]
fn held_lock_times_out() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let held = atomic::private().append(true).open(log.file(now())).unwrap();
    held.lock().unwrap();
    let error = log.append(now(), &["{}".to_owned()], Instant::now() + Duration::from_millis(60));
    assert!(matches!(error, Err(Error::Lock { .. })), "{error:?}");
    drop(held);
    log.append(now(), &["{}".to_owned()], soon()).unwrap();
}

#[test]
fn a_directory_that_cannot_be_made_is_named() {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join("file"), "").unwrap();
    let log = VerdictLog::at(dir.path().join("file/log"));
    let error = log.append(now(), &["{}".to_owned()], soon()).unwrap_err();
    assert!(error.to_string().contains("file/log"), "{error}");
}

#[test]
fn pipe_is_not_waited_for_by_the_look_whether_a_log_can_be_written() {
    let root = tempfile::tempdir().unwrap();
    let path = |name: &str| root.path().join(name);
    let made = std::process::Command::new("mkfifo").arg(path("pipe")).status().unwrap();
    assert!(made.success());
    for (name, is_one) in [("pipe", false), ("absent", true), ("no/dir", false)] {
        assert_eq!(check_appendable(&path(name)).is_ok(), is_one, "{name}");
    }
    std::os::unix::fs::symlink("target", path("link")).unwrap();
    assert!(check_appendable(&path("link")).is_ok());
    assert!(!path("absent").exists() && !path("target").exists());
}

#[test]
fn append_waits_for_other_writer() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let (half, rest) = ("{\"x\":", "1}\n");
    let mut other = atomic::private().append(true).open(log.file(now())).unwrap();
    other.lock().unwrap();
    other.write_all(half.as_bytes()).unwrap();
    std::thread::scope(|scope| {
        let writer = scope.spawn(|| log.append(now(), &["{}".to_owned()], soon()).unwrap());
        std::thread::sleep(Duration::from_millis(100));
        other.write_all(rest.as_bytes()).unwrap();
        other.unlock().unwrap();
        let appended = writer.join().unwrap();
        assert!(!appended.repaired && !appended.unlocked);
    });
    let text = std::fs::read_to_string(log.file(now())).unwrap();
    assert_eq!(text, format!("{half}{rest}{{}}\n"));
}

#[test]
fn append_works_without_lock_support() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.jsonl");
    for kind in [io::ErrorKind::Unsupported, io::ErrorKind::Other] {
        let none: TryLock = match kind {
            io::ErrorKind::Other => |_| Err(TryLockError::Error(io::Error::other("no locks left"))),
            _ => |_| Err(TryLockError::Error(io::ErrorKind::Unsupported.into())),
        };
        let appended = append_by(&path, &["{}".to_owned()], soon(), none).unwrap();
        assert!(appended.unlocked);
    }
    assert_eq!(std::fs::read(&path).unwrap(), b"{}\n{}\n");
}

#[test]
fn one_of_concurrent_claims_is_first() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let ready = std::sync::Barrier::new(8);
    let first = std::thread::scope(|scope| {
        let writer = |n: usize| {
            let (log, ready) = (&log, &ready);
            scope.spawn(move || {
                // Some are a day behind: midnight makes no second draw.
                let day = Timestamp(now().0 - (n as i64 % 2) * 3_600_000_000);
                let mut first = false;
                ready.wait();
                let appended = log.append_knowing(day, &asked('1'), SINCE, soon(), &mut |found| {
                    first = found.is_empty();
                    // Long enough that the others would look meanwhile, if they could.
                    std::thread::sleep(Duration::from_millis(20));
                    vec![line(&n.to_string(), '1', if first { "NO-GO" } else { "GO" }, "")]
                });
                assert!(!appended.unwrap().unlocked);
                first
            })
        };
        let writers: Vec<_> = (0..8).map(writer).collect();
        writers.into_iter().map(|w| w.join().unwrap()).filter(|first| *first).count()
    });
    assert_eq!((first, all(&log, '1').len()), (1, 8));
}

#[test]
fn unreadable_file_neither_hides_others_nor_blocks() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let day = |text: &str| Timestamp::parse_day(text).unwrap();
    log.append(day("2026-02-20"), &[line("a", '1', "NO-GO", "")], soon()).unwrap();
    std::fs::create_dir(log.file(day("2026-02-25"))).unwrap();
    let pipe = std::process::Command::new("mkfifo").arg(log.file(day("2026-02-26"))).status();
    assert!(pipe.unwrap().success());
    let found = log.verdicts(&[asked('1')], now(), 30);
    assert_eq!(commits(&found.verdicts[&sha('1')]), ["a"]);
    let unread: Vec<_> = found.unread.iter().map(ToString::to_string).collect();
    assert_eq!(unread.len(), 2, "{unread:?}");
    let error = log.append(day("2026-02-26"), &["{}".to_owned()], soon()).unwrap_err();
    assert!(matches!(error, Error::Open { .. }), "{error}");
}

#[test]
fn different_parameters_make_a_different_judge() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let put = |lines: &[String]| log.append(now(), lines, soon()).unwrap();
    put(&[line("a", '1', "GO", r#","judge_sha":"k""#)]);
    assert_eq!(find(&log, '1'), None);
    put(&[line("a", '1', "NO-GO", r#","judge_sha":"j""#), line("a", '2', "GO", "")]);
    assert_eq!(find(&log, '1').unwrap().record.outcome, Some(Outcome::NoGo));
    assert!(find(&log, '2').is_some(), "an older record does not say");
    // What was cut then may be shown now, unless it is known that as much is shown.
    let cut = r#","caveats":["family_unknown","content_cut"]"#;
    put(&[line("a", '3', "UNDETERMINED", cut), line("a", '4', "NO-GO", cut)]);
    assert_eq!(find(&log, '3'), None);
    assert!(find(&log, '4').is_some());
    put(&[line("a", '3', "UNDETERMINED", &format!(r#"{cut},"judge_sha":"j""#))]);
    assert!(find(&log, '3').is_some());
}

#[test]
fn strictest_verdict_of_same_prompt_and_judge_wins() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let put = |day: &str, lines: &[String]| {
        let day = Timestamp::parse_day(day).unwrap();
        log.append(day, lines, soon()).unwrap();
    };
    put("2026-02-27", &[line("a", '1', "GO", ""), line("b", '2', "NO-GO", "")]);
    let other = line("c", '1', "GO", "").replace(r#""p""#, r#""q""#);
    put(
        "2026-02-28",
        &[line("c", '1', "NO-GO", ""), other.clone(), other.replace("\"m\"", "\"n\"")],
    );
    let verdict = find(&log, '1').unwrap();
    assert_eq!(verdict.record.outcome, Some(Outcome::NoGo));
    assert_eq!(commits(&all(&log, '1')), ["a", "c"]);
    assert!(!verdict.is_repeat());
    assert_eq!(find(&log, '3'), None);
    let within = |days| !log.verdicts(&[asked('2')], now(), days).verdicts.is_empty();
    assert!(!within(2), "only so many days");
    assert!(within(3));
}

#[test]
fn later_answer_never_relaxes_verdict_and_fresh_ones_count() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let put = |lines: &[String]| log.append(now(), lines, soon()).unwrap();
    put(&[line("a", '1', "NO-GO", ""), line("a", '1', "GO", r#","fresh":1"#)]);
    assert_eq!(find(&log, '1').unwrap().record.outcome, Some(Outcome::NoGo));
    let found = all(&log, '1');
    assert_eq!((next_fresh(&found), next_fresh(&found[..1])), (2, 1));
    let seen = Timestamp::parse(NOW).unwrap();
    assert!(found[1].is_fresh_on(seen) && !found[0].is_fresh_on(seen));
    assert!(!found[1].is_fresh_on(seen.plus_days(1)));
    put(&[line("a", '2', "GO", ""), line("a", '2', "UNDETERMINED", "")]);
    assert_eq!(find(&log, '2').unwrap().record.outcome, Some(Outcome::Undetermined));
}

#[test]
fn the_newest_override_of_a_record_decides() {
    let dir = tempfile::tempdir().unwrap();
    let one = |record: &str, word: &str, second: u8| {
        format!(
            r#"{{"id":"e","model":"human","mode":"override","verdict":"{word}","timestamp":"2026-03-01T00:00:{second:02}Z","human_override":true,"reviewer":"ada","reason":"r","record":"{record}"}}"#
        )
    };
    let write = |name: &str, lines: &[String]| {
        std::fs::write(dir.path().join(name), lines.join("\n") + "\n").unwrap();
    };
    let ids = std::collections::HashSet::from(["r1".to_owned(), "r2".to_owned()]);
    let accepted = || overridden(dir.path(), &ids).map(|found| found.accepted);
    assert_eq!(overridden(&dir.path().join("none"), &ids), None);
    write("ada.jsonl", &["{broken".to_owned(), one("other", "accept", 9), one("r2", "accept", 1)]);
    assert_eq!(accepted(), Some(true));
    assert_eq!(overridden(dir.path(), &ids).unwrap().reviewer, "ada");
    write("bob.jsonl", &[one("r1", "reject", 2)]);
    assert_eq!(accepted(), Some(false), "whoever gives it");
    write("bob.jsonl", &[one("r1", "reject", 1).replace("true", "false")]);
    assert_eq!(accepted(), Some(true), "that is not an override");
    // Within a second the instant beside it tells, whichever file comes first; that of another second says nothing.
    let at = |word: &str, us: i64| {
        one("r1", word, 5).replace("\"record\"", &format!("\"at_us\":{us},\"record\""))
    };
    let second = 1_772_323_205_000_000;
    for (ada, bob, is) in [(700, 200, true), (200, 700, false), (700, 9_000_000, true)] {
        write("ada.jsonl", &[at("accept", second + ada)]);
        write("bob.jsonl", &[at("reject", second + bob)]);
        assert_eq!(accepted(), Some(is), "{ada} {bob}");
    }
    std::fs::remove_file(dir.path().join("bob.jsonl")).unwrap();
    std::fs::remove_file(dir.path().join("ada.jsonl")).unwrap();
    std::fs::write(dir.path().join("far"), one("r1", "accept", 3)).unwrap();
    std::os::unix::fs::symlink("far", dir.path().join("ada.jsonl")).unwrap();
    assert_eq!(accepted(), None, "no link is followed");
}

#[test]
fn only_judge_answers_are_verdicts() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let none = [
        line("a", '1', "UNDETERMINED", r#","error":"timeout""#),
        line("a", '1', "UNDETERMINED", r#","error":"bypassed""#),
        line("a", '1', "GO", r#","error":"invalid_answer""#),
        line("a", '1', "APPROVED", ""),
        line("a", '1', "GO", r#","verdict":"NO-GO""#),
        line("a", '1', "GO", "")[1..].to_owned(),
        format!(r#"{{"commit":"a","verdict":"GO","findings":{:?}}}"#, line("a", '1', "GO", "")),
    ];
    log.append(now(), &none, soon()).unwrap();
    assert_eq!(find(&log, '1'), None);
    log.append(now(), &[line("a", '1', "UNDETERMINED", "")], soon()).unwrap();
    assert_eq!(find(&log, '1').unwrap().record.outcome, Some(Outcome::Undetermined));
}

#[test]
fn a_repeat_leads_back_to_the_evaluation_it_repeats() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    log.append(now(), &[line("a", '1', "NO-GO", "")], soon()).unwrap();
    let first = find(&log, '1').unwrap().original;
    let more = format!(r#","reused":"{first}""#);
    log.append(now(), &[line("b", '1', "NO-GO", &more)], soon()).unwrap();
    let found = all(&log, '1');
    assert_eq!(commits(&found), ["a", "b"]);
    assert!(found.iter().all(|v| v.original == first));
    // A repeat that is logged late makes the evaluation no newer.
    log.append(now(), &[line("c", '1', "NO-GO", "")], soon()).unwrap();
    log.append(now(), &[line("d", '1', "NO-GO", &more)], soon()).unwrap();
    assert_eq!(find(&log, '1').unwrap().record.commit.as_deref(), Some("c"));
    let found = all(&log, '1');
    let other = strictest(&found, |r| r.commit.as_deref() != Some("c")).unwrap();
    assert_eq!(other.record.commit.as_deref(), Some("a"));
    assert_eq!(strictest(&found[1..2], |_| true).unwrap().original, first, "its day is over");
}

#[test]
fn dirt_and_large_files_hide_no_verdict() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let mut bytes = Vec::new();
    for n in 0..30_000_u32 {
        bytes.extend(line("x", '9', "GO", &format!(r#","n":{n}"#)).bytes());
        bytes.push(b'\n');
    }
    let middle = bytes.len() / 2;
    let middle = middle + memchr::memchr(b'\n', &bytes[middle..]).unwrap() + 1;
    let mut dirty = bytes[..middle].to_vec();
    dirty.extend(b"\xff\xfe\0garbage \"content_sha\"\n{\"torn\":\"content_sha\n");
    dirty.extend(line("y", '1', "NO-GO", "").bytes());
    dirty.push(b'\n');
    dirty.extend(&bytes[middle..]);
    // The last line has no end yet, and is whole.
    dirty.extend(line("z", '2', "GO", "").bytes());
    std::fs::write(log.file(now()), &dirty).unwrap();
    let both = log.verdicts(&[asked('1'), asked('2'), asked('3')], now(), 30).verdicts;
    assert_eq!(both.len(), 2);
    assert_eq!(commits(&both[&sha('1')]), ["y"]);
}

#[test]
fn second_search_reads_only_new_lines() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let mut text = String::new();
    for n in 0..40_000_u32 {
        text += &line("x", '9', "GO", &format!(r#","n":{n}"#));
        text.push('\n');
    }
    text += &(line("first", '1', "GO", "") + "\n");
    std::fs::write(log.file(now()), &text).unwrap();
    let length = text.len() as u64;
    assert_eq!(commits(&all(&log, '1')), ["first"]);
    assert_eq!(log.searched(), length, "the first look reads all, once");
    let more = line("second", '1', "NO-GO", "");
    log.append(now(), std::slice::from_ref(&more), soon()).unwrap();
    let mut seen = Vec::new();
    let appended = log.append_knowing(now(), &asked('1'), SINCE, soon(), &mut |found| {
        seen = commits(found).into_iter().map(str::to_owned).collect();
        vec![line("third", '1', "NO-GO", "")]
    });
    appended.unwrap();
    assert_eq!(seen, ["first", "second"]);
    assert_eq!(log.searched(), length + more.len() as u64 + 1, "under the lock only what is new");
    assert_eq!(commits(&all(&log, '1')), ["first", "second", "third"]);
    // Another file in its place is searched from the beginning.
    std::fs::remove_file(log.file(now())).unwrap();
    std::fs::write(log.file(now()), line("other", '2', "GO", "")).unwrap();
    assert_eq!(commits(&all(&log, '2')), ["other"]);
}
