//! Anthropic's messages API over HTTP, against a server in this process.

use crate::http::{Server, json, reply};
use foureyes::engine::retry::Policy;
use foureyes::provider::anthropic::{Anthropic, Settings};
use foureyes::provider::chat::{Chat, Memory};
use foureyes::provider::{Ask, Failure, FailureKind as Kind, Message, Provider, Reply, Role};
use secrecy::SecretString;
use serde_json::{Value, json as value};
use std::time::Duration;
use tokio::time::Instant;

const KEY: &str = "sk-ant-very-secret-0123456789";

fn ask() -> Ask {
    let message = |role, text: &str| Message { role, text: text.to_owned() };
    Ask {
        model: "claude-x".to_owned(),
        messages: vec![message(Role::System, "Judge."), message(Role::User, "Content.")],
        temperature: Some(0.0),
        max_tokens: None,
        schema: Some(value!({"type": "object"})),
        call: None,
        calls: None,
        paid: None,
    }
}

fn settings(server: &Server) -> Settings {
    let quick = Policy { first: Duration::from_millis(20), ..Policy::default() };
    let key = Some(SecretString::from(KEY));
    Settings { key, retry: quick, ..Settings::new(server.url()) }
}

fn block<T>(future: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    let output = runtime.block_on(future);
    runtime.shutdown_background();
    output
}

fn asked(server: &Server) -> Result<Reply, Failure> {
    let provider = Provider::Anthropic(Anthropic::new(settings(server)).unwrap());
    block(async { provider.ask(&ask(), Instant::now() + Duration::from_secs(60)).await })
}

fn message(content: &Value, stop: &str) -> Value {
    value!({"id": "msg_1", "type": "message", "role": "assistant", "model": "claude-x-2026",
        "content": content, "stop_reason": stop,
        "usage": {"input_tokens": 12, "output_tokens": 34}})
}

fn called() -> Value {
    let input = value!({"verdict": "GO"});
    message(
        &value!([{"type": "tool_use", "id": "t", "name": "answer", "input": input}]),
        "tool_use",
    )
}

fn error(status: u16, kind: &str, text: &str) -> Vec<crate::http::Action> {
    json(status, &value!({"type": "error", "error": {"type": kind, "message": text}}))
}

#[test]
fn question_and_answer_are_those_of_the_messages_api() {
    let server = Server::always(json(200, &called()));
    let answer = asked(&server).unwrap();
    assert_eq!(answer.text, r#"{"verdict":"GO"}"#);
    assert_eq!(answer.served_model.as_deref(), Some("claude-x-2026"));
    let usage = answer.usage.unwrap();
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (Some(12), Some(34)));
    assert_eq!((answer.attempts, answer.uncounted, answer.finish.is_cut(true)), (1, 0, false));
    let requests = server.requests();
    let [request] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!((request.method.as_str(), request.path.as_str()), ("POST", "/v1/messages"));
    assert_eq!(request.header("x-api-key"), Some(KEY));
    assert_eq!(request.header("anthropic-version"), Some("2023-06-01"));
    assert_eq!(request.header("authorization"), None);
    let body = request.json();
    assert_eq!((&body["system"], &body["max_tokens"]), (&value!("Judge."), &value!(8192)));
    assert_eq!(body["messages"], value!([{"role": "user", "content": "Content."}]));
    assert_eq!(body["tool_choice"], value!({"type": "tool", "name": "answer"}));
}

#[test]
fn answer_at_the_limit_of_tokens_is_cut_and_a_refusal_none() {
    let text = value!([{"type": "text", "text": "{\"verdict\": \"G"}]);
    let cut = asked(&Server::always(json(200, &message(&text, "max_tokens")))).unwrap();
    assert!(cut.finish.is_cut(true) && cut.text.ends_with("\"G"), "{cut:?}");
    let refused = asked(&Server::always(json(200, &message(&text, "refusal")))).unwrap_err();
    assert_eq!((refused.kind, refused.usage.is_some()), (Kind::InvalidAnswer, true));
    assert!(refused.what.contains("the model refuses"), "{refused:?}");
}

