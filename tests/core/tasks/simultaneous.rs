//! The same run made by several at the same time: one asks, and the others take what it logs.

use super::home::Home;
use super::verdict;
use serde_json::{Value, json};
use std::process::{Child, Stdio};

/// A home whose first judge accepts, slowly.
fn slow(milliseconds: u64) -> Home {
    let home = Home::new(["accept"; 3], "");
    let answer = json!({"model": "quick", "text": verdict("accept"), "delay_ms": milliseconds, "always": true});
    home.write("answers.jsonl", &answer.to_string());
    home
}

fn start(home: &Home, id: &str) -> Child {
    let mut command = home.command(&["--json", "-t", id, "-d", "Write the note.", "a.md"]);
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn document(child: Child) -> Value {
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    serde_json::from_slice(&output.stdout).unwrap()
}

#[test]
fn one_set_of_requests_for_runs_that_are_the_same_in_all() {
    let home = slow(3_000);
    let all = ["issue-1", "issue-2", "issue-3"].map(|id| start(&home, id));
    let mut by: Vec<String> = all
        .into_iter()
        .map(|child| document(child)["decided_by"].as_str().unwrap().to_owned())
        .collect();
    by.sort();
    assert_eq!(by, ["judges", "log", "log"]);
    assert_eq!(home.log().len(), 1);
    let locks = home.path().join(".openclaw/verdicts.jsonl.locks");
    assert!(!locks.exists(), "nothing is left");
}

#[test]
fn killed_holder_blocks_nobody() {
    let home = slow(600_000);
    let mut first = start(&home, "issue-1");
    let locks = home.path().join(".openclaw/verdicts.jsonl.locks");
    while std::fs::read_dir(&locks).map_or(0, Iterator::count) == 0 {
        std::thread::sleep(std::time::Duration::from_millis(10));
    }
    first.kill().unwrap();
    first.wait().unwrap();
    home.answers(["accept"; 3]);
    assert_eq!(document(start(&home, "issue-1"))["decided_by"], "judges");
    assert!(!locks.exists());
}
