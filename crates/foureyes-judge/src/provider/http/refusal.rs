//! What a reply with another status than 200 means.

use crate::engine::retry::says_spent;
use crate::provider::FailureKind;
use serde_json::Value;

/// A refusal, understood.
#[derive(Debug, PartialEq)]
pub(in crate::provider) struct Refusal {
    pub(in crate::provider) kind: FailureKind,
    /// What the endpoint says of it; as it came.
    pub(in crate::provider) message: Option<String>,
    /// Whether quota or balance is gone.
    pub(in crate::provider) spent: bool,
    /// Whether the endpoint names itself overloaded, whatever the status.
    pub(in crate::provider) overloaded: bool,
    /// Whether a filter refused the question or its answer.
    pub(in crate::provider) filtered: bool,
    /// Its status, or that which an error under status 200 stands for.
    pub(in crate::provider) status: u16,
    /// What the model had answered, where an endpoint that checks answers refused it.
    pub(in crate::provider) generated: Option<String>,
}

/// Understands a status and the body that came with it.
pub(in crate::provider) fn read(status: u16, body: &str) -> Refusal {
    let spent = status == 402 || (matches!(status, 400 | 403 | 429) && says_spent(body));
    let overloaded = named(body).is_some_and(|name| name == OVERLOADED);
    let kind = match status {
        _ if spent => FailureKind::RateLimited,
        _ if overloaded => FailureKind::ServerError,
        // Behind a proxy without a list of keys, a wrong key is no 401 (seen with LiteLLM).
        400 if says_key(body) => FailureKind::Unauthorized,
        400 if says_model(body) => FailureKind::Unavailable,
        409 | 425 => FailureKind::ServerError,
        401 | 403 => FailureKind::Unauthorized,
        404 => FailureKind::Unavailable,
        408 => FailureKind::Timeout,
        429 | 498 => FailureKind::RateLimited,
        500.. => FailureKind::ServerError,
        _ => FailureKind::InvalidAnswer,
    };
    Refusal {
        kind,
        message: message(body),
        spent,
        overloaded,
        filtered: says_filter(body),
        status,
        generated: generated(body),
    }
}

/// An error that came with status 200: read as the status that it names, if it names one.
pub(super) fn read_covered(error: &Value) -> Refusal {
    let inner = error.get("error").filter(|inner| inner.is_object()).unwrap_or(error);
    let codes = ["code", "status", "statusCode", "status_code"].into_iter();
    let number = codes.filter_map(|name| inner.get(name)).find_map(|code| {
        let number = code.as_u64().or_else(|| code.as_str()?.parse().ok())?;
        u16::try_from(number).ok().filter(|n| (400..600).contains(n))
    });
    let body = error.to_string();
    let status = number.or_else(|| status_of(&named(&body)?));
    read(status.unwrap_or_else(|| named_status(&body)), &body)
}

/// The status that the words of an error stand for. One of no known words is the endpoint's own: nothing was
/// answered.
fn named_status(body: &str) -> u16 {
    let words = body.to_lowercase();
    let any = |all: &[&str]| all.iter().any(|word| words.contains(word));
    match () {
        () if says_spent(body) => 402,
        () if says_key(body) => 401,
        () if says_model(body) => 404,
        () if any(&["rate limit", "rate_limit", "ratelimit", "too many requests"]) => 429,
        () if any(&["timed out", "timeout"]) => 408,
        () if says_filter(body) => 400,
        () => 500,
    }
}

/// Whether a filter refused the question or its answer.
fn says_filter(body: &str) -> bool {
    let body = body.to_lowercase();
    [
        "content_filter",
        "content filter",
        "content management policy",
        "responsible ai policy",
        "content_policy",
    ]
    .iter()
    .any(|word| body.contains(word))
}

/// What the model had answered, where an endpoint that checks answers against a schema refused it.
fn generated(body: &str) -> Option<String> {
    let whole: Value = serde_json::from_str(body).ok()?;
    let error = whole.get("error").unwrap_or(&whole);
    let generated = error.get("failed_generation")?;
    Some(generated.as_str().map_or_else(|| generated.to_string(), str::to_owned))
}

/// The type of error with which Anthropic's endpoint says that it has too much to do.
const OVERLOADED: &str = "overloaded_error";

/// The type of an error.
fn named(body: &str) -> Option<String> {
    let whole: Value = serde_json::from_str(body).ok()?;
    whole.get("error")?.get("type")?.as_str().map(str::to_owned)
}

/// The status that Anthropic's endpoint gives an error of this type.
fn status_of(name: &str) -> Option<u16> {
    Some(match name {
        "invalid_request_error" => 400,
        "authentication_error" => 401,
        "billing_error" => 402,
        "permission_error" => 403,
        "not_found_error" => 404,
        "request_too_large" => 413,
        "rate_limit_error" => 429,
        "api_error" => 500,
        "timeout_error" => 504,
        OVERLOADED => 529,
        _ => return None,
    })
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
    use super::{FailureKind, Refusal, read, read_covered};

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
            (409, K::ServerError),
            (425, K::ServerError),
            (498, K::RateLimited),
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
    fn overload_is_a_fault_of_the_server_whatever_the_status() {
        let body = r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#;
        for status in [400, 500, 529] {
            let refusal = read(status, body);
            assert_eq!((refusal.kind, refusal.overloaded), (FailureKind::ServerError, true));
        }
        assert!(read_covered(&serde_json::from_str(body).unwrap()).overloaded);
        assert!(!read(529, "").overloaded);
    }

    #[test]
    fn an_error_under_a_good_status_is_one() {
        let of = |text: &str| read_covered(&serde_json::from_str(text).unwrap()).kind;
        assert_eq!(of(r#"{"error":{"code":429,"message":"slow down"}}"#), FailureKind::RateLimited);
        assert_eq!(of(r#"{"error":{"code":"502"}}"#), FailureKind::ServerError);
        assert_eq!(
            of(r#"{"type":"error","error":{"type":"authentication_error"}}"#),
            FailureKind::Unauthorized
        );
        assert_eq!(of(r#"{"error":{"code":7}}"#), FailureKind::ServerError);
        assert_eq!(of(r#"{"error":"no"}"#), FailureKind::ServerError);
        assert_eq!(of(r#"{"error":"invalid api key"}"#), FailureKind::Unauthorized);
        assert_eq!(of(r#"{"error":"model not found"}"#), FailureKind::Unavailable);
        assert_eq!(of(r#"{"error":{"message":"Rate limit reached"}}"#), FailureKind::RateLimited);
    }
}
