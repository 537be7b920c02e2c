//! Replies of endpoints as people met them, each judged by the program: as a content, and as a task.
//!
//! A row has what the endpoint sends for the first call and for those after it, and what comes of it: calls,
//! exit code, verdict and error.

mod cases;

use super::cli::Home;
use crate::http::{Action, Request, Server};
use cases::{Case, SECOND, endings, refusals, second_questions, thoughts};
use serde_json::Value;

/// Whether a content or a task is judged.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Content,
    Task,
}

/// What one row comes to, and the requests that were made.
fn judged(kind: Kind, case: &Case) -> ((usize, i32, String, Option<String>), Vec<Request>) {
    let (first, later) = (case.first.clone(), case.later.clone());
    let mut count = 0;
    let server = Server::start(move |_| {
        count += 1;
        if count == 1 { first.clone() } else { later.clone() }
    });
    let home = Home::new(&format!(
        "[judge]\nendpoint = {:?}\nkey_env = \"KEY\"\nkind = \"chat\"\n",
        server.url()
    ));
    let task = ["--task-id", "t", "--description", "d", "--acceptance", "c"];
    let args = if kind == Kind::Task { &task[..] } else { &[] };
    let output = home.judge(&[args, &["--json", "a.md"]].concat());
    let document: Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|e| panic!("{}: {e}: {output:?}", case.name));
    let mut records = Vec::new();
    collect(&document, &mut records);
    let error = records.iter().find_map(|record| record.get("error")?.as_str());
    let verdict = match kind {
        Kind::Content => records[0]["verdict"].as_str(),
        Kind::Task => records.last().unwrap()["verdict"].as_str(),
    };
    let answered = (
        server.requests().len(),
        output.status.code().unwrap(),
        verdict.unwrap().to_owned(),
        error.map(str::to_owned),
    );
    (answered, server.requests())
}

/// All records of a document, at whatever depth.
fn collect<'a>(value: &'a Value, found: &mut Vec<&'a Value>) {
    match value {
        Value::Object(members) => {
            if members.contains_key("verdict") && members.contains_key("timestamp") {
                found.push(value);
            }
            members.values().for_each(|value| collect(value, found));
        }
        Value::Array(items) => items.iter().for_each(|value| collect(value, found)),
        _ => {}
    }
}

fn check(cases: Vec<Case>) {
    let mut wrong = Vec::new();
    for case in &cases {
        for (kind, wanted) in [(Kind::Content, case.content), (Kind::Task, case.task)] {
            let (got, requests) = judged(kind, case);
            let (calls, code, verdict, error) = &got;
            if (*calls, *code, verdict.as_str(), error.as_deref()) != wanted {
                wrong.push(format!("{}: {got:?}, and not {wanted:?}", case.name));
            }
            let mut bodies: Vec<_> = requests.iter().map(|request| request.body.clone()).collect();
            bodies.dedup();
            let refused = case.first.iter().any(
                |action| matches!(action, Action::Send(head) if !head.starts_with(b"HTTP/1.1 200")),
            );
            if !refused && kind == Kind::Content && *calls == 2 && case.content != SECOND[0] {
                assert_eq!(bodies.len(), 2, "{}: the second question is another one", case.name);
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn draft_in_thoughts_is_no_answer() {
    check(thoughts());
}

#[test]
fn what_was_cut_passes_nothing() {
    check(endings());
}

#[test]
fn second_question_settles_what_can_be_settled() {
    check(second_questions());
}

#[test]
fn nothing_answered_is_tried_again_and_a_refusal_is_not() {
    check(refusals());
}
