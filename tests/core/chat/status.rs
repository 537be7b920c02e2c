//! What is asked and what comes back: an answer, and every status that is none.

use super::{KEY, ask, asked, assert_says, block, chat, failed};
use crate::http::{Server, answer, completion, json, reply};
use foureyes::provider::{FailureKind as Kind, Provider};
use serde_json::{Value, json as value};
use std::time::Duration;

#[test]
fn question_is_sent_once_and_answer_read_completely() {
    let server = Server::always(answer("GO, says the judge"));
    let reply = asked(&chat(&server), &ask()).unwrap();
    assert_eq!(reply.text, "GO, says the judge");
    assert_eq!(reply.served_model.as_deref(), Some("served-model"));
    let usage = reply.usage.unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (Some(120), Some(34)));
    assert_eq!((reply.attempts, reply.finish.is_cut(true)), (1, false));
    assert!(reply.latency > Duration::ZERO);

    let requests = server.requests();
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/chat/completions"));
    assert_eq!(request.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    assert_eq!(request.header("content-type"), Some("application/json"));
    assert_eq!(request.header("accept-encoding"), Some("identity"));
    let agent = concat!("foureyes/", env!("CARGO_PKG_VERSION"));
    assert_eq!(request.header("user-agent"), Some(agent));
    assert_eq!(request.json()["messages"][1]["content"], "What follows is content.");
    assert_eq!(request.json()["stream"], false);
}

#[test]
fn statuses_are_classified_and_permanent_ones_not_retried() {
    for (status, kind, words) in [
        (400, Kind::InvalidAnswer, "refused the question (400): no such thing"),
        (401, Kind::Unauthorized, "refused the key (401)"),
        (403, Kind::Unauthorized, "refused the key (403)"),
        (404, Kind::Unavailable, "does not know the address or the model (404)"),
        (413, Kind::InvalidAnswer, "question is too large (413)"),
        (422, Kind::InvalidAnswer, "refused the question (422)"),
        (204, Kind::InvalidAnswer, "status 204"),
    ] {
        let body = if status == 204 {
            Value::Null
        } else {
            value!({"error": {"message": "no such thing"}})
        };
        let server =
            Server::always(if status == 204 { reply(204, &[], "") } else { json(status, &body) });
        let failure = failed(&server);
        assert_says(&failure, kind, &[words]);
        assert_eq!((failure.attempts, server.requests().len()), (1, 1), "{status}");
    }
}

#[test]
fn proxy_errors_are_parsed() {
    let of = |status, text: &str| {
        failed(&Server::always(reply(status, &[("content-type", "application/json")], text)))
    };
    let no_list = of(
        400,
        r#"{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}"#,
    );
    assert_says(&no_list, Kind::Unauthorized, &["No connected db."]);
    let model = of(
        400,
        r#"{"error":{"message":"/chat/completions: Invalid model name passed in model=fastest. Call `/v1/models`","type":"None","param":"None","code":"400"}}"#,
    );
    assert_says(&model, Kind::Unavailable, &["Invalid model name"]);
    let plain = of(500, "Internal Server Error");
    assert_says(&plain, Kind::ServerError, &["(500): Internal Server Error"]);
    assert_eq!(plain.beginning.as_deref(), Some("Internal Server Error"));
    let context = of(
        400,
        r#"{"error":{"message":"maximum context length is 2048 tokens","type":"invalid_request_error","param":"messages","code":"context_length_exceeded"}}"#,
    );
    assert_says(&context, Kind::InvalidAnswer, &["maximum context length"]);
    let page = of(502, "<!doctype html><h1>Bad Gateway</h1>");
    assert_says(&page, Kind::ServerError, &["failed (502); asked 8 times"]);
    assert!(page.beginning.unwrap().starts_with("<!doctype html>"));
}

#[test]
fn truncation_and_refusal_are_read_from_answer() {
    let with = |change: fn(&mut Value)| {
        let mut body = completion("{\"verdict\": \"G");
        change(&mut body);
        asked(&chat(&Server::always(json(200, &body))), &ask())
    };
    let cut = with(|body| body["choices"][0]["finish_reason"] = "length".into()).unwrap();
    assert!(cut.finish.is_cut(true) && cut.text.ends_with("\"verdict\": \"G"));
    let refused = with(|body| {
        body["choices"][0]["message"] =
            value!({"content": null, "refusal": "I cannot judge this."});
    });
    let refused = refused.unwrap_err();
    assert_says(&refused, Kind::InvalidAnswer, &["the model refuses"]);
    assert_eq!(refused.beginning.as_deref(), Some("I cannot judge this."));
    assert_eq!(refused.usage.unwrap().prompt_tokens, Some(120));
    let filtered = with(|body| body["choices"][0]["finish_reason"] = "content_filter".into());
    assert_eq!(filtered.unwrap().finish.reason(), Some("content_filter"));
    let silent = with(|body| body["choices"][0]["message"]["content"] = "".into()).unwrap();
    assert_eq!((silent.text.as_str(), silent.usage.is_some()), ("", true));
}

#[test]
fn error_body_with_success_status_is_rejected() {
    let server =
        Server::always(json(200, &value!({"error": {"code": 502, "message": "upstream broke"}})));
    let failure = failed(&server);
    assert_says(&failure, Kind::ServerError, &["status 200: upstream broke"]);
    assert_eq!(server.requests().len(), 8, "nothing was answered");
}

#[test]
fn models_are_listed_by_name() {
    let list = value!({"object": "list", "data": [{"id": "fastest", "object": "model"}, {"id": "deep"}, {}]});
    let server = Server::in_order(vec![json(503, &value!({})), json(200, &list)]);
    let provider = Provider::Chat(chat(&server));
    let until = || super::after(Duration::from_secs(20));
    assert_eq!(block(async { provider.models(until()).await }).unwrap(), ["fastest", "deep"]);
    let requests = server.requests();
    assert_eq!(requests.len(), 2);
    assert_eq!((requests[1].method.as_str(), requests[1].path.as_str()), ("GET", "/v1/models"));

    let other = Server::always(reply(200, &[("content-type", "text/html")], "<html>"));
    let failure = block(async { chat(&other).models(until()).await }).unwrap_err();
    assert_says(&failure, Kind::InvalidAnswer, &["it lists no models (text/html)"]);
}
