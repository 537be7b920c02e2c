//! Through a proxy that nobody here wrote: LiteLLM, of PyPI, in front of a model of this process.

use super::{KEY, ask, asked, assert_says, block, settings};
use crate::http::{Action, Request, Server, answer, completion, json, reply};
use crate::tools::{Tool, free_port, get};
use foureyes::provider::anthropic::Anthropic;
use foureyes::provider::chat::{Chat, Settings};
use foureyes::provider::{Ask, FailureKind as Kind, Message, Reply, Role};
use secrecy::SecretString;
use serde_json::json as value;
use std::time::Duration;

/// What the proxy alone knows.
const UPSTREAM: &str = "sk-upstream-key-of-the-proxy";

/// The model: it does what the question says.
fn model(request: &Request) -> Vec<Action> {
    let body = request.json();
    assert_eq!(request.header("authorization"), Some(format!("Bearer {UPSTREAM}").as_str()));
    let asked = body["messages"][0]["content"].as_str().unwrap_or_default().to_owned();
    let error = |message: &str| value!({"error": {"message": message, "type": "x", "code": null}});
    match asked.as_str() {
        "be busy" => reply(429, &[("retry-after", "1")], error("too many").to_string()),
        "be broke" => json(
            429,
            &value!({"error": {"message": "You exceeded your current quota, please check your plan and billing details.", "type": "insufficient_quota", "code": "insufficient_quota"}}),
        ),
        "be broken" => json(500, &error("it broke")),
        "be too long" => json(
            400,
            &value!({"error": {"message": "This model's maximum context length is 2048 tokens.", "type": "invalid_request_error", "param": "messages", "code": "context_length_exceeded"}}),
        ),
        "be silent" => vec![Action::Hang],
        "have a schema" if body["response_format"]["type"] == "json_schema" => {
            answer("as the schema says")
        }
        "call the tool" => {
            json(200, &called(body["tools"][0]["function"]["name"].as_str().unwrap()))
        }
        _ => answer("GO"),
    }
}

/// A call of a tool, as OpenAI's endpoint gives it.
fn called(tool: &str) -> serde_json::Value {
    let mut body = completion("");
    let call = value!({"id": "call_1", "type": "function",
        "function": {"name": tool, "arguments": "{\"verdict\": \"GO\"}"}});
    let message = value!({"role": "assistant", "content": null, "tool_calls": [call]});
    body["choices"][0]["message"] = message;
    body["choices"][0]["finish_reason"] = "tool_calls".into();
    body
}

/// Anthropic's messages API as this proxy translates it.
fn is_asked_as_anthropic(proxy: &Tool) {
    let anthropic = Anthropic::new(settings(&proxy.url())).unwrap();
    let asked = |ask: &Ask| {
        block(async { anthropic.ask(ask, super::after(Duration::from_secs(60))).await })
    };
    let answer = asked(&said("fastest", "judge")).unwrap();
    assert_eq!((answer.text.as_str(), answer.attempts), ("GO", 1));
    assert_eq!(answer.usage.unwrap().completion_tokens, Some(34));
    let schema = Some(value!({"type": "object", "properties": {"verdict": {"type": "string"}}}));
    let by_tool = asked(&Ask { schema, ..said("fastest", "call the tool") }).unwrap();
    let object: serde_json::Value = serde_json::from_str(&by_tool.text).unwrap();
    assert_eq!(object, value!({"verdict": "GO"}));
    let busy = asked(&said("fastest", "be busy")).unwrap_err();
    assert_says(&busy, Kind::RateLimited, &["(429)", "asked 8 times"]);
    let broken = asked(&said("fastest", "be broken")).unwrap_err();
    assert_says(&broken, Kind::ServerError, &["(500)", "it broke"]);
    let unknown = asked(&said("no-such-model", "judge")).unwrap_err();
    assert_says(&unknown, Kind::Unavailable, &["no-such-model"]);
}

