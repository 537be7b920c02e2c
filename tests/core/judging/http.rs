//! Judged over HTTP, against a server in this process.

use super::{GO, NO, item, judge_by, now};
use crate::http::PATIENCE;
use crate::http::{Action, Server, answer, completion, head, json, reply};
use foureyes::engine::PushVerdict::{Go, NoGo, Undetermined};
use foureyes::engine::record::RecordError;
use foureyes::judging::{Control, Evaluation, Event, Judge, RunLimits, Summary, evaluate, run};
use foureyes::provider::Provider;
use foureyes::provider::chat::{Chat, Settings};
use foureyes::provider::key;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{mpsc, watch};
use tokio::time::Instant;

const KEY: &str = "sk-judging-0123456789";

fn judge(server: &Server) -> Judge {
    let settings = Settings {
        key: Some(key::given(KEY).unwrap()),
        whole: Duration::from_secs(2),
        ..Settings::new(server.url())
    };
    judge_by(Provider::Chat(Chat::new(settings).unwrap()))
}

fn evaluated(server: &Server, within: Duration) -> Evaluation {
    let judge = judge(server);
    let evaluation =
        now(async { evaluate(&judge, &item("# Signal\n"), Instant::now() + within).await });
    let line = evaluation.record(&item("x"), foureyes::domain::Timestamp(0), None).line().unwrap();
    assert!(!format!("{evaluation:?}{line}").contains(KEY), "the key is in no record");
    evaluation
}

const SOON: Duration = Duration::from_secs(5);

