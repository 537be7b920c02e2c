//! What a reply with another status than 200 means.

use super::question::Wish;
use crate::engine::retry::says_spent;
use crate::provider::FailureKind;
use serde_json::Value;

/// A refusal, understood.
#[derive(Debug, PartialEq)]
pub(super) struct Refusal {
    pub(super) kind: FailureKind,
    /// What the endpoint says of it; as it came.
    pub(super) message: Option<String>,
    /// Whether quota or balance is gone.
    pub(super) spent: bool,
}

/// Understands a status and the body that came with it.
pub(super) fn read(status: u16, body: &str) -> Refusal {
    let spent = status == 402 || (matches!(status, 400 | 403 | 429) && says_spent(body));
    let kind = match status {
        _ if spent => FailureKind::RateLimited,
        // Behind a proxy without a list of keys, a wrong key is no 401 (seen with LiteLLM).
        400 if says_key(body) => FailureKind::Unauthorized,
        400 if says_model(body) => FailureKind::Unavailable,
        401 | 403 => FailureKind::Unauthorized,
        404 => FailureKind::Unavailable,
        408 => FailureKind::Timeout,
        429 => FailureKind::RateLimited,
        500.. => FailureKind::ServerError,
        _ => FailureKind::InvalidAnswer,
    };
    Refusal { kind, message: message(body), spent }
}

/// An error that came with status 200: read as the status that it names, if it names one.
pub(super) fn read_covered(error: &Value) -> Refusal {
    let code = error.get("error").and_then(|e| e.get("code").or_else(|| e.get("status")));
    let number = code.and_then(|code| code.as_u64().or_else(|| code.as_str()?.parse().ok()));
    let status = number.and_then(|n| u16::try_from(n).ok()).filter(|n| (400..600).contains(n));
    let body = error.to_string();
    status.map_or_else(
        || Refusal {
            kind: FailureKind::InvalidAnswer,
            message: message(&body),
            spent: says_spent(&body),
        },
        |status| read(status, &body),
    )
}

