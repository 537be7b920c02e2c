//! Commits judged as tasks: `protocol = "task"`.

use super::stage::{AGENT, Stage, errors};
use serde_json::{Value, json};
use std::fs;

/// A clone with the hook, whose judges answer in these words, always.
fn stage(words: [&str; 2], hook: &str) -> Stage {
    let stage = stage_of(words, hook);
    stage.install();
    stage
}

/// The same without the hook.
pub(super) fn stage_of(words: [&str; 2], hook: &str) -> Stage {
    let stage = Stage::new();
    let answer = |(tier, word): (&str, &str)| {
        let score = match word {
            "accept" => 4,
            "improve" => 3,
            _ => 1,
        };
        let scores = json!({"semantic": score, "pragmatic": score, "syntactic": score});
        let text = json!({"scores": scores, "verdict": word, "reasoning": format!("because of {word}"),
            "improvements": [{"location": "a.md", "issue": "an issue", "suggestion": "mend it"}]});
        let fail = (word == "timeout").then_some("timeout");
        json!({"model": tier, "text": text.to_string(), "fail": fail, "always": true}).to_string()
    };
    let lines = ["quick", "deep"].into_iter().zip(words).map(answer).collect::<Vec<_>>();
    fs::write(stage.path("home/answers.jsonl"), lines.join("\n")).unwrap();
    stage.configure(&format!(
        "[judge]\nscript = \"~/answers.jsonl\"\n[judges.quick]\nmodel = \"quick-1\"\n\
         [judges.deep]\nmodel = \"deep-1\"\n[hook]\nprotocol = \"task\"\n{hook}"
    ));
    stage
}

