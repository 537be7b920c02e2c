//! What a reply of Anthropic's endpoint says.

use super::question::TOOL;
use crate::domain::Usage;
use crate::engine::finish::Finish;
use crate::provider::http::{Completion, Wrong, document, text, without_mark};
use serde::Deserialize;
use serde_json::Value;
use serde_json::value::RawValue;

/// The inputs of tools as they were written: an object that says a thing twice stays one that does.
#[derive(Deserialize)]
struct Inputs<'a> {
    #[serde(borrow)]
    content: Vec<Input<'a>>,
}

#[derive(Deserialize)]
struct Input<'a> {
    #[serde(borrow)]
    input: Option<&'a RawValue>,
}

/// Reads the body of a reply.
pub(super) fn read(body: &[u8], _content_type: &str) -> Result<Completion, Wrong> {
    let body = without_mark(body);
    let whole = document(body, "content")?;
    let blocks = whole.get("content").and_then(Value::as_array);
    let blocks = blocks.ok_or(Wrong::Shape("it has no content", None))?;
    let call = called(blocks).and_then(|tool| input(body, tool));
    let by_call = call.is_some();
    let shown = match call {
        Some(input) => input,
        None => words(blocks).ok_or(Wrong::Shape("its content is not text", None))?,
    };
    let reason = text(&whole, "stop_reason");
    let refused = reason.as_deref() == Some("refusal");
    Ok(Completion {
        refusal: refused.then(|| shown.clone()),
        text: shown,
        model: text(&whole, "model"),
        usage: usage(&whole),
        elsewhere: elsewhere(blocks),
        finish: Finish::read(reason.as_deref(), by_call),
        others: Vec::new(),
    })
}

/// Which blocks stand in place of an answer.
fn elsewhere(blocks: &[Value]) -> Option<&'static str> {
    ["thinking", "tool_use"].into_iter().find(|name| blocks.iter().any(|block| is(block, name)))
}

fn is(block: &Value, name: &str) -> bool {
    block.get("type").is_some_and(|of| of == name)
}

/// The place of the call that carries the answer.
fn called(blocks: &[Value]) -> Option<usize> {
    let ours =
        |block: &Value| is(block, "tool_use") && block.get("name").is_some_and(|n| n == TOOL);
    blocks.iter().position(ours)
}

/// The input of the tool in this place, as it was written.
fn input(body: &[u8], place: usize) -> Option<String> {
    let inputs: Inputs<'_> = serde_json::from_slice(body).ok()?;
    Some(inputs.content.get(place)?.input?.get().to_owned())
}

/// The texts; `None` where one is something else. The model's own thoughts are no part of its answer.
fn words(blocks: &[Value]) -> Option<String> {
    let texts = blocks.iter().filter(|block| is(block, "text"));
    texts.map(|block| block.get("text")?.as_str()).collect()
}

/// Tokens. Zeros stand for what was not counted: nothing is asked with no token.
fn usage(of: &Value) -> Option<Usage> {
    let usage = of.get("usage")?;
    let count = |name: &str| usage.get(name).and_then(Value::as_u64).unwrap_or(0);
    let asked = ["input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens"];
    let asked = asked.into_iter().map(count).fold(0, u64::saturating_add);
    let some = |count: u64| (count > 0).then_some(count);
    let (prompt_tokens, completion_tokens) = (some(asked), some(count("output_tokens")));
    (prompt_tokens.is_some() || completion_tokens.is_some())
        .then_some(Usage { prompt_tokens, completion_tokens })
}
