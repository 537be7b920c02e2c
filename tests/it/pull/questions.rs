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
        "bbbb: it is no question",
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
