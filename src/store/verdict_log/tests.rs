use super::*;
use crate::domain::Outcome;
use std::os::unix::fs::PermissionsExt;

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

fn asked(digit: char) -> Asked {
    Asked { content_sha: sha(digit), prompt_sha: "p".to_owned(), judge_model: "m".to_owned() }
}

fn line(commit: &str, content: char, verdict: &str, more: &str) -> String {
    let sha = sha(content);
    format!(
        r#"{{"commit":"{commit}","timestamp":"{NOW}","judge_model":"m","verdict":"{verdict}","prompt_sha":"p","content_sha":"{sha}"{more}}}"#
    )
}

fn find(log: &VerdictLog, digit: char) -> Option<Verdict> {
    log.verdicts(&[asked(digit)], now(), 30).unwrap().remove(&sha(digit))
}

#[test]
fn a_line_is_appended_to_the_file_of_its_utc_day_which_is_nobody_elses() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path().join("a/b"));
    let said = log.append(now(), &["{}".to_owned()], soon()).unwrap();
    assert_eq!(said.path, dir.path().join("a/b/2026-03-01.jsonl"));
    assert!(!log.append(now(), &["{\"x\":\n1}".to_owned()], soon()).unwrap().repaired);
    assert_eq!(std::fs::read(&said.path).unwrap(), b"{}\n{\"x\": 1}\n");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&said.path), mode(log.dir())), (0o600, 0o700));
    std::fs::set_permissions(&said.path, std::fs::Permissions::from_mode(0o644)).unwrap();
    log.append(now(), &["{}".to_owned()], soon()).unwrap();
    assert_eq!(mode(&said.path), 0o644, "what is there stays as it is");
}

#[test]
fn a_torn_tail_is_left_and_ended_whatever_it_is() {
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
fn a_lock_that_is_held_is_waited_for_only_so_long() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    let held = atomic::private().append(true).open(log.file(now())).unwrap();
    held.lock().unwrap();
    let start = Instant::now();
    let error = log.append(now(), &["{}".to_owned()], start + Duration::from_millis(60));
    assert!(matches!(error, Err(Error::Lock { .. })), "{error:?}");
    assert!(start.elapsed() < Duration::from_secs(3));
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
fn many_appends_at_once_give_whole_lines() {
    let dir = tempfile::tempdir().unwrap();
    let log = VerdictLog::at(dir.path());
    std::thread::scope(|scope| {
        for writer in 0..8 {
            let log = &log;
            scope.spawn(move || {
                for n in 0..40 {
                    let text = "x".repeat(5_000);
                    let line =
                        line(&format!("{writer}-{n}"), '1', "GO", &format!(r#","t":"{text}""#));
                    log.append(now(), &[line], Instant::now() + Duration::from_secs(60)).unwrap();
                }
            });
        }
    });
    let bytes = std::fs::read(log.file(now())).unwrap();
    let read = jsonl_read(&bytes);
    assert_eq!((read.found.len(), read.rejects.len()), (320, 0));
}

fn jsonl_read(bytes: &[u8]) -> crate::jsonl::Reading {
    crate::jsonl::read(bytes, &crate::jsonl::Settings::default())
}

#[test]
fn the_newest_verdict_of_the_same_prompt_and_judge_stands() {
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
    assert_eq!(verdict.commits, ["a", "c"]);
    assert_eq!(verdict.original, verdict.record.id.to_string());
    assert_eq!(find(&log, '3'), None);
    assert!(log.verdicts(&[asked('2')], now(), 2).unwrap().is_empty(), "only so many days");
    assert!(!log.verdicts(&[asked('2')], now(), 3).unwrap().is_empty());
}

#[test]
fn only_what_a_judge_said_is_a_verdict() {
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
    let verdict = find(&log, '1').unwrap();
    assert_eq!((verdict.original, verdict.commits), (first, vec!["a".to_owned(), "b".to_owned()]));
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
    let both = log.verdicts(&[asked('1'), asked('2'), asked('3')], now(), 30).unwrap();
    assert_eq!(both.len(), 2);
    assert_eq!(both[&sha('1')].commits, ["y"]);
}
