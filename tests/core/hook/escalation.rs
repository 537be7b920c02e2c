//! What a person is sent about commits that were judged as tasks, with a `gh` and a server of the test.

use super::stage::{AGENT, Stage, errors};
use super::tasks::stage_of;
use crate::http::{Action, Server, json, reply};
use serde_json::json as value;
use std::fs;
use std::path::Path;

/// A clone whose judges answer so, with a `gh` that does this after it has written down what it was given.
fn stage(words: [&str; 2], hook: &str, mail: &Server, gh: &str) -> Stage {
    let task = format!("[task]\ncreate_issues = true\nmail_endpoint = \"{}/mcp\"\n", mail.url());
    let mut stage = stage_of(words, &format!("{hook}{task}"));
    let script = format!("#!/bin/sh\necho \"$@\" >> \"$HOME/calls\"\ncat > \"$HOME/body\"\n{gh}\n");
    stage.script(&stage.path("bin/gh"), &script);
    let path = std::env::var("PATH").unwrap();
    stage.set("PATH", &format!("{}:{path}", stage.path("bin").display()));
    stage.set("NO_PROXY", "127.0.0.1");
    stage.install();
    stage
}

fn taken() -> Server {
    Server::always(json(200, &value!({"jsonrpc": "2.0", "id": 1, "result": {}})))
}

/// The calls of `gh`, a line each.
fn calls(stage: &Stage) -> Vec<String> {
    let text = fs::read_to_string(stage.path("home/calls")).unwrap_or_default();
    text.lines().map(str::to_owned).collect()
}

/// Pushes a commit of an agent; gives whether it arrived, and what was printed.
fn push(stage: &Stage) -> (bool, String) {
    stage.commit(AGENT, &[("research/a.md", "a\n")]);
    let output = stage.git(&["push", "-q", "origin", "main"]);
    (output.status.success(), errors(&output))
}

const BLOCKING: &str = "mode = \"blocking\"\n";

#[test]
fn one_issue_and_one_message_for_an_escalation_and_none_for_an_accept() {
    for (words, arrives, sent) in [
        (["improve", "improve"], true, 1),
        (["reject", "accept"], false, 1),
        (["accept", "accept"], true, 0),
    ] {
        let mail = taken();
        let stage = stage(words, BLOCKING, &mail, "echo https://example.org/o/r/issues/7");
        let (arrived, text) = push(&stage);
        assert_eq!(arrived, arrives, "{text}");
        assert_eq!((calls(&stage).len(), mail.requests().len()), (sent, sent), "{text}");
        assert_eq!(text.matches("issue created: https://example.org/o/r/issues/7").count(), sent);
        assert_eq!(text.matches("message sent to Agent Mail").count(), sent, "{text}");
        assert!(!text.contains("## History"), "the document is not text for a push: {text}");
        if sent == 0 {
            continue;
        }
        let body = fs::read_to_string(stage.path("home/body")).unwrap();
        assert!(body.contains("research/a.md") && body.contains("## History"), "{body}");
        // What stands in the log was sent already.
        stage.done(&["update-ref", "-d", "refs/remotes/origin/main"]);
        stage.done(&["branch", "-f", "other"]);
        stage.git(&["push", "-q", "origin", "other"]);
        assert_eq!((calls(&stage).len(), mail.requests().len()), (sent, sent));
    }
}

#[test]
fn failing_gh_and_mail_change_no_exit_code() {
    for (words, arrives) in [(["improve", "improve"], true), (["reject", "accept"], false)] {
        let mail = Server::always(reply(503, &[], "down"));
        let stage = stage(words, BLOCKING, &mail, "echo no such repository >&2\nexit 4");
        let (arrived, text) = push(&stage);
        assert_eq!(arrived, arrives, "{text}");
        assert!(text.contains("failed to create the issue") && text.contains("no such repository"));
        assert!(text.contains("failed to send the message to Agent Mail"), "{text}");
    }
}

/// Whether a process is there and has not ended.
fn runs(id: &str) -> bool {
    let stat = fs::read_to_string(Path::new("/proc").join(id).join("stat")).unwrap_or_default();
    stat.rsplit(')').next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(" Z"))
}

#[test]
fn hanging_gh_and_mail_are_ended_at_the_deadline_with_all_that_they_started() {
    let mail = Server::always(vec![Action::Hang]);
    let hook = format!("{BLOCKING}budget_s = 4\n");
    let gh = "sleep 86400 &\necho $! > \"$HOME/child\"\necho $$ > \"$HOME/own\"\nwait";
    let stage = stage(["improve", "improve"], &hook, &mail, gh);
    let (arrived, text) = push(&stage);
    assert!(arrived && text.contains("A PERSON MUST DECIDE"), "{text}");
    assert!(text.contains("failed to create the issue"), "{text}");
    for name in ["child", "own"] {
        let id = fs::read_to_string(stage.path("home").join(name)).unwrap();
        assert!(!runs(id.trim()), "{name} runs on");
    }
    let log = fs::read_to_string(stage.path("home/.openclaw/verdicts.jsonl")).unwrap();
    assert_eq!(log.lines().count(), 3, "the log had it all before");
}
