//! A server of Agent Mail in the test.

use super::stderr;
use crate::http::{Action, Server, json, reply};
use crate::tasks::Home;
use serde_json::json as value;

fn home(server: &Server) -> Home {
    let mail = format!("[task]\nmail_endpoint = \"{}/mcp/\"\n", server.url());
    Home::new(["improve"; 3], &mail)
}

#[test]
fn message_is_one_call_of_a_tool() {
    let taken = value!({"jsonrpc": "2.0", "id": 1, "result": {"content": [], "isError": false}});
    let server = Server::always(json(200, &taken));
    let output = home(&server).task(&[]);
    let text = stderr(&output);
    assert_eq!(output.status.code(), Some(2));
    assert!(text.contains("message sent to Agent Mail"), "{text}");
    let requests = server.requests();
    assert_eq!(requests.len(), 1);
    assert_eq!((requests[0].method.as_str(), requests[0].path.as_str()), ("POST", "/mcp/"));
    let body = requests[0].json();
    assert_eq!(
        (&body["jsonrpc"], &body["method"], &body["params"]["name"]),
        (&"2.0".into(), &"tools/call".into(), &"send_message".into())
    );
    let arguments = &body["params"]["arguments"];
    assert!(arguments["body_md"].as_str().unwrap().contains("## Rounds"), "{arguments}");
    let mut rest = arguments.clone();
    rest.as_object_mut().unwrap().remove("body_md");
    assert_eq!(
        rest,
        value!({"project_key": "foureyes", "sender_name": "judge-runner", "to": ["cto"],
            "subject": "[JUDGE-DISAGREEMENT] Review needed: issue-42: Write the note.", "thread_id": "issue-42",
            "importance": "high"})
    );
}

#[test]
fn every_failure_is_reported_and_changes_nothing() {
    let error = value!({"jsonrpc": "2.0", "id": 1, "error": {"code": -32602, "message": "no \u{1b}[2Jsuch project"}});
    let refused = value!({"jsonrpc": "2.0", "id": 1, "result": {"isError": true,
        "content": [{"type": "text", "text": "unknown agent"}]}});
    for (actions, what) in [
        (json(200, &error), "such project"),
        (json(200, &refused), "unknown agent"),
        (json(503, &value!({})), "status 503"),
        (reply(200, &[], "<html>"), "not one of JSON-RPC"),
        (json(200, &value!({"id": 1})), "not one of JSON-RPC"),
        (vec![Action::Hang], "did not reply within"),
    ] {
        let server = Server::always(actions);
        let home = home(&server);
        let output = home.task(&[]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert!(text.contains("failed to send the message to Agent Mail"), "{text}");
        assert!(text.contains(what) && !text.contains('\u{1b}'), "{what}: {text}");
        assert_eq!(home.log().len(), 3);
    }
}
