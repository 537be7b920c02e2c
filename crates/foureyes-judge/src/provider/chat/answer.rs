//! What a reply with status 200 says, in the shapes that endpoints give it.

use super::stream;
use crate::domain::Usage;
use serde_json::Value;

/// What a model said.
#[derive(Debug, Default, PartialEq)]
pub(super) struct Completion {
    pub(super) text: String,
    pub(super) refusal: Option<String>,
    pub(super) model: Option<String>,
    pub(super) usage: Option<Usage>,
    pub(super) finish: Option<String>,
}

/// Why a reply is no answer.
#[derive(Debug, PartialEq)]
pub(super) enum Wrong {
    /// It is an error under the cover of a good status; the whole of it.
    Error(Value),
    /// It is something else, in a few words; with what was understood of it.
    Shape(&'static str, Option<String>),
}

/// Reads the body of a reply.
pub(super) fn read(body: &[u8], content_type: &str) -> Result<Completion, Wrong> {
    let body = body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body);
    if body.trim_ascii().is_empty() {
        return Err(Wrong::Shape("it is empty", None));
    }
    if content_type.starts_with("text/event-stream") || stream::looks_like_one(body) {
        return stream::read(body);
    }
    let whole: Value = serde_json::from_slice(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => Wrong::Shape("its JSON breaks off", None),
        _ => Wrong::Shape("it is not JSON", None),
    })?;
    if whole.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Wrong::Error(whole));
    }
    let choices = whole.get("choices").and_then(Value::as_array);
    let choices = choices.ok_or(Wrong::Shape("it has no choices", None))?;
    let choice = choices.first().ok_or(Wrong::Shape("its list of choices is empty", None))?;
    let message = choice.get("message").filter(|message| message.is_object());
    let message = message.ok_or(Wrong::Shape("its choice has no message", None))?;
    Ok(Completion {
        text: content(message).ok_or(Wrong::Shape("its content is no text", None))?,
        refusal: text(message, "refusal"),
        model: text(&whole, "model"),
        usage: usage(&whole),
        finish: text(choice, "finish_reason"),
    })
}

/// A field that is a text with something in it.
pub(super) fn text(of: &Value, name: &str) -> Option<String> {
    of.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}

/// The content: a text, a list of parts, or nothing; `None` where it is something else.
pub(super) fn content(message: &Value) -> Option<String> {
    match message.get("content") {
        None | Some(Value::Null) => Some(String::new()),
        Some(Value::String(text)) => Some(text.clone()),
        Some(Value::Array(parts)) => parts.iter().map(part).collect(),
        Some(_) => None,
    }
}

/// The text of one part. What is no text, a picture or the model's own thoughts, says nothing here.
fn part(part: &Value) -> Option<String> {
    match part {
        Value::String(text) => Some(text.clone()),
        Value::Object(fields) => match fields.get("type").and_then(Value::as_str) {
            None | Some("text" | "output_text") => text_of(fields.get("text")?),
            Some(_) => Some(String::new()),
        },
        _ => None,
    }
}

/// A text, or an object that has it as its value.
fn text_of(value: &Value) -> Option<String> {
    value.as_str().or_else(|| value.get("value")?.as_str()).map(str::to_owned)
}

/// Tokens. Zeros stand for what was not counted: nothing is asked with no token.
pub(super) fn usage(of: &Value) -> Option<Usage> {
    let usage = of.get("usage")?;
    let count = |name: &str| usage.get(name)?.as_u64().filter(|count| *count > 0);
    let (prompt_tokens, completion_tokens) = (count("prompt_tokens"), count("completion_tokens"));
    (prompt_tokens.is_some() || completion_tokens.is_some())
        .then_some(Usage { prompt_tokens, completion_tokens })
}
