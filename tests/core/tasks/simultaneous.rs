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
fn runs_of_one_task_have_its_tries_whatever_they_are_about() {
    let home = Home::new(["reject"; 3], "");
    let answer =
        json!({"model": "quick", "text": verdict("reject"), "delay_ms": 1_000, "always": true});
    home.write("answers.jsonl", &answer.to_string());
    let start = |text: &str| {
        let mut command = home.command(&["-t", "issue-1", "-d", text, "a.md"]);
        command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap()
    };
    let all = ["a", "b", "c", "d", "e"].map(start);
    let mut codes = all.map(|mut child| child.wait().unwrap().code());
    codes.sort_unstable();
    assert_eq!(codes, [1, 1, 1, 2, 2].map(Some));
    let of_judges = home.log().iter().filter(|line| line["mode"] == "quick").count();
    assert_eq!(of_judges, 3);
}

#[test]
fn rejection_holds_while_another_run_does_not_end() {
    let home = Home::new(["reject"; 3], "[task]\nbudget_s = 1\n");
    assert_eq!(home.task(&[]).status.code(), Some(1));
    let sha = home.log()[0]["run_sha"].as_str().unwrap()[..32].to_owned();
    let locks = home.path().join(".openclaw/verdicts.jsonl.locks");
    std::fs::create_dir(&locks).unwrap();
    let file = std::fs::File::create(locks.join(sha)).unwrap();
    file.lock().unwrap();
    let (code, value) = home.json(&[]);
    assert_eq!((code, &value["decided_by"]), (Some(1), &"log".into()), "{value}");
    home.write("a.md", "# Another note\n");
    assert_eq!(home.task(&[]).status.code(), Some(1), "another run");
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
