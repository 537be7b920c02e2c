//! Description and acceptance criteria: in the document, the issue and the message, and kept beside the log.

use super::bounds::{gh, read};
use super::stderr;
use crate::http::{PATIENCE, Server, json};
use crate::tasks::Home;
use serde_json::{Value, json as value};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::process::Output;

const SECRET: &str = "ghp_0123456789abcdefghijABCDEFGHIJ012345";
const NOTICE: &str = "Description and acceptance criteria are left out: see";

/// Runs a task with a `gh` and a server of Agent Mail of the test; gives what was printed, the issue and the message.
fn sent(words: [&str; 3], settings: &str, description: &str) -> (Home, String, String, String) {
    let taken = value!({"jsonrpc": "2.0", "id": 1, "result": {"content": [], "isError": false}});
    let server = Server::always(json(200, &taken));
    let config = format!(
        "[task]\ncreate_issues = true\nmail_endpoint = \"{}/mcp/\"\n{settings}",
        server.url()
    );
    let home = Home::new(words, &config);
    gh(&home, "exit 1");
    let path = format!("{}:/usr/bin:/bin", home.path().display());
    let task = ["-t", "issue-42", "-d", description, "-a", "It names\na rollback.", "a.md"];
    let output = home.command(&task).env("PATH", path).output().unwrap();
    assert!(matches!(output.status.code(), Some(1 | 2)), "{}", stderr(&output));
    let issue = read(&home, "arguments") + &read(&home, "body");
    let arguments = server.requests()[0].json()["params"]["arguments"].clone();
    let text = |name: &str| arguments[name].as_str().unwrap().to_owned();
    let message = text("subject") + "\n" + &text("body_md");
    (home, stderr(&output), issue, message)
}

/// The one question that is kept beside the log of a home.
fn kept(home: &Home) -> Value {
    let log = home.log();
    let sha = log[0]["task_sha"].as_str().unwrap().to_owned();
    let path = home.path().join(format!(".openclaw/questions/{sha}.json"));
    serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()
}

#[test]
fn who_decides_is_told_the_question_of_rejected_and_of_escalated_tasks() {
    for (words, prefix) in
        [(["reject"; 3], "JUDGE-REJECTED"), (["improve"; 3], "JUDGE-DISAGREEMENT")]
    {
        let (home, printed, issue, message) = sent(words, "", "Write the note.\nAll of it.");
        for text in [&printed, &issue, &message] {
            let title = format!("[{prefix}] Review needed: issue-42: Write the note.\n");
            assert!(text.contains(&title), "{text}");
            assert!(text.contains("\n```text\nWrite the note.\nAll of it.\n```\n"), "{text}");
            assert!(text.contains("\n```text\nIt names\na rollback.\n```\n"), "{text}");
            assert!(!text.contains(NOTICE), "{text}");
        }
        let expected = value!({"schema": "foureyes/question/1",
            "description": "Write the note.\nAll of it.", "acceptance": "It names\na rollback.",
            "masked": 0});
        assert_eq!(kept(&home), expected);
        let log = fs::read_to_string(home.path().join(".openclaw/verdicts.jsonl")).unwrap();
        assert!(!log.contains("Write the note") && !log.contains("a rollback"), "{log}");
        let mode = |name: &str| {
            let meta = fs::metadata(home.path().join(".openclaw").join(name)).unwrap();
            meta.permissions().mode() & 0o777
        };
        let file = format!("questions/{}.json", home.log()[0]["task_sha"].as_str().unwrap());
        assert_eq!((mode("questions"), mode(&file)), (0o700, 0o600));
    }
}

#[test]
fn each_way_can_be_told_to_leave_the_question_out() {
    let asked = |text: &String| text.contains("Write the note.") || text.contains("a rollback.");
    let (_, printed, issue, message) =
        sent(["reject"; 3], "issue_question = false\n", "Write the note.");
    assert_eq!([&printed, &issue, &message].map(asked), [true, false, true]);
    assert!(issue.contains(&format!("{NOTICE} `issue_question` in `[task]`.")), "{issue}");
    let (_, printed, issue, message) =
        sent(["improve"; 3], "mail_question = false\n", "Write the note.");
    assert_eq!([&printed, &issue, &message].map(asked), [true, true, false]);
    assert!(message.contains(&format!("{NOTICE} `mail_question` in `[task]`.")), "{message}");
    let (home, printed, issue, message) =
        sent(["reject"; 3], "keep_questions = 0\n", "Write the note.");
    for text in [&printed, &issue, &message] {
        assert!(!asked(text), "{text}");
        assert!(text.contains(&format!("{NOTICE} `keep_questions` in `[task]`.")), "{text}");
        assert!(text.contains("Review needed: issue-42\n"), "{text}");
    }
    assert!(!home.path().join(".openclaw/questions").exists());
}

