//! Questions in a directory.

use super::*;
use crate::domain::Timestamp;
use crate::engine::task_question::{MaskedQuestion, TaskQuestion};
use std::fs;

const DAY: i64 = 86_400_000_000;

fn now() -> Timestamp {
    Timestamp(jiff::Timestamp::now().as_microsecond())
}

fn question(description: &str, acceptance: Option<&str>) -> TaskQuestion {
    let acceptance = acceptance.map(str::to_owned);
    TaskQuestion { description: description.to_owned(), acceptance }
}

fn names(directory: &Path) -> Vec<String> {
    let entries = fs::read_dir(directory).unwrap().map(|entry| entry.unwrap().file_name());
    entries.map(|name| name.to_string_lossy().into_owned()).collect()
}

#[test]
fn question_is_kept_whole_under_its_hash_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("verdicts.jsonl");
    let texts =
        [question("a\u{1b}[31m\n```\n<b>", Some("\u{0}")), question("", None), question("ä", None)];
    for asked in &texts {
        keep(&log, asked, 30, now()).unwrap();
        let held = read(&directory_of(&log), &asked.sha()).unwrap().unwrap();
        assert_eq!((&held.question, held.masked), (asked, 0));
    }
    let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode(&directory_of(&log)), 0o700);
    assert_eq!(mode(&directory_of(&log).join(name(&texts[0].sha()))), 0o600);
    assert_eq!(names(&directory_of(&log)).len(), texts.len());
    // The longest texts of the worst kind.
    let longest = "\u{1}".repeat(32 << 10);
    let longest = question(&longest, Some(&longest));
    keep(&log, &longest, 30, now()).unwrap();
    assert_eq!(read(&directory_of(&log), &longest.sha()).unwrap().unwrap().question, longest);
}

#[test]
fn secrets_are_masked_before_anything_is_written() {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("verdicts.jsonl");
    let secret = format!("ghp_{}", "Ab1".repeat(14));
    let asked = question(&format!("use {secret}"), Some(&format!("not {secret}")));
    keep(&log, &asked, 30, now()).unwrap();
    let bytes = fs::read(directory_of(&log).join(name(&asked.sha()))).unwrap();
    assert!(!String::from_utf8(bytes).unwrap().contains(&secret));
    let held = read(&directory_of(&log), &asked.sha()).unwrap().unwrap();
    assert_eq!(held.masked, 2);
    assert!(held.question.description.starts_with("use [masked "), "{held:?}");
    // What another writer left in is masked by the reader.
    let bare = question(&secret, None);
    let line =
        format!("{{\"schema\":\"foureyes/question/1\",\"description\":\"{secret}\",\"masked\":0}}");
    let held = parse(&bare.sha(), line.as_bytes()).unwrap();
    assert!(!held.question.description.contains(&secret) && held.masked == 1);
}

#[test]
fn question_goes_after_its_days_and_at_once_where_none_is_kept() {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("verdicts.jsonl");
    let (old, new) = (question("old", None), question("new", None));
    keep(&log, &old, 3, now()).unwrap();
    fs::write(directory_of(&log).join("mine.json"), "{}").unwrap();
    let left = directory_of(&log).join(format!("{TEMPORARY}xyz"));
    fs::write(&left, "").unwrap();
    fs::write(directory_of(&log).join(".tmpnotes"), "").unwrap();
    let later = Timestamp(now().0 + 2 * DAY);
    keep(&log, &new, 3, later).unwrap();
    assert!(read(&directory_of(&log), &old.sha()).unwrap().is_some(), "two days are not over");
    assert!(!left.exists());
    keep(&log, &new, 3, Timestamp(now().0 + 4 * DAY)).unwrap();
    assert!(read(&directory_of(&log), &old.sha()).unwrap().is_none());
    fs::write(&log, format!("{{\"task_sha\":\"{}\"}}\n", new.sha())).unwrap();
    keep(&log, &new, 0, now()).unwrap();
    let mut left = names(&directory_of(&log));
    left.sort();
    assert_eq!(left, [".tmpnotes", "mine.json"], "what is not ours stays");
}