/// The proxy in front of a model, which is asked for as `fastest`.
pub(crate) fn proxy(upstream: &Server) -> Tool {
    let (behind, nobody) = (upstream.url(), free_port());
    Tool::start("litellm", "/health/liveliness", |home, port| {
        let deployment = |name: &str, base: &str| {
            value!({"model_name": name, "litellm_params": {"model": "openai/judge", "timeout": 3,
                "api_base": base, "api_key": UPSTREAM}})
        };
        let models = [
            deployment("fastest", &format!("{behind}/v1")),
            deployment("gone", &format!("http://127.0.0.1:{nobody}/v1")),
        ];
        let config = value!({
            "model_list": models,
            "general_settings": {"master_key": KEY},
            "litellm_settings": {"num_retries": 0,
                "use_chat_completions_url_for_anthropic_messages": true},
            "router_settings": {"num_retries": 0, "disable_cooldowns": true},
        });
        // JSON is YAML too.
        let path = home.join("litellm.yaml");
        std::fs::write(&path, config.to_string()).unwrap();
        let port = port.to_string();
        ["--config", path.to_str().unwrap(), "--host", "127.0.0.1", "--port", &port]
            .map(str::to_owned)
            .to_vec()
    })
}

/// A question of one sentence to a model of the proxy.
fn said(model: &str, text: &str) -> Ask {
    let messages = vec![Message { role: Role::User, text: text.to_owned() }];
    Ask { model: model.to_owned(), messages, ..ask() }
}

#[test]
fn a_proxy_is_asked_end_to_end() {
    let upstream = Server::start(model);
    let proxy = proxy(&upstream);
    let chat = Chat::new(settings(&proxy.url())).unwrap();
    let failed = |model: &str, text: &str| asked(&chat, &said(model, text)).unwrap_err();

    let until = super::after(Duration::from_secs(60));
    let mut models = block(async { chat.models(until).await }).unwrap();
    models.sort();
    assert_eq!(models, ["fastest", "gone"]);

    let Reply { text, usage, attempts, served_model, .. } =
        asked(&chat, &said("fastest", "judge")).unwrap();
    assert_eq!((text.as_str(), attempts), ("GO", 1));
    assert_eq!(usage.unwrap().completion_tokens, Some(34));
    assert!(served_model.is_some());
    let schema = Some(value!({"type": "object", "properties": {}, "additionalProperties": false}));
    let with_schema = Ask { schema, ..said("fastest", "have a schema") };
    let reply = asked(&chat, &with_schema).unwrap();
    assert_eq!((reply.text.as_str(), reply.attempts), ("as the schema says", 1));

    let before = upstream.requests().len();
    let busy = failed("fastest", "be busy");
    assert_says(&busy, Kind::RateLimited, &["(429)", "asked 8 times"]);
    assert_eq!(upstream.requests().len() - before, 8, "the proxy repeats nothing by itself");
    let broke = failed("fastest", "be broke");
    assert_says(&broke, Kind::RateLimited, &["quota or balance is gone"]);
    assert_eq!(broke.attempts, 1);
    let broken = failed("fastest", "be broken");
    assert_says(&broken, Kind::ServerError, &["(500)", "it broke"]);
    assert_eq!(broken.attempts, 8);
    let long = failed("fastest", "be too long");
    assert_says(&long, Kind::InvalidAnswer, &["(400)", "maximum context length"]);
    let unknown = failed("no-such-model", "judge");
    assert_says(&unknown, Kind::Unavailable, &["no-such-model"]);
    assert_says(&failed("gone", "judge"), Kind::ServerError, &["(500)"]);
    assert_says(&failed("fastest", "be silent"), Kind::Timeout, &["(408)", "asked 8 times"]);

    let other = Some(SecretString::from("sk-not-the-key-of-this-proxy"));
    let stranger = Chat::new(Settings { key: other, ..settings(&proxy.url()) }).unwrap();
    let refused = asked(&stranger, &said("fastest", "judge")).unwrap_err();
    assert_says(&refused, Kind::Unauthorized, &["No connected db."]);

    is_asked_as_anthropic(&proxy);

    // The proxy is really the one that was asked.
    assert_eq!(get(proxy.port, "/health/liveliness").unwrap().0, 200);
    assert!(upstream.requests().iter().all(|r| !String::from_utf8_lossy(&r.body).contains(KEY)));
    assert!(proxy.said().contains("POST /v1/chat/completions"), "{}", proxy.said());
}
