//! The question as Anthropic's endpoint wants it.

use super::MAX_TOKENS;
use crate::provider::http::{Wish, Without};
use crate::provider::{Ask, Role};
use serde_json::{Value, json};

/// The tool that the model is made to call: its input is the answer.
pub(super) const TOOL: &str = "answer";

/// The body of the request. A schema becomes the input of the one tool that the model has to call.
pub(super) fn body(ask: &Ask, without: Without) -> Vec<u8> {
    let of = |role| ask.messages.iter().filter(move |m| m.role == role).map(|m| m.text.as_str());
    let messages: Vec<_> =
        of(Role::User).map(|text| json!({"role": "user", "content": text})).collect();
    let max_tokens = ask.max_tokens.unwrap_or(MAX_TOKENS);
    let mut body = json!({"model": ask.model, "max_tokens": max_tokens, "messages": messages});
    let mut set = |name: &str, value: Value| body[name] = value;
    let system: Vec<_> = of(Role::System).collect();
    if !system.is_empty() {
        set("system", json!(system.join("\n\n")));
    }
    if let Some(temperature) = ask.temperature.filter(|_| !without.temperature) {
        set("temperature", json!(temperature));
    }
    if let Some(schema) = schema(ask).filter(|_| !without.schema) {
        let tool =
            json!({"name": TOOL, "description": "Gives the answer.", "input_schema": schema});
        set("tools", json!([tool]));
        set("tool_choice", json!({"type": "tool", "name": TOOL}));
    }
    body.to_string().into_bytes()
}

/// The schema of the answer, if a tool can have it: the input of one is an object.
fn schema(ask: &Ask) -> Option<&Value> {
    ask.schema.as_ref().filter(|schema| schema.get("type").is_some_and(|of| of == "object"))
}

/// What the endpoint refuses of a question, where it could be asked without.
pub(super) fn unwanted(body: &str) -> Option<Wish> {
    let body = body.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| body.contains(word));
    let refused =
        ["support", "deprecated", "may only", "not allowed", "not permitted", "extra inputs"];
    match () {
        () if any(&["tool_choice", "input_schema", "tool use", "tools"]) => Some(Wish::Schema),
        () if body.contains("temperature") && any(&refused) => Some(Wish::Temperature),
        () => None,
    }
}
