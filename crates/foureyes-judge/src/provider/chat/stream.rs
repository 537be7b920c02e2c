//! A reply in pieces (server-sent events), from endpoints that stream although not asked to.
//!
//! It is put together from its whole body, so it does not matter where the network cut it. Without
//! its last line, `data: [DONE]`, it broke off and is no answer.

use super::answer::{content, elsewhere, finish, index, usage};
use crate::engine::finish::Finish;
use crate::provider::http::{Completion, Wrong, text};
use serde_json::Value;
use std::collections::BTreeMap;

/// Tells whether a body without a usable content type is a stream.
pub(super) fn looks_like_one(body: &[u8]) -> bool {
    let body = body.trim_ascii_start();
    [b"data:".as_slice(), b"event:", b": "].iter().any(|start| body.starts_with(start))
}

/// Tells whether the end of a stream has come, so that nobody need wait for more.
pub(super) fn has_ended(body: &[u8]) -> bool {
    let mut last = body.rsplit(|byte| *byte == b'\n').filter(|line| !line.trim_ascii().is_empty());
    body.ends_with(b"\n") && last.next().is_some_and(|line| payload(line) == Some(b"[DONE]"))
}

/// Reads a whole stream.
pub(super) fn read(body: &[u8]) -> Result<Completion, Wrong> {
    let mut completion = Completion { finish: Finish::Unnamed, ..Completion::default() };
    let mut others = BTreeMap::new();
    for line in body.split(|byte| *byte == b'\n') {
        match payload(line) {
            None => {}
            Some(b"[DONE]") => {
                completion.others = others.into_values().collect();
                return Ok(completion);
            }
            Some(piece) => match serde_json::from_slice(piece) {
                Ok(piece) => add(&mut completion, &mut others, &piece)?,
                Err(_) => {
                    return Err(Wrong::Shape(
                        "a piece of its stream is not JSON",
                        beginning(completion),
                    ));
                }
            },
        }
    }
    Err(Wrong::Shape("its stream breaks off before its end", beginning(completion)))
}

/// What a line carries; nothing for comments, names of events and empty lines.
fn payload(line: &[u8]) -> Option<&[u8]> {
    line.strip_prefix(b"data:").map(<[u8]>::trim_ascii).filter(|payload| !payload.is_empty())
}

/// Adds a piece. Choices beside the first are put together by their numbers.
fn add(
    completion: &mut Completion,
    others: &mut BTreeMap<u64, String>,
    piece: &Value,
) -> Result<(), Wrong> {
    if piece.get("error").is_some_and(|error| !error.is_null()) {
        return Err(Wrong::Error(piece.clone()));
    }
    completion.model = completion.model.take().or_else(|| text(piece, "model"));
    completion.usage = usage(piece).or(completion.usage.take());
    // Pieces with usage only have no choice.
    for choice in piece.get("choices").and_then(Value::as_array).into_iter().flatten() {
        let delta = choice.get("delta").or_else(|| choice.get("message"));
        let more = delta.map_or(Some(String::new()), content);
        let more = more.ok_or(Wrong::Shape("its content is not text", None))?;
        if index(choice) > 0 {
            others.entry(index(choice)).or_default().push_str(&more);
            continue;
        }
        if let Some(finish) = finish(choice) {
            completion.finish = finish;
        }
        completion.text.push_str(&more);
        completion.elsewhere = completion.elsewhere.or_else(|| elsewhere(delta?));
        if let Some(more) = delta.and_then(|delta| text(delta, "refusal")) {
            completion.refusal.get_or_insert_default().push_str(&more);
        }
    }
    Ok(())
}

fn beginning(completion: Completion) -> Option<String> {
    Some(completion.text).filter(|text| !text.is_empty())
}