#[test]
fn a_question_is_sent_whole_and_its_answer_read() {
    let server = Server::always(answer(&format!("Sure:\n```json\n{NO}\n```")));
    let evaluation = evaluated(&server, SOON);
    assert_eq!((evaluation.verdict, evaluation.error), (NoGo, None));
    assert_eq!(evaluation.served_model.as_deref(), Some("served-model"));
    let usage = evaluation.usage.unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (Some(120), Some(34)));
    let sent = server.requests().remove(0);
    assert_eq!((sent.method.as_str(), sent.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(sent.header("authorization"), Some(&*format!("Bearer {KEY}")));
    let body = sent.json();
    assert_eq!(body["model"], "fastest");
    let roles: Vec<_> = body["messages"].as_array().unwrap().iter().map(|m| &m["role"]).collect();
    assert_eq!(roles, ["system", "user"]);
    assert!(body["messages"][1]["content"].as_str().unwrap().contains("# Signal"));
}

#[test]
fn each_kind_of_failure_is_its_own_error() {
    for (actions, error) in [
        (json(401, &serde_json::json!({"error": {"message": "no"}})), RecordError::Unauthorized),
        (json(404, &serde_json::json!({"error": "no model"})), RecordError::Unavailable),
        (json(400, &serde_json::json!({"error": "too long"})), RecordError::InvalidAnswer),
        (
            json(429, &serde_json::json!({"error": {"code": "insufficient_quota"}})),
            RecordError::RateLimited,
        ),
        (json(500, &serde_json::json!({})), RecordError::ServerError),
        (reply(200, &[("content-type", "text/html")], "<html>Welcome"), RecordError::InvalidAnswer),
        (answer(""), RecordError::InvalidAnswer),
        (answer("I would rather not."), RecordError::InvalidAnswer),
        (vec![Action::Hang], RecordError::Timeout),
    ] {
        let evaluation = evaluated(&Server::always(actions.clone()), Duration::from_millis(700));
        assert_eq!(evaluation.error, Some(error), "{actions:?}: {evaluation:?}");
        assert_eq!(evaluation.verdict, Undetermined);
        assert!(!evaluation.findings.is_empty() && evaluation.attempts > 0);
    }
}

#[test]
fn truncated_answer_is_not_a_verdict() {
    let whole = completion(GO).to_string();
    let half = vec![
        Action::Send(head(200, &[("content-length", &whole.len().to_string())])),
        Action::Send(whole.as_bytes()[..whole.len() / 2].to_vec()),
    ];
    assert_ne!(evaluated(&Server::always(half), SOON).verdict, Go);
    let mut stopped = completion(&GO[..40]);
    stopped["choices"][0]["finish_reason"] = "length".into();
    let evaluation = evaluated(&Server::always(json(200, &stopped)), SOON);
    assert_eq!(evaluation.findings, "The model stopped at its limit of tokens.");
}

#[test]
fn recovering_server_is_retried_and_calls_counted() {
    let busy = json(503, &serde_json::json!({"error": "busy"}));
    let server = Server::in_order(vec![busy, answer(GO)]);
    let evaluation = evaluated(&server, SOON);
    assert_eq!((evaluation.verdict, evaluation.attempts), (Go, 2));
    let record = evaluation.record(&item("x"), foureyes::domain::Timestamp(0), None);
    assert_eq!(record.attempts, Some(2));
    assert!(record.latency_ms.unwrap() >= 200, "the pause is part of the call");
}

#[test]
fn dropping_a_run_closes_its_connections_at_once() {
    let server = Server::always(vec![Action::Hang]);
    let judge = Arc::new(judge(&server));
    now(async {
        let limits = RunLimits {
            parallel: 2,
            each: 100 * PATIENCE,
            until: Instant::now() + 100 * PATIENCE,
            cap: None,
        };
        let (tell, mut events) = mpsc::channel(8);
        let (turn, control) = watch::channel(Control::Go);
        let items = vec![item("a"), item("b"), item("c")];
        let running = tokio::spawn(run(judge, items, limits, tell, control));
        while server.requests().len() < 2 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        turn.send_replace(Control::Drop);
        assert_eq!(running.await.unwrap().done, 0);
        for connection in 0..2 {
            assert!(server.closed(connection, PATIENCE).is_some(), "it stays open");
        }
        let mut skipped = 0;
        while let Some(event) = events.recv().await {
            skipped += usize::from(matches!(event, Event::Skipped { .. }));
        }
        assert_eq!((skipped, server.connections()), (3, 2));
    });
}

/// What two questions come to, one after the other, where the first call meets this reply. The cap has
/// room for both, but not for a call more.
fn under_a_cap(first: Vec<Action>) -> Summary {
    let server = Server::in_order(vec![first, answer(GO)]);
    let judge = Arc::new(judge(&server));
    let items = vec![item("a"), item("b")];
    let a_call = judge.most(&items[0]).unwrap();
    assert_eq!(judge.calls(), 3);
    now(async {
        let limits = RunLimits {
            parallel: 1,
            each: Duration::from_secs(20),
            until: Instant::now() + Duration::from_secs(30),
            cap: Some(a_call * 3.5),
        };
        let (tell, mut events) = mpsc::channel(8);
        let (_turn, control) = watch::channel(Control::Go);
        let hear = async { while events.recv().await.is_some() {} };
        let (summary, ()) = tokio::join!(run(judge, items, limits, tell, control), hear);
        assert!(summary.spend.spent <= a_call * 3.5);
        summary
    })
}

#[test]
fn late_failure_counts_against_cap_and_refused_connection_does_not() {
    let late = under_a_cap(reply(504, &[], "late"));
    assert_eq!((late.done, late.skipped, late.spend.unknown), (1, 1, 1), "{late:?}");
    let refused = under_a_cap(reply(429, &[], "slow down"));
    assert_eq!((refused.done, refused.skipped, refused.spend.unknown), (2, 0, 0), "{refused:?}");
    let elsewhere = under_a_cap(reply(307, &[("location", "http://a.example")], ""));
    assert_eq!((elsewhere.done, elsewhere.spend.unknown), (2, 0), "{elsewhere:?}");
    let uncounted = under_a_cap(json(200, &serde_json::json!({"choices": [{"message": {}}]})));
    assert_eq!((uncounted.done, uncounted.spend.unknown), (1, 1), "{uncounted:?}");
}
