//! The questions of tasks, taken beside the logs of a box: those that the logs name, and no others.

use super::harness::*;
use foureyes::engine::task_question::{MaskedQuestion, TaskQuestion};
use foureyes::pull::BoxPull;
use foureyes::questions;
use foureyes::store::state::Fact;
use std::fs;
use std::path::PathBuf;

fn question(text: &str) -> TaskQuestion {
    TaskQuestion { description: text.to_owned(), acceptance: Some("It names it.".to_owned()) }
}

/// A line of a task, as long ago as so many days.
fn line(sha: &str, days: u32) -> String {
    let at = now().minus_days(days).whole_second();
    format!(
        "{{\"task_id\":\"t\",\"verdict\":\"reject\",\"judge_tier\":\"quick\",\"round\":1,\"timestamp\":\"{at}\",\"task_sha\":\"{sha}\"}}\n"
    )
}

/// The directory of the questions in the mirror.
fn mirrored(lab: &Lab) -> PathBuf {
    lab.data().mirror().join("box/files/questions")
}

fn kept(lab: &Lab) -> Vec<String> {
    let entries = fs::read_dir(mirrored(lab)).into_iter().flatten().flatten();
    let mut names: Vec<_> =
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

fn put(lab: &Lab, question: &TaskQuestion) -> String {
    let sha = question.sha();
    questions::write(&lab.log("questions"), &sha, &MaskedQuestion::new(question)).unwrap();
    sha
}

/// What was not taken, by the beginning of its hash.
fn not_taken(pull: &BoxPull) -> Vec<String> {
    let one = |fact| match fact {
        Fact::QuestionNotTaken { what, why } => {
            let which = what.strip_prefix("question of the task ").unwrap_or(&what);
            Some(format!("{}: {why}", &which[..4]))
        }
        _ => None,
    };
    facts(pull).into_iter().filter_map(one).collect()
}

#[test]
fn only_questions_that_new_lines_name_are_taken() {
    let lab = Lab::new();
    let (asked, other, old) = (question("asked"), question("nobody names it"), question("old"));
    let (sha, unnamed) = (put(&lab, &asked), put(&lab, &other));
    let past = put(&lab, &old);
    lab.write("verdicts.jsonl", line(&sha, 1) + &line(&"0".repeat(64), 1) + &line(&past, 40));
    lab.write("push.jsonl", lines(1, 300));
    let pull = lab.pull();
    assert_eq!(not_taken(&pull), [""; 0]);
    assert_eq!(kept(&lab), [format!("{sha}.json")]);
    assert!(!kept(&lab).contains(&format!("{unnamed}.json")));
    let held = questions::read(&mirrored(&lab), &sha).unwrap().unwrap();
    assert_eq!((held.question, held.masked), (asked, 0));
    lab.assert_identical(&["verdicts.jsonl", "push.jsonl"]);
    // Nothing new: nobody is asked again.
    assert!(lab.pull().round_trips <= 2);
    let later = put(&lab, &question("later"));
    lab.append("verdicts.jsonl", line(&later, 0));
    lab.pull();
    assert!(kept(&lab).contains(&format!("{later}.json")));
    // The state of the mirror is made again although there is a directory among its files.
    fs::write(lab.data().mirror().join("box/state.json"), "damaged").unwrap();
    lab.pull();
    assert_eq!(kept(&lab).len(), 2);
}

#[test]
fn what_is_no_question_is_named_and_not_taken() {
    let lab = Lab::new();
    let secret = format!("ghp_{}", "Ab1".repeat(14));
    let shas: Vec<String> = ["a", "b", "c", "d", "e"].map(|digit| digit.repeat(64)).to_vec();
    fs::create_dir(lab.log("questions")).unwrap();
    let write = |sha: &str, bytes: &[u8]| {
        fs::write(lab.log("questions").join(format!("{sha}.json")), bytes).unwrap();
    };
    let text = |text: &str, masked: usize| {
        format!(
            "{{\"schema\":\"foureyes/question/1\",\"description\":\"{text}\",\"masked\":{masked}}}"
        )
    };
    write(&shas[0], text("another task", 0).as_bytes());
    write(&shas[1], b"{\"schema\":\"foureyes/question/1\",\"description\":\"torn");
    write(&shas[2], &vec![b' '; questions::MOST_BYTES as usize + 1]);
    std::os::unix::fs::symlink(
        "/etc/passwd",
        lab.log("questions").join(format!("{}.json", shas[3])),
    )
    .unwrap();
    // A box that masks less than this machine.
    write(&shas[4], text(&secret, 1).as_bytes());
    lab.write("verdicts.jsonl", shas.iter().map(|sha| line(sha, 0)).collect::<String>());
    let named = not_taken(&lab.pull());
    let begins = [
        "aaaa: its texts do not have the hash",
        "bbbb: it is not a question file",
        "cccc: it has more",
        "dddd: it is not a regular file",
    ];
    assert_eq!(named.len(), begins.len(), "{named:?}");
    for (named, begin) in named.iter().zip(begins) {
        assert!(named.starts_with(begin), "{named}");
    }
    assert_eq!(kept(&lab), [format!("{}.json", shas[4])]);
    let bytes = fs::read_to_string(mirrored(&lab).join(&kept(&lab)[0])).unwrap();
    assert!(bytes.contains("[masked GitHub token]") && !bytes.contains(&secret), "{bytes}");
    lab.assert_identical(&["verdicts.jsonl"]);
}

#[test]
fn operator_who_keeps_none_takes_none_and_has_them_later() {
    let lab = Lab::new();
    let sha = put(&lab, &question("asked"));
    lab.write("verdicts.jsonl", line(&sha, 0));
    let mut config = lab.config();
    config.task.keep_questions = 0;
    assert_eq!(not_taken(&lab.pull_with(&config)), [""; 0]);
    assert_eq!(kept(&lab), [""; 0]);
    lab.pull();
    assert_eq!(kept(&lab).len(), 1);
    // The mirror keeps them as long as is configured here.
    let file = fs::File::options().write(true).open(mirrored(&lab).join(&kept(&lab)[0])).unwrap();
    let days = std::time::Duration::from_secs(31 * 86_400);
    file.set_modified(std::time::SystemTime::now() - days).unwrap();
    lab.pull();
    assert_eq!(kept(&lab), [""; 0]);
}

#[test]
fn next_directory_is_asked_where_one_lacks_the_question() {
    let lab = Lab::new();
    let asked = question("asked");
    let mut config = lab.config();
    config.boxes[0].logs = ["a", "b"].map(|name| lab.log(name).to_str().unwrap().into()).to_vec();
    for name in ["a", "b"] {
        fs::create_dir(lab.log(name)).unwrap();
        lab.write(&format!("{name}/verdicts.jsonl"), line(&asked.sha(), 0));
    }
    questions::write(&lab.log("b/questions"), &asked.sha(), &MaskedQuestion::new(&asked)).unwrap();
    assert_eq!(not_taken(&lab.pull_with(&config)), [""; 0]);
    assert_eq!(kept(&lab), [format!("{}.json", asked.sha())]);
}

#[test]
fn question_that_was_not_taken_is_asked_for_again() {
    let lab = Lab::new();
    let asked = question("asked");
    let sha = asked.sha();
    fs::create_dir(lab.log("questions")).unwrap();
    let path = lab.log("questions").join(format!("{sha}.json"));
    std::os::unix::fs::symlink("/etc/passwd", &path).unwrap();
    lab.write("verdicts.jsonl", line(&sha, 0));
    // Nothing new comes, and it is named again.
    for _ in 0..2 {
        let named = not_taken(&lab.pull());
        assert_eq!(named, [format!("{}: it is not a regular file", &sha[..4])]);
    }
    fs::remove_dir_all(lab.log("questions")).unwrap();
    put(&lab, &asked);
    // Here it cannot be written: something is in its place.
    fs::create_dir_all(mirrored(&lab).join(format!("{sha}.json/full"))).unwrap();
    assert_eq!(not_taken(&lab.pull()).len(), 1);
    fs::remove_dir_all(mirrored(&lab)).unwrap();
    assert_eq!(not_taken(&lab.pull()), [""; 0]);
    assert_eq!(kept(&lab), [format!("{sha}.json")]);
    assert!(lab.pull().round_trips <= 2);
}

#[test]
fn one_pull_takes_the_newest_and_the_next_the_rest() {
    let lab = Lab::new();
    let (new, old) = (put(&lab, &question("new")), put(&lab, &question("old")));
    let between = |number: u32| line(&format!("{number:064x}"), 2);
    let lines: String = (0..1000).map(between).collect();
    lab.write("verdicts.jsonl", line(&new, 1) + &lines + &line(&old, 3));
    let named = not_taken(&lab.pull());
    assert_eq!(named.len(), 1, "{named:?}");
    assert!(named[0].contains("one pull asks for 1000, the newest"), "{named:?}");
    assert_eq!(kept(&lab), [format!("{new}.json")]);
    assert_eq!(not_taken(&lab.pull()), [""; 0]);
    assert!(kept(&lab).contains(&format!("{old}.json")));
}

#[test]
fn questions_of_a_box_that_is_configured_no_more_go_as_well() {
    let lab = Lab::new();
    let gone = lab.data().mirror().join("gone/files/questions");
    let asked = question("asked");
    questions::write(&gone, &asked.sha(), &MaskedQuestion::new(&asked)).unwrap();
    lab.pull();
    let path = gone.join(format!("{}.json", asked.sha()));
    assert!(path.exists());
    let days = std::time::Duration::from_secs(31 * 86_400);
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(std::time::SystemTime::now() - days).unwrap();
    lab.pull();
    assert!(!path.exists());
}
