//! What a person is sent who must decide about a task: a document, an issue, a message.

mod bounds;
mod issue;
mod message;
mod question;

use crate::tasks::Home;
use serde_json::json;
use std::process::Output;

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

/// Judges that reject, with texts that want to be Markdown, a terminal's or a shell's.
fn hostile() -> Home {
    let home = Home::new(["reject"; 3], "");
    let reasoning =
        "bad\n```\n````\n# Heading\n@everyone <img src=x> \u{1b}[2J\u{202e}AKIAIOSFODNN7EXAMPLE";
    let answer = json!({
        "scores": {"semantic": 1, "pragmatic": 1, "syntactic": 1},
        "verdict": "reject",
        "reasoning": reasoning,
        "improvements": [{"dimension": "semantic", "location": "a.md", "issue": "x`|`\n## y", "suggestion": "@all"}],
    });
    let line = json!({"model": "quick", "text": answer.to_string(), "always": true});
    home.write("answers.jsonl", &line.to_string());
    home
}

#[test]
fn each_reason_has_its_title_and_the_document_is_printed_where_no_issue_is_made() {
    for (words, prefix) in [
        (["reject"; 3], "JUDGE-REJECTED"),
        (["improve"; 3], "JUDGE-DISAGREEMENT"),
        (["timeout"; 3], "JUDGE-TIMEOUT"),
        (["prose"; 3], "JUDGE-PARSE-ERROR"),
        (["unavailable"; 3], "JUDGE-REVIEW"),
    ] {
        let home = Home::new(words, "");
        let text = stderr(&home.task(&[]));
        let title = format!("\n[{prefix}] Review needed: issue-42: Write the note.\n");
        assert!(text.contains(&title), "{prefix}: {text}");
        assert!(text.contains("| Round | Model | Verdict | S | P | X | Average |"), "{text}");
        assert!(text.contains("foureyes override --task=issue-42 accept"), "{text}");
    }
    let home = Home::new(["accept"; 3], "");
    assert!(!stderr(&home.task(&[])).contains("Review needed"));
}

#[test]
fn what_comes_from_the_log_or_was_left_to_a_person_before_is_not_sent_again() {
    let home = Home::new(["reject"; 3], "[task]\ntries = 1\n");
    assert!(stderr(&home.task(&[])).contains("[JUDGE-REJECTED]"));
    assert!(!stderr(&home.task(&[])).contains("Review needed"), "it is in the log");
    home.write("a.md", "# Another\n");
    assert!(stderr(&home.task(&[])).contains("[JUDGE-REVIEW]"), "no tries are left");
    assert!(!stderr(&home.task(&[])).contains("Review needed"), "a person was asked already");
}

#[test]
fn other_content_that_nobody_may_be_asked_about_is_sent_as_well() {
    let home = Home::new(["accept"; 3], "[task]\nrequire_families = true\n");
    for content in ["# A note\n", "# Another\n"] {
        home.write("a.md", content);
        assert!(stderr(&home.task(&[])).contains("[JUDGE-REVIEW]"), "{content}");
        assert!(!stderr(&home.task(&[])).contains("Review needed"), "it was sent: {content}");
    }
    assert_eq!(home.log().len(), 2);
}

#[test]
fn person_is_asked_although_the_result_cannot_be_printed() {
    let home = Home::new(["reject"; 3], "");
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let mut command = home.command(&["-t", "issue-42", "-d", "Write the note.", "a.md"]);
    let output = command.stdout(full).output().unwrap();
    assert_eq!(output.status.code(), Some(74), "{}", stderr(&output));
    assert!(stderr(&output).contains("[JUDGE-REJECTED] Review needed: issue-42"));
}

#[test]
fn hostile_texts_stay_texts() {
    let home = hostile();
    let id = "--repo=evil/x `a` $(touch x) 'q' | b";
    let output = home.run(&[&format!("--task-id={id}"), "-d", "Write the note.", "a.md"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(!text.contains(['\u{1b}', '\u{202e}']), "{text:?}");
    assert!(!text.contains("AKIAIOSFODNN7EXAMPLE"), "{text}");
    assert!(
        text.contains(&format!("\n[JUDGE-REJECTED] Review needed: {id}: Write the note.\n")),
        "{text}"
    );
    // The fence is longer than any run inside, so the heading stays in it.
    assert!(text.contains("\n`````text\nbad\n```\n````\n# Heading\n"), "{text}");
    assert!(!text.contains("\n## y"), "{text}");
    assert!(
        text.contains(
            r"foureyes override --task='--repo=evil/x `a` $(touch x) '\''q'\'' | b' accept"
        ),
        "{text}"
    );
}