fn tasks(stage: &Stage) -> Vec<Value> {
    let text = fs::read_to_string(stage.path("home/.openclaw/verdicts.jsonl")).unwrap_or_default();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

const BLOCKING: &str = "mode = \"blocking\"\n";

#[test]
fn rejection_stops_a_push_only_in_the_blocking_mode() {
    for (mode, stops) in [("", false), (BLOCKING, true)] {
        let stage = stage(["reject", "accept"], mode);
        let commit = stage.commit(AGENT, &[("research/a.md", "poor\n")]);
        let output = stage.git(&["push", "-q", "origin", "main"]);
        assert_eq!(output.status.success(), !stops, "{}", errors(&output));
        assert!(errors(&output).contains("rejected") && errors(&output).contains("mend it"));
        let log = tasks(&stage);
        assert_eq!(log.len(), 1);
        assert_eq!((&log[0]["task_id"], &log[0]["commit"]), (&json!(commit), &json!(commit)));
        assert_eq!(log[0]["author"], AGENT);
        assert!(stage.log().is_empty(), "no verdict on a push is logged");
    }
}

#[test]
fn what_a_person_must_decide_goes_on_and_is_said_loudly() {
    for words in [["improve", "improve"], ["timeout", "accept"]] {
        let stage = stage(words, BLOCKING);
        stage.commit(AGENT, &[("research/a.md", "a\n")]);
        let output = stage.git(&["push", "-q", "origin", "main"]);
        assert!(output.status.success(), "{}", errors(&output));
        assert!(errors(&output).contains("A PERSON MUST DECIDE"), "{}", errors(&output));
        assert_eq!(tasks(&stage).last().unwrap()["mode"], "escalation");
    }
}

#[test]
fn accepted_commit_is_judged_once_with_its_message_and_the_criteria() {
    let stage = stage(["improve", "accept"], "acceptance = \"~/acceptance.md\"\n");
    fs::write(stage.path("home/acceptance.md"), "It names a rollback.\n").unwrap();
    stage.commit(AGENT, &[("research/a.md", "a\n")]);
    assert!(stage.git(&["push", "-q", "origin", "main"]).status.success());
    let log = tasks(&stage);
    assert_eq!((log.len(), &log[1]["decision"]), (2, &json!("accept")));
    assert!(!log[0]["caveats"].to_string().contains("no_acceptance"), "{}", log[0]);
    // Another ref with the same commit is the same task.
    stage.done(&["branch", "other"]);
    stage.done(&["update-ref", "-d", "refs/remotes/origin/main"]);
    assert!(stage.git(&["push", "-q", "origin", "other"]).status.success());
    assert_eq!(tasks(&stage).len(), 2);
}

#[test]
fn rejection_that_a_later_commit_takes_away_stops_nothing() {
    let stage = stage(["reject", "accept"], BLOCKING);
    stage.commit(AGENT, &[("research/a.md", "poor\n")]);
    stage.done(&["rm", "-q", "research/a.md"]);
    stage.done(&["commit", "-q", "-m", "away with it"]);
    let output = stage.git(&["push", "-q", "origin", "main"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(
        errors(&output).contains("1 rejection corrected or reverted later"),
        "{}",
        errors(&output)
    );
}

#[test]
fn another_message_is_no_way_to_another_verdict() {
    let stage = stage(["reject", "accept"], BLOCKING);
    stage.commit(AGENT, &[("research/a.md", "poor\n")]);
    let output = stage.git(&["push", "-q", "origin", "main"]);
    assert!(!output.status.success());
    let text = errors(&output);
    assert!(
        text.contains("push stopped: 1 rejection in files") && !text.contains("NO-GO"),
        "{text}"
    );
    accept(&stage);
    stage.done_as(AGENT, &["commit", "-q", "--amend", "-m", "the same in other words"]);
    let output = stage.git(&["push", "-q", "origin", "main"]);
    assert!(!output.status.success(), "{}", errors(&output));
    assert_eq!(tasks(&stage).len(), 1, "nobody was asked");
}

/// Makes all judges accept.
fn accept(stage: &Stage) {
    let path = stage.path("home/answers.jsonl");
    let answers = fs::read_to_string(&path).unwrap();
    fs::write(path, answers.replace("reject", "accept").replace(":1", ":4")).unwrap();
}

#[test]
fn asking_again_until_no_try_is_left_lets_nothing_through() {
    let mut stage = stage(["reject", "accept"], BLOCKING);
    stage.commit(AGENT, &[("research/a.md", "poor\n")]);
    assert!(!stage.git(&["push", "-q", "origin", "main"]).status.success());
    accept(&stage);
    stage.set("GIT_JUDGE_FRESH", "1");
    for _ in 0..4 {
        let output = stage.git(&["push", "-q", "origin", "main"]);
        assert!(!output.status.success(), "{}", errors(&output));
    }
}

#[test]
fn key_that_cannot_be_had_lifts_no_rejection() {
    let stage = stage(["reject", "accept"], BLOCKING);
    stage.commit(AGENT, &[("research/a.md", "poor\n")]);
    assert!(!stage.git(&["push", "-q", "origin", "main"]).status.success());
    let path = stage.path("home/.config/foureyes/config.toml");
    let text = fs::read_to_string(path).unwrap();
    stage.configure(&text.replace("[judge]\n", "[judge]\nkey_command = \"false\"\n"));
    let output = stage.git(&["push", "-q", "origin", "main"]);
    assert!(!output.status.success(), "{}", errors(&output));
    assert_eq!(errors(&output).matches("without a key").count(), 1, "{}", errors(&output));
}

#[test]
fn author_without_end_has_one_verdict_too() {
    let stage = stage(["reject", "accept"], BLOCKING);
    stage.commit(AGENT, &[("research/a.md", "poor\n")]);
    let author = format!("author {}", "y".repeat(17 << 20));
    let commit = stage.done(&["cat-file", "commit", "HEAD"]);
    fs::write(stage.path("commit"), commit.replacen(&format!("author {AGENT}"), &author, 1))
        .unwrap();
    let path = stage.path("commit").display().to_string();
    let id = stage.done(&["hash-object", "-t", "commit", "-w", "--literally", &path]);
    let to = format!("{id}:refs/heads/main");
    assert!(!stage.git(&["push", "-q", "origin", &to]).status.success());
    accept(&stage);
    let output = stage.git(&["push", "-q", "origin", &to]);
    assert!(!output.status.success(), "{}", errors(&output));
    assert_eq!(tasks(&stage).len(), 1, "nobody was asked");
}

#[test]
fn person_who_accepts_lifts_the_rejection() {
    let stage = stage(["reject", "accept"], BLOCKING);
    let commit = stage.commit(AGENT, &[("research/a.md", "poor\n")]);
    assert!(!stage.git(&["push", "-q", "origin", "main"]).status.success());
    let person = json!({"task_id": commit, "model": "human", "mode": "override", "judge_tier": "human",
        "verdict": "accept", "scores": {"semantic": 0, "pragmatic": 0, "syntactic": 0}, "average": 0,
        "round": 0, "human_override": true, "timestamp": "2026-11-24T10:00:00Z"});
    let path = stage.path("home/.openclaw/verdicts.jsonl");
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, format!("{text}{person}\n")).unwrap();
    let output = stage.git(&["push", "-q", "origin", "main"]);
    assert!(output.status.success(), "{}", errors(&output));
    assert!(errors(&output).contains("(by a person)"), "{}", errors(&output));
}

#[test]
fn skipped_and_unusable_leave_a_line_in_the_log_of_tasks() {
    let mut skipped = stage(["reject", "accept"], BLOCKING);
    skipped.commit(AGENT, &[("research/a.md", "a\n")]);
    skipped.set("GIT_JUDGE_SKIP", "1");
    assert!(skipped.git(&["push", "-q", "origin", "main"]).status.success());
    assert_eq!(tasks(&skipped)[0]["error"], "bypassed");
    let unusable = stage(["reject", "accept"], "mode = \"blocking\"\nacceptance = \"~/none.md\"\n");
    unusable.commit(AGENT, &[("research/a.md", "a\n")]);
    let output = unusable.git(&["push", "-q", "origin", "main"]);
    assert!(output.status.success() && errors(&output).contains("none.md"), "{}", errors(&output));
    assert_eq!(tasks(&unusable)[0]["error"], "prompt_missing");
    assert!(skipped.log().is_empty() && unusable.log().is_empty());
}