#[test]
fn hostile_question_is_data_and_has_no_secret() {
    let hostile = format!(
        "a `b` \u{1b}[2J\u{202e}{SECRET}\n```\n~~~~\n# Heading\n</details><img src=x> @octocat"
    );
    let (home, printed, issue, message) = sent(["improve"; 3], "", &hostile);
    for text in [&printed, &issue, &message] {
        assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
        assert!(!text.contains(SECRET), "{text}");
        // The fence is longer than any run inside, so the heading stays in it.
        let fence = text.split("Description:\n\n").nth(1).unwrap();
        assert!(fence.starts_with("````text\na `b` "), "{fence}");
        let inside = fence.split("\n````\n").next().unwrap();
        assert!(inside.contains("# Heading\n") && inside.ends_with("@octocat"), "{fence}");
        let title = text.lines().find(|line| line.contains("Review needed: ")).unwrap();
        assert!(title.contains("issue-42: a `b` ") && !title.contains("Heading"), "{title}");
    }
    let kept = kept(&home);
    let description = kept["description"].as_str().unwrap();
    assert!(description.contains("[masked GitHub token]") && description.contains("\u{1b}[2J"));
    assert_eq!(kept["masked"], 1);
}

fn decision(output: &Output) -> (Option<i32>, String) {
    let text = stderr(output);
    let lines = text.lines().filter(|line| line.contains("failed to keep the question"));
    (output.status.code(), lines.collect::<Vec<_>>().join("\n"))
}

#[test]
fn question_that_cannot_be_kept_is_one_line_and_changes_no_verdict() {
    for (words, code) in [(["accept"; 3], 0), (["reject"; 3], 1), (["improve"; 3], 2)] {
        let home = Home::new(words, "");
        fs::create_dir(home.path().join(".openclaw")).unwrap();
        home.write(".openclaw/questions", "in its place");
        let (is, told) = decision(&home.task(&[]));
        assert_eq!(is, Some(code), "{told}");
        assert_eq!(told.lines().count(), 1, "{told}");
        assert!(told.contains("it is not a directory"), "{told}");
        assert_eq!(
            fs::read_to_string(home.path().join(".openclaw/questions")).unwrap(),
            "in its place"
        );
    }
    // Beside the log of `--output`, and none for a device.
    let home = Home::new(["reject"; 3], "");
    assert_eq!(decision(&home.task(&["--output", "own/tasks.jsonl"])), (Some(1), String::new()));
    assert_eq!(fs::read_dir(home.path().join("own/questions")).unwrap().count(), 1);
    assert!(!home.path().join(".openclaw/questions").exists());
}

#[test]
fn killed_run_has_its_question() {
    let home = Home::new(["reject"; 3], "");
    let hanging = value!({"model": "quick", "text": "", "delay_ms": 3_600_000, "always": true});
    home.write("answers.jsonl", &hanging.to_string());
    let mut run = home.command(&["-t", "x", "-d", "Hang.", "a.md"]).spawn().unwrap();
    let directory = home.path().join(".openclaw/questions");
    let is_kept = || {
        fs::read_dir(&directory).is_ok_and(|mut all| {
            all.any(|one| one.unwrap().file_name().to_string_lossy().ends_with(".json"))
        })
    };
    let end = std::time::Instant::now() + PATIENCE;
    while !is_kept() {
        assert!(std::time::Instant::now() < end, "nothing was kept before the judge answered");
        std::thread::sleep(std::time::Duration::from_millis(20));
    }
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(is_kept());
}

#[test]
fn later_run_removes_what_is_old() {
    let home = Home::new(["reject"; 3], "[task]\nkeep_questions = 1\n");
    home.task(&[]);
    let old = format!(".openclaw/questions/{}.json", home.log()[0]["task_sha"].as_str().unwrap());
    let file = fs::File::options().write(true).open(home.path().join(&old)).unwrap();
    let two_days = std::time::Duration::from_secs(2 * 86_400);
    file.set_modified(std::time::SystemTime::now() - two_days).unwrap();
    home.run(&["-t", "issue-43", "-d", "Another task.", "a.md"]);
    assert!(!home.path().join(&old).exists());
    assert_eq!(fs::read_dir(home.path().join(".openclaw/questions")).unwrap().count(), 1);
}

#[test]
fn rejection_has_a_reason_as_an_escalation_has() {
    let home = Home::new(["reject"; 3], "");
    let text = stderr(&home.task(&[]));
    assert!(
        text.contains("\n* Reason: `The quick judge rejected it: because of reject`\n"),
        "{text}"
    );
    let home = Home::new(["reject", "improve", "accept"], "");
    let text = stderr(&home.task(&["--depth", "panel"]));
    assert!(
        text.contains("\n* Reason: `The quick judge rejected it: because of reject`\n"),
        "{text}"
    );
    let home = Home::new(["reject", "reject", "accept"], "[task]\nvocabulary = \"ladder\"\n");
    home.answers(["BLOCK", "BLOCK", "BLOCK"]);
    let text = stderr(&home.task(&["--depth", "panel"]));
    let reason = "\n* Reason: `The quick and deep judges rejected it: because of BLOCK`\n";
    assert!(text.contains(reason), "{text}");
    let home = Home::new(["improve"; 3], "");
    let text = stderr(&home.task(&[]));
    assert!(
        text.contains("\n* Reason: `The judges came to neither accept nor reject.`\n"),
        "{text}"
    );
}

#[test]
fn criteria_that_are_the_description_as_well_are_shown_once() {
    let home = Home::new(["improve"; 3], "");
    let output = home.run(&["-t", "issue-42", "-a", "It names a rollback.", "a.md"]);
    let printed = stderr(&output);
    assert_eq!(printed.matches("\nIt names a rollback.\n").count(), 1, "{printed}");
    let heading = "\nDescription and acceptance criteria:\n";
    assert!(printed.contains(heading) && !printed.contains("\nDescription:\n"), "{printed}");
}