/// What the endpoint refuses of a question, where it could be asked without.
pub(super) fn unwanted(status: u16, body: &str) -> Option<Wish> {
    if !matches!(status, 400 | 404 | 415 | 422 | 501) {
        return None;
    }
    let body = body.to_lowercase();
    let any = |words: &[&str]| words.iter().any(|word| body.contains(word));
    let schema = ["response_format", "response format", "json_schema", "json schema"];
    let structured = ["structured output", "structured_output", "structured-output", "guided"];
    if any(&schema) || any(&structured) {
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

fn says_key(body: &str) -> bool {
    let body = body.to_lowercase();
    let key = ["api key", "api_key", "apikey"].iter().any(|word| body.contains(word));
    let bad = ["invalid", "not valid", "incorrect", "expired", "missing"];
    body.contains("no_db_connection") || (key && bad.iter().any(|word| body.contains(word)))
}

fn says_model(body: &str) -> bool {
    let body = body.to_lowercase();
    let unknown = [
        "model_not_found",
        "invalid model",
        "unknown model",
        "no such model",
        "model not found",
        "not a valid model",
        "model does not exist",
        "model not exist",
    ];
    let apart = ["not found", "does not exist"];
    unknown.iter().any(|word| body.contains(word))
        || (body.contains("model `") && apart.iter().any(|word| body.contains(word)))
}

/// What a body says, in the shapes of several endpoints; a short plain text is said as it is.
fn message(body: &str) -> Option<String> {
    let Ok(whole) = serde_json::from_str::<Value>(body) else {
        let plain = body.trim();
        let page = plain.starts_with('<');
        return (!plain.is_empty() && !page && plain.len() < 300).then(|| plain.to_owned());
    };
    let error = whole.get("error").filter(|error| !error.is_null()).unwrap_or(&whole);
    let texts = [error.get("message"), error.get("detail"), error.get("msg"), Some(error)];
    texts.into_iter().flatten().find_map(words)
}

/// A text, or the first message in a list of faults.
fn words(value: &Value) -> Option<String> {
    match value {
        Value::String(text) => Some(text.trim().to_owned()).filter(|text| !text.is_empty()),
        Value::Array(faults) => faults.iter().find_map(|fault| words(fault.get("msg")?)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::{FailureKind, Refusal, Wish, read, read_covered, unwanted};

    fn classified(status: u16, body: &str) -> (FailureKind, Option<String>) {
        let Refusal { kind, message, .. } = read(status, body);
        (kind, message)
    }

    fn message(text: &str) -> Option<String> {
        Some(text.to_owned())
    }

    #[test]
    fn each_status_has_its_class() {
        use FailureKind as K;
        for (status, kind) in [
            (400, K::InvalidAnswer),
            (401, K::Unauthorized),
            (402, K::RateLimited),
            (403, K::Unauthorized),
            (404, K::Unavailable),
            (408, K::Timeout),
            (409, K::InvalidAnswer),
            (413, K::InvalidAnswer),
            (422, K::InvalidAnswer),
            (429, K::RateLimited),
            (500, K::ServerError),
            (502, K::ServerError),
            (503, K::ServerError),
            (504, K::ServerError),
            (529, K::ServerError),
        ] {
            assert_eq!(read(status, "").kind, kind, "{status}");
        }
    }

    #[test]
    fn bodies_are_read_in_the_shapes_that_are_sent() {
        use FailureKind as K;
        let litellm = r#"{"error":{"message":"No connected db.","type":"no_db_connection","param":null,"code":"400"}}"#;
        assert_eq!(classified(400, litellm), (K::Unauthorized, message("No connected db.")));
        let model = r#"{"error":{"message":"/chat/completions: Invalid model name passed in model=x","type":"None","param":"None","code":"400"}}"#;
        assert_eq!(classified(400, model).0, K::Unavailable);
        let key = r#"{"error":{"code":400,"message":"API key not valid. Please pass a valid API key.","status":"INVALID_ARGUMENT"}}"#;
        assert_eq!(classified(400, key).0, K::Unauthorized);
        assert_eq!(
            classified(500, "Internal Server Error\n"),
            (K::ServerError, message("Internal Server Error"))
        );
        assert_eq!(
            classified(422, r#"{"detail":[{"loc":["body"],"msg":"Field required"}]}"#).1,
            message("Field required")
        );
        assert_eq!(classified(404, r#"{"detail":"Not Found"}"#).1, message("Not Found"));
        assert_eq!(
            classified(404, r#"{"error":"model 'x' not found"}"#).1,
            message("model 'x' not found")
        );
        assert_eq!(classified(502, "<html><h1>502 Bad Gateway</h1></html>").1, None);
        assert_eq!(classified(503, r#"{"error":{"code":"busy"}}"#).1, None);
        assert_eq!(classified(503, "[1]").1, None);
        let broke = r#"{"type":"error","error":{"type":"invalid_request_error","message":"Your credit balance is too low to access the API."}}"#;
        assert!(read(400, broke).spent);
        assert_eq!(classified(400, broke).0, K::RateLimited);
    }

    #[test]
    fn an_error_under_a_good_status_is_one() {
        let of = |text: &str| read_covered(&serde_json::from_str(text).unwrap()).kind;
        assert_eq!(of(r#"{"error":{"code":429,"message":"slow down"}}"#), FailureKind::RateLimited);
        assert_eq!(of(r#"{"error":{"code":"502"}}"#), FailureKind::ServerError);
        assert_eq!(of(r#"{"error":{"code":7}}"#), FailureKind::InvalidAnswer);
        assert_eq!(of(r#"{"error":"no"}"#), FailureKind::InvalidAnswer);
    }

    #[test]
    fn rejected_parameter_is_found_in_error_text() {
        for body in [
            "This response_format type is unavailable now",
            "This model does not support response format `json_schema`.",
            r#"{"detail":[{"loc":["body","response_format","type"],"msg":"unexpected value"}]}"#,
            "litellm.UnsupportedParamsError: mistral does not support parameters: ['response_format']",
            "No endpoints found that support structured outputs",
        ] {
            assert_eq!(unwanted(400, body), Some(Wish::Schema), "{body}");
        }
        let most = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
        assert_eq!(unwanted(400, most), Some(Wish::MaxTokens));
        let explained = "'max_tokens' is not supported with this model. Use 'max_completion_tokens', the maximum number of tokens that may be generated, at most 4096.";
        assert_eq!(unwanted(400, explained), Some(Wish::MaxTokens), "the number is explained");
        let large = "max_tokens is too large: 9000. This model supports at most 4096 tokens";
        assert_eq!(unwanted(400, large), None, "its bound stays");
        let fixed = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported.";
        assert_eq!(unwanted(400, fixed), Some(Wish::Temperature));
        for other in [
            "prompt is too long",
            "temperature must be below 2",
            "max_tokens is too large",
            "max_completion_tokens is too large: this model supports at most 4096",
        ] {
            assert_eq!(unwanted(400, other), None, "{other}");
        }
        assert_eq!(unwanted(500, "response_format"), None);
    }
}
