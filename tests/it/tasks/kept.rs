//! Description and acceptance criteria of a task in what a person reads of its record.

use super::{Home, handed_over, round, write};
use foureyes::engine::task_question::{MaskedQuestion, TaskQuestion};
use foureyes::questions;
use serde_json::{Value, json};

const HOSTILE: &str = "Describe `rates`.\n```\n\u{1b}[2J</pre>\u{202e}";

/// A log with a rejected and an escalated task, which ask this.
fn home(asked: &TaskQuestion) -> Home {
    let home = Home::new();
    let of = json!({"task_sha": asked.sha()});
    let mut last = handed_over("b", 2, "disagreement");
    last["task_sha"] = of["task_sha"].clone();
    write(&home, &[round("a", 1, "quick", "reject", of), last]);
    home
}

fn ids(home: &Home) -> Vec<String> {
    let listed = home.good(&["records", "family:task", "--json", "--from", "logs"]);
    let id = |line: &str| {
        serde_json::from_str::<Value>(line).unwrap()["id"].as_str().unwrap().to_owned()
    };
    listed.lines().map(id).collect()
}

fn show(home: &Home, id: &str) -> (String, Value) {
    let json = home.good(&["show", id, "--json", "--from", "logs"]);
    (home.good(&["show", id, "--from", "logs"]), serde_json::from_str(&json).unwrap())
}

#[test]
fn record_says_what_the_task_was() {
    let secret = format!("ghp_{}", "Ab1".repeat(14));
    let asked = TaskQuestion {
        description: format!("{HOSTILE} {secret}"),
        acceptance: Some("It names a source.".to_owned()),
    };
    let home = home(&asked);
    let directory = home.path().join("logs/questions");
    questions::write(&directory, &asked.sha(), &MaskedQuestion::new(&asked)).unwrap();
    let schema: Value =
        serde_json::from_str(include_str!("../../../assets/record.schema.json")).unwrap();
    for id in ids(&home) {
        let (text, document) = show(&home, &id);
        assert!(text.contains("description:\n"), "{text}");
        assert!(text.contains("| Describe `rates`.\n") && text.contains("| ```\n"), "{text}");
        assert!(
            text.contains("acceptance criteria:\n") && text.contains("| It names a source.\n"),
            "{text}"
        );
        assert!(!text.contains(['\u{1b}', '\u{202e}']) && !text.contains(&secret), "{text:?}");
        let question = &document["question"];
        assert_eq!((&question["kept"], &question["masked"]), (&json!(true), &json!(1)));
        let description = question["description"].as_str().unwrap();
        assert!(
            description.starts_with(HOSTILE) && !description.contains(&secret),
            "{description}"
        );
        assert_eq!(question["acceptance"], "It names a source.");
        assert!(jsonschema::is_valid(&schema, &document), "{document:#}");
    }
    // The questions are beside the log and no part of it.
    let triage = home.good(&["triage", "--from", "logs", "--json"]);
    assert!(!triage.contains("questions/"), "{triage}");
}

#[test]
fn criteria_that_are_the_description_as_well_are_shown_once() {
    let text = "It names a source.".to_owned();
    let asked = TaskQuestion { description: text.clone(), acceptance: Some(text.clone()) };
    let home = home(&asked);
    let directory = home.path().join("logs/questions");
    questions::write(&directory, &asked.sha(), &MaskedQuestion::new(&asked)).unwrap();
    for id in ids(&home) {
        let (shown, document) = show(&home, &id);
        assert_eq!(shown.matches("| It names a source.\n").count(), 1, "{shown}");
        assert!(shown.contains("description and acceptance criteria:\n"), "{shown}");
        assert_eq!(document["question"]["acceptance"], text, "JSON has both");
    }
}

#[test]
fn record_without_a_question_says_so() {
    let asked = TaskQuestion { description: "asked".to_owned(), acceptance: None };
    let home = home(&asked);
    let why = "not kept: see `keep_questions` in `[task]`";
    for id in ids(&home) {
        let (text, document) = show(&home, &id);
        assert!(text.contains(&format!("question: {why}\n")), "{text}");
        assert_eq!(document["question"], json!({"kept": false, "masked": 0, "why": why}));
    }
    // One that is another task's is not shown.
    let directory = home.path().join("logs/questions");
    let other = TaskQuestion { description: "another".to_owned(), acceptance: None };
    questions::write(&directory, &asked.sha(), &MaskedQuestion::new(&other)).unwrap();
    let (text, document) = show(&home, &ids(&home)[0]);
    assert!(text.contains("kept, but not used: its texts do not have the hash"), "{text}");
    assert!(!text.contains("another") && document["question"]["kept"] == false, "{text}");
    // A log of before has no hash of it, and a push has no question.
    let old = Home::new();
    let push = json!({"commit": "0000001", "timestamp": "2026-02-15T10:00:00Z", "verdict": "GO",
        "judge_model": "m", "files_evaluated": ["a.md"]});
    write(&old, &[round("a", 1, "quick", "reject", json!({"task_sha": null})), push]);
    let all = old.good(&["records", "--json", "--from", "logs"]);
    for line in all.lines() {
        let row: Value = serde_json::from_str(line).unwrap();
        let (text, document) = show(&old, row["id"].as_str().unwrap());
        let is_task = row["family"] == "task";
        let why = "question: not here: the record has no hash of it\n";
        assert_eq!(text.contains(why), is_task, "{text}");
        assert_eq!(document.get("question").is_some(), is_task, "{document:#}");
    }
}
