//! The question as an OpenAI-compatible endpoint wants it.

use crate::provider::{Ask, Role};
use serde_json::{Value, json};

/// What of a question an endpoint may refuse, and which it is asked without then.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wish {
    /// `response_format` with a schema.
    Schema,
    /// `temperature`, which some models fix.
    Temperature,
    /// `max_tokens`, which newer models call `max_completion_tokens`.
    MaxTokens,
}

/// The wishes that a model is known to refuse.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Without {
    pub(super) schema: bool,
    pub(super) temperature: bool,
    pub(super) max_tokens: bool,
}

impl Without {
    /// What either of two refuses.
    pub(super) fn and(self, other: Self) -> Self {
        Self {
            schema: self.schema || other.schema,
            temperature: self.temperature || other.temperature,
            max_tokens: self.max_tokens || other.max_tokens,
        }
    }

    /// Adds a wish; tells whether the question has it, so that asking without it is another question.
    pub(super) fn drop_wish(&mut self, wish: Wish, ask: &Ask) -> bool {
        let (dropped, asked) = match wish {
            Wish::Schema => (&mut self.schema, ask.schema.is_some()),
            Wish::Temperature => (&mut self.temperature, ask.temperature.is_some()),
            Wish::MaxTokens => (&mut self.max_tokens, ask.max_tokens.is_some()),
        };
        asked && !std::mem::replace(dropped, true)
    }
}

/// The body of the request.
pub(super) fn body(ask: &Ask, without: Without) -> Vec<u8> {
    let messages: Vec<_> =
        ask.messages.iter().map(|m| json!({"role": role(m.role), "content": m.text})).collect();
    let mut body = json!({"model": ask.model, "messages": messages, "stream": false});
    let mut set = |name: &str, value: Value| body[name] = value;
    if let Some(temperature) = ask.temperature.filter(|_| !without.temperature) {
        set("temperature", json!(temperature));
    }
    if let Some(most) = ask.max_tokens {
        set(if without.max_tokens { "max_completion_tokens" } else { "max_tokens" }, json!(most));
    }
    if let Some(schema) = ask.schema.as_ref().filter(|_| !without.schema) {
        let named = json!({"name": "verdict", "strict": true, "schema": schema});
        set("response_format", json!({"type": "json_schema", "json_schema": named}));
    }
    body.to_string().into_bytes()
}

fn role(role: Role) -> &'static str {
    match role {
        Role::System => "system",
        Role::User => "user",
    }
}
