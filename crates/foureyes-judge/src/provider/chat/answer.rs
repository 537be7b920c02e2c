//! What a reply with status 200 says, in the shapes that endpoints give it.

use super::stream;
use crate::domain::Usage;
use crate::provider::http::{Completion, Finish, Wrong, document, text, without_mark};
use serde_json::Value;

/// Reads the body of a reply.
pub(super) fn read(body: &[u8], content_type: &str) -> Result<Completion, Wrong> {
    let body = without_mark(body);
    let announced = content_type.starts_with("text/event-stream") && !body.trim_ascii().is_empty();
    if announced || stream::looks_like_one(body) {
        return stream::read(body);
    }
    let whole = document(body)?;
    let choices = whole.get("choices").and_then(Value::as_array);
    let choices = choices.ok_or(Wrong::Shape("it has no choices", None))?;
    let choice = choices.first().ok_or(Wrong::Shape("its list of choices is empty", None))?;
    let message = choice.get("message").filter(|message| message.is_object());
    let message = message.ok_or(Wrong::Shape("its choice has no message", None))?;
    Ok(Completion {
        text: content(message).ok_or(Wrong::Shape("its content is not text", None))?,
        refusal: text(message, "refusal"),
        model: text(&whole, "model"),
        usage: usage(&whole),
        finish: finish(choice).unwrap_or_default(),
    })
}

/// How the model ended, where the choice says so.
pub(super) fn finish(choice: &Value) -> Option<Finish> {
    Some(match choice.get("finish_reason")?.as_str().filter(|word| !word.is_empty())? {
        "length" => Finish::Limit,
        "content_filter" => Finish::Filtered,
        "error" => Finish::Failed,
        _ => Finish::Whole,
    })
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
