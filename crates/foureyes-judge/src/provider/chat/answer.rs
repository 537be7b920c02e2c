//! What a reply with status 200 says, in the shapes that endpoints give it.

use super::stream;
use crate::domain::Usage;
use crate::engine::finish::Finish;
use crate::provider::http::{Completion, Wrong, document, text, without_mark};
use serde_json::Value;

/// Reads the body of a reply.
pub(super) fn read(body: &[u8], content_type: &str) -> Result<Completion, Wrong> {
    let body = without_mark(body);
    // Some gateways send a whole answer, or an error, under the name of a stream.
    let announced = content_type.starts_with("text/event-stream");
    let is_object = body.trim_ascii_start().starts_with(b"{");
    if stream::looks_like_one(body) || (announced && !is_object && !body.trim_ascii().is_empty()) {
        return stream::read(body);
    }
    let whole = document(body, "choices")?;
    let choices = whole.get("choices").and_then(Value::as_array);
    let choices = choices.ok_or(Wrong::Shape("it has no choices", None))?;
    let first = choices.iter().min_by_key(|choice| index(choice));
    let choice = first.ok_or(Wrong::Shape("its list of choices is empty", None))?;
    let message = choice.get("message").filter(|message| message.is_object());
    if message.is_none() && failed(choice) {
        return Err(Wrong::Error(choice.clone()));
    }
    let message = message.ok_or(Wrong::Shape("its choice has no message", None))?;
    let of_choice = |choice: &Value| content(choice.get("message")?);
    let is_other = |other: &&Value| !std::ptr::eq(*other, choice);
    Ok(Completion {
        text: content(message).ok_or(Wrong::Shape("its content is not text", None))?,
        others: choices.iter().filter(is_other).filter_map(of_choice).collect(),
        elsewhere: elsewhere(message),
        refusal: text(message, "refusal"),
        model: text(&whole, "model"),
        usage: usage(&whole),
        finish: finish(choice).unwrap_or(Finish::Unnamed),
    })
}

/// The number of a choice; one without a number is the first.
pub(super) fn index(choice: &Value) -> u64 {
    choice.get("index").and_then(Value::as_u64).unwrap_or(0)
}

/// Where a message has something in place of its content.
pub(super) fn elsewhere(message: &Value) -> Option<&'static str> {
    let is_there = |key: &&&'static str| match message.get(**key) {
        Some(Value::String(text)) => !text.trim().is_empty(),
        Some(Value::Array(items)) => !items.is_empty(),
        Some(Value::Object(members)) => !members.is_empty(),
        _ => false,
    };
    let keys =
        ["reasoning_content", "reasoning", "thinking", "tool_calls", "function_call", "audio"];
    keys.iter().find(is_there).copied()
}

/// Whether a choice has an error of its own.
fn failed(choice: &Value) -> bool {
    choice.get("error").is_some_and(|error| !error.is_null())
}

/// How the model ended, where the choice says so.
pub(super) fn finish(choice: &Value) -> Option<Finish> {
    if failed(choice) {
        return Some(Finish::Failed("error".to_owned()));
    }
    let finish = Finish::read(choice.get("finish_reason")?.as_str(), false);
    (finish != Finish::Unnamed).then_some(finish)
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
