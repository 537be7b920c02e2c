//! The question as an OpenAI-compatible endpoint wants it.

use crate::provider::http::{Wish, Without};
use crate::provider::{Ask, Role};
use serde_json::{Value, json};

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

/// What the endpoint refuses of a question, where it could be asked without.
pub(super) fn unwanted(body: &str) -> Option<Wish> {
    let body = body.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| body.contains(word));
    let schema = ["response_format", "response format", "json_schema", "json schema"];
    let structured = ["structured output", "structured_output", "structured-output", "guided"];
    // Endpoints that hold a model to the schema, and that it gets away from.
    let enforced = ["json_validate_failed", "failed_generation", "grammar"];
    if any(&schema) || any(&structured) || any(&enforced) {
        return Some(Wish::Schema);
    }
    let refused = ["support", "deprecated", "not allowed", "only the default", "extra inputs"];
    // Who names both names refuses the one, whatever else is explained; and the other is a bound too.
    let both = body.contains("max_tokens") && body.contains("max_completion_tokens");
    // A number that is too large is no refusal of the name: without it an answer has no bound.
    let large = ["too large", "too high", "at most", "maximum", "exceed", "less than"];
    match any(&refused) {
        true if both => Some(Wish::MaxTokens),
        true if body.contains("max_tokens") && any(&large) => None,
        true if body.contains("max_tokens") => Some(Wish::MaxTokens),
        true if body.contains("temperature") => Some(Wish::Temperature),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{Wish, unwanted};

    #[test]
    fn rejected_parameter_is_found_in_error_text() {
        for body in [
            "This response_format type is unavailable now",
            "This model does not support response format `json_schema`.",
            r#"{"detail":[{"loc":["body","response_format","type"],"msg":"unexpected value"}]}"#,
            "litellm.UnsupportedParamsError: mistral does not support parameters: ['response_format']",
            "No endpoints found that support structured outputs",
        ] {
            assert_eq!(unwanted(body), Some(Wish::Schema), "{body}");
        }
        let most = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        assert_eq!(unwanted(most), Some(Wish::MaxTokens));
        let explained = "'max_tokens' is not supported with this model. Use 'max_completion_tokens', the maximum number of tokens that may be generated, at most 4096.";
        assert_eq!(unwanted(explained), Some(Wish::MaxTokens), "the number is explained");
        let large = "max_tokens is too large: 9000. This model supports at most 4096 tokens";
        assert_eq!(unwanted(large), None, "its bound stays");
        let fixed = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";
        assert_eq!(unwanted(fixed), Some(Wish::Temperature));
        for other in [
            "prompt is too long",
            "temperature must be below 2",
            "max_tokens is too large",
            "max_completion_tokens is too large: this model supports at most 4096",
        ] {
            assert_eq!(unwanted(other), None, "{other}");
        }
        assert_eq!(unwanted("Failed to parse the grammar"), Some(Wish::Schema));
        assert_eq!(unwanted("upstream is busy"), None);
    }
}