#[test]
fn errors_have_their_classes_and_what_passes_is_asked_again() {
    for (status, kind, text, class, attempts) in [
        (400, "invalid_request_error", "prompt is too long", Kind::InvalidAnswer, 1),
        (400, "invalid_request_error", "Your credit balance is too low", Kind::RateLimited, 1),
        (401, "authentication_error", "invalid x-api-key", Kind::Unauthorized, 1),
        (403, "permission_error", "no", Kind::Unauthorized, 1),
        (404, "not_found_error", "model: claude-x", Kind::Unavailable, 1),
        (413, "request_too_large", "too large", Kind::InvalidAnswer, 1),
        (429, "rate_limit_error", "slow down", Kind::RateLimited, 8),
        (500, "api_error", "it broke", Kind::ServerError, 8),
        (500, "overloaded_error", "Overloaded", Kind::ServerError, 8),
        (529, "overloaded_error", "Overloaded", Kind::ServerError, 8),
        (200, "overloaded_error", "Overloaded", Kind::ServerError, 8),
    ] {
        let server = Server::always(error(status, kind, text));
        let failure = asked(&server).unwrap_err();
        assert_eq!(
            (failure.kind, failure.attempts),
            (class, attempts),
            "{status} {kind}: {failure:?}"
        );
        assert!(failure.what.contains(text), "{failure:?}");
        assert_eq!(server.requests().len(), attempts as usize, "{status} {kind}");
        assert!(!format!("{failure:?}").contains(KEY));
    }
}

#[test]
fn wait_that_is_asked_for_is_waited() {
    let wait = reply(429, &[("retry-after", "1")], "");
    let server = Server::in_order(vec![wait, json(200, &called())]);
    let answer = asked(&server).unwrap();
    assert_eq!(answer.attempts, 2);
    let requests = server.requests();
    assert!(requests[1].at - requests[0].at >= Duration::from_secs(1));
}

#[test]
fn refused_tool_is_left_out_and_remembered_apart_from_other_protocols() {
    let refused = error(400, "invalid_request_error", "tool_choice: not with this model");
    let text = message(&value!([{"type": "text", "text": "GO"}]), "end_turn");
    let server = Server::in_order(vec![refused, json(200, &text)]);
    let dir = tempfile::tempdir().unwrap();
    let memory = Some(Memory { file: dir.path().join("refused.json"), via: None });
    let ask_once = || {
        let own = Settings { memory: memory.clone(), ..settings(&server) };
        let anthropic = Anthropic::new(own).unwrap();
        block(async { anthropic.ask(&ask(), Instant::now() + Duration::from_secs(60)).await })
    };
    assert_eq!(ask_once().unwrap().text, "GO");
    assert_eq!(ask_once().unwrap().attempts, 1);
    let tools: Vec<_> = server.requests().iter().map(|r| r.json()["tools"].is_array()).collect();
    assert_eq!(tools, [true, false, false]);
    let chat = Chat::new(Settings { memory: memory.clone(), ..settings(&server) }).unwrap();
    block(async { chat.ask(&ask(), Instant::now() + Duration::from_secs(60)).await }).unwrap_err();
    let last = server.requests().pop().unwrap().json();
    assert!(last["response_format"].is_object(), "{last}");
}

#[test]
fn models_are_listed_in_one_page() {
    let list = value!({"data": [{"type": "model", "id": "claude-x"}, {"id": "claude-y"}], "has_more": false});
    let server = Server::always(json(200, &list));
    let provider = Provider::Anthropic(Anthropic::new(settings(&server)).unwrap());
    let models = block(async { provider.models(Instant::now() + Duration::from_secs(60)).await });
    assert_eq!(models.unwrap(), ["claude-x", "claude-y"]);
    let request = server.requests().pop().unwrap();
    assert_eq!(
        (request.path.as_str(), request.header("x-api-key")),
        ("/v1/models?limit=1000", Some(KEY))
    );
    assert_eq!(provider.base(), format!("anthropic {}/v1", server.url()));
}
