//! Asking anew is counted, bounded, and lifts no stricter verdict.

use super::model::{Model, verdict};
use super::pushing::{push, stage};
use super::stage::{AGENT, PERSON, Stage, errors};
use crate::http::{Server, answer};
use serde_json::{Value, json};
use std::fs;

/// A judge that says NO-GO first and GO from then on.
fn softening() -> Model {
    let mut asked = 0;
    Model(Server::start(move |_| {
        asked += 1;
        match asked {
            1 => answer(&verdict(2, "NO-GO", "poor")),
            _ => answer(&verdict(4, "GO", "fine")),
        }
    }))
}

fn fresh(stage: &mut Stage, on: bool) {
    stage.set("GIT_JUDGE_FRESH", if on { "1" } else { "" });
}

#[test]
fn repeated_asking_does_not_replace_no_go() {
    let model = softening();
    let mut stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "a\n")]);
    let output = stage.git(&["push", "origin", "main"]);
    let said = errors(&output);
    assert!(!output.status.success() && said.contains("fix what the judge found"), "{said}");
    assert!(!said.contains("FRESH"), "{said}");
    fresh(&mut stage, true);
    for _ in 0..4 {
        assert!(!push(&stage, &["origin", "main"]));
    }
    assert_eq!(model.asked(), 2, "once per day");
    // Neither another ref, nor another commit, nor another author is another content.
    assert!(!push(&stage, &["origin", "HEAD:refs/heads/other"]));
    stage.done_as(AGENT, &["commit", "-q", "--amend", "-m", "another message"]);
    assert!(!push(&stage, &["origin", "main"]));
    let author = ["commit", "-q", "--amend", "--author", "Eve <e@example.org>", "-m", "x"];
    stage.done_as(AGENT, &author);
    let output = stage.git(&["push", "origin", "main"]);
    let said = errors(&output);
    assert!(!output.status.success() && said.contains("already evaluated again today"), "{said}");
    assert_eq!(model.asked(), 2);
    let log = stage.log();
    let counted: Vec<&Value> = log.iter().filter(|r| r.get("fresh").is_some()).collect();
    assert_eq!(counted.len(), 1);
    assert_eq!((&counted[0]["fresh"], &counted[0]["verdict"]), (&json!(1), &json!("NO-GO")));
    assert_eq!(counted[0]["late"]["verdict"], json!("GO"), "what was answered is kept");
    assert!(log.iter().all(|record| record["verdict"] == json!("NO-GO")));
    // Changed content is another question.
    stage.commit(AGENT, &[("research/a.md", "better\n")]);
    assert!(push(&stage, &["origin", "main"]));
}

#[test]
fn stricter_fresh_evaluation_wins() {
    let mut asked = 0;
    let model = Model(Server::start(move |_| {
        asked += 1;
        answer(&if asked == 2 { verdict(2, "NO-GO", "poor") } else { verdict(4, "GO", "fine") })
    }));
    let mut stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "a\n")]);
    assert!(push(&stage, &["-n", "origin", "main"]));
    fresh(&mut stage, true);
    assert!(!push(&stage, &["origin", "main"]));
    fresh(&mut stage, false);
    assert!(!push(&stage, &["origin", "main"]));
    let log = stage.log();
    assert_eq!((log.len(), &log[1]["fresh"], log[1].get("late")), (2, &json!(1), None));
    assert_eq!(model.asked(), 2);
}

/// An override as it stands on a box.
fn overriding(record: &str, word: &str, second: u8) -> String {
    let line = json!({
        "id": "e".repeat(64), "commit": "c", "model": "human", "mode": "override", "verdict": word,
        "scores": {"semantic": 0, "pragmatic": 0, "syntactic": 0}, "average": 0,
        "reasoning": "known", "improvements": [],
        "timestamp": format!("2026-03-01T00:00:{second:02}Z"), "round": 0, "judge_tier": "human",
        "previous_rounds": [], "consensus": null, "human_override": true, "reviewer": "ada",
        "reason": "known", "record": record,
    });
    format!("{line}\n")
}

#[test]
fn override_lifts_no_go_and_undo_restores_it() {
    let model = Model::start();
    let stage = stage(&model);
    stage.commit(AGENT, &[("research/a.md", "POOR\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    stage.done_as(AGENT, &["commit", "-q", "--amend", "-m", "another message"]);
    assert!(!push(&stage, &["origin", "main"]));
    // The second record names the first, which people see and decide on.
    let id = stage.log()[1]["reused"].as_str().unwrap().to_owned();
    let dir = stage.path("home/.openclaw/judge-overrides");
    fs::create_dir_all(&dir).unwrap();
    let put = |text: &str| fs::write(dir.join("ada.jsonl"), text).unwrap();
    put(&overriding(&"0".repeat(64), "accept", 1));
    assert!(!push(&stage, &["origin", "main"]), "it is of another record");
    let both = overriding(&id, "accept", 1) + &overriding(&id, "reject", 2);
    put(&both);
    assert!(!push(&stage, &["origin", "main"]), "it was taken back");
    put(&(both + &overriding(&id, "accept", 3)));
    let output = stage.git(&["push", "origin", "main"]);
    let said = errors(&output);
    assert!(output.status.success() && said.contains("ada accepted this content"), "{said}");
    assert_eq!((model.asked(), stage.log().len()), (1, 2));
    // Of other content it says nothing.
    stage.commit(AGENT, &[("research/a.md", "POOR too\n")]);
    assert!(!push(&stage, &["origin", "main"]));
    stage.commit(PERSON, &[("research/a.md", "mended\n")]);
    assert!(push(&stage, &["origin", "main"]));
}
