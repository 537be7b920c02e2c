//! The real `gh` against a server of the test.

use super::{hostile, stderr};
use crate::http::{Request, Server, json};
use crate::tasks::Home;
use serde_json::json as value;
use std::process::Output;

const CONFIG: &str = "[task]\ncreate_issues = true\nissue_repository = \"o/r\"\n";

/// Runs a task with `gh` talking to a server.
fn run(home: &Home, server: &Server, id: &str) -> Output {
    let task = format!("--task-id={id}");
    let mut command = home.command(&[&task, "-d", "Write the note.", "a.md"]);
    command.env("GH_HOST", "github.localhost").env("GH_TOKEN", "x");
    command.env("HTTP_PROXY", server.url()).output().unwrap()
}

fn github() -> Server {
    Server::start(|request: &Request| {
        let query = request.json()["query"].as_str().unwrap_or_default().to_owned();
        match query.contains("createIssue") {
            true => json(
                200,
                &value!({"data": {"createIssue": {"issue": {"id": "I_1", "url": "http://github.localhost/o/r/issues/7"}}}}),
            ),
            false => json(
                200,
                &value!({"data": {"repository": {"id": "R_1", "name": "r", "owner": {"login": "o"},
                    "hasIssuesEnabled": true, "viewerPermission": "WRITE"}}}),
            ),
        }
    })
}

#[test]
fn gh_creates_an_issue_with_the_document() {
    let server = github();
    let home = hostile();
    home.configure(CONFIG);
    let id = "--label=evil `x` $(id)";
    let output = run(&home, &server, id);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("issue created: http://github.localhost/o/r/issues/7"), "{text}");
    assert!(!text.contains("## History"), "the document is in the issue: {text}");
    let requests = server.requests();
    let created: Vec<_> = requests
        .iter()
        .map(Request::json)
        .filter(|body| body["query"].as_str().is_some_and(|query| query.contains("createIssue")))
        .collect();
    assert_eq!(created.len(), 1, "{requests:?}");
    let input = &created[0]["variables"]["input"];
    assert_eq!(input["title"], format!("[JUDGE-REJECTED] Review needed: {id}: Write the note."));
    assert!(input["body"].as_str().unwrap().contains("\n`````text\nbad\n"), "{input}");
    assert!(input["labelIds"].as_array().is_none_or(Vec::is_empty), "{input}");
}

#[test]
fn refused_token_and_missing_gh_are_reported_and_change_nothing() {
    let server = Server::always(json(401, &value!({"message": "Bad credentials"})));
    let home = Home::new(["reject"; 3], CONFIG);
    let output = run(&home, &server, "issue-42");
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("failed to create the issue") && text.contains("401"), "{text}");
    assert!(text.contains("## History"), "the document is printed instead: {text}");

    let home = Home::new(["improve"; 3], CONFIG);
    let output =
        home.command(&["-t", "x", "-d", "d", "a.md"]).env("PATH", home.path()).output().unwrap();
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2), "{text}");
    assert!(text.contains("failed to create the issue: gh could not be used"), "{text}");
    assert_eq!(home.log().len(), 3, "the log has the whole run");
}

#[test]
fn gh_gets_no_key_of_a_judge() {
    let home = Home::new(["reject"; 3], CONFIG);
    // A process of its own writes it: a program that somebody still has open cannot be started.
    let script = "printf '#!/bin/sh\\nenv > \"$HOME/seen\"\\n' > gh && chmod 755 gh";
    let mut shell = std::process::Command::new("sh");
    assert!(shell.args(["-c", script]).current_dir(home.path()).status().unwrap().success());
    let mut command = home.command(&["-t", "x", "-d", "d", "a.md"]);
    command.env("PATH", format!("{}:/usr/bin:/bin", home.path().display()));
    command.env("TERRAPHIM_API_KEY", "sk-judge").env("OPENAI_API_KEY", "sk-other");
    command.env("GH_TOKEN", "ghp-1").env("LC_ALL", "C").output().unwrap();
    let seen = std::fs::read_to_string(home.path().join("seen")).unwrap();
    assert!(seen.contains("GH_TOKEN=ghp-1") && seen.contains("LC_ALL=C"), "{seen}");
    assert!(!seen.contains("sk-"), "{seen}");
}

#[test]
fn nothing_is_filed_unless_it_is_configured() {
    let server = github();
    let home = Home::new(["reject"; 3], "");
    assert_eq!(run(&home, &server, "issue-42").status.code(), Some(1));
    let home = Home::new(["accept"; 3], CONFIG);
    assert_eq!(run(&home, &server, "issue-42").status.code(), Some(0));
    assert_eq!(server.connections(), 0);
}