#[test]
fn log_that_keeps_none_removes_its_own_and_spares_those_of_another() {
    let home = tempfile::tempdir().unwrap();
    let (keeps, none) = (home.path().join("a.jsonl"), home.path().join("b.jsonl"));
    let (theirs, own) = (question("theirs", None), question("own", None));
    for asked in [&theirs, &own] {
        keep(&keeps, asked, 30, now()).unwrap();
    }
    let lines = format!("torn \"task_sha\"\n{{\"task_sha\":\"{}\"}}\n", own.sha());
    fs::write(&none, lines).unwrap();
    keep(&none, &own, 0, now()).unwrap();
    assert_eq!(names(&directory_of(&none)), [name(&theirs.sha())]);
    // What no log names any more does not stay for ever.
    keep(&none, &own, 0, Timestamp(now().0 + 31 * DAY)).unwrap();
    assert_eq!(names(&directory_of(&none)), [""; 0]);
}

#[test]
fn directory_that_others_may_use_is_left_as_it_is() {
    use std::os::unix::fs::PermissionsExt;
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("out.jsonl");
    let directory = directory_of(&log);
    fs::create_dir(&directory).unwrap();
    for mode in [0o755, 0o701, 0o770] {
        fs::set_permissions(&directory, fs::Permissions::from_mode(mode)).unwrap();
        let failed = keep(&log, &question("asked", None), 30, now()).unwrap_err();
        assert!(failed.source.to_string().contains("others may use"), "{:?}", failed.source);
        let after = fs::metadata(&directory).unwrap().permissions().mode() & 0o777;
        assert_eq!((after, names(&directory).len()), (mode, 0));
    }
    fs::set_permissions(&directory, fs::Permissions::from_mode(0o700)).unwrap();
    keep(&log, &question("asked", None), 30, now()).unwrap();
}

#[test]
fn file_in_the_place_of_the_directory_holds_no_question() {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("out.jsonl");
    fs::write(directory_of(&log), "mine").unwrap();
    assert!(read(&directory_of(&log), &"a".repeat(64)).unwrap().is_none());
    assert!(keep(&log, &question("asked", None), 30, now()).is_err());
    assert_eq!(fs::read(directory_of(&log)).unwrap(), b"mine");
}

#[test]
fn what_is_no_question_is_refused_with_the_reason() {
    let home = tempfile::tempdir().unwrap();
    let directory = home.path().join(DIRECTORY);
    let asked = question("asked", None);
    write(&directory, &asked.sha(), &MaskedQuestion::new(&asked)).unwrap();
    let path = directory.join(name(&asked.sha()));
    let why = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        read(&directory, &asked.sha()).unwrap_err().to_string()
    };
    assert_eq!(why(b"{\"schema\":\"foureyes/question/1\""), "it is not a question file");
    assert_eq!(
        why(b"{\"schema\":\"foureyes/question/9\",\"description\":\"asked\"}"),
        "it is not a question file"
    );
    let other = "{\"schema\":\"foureyes/question/1\",\"description\":\"another\",\"masked\":0}";
    assert_eq!(why(other.as_bytes()), "its texts do not have the hash that it is named by");
    assert!(why(&vec![b' '; MOST_BYTES as usize + 1]).contains("more than"));
    fs::remove_file(&path).unwrap();
    std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
    assert_eq!(read(&directory, &asked.sha()).unwrap_err().to_string(), "it is not a regular file");
    for hostile in ["../x", "", &"A".repeat(64), &"a".repeat(63)] {
        assert!(matches!(read(&directory, hostile), Err(Unusable::Name)), "{hostile:?}");
        assert!(write(&directory, hostile, &MaskedQuestion::new(&asked)).is_err(), "{hostile:?}");
    }
}

#[test]
fn nothing_is_written_beside_a_device_or_through_a_link() {
    let home = tempfile::tempdir().unwrap();
    let asked = question("asked", None);
    assert!(keep(Path::new("/dev/null"), &asked, 30, now()).is_err());
    let (log, elsewhere) = (home.path().join("verdicts.jsonl"), home.path().join("elsewhere"));
    fs::create_dir(&elsewhere).unwrap();
    std::os::unix::fs::symlink(&elsewhere, directory_of(&log)).unwrap();
    let kept = "a".repeat(64) + ".json";
    fs::write(elsewhere.join(&kept), "{}").unwrap();
    assert!(keep(&log, &asked, 0, now()).is_ok());
    assert!(keep(&log, &asked, 30, now()).is_err());
    assert_eq!(names(&elsewhere), [kept]);
}
