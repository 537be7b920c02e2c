//! What a model answered, whatever protocol its endpoint speaks.

use crate::domain::Usage;
use crate::engine::finish::Finish;
use serde_json::Value;

/// What a model answered.
#[derive(Debug, Default, PartialEq)]
pub(in crate::provider) struct Completion {
    pub(in crate::provider) text: String,
    /// The texts of other choices.
    pub(in crate::provider) others: Vec<String>,
    /// Where something stands in place of an empty text.
    pub(in crate::provider) elsewhere: Option<&'static str>,
    pub(in crate::provider) refusal: Option<String>,
    pub(in crate::provider) model: Option<String>,
    pub(in crate::provider) usage: Option<Usage>,
    pub(in crate::provider) finish: Finish,
}

/// Why a reply is no answer.
#[derive(Debug, PartialEq)]
pub(in crate::provider) enum Wrong {
    /// It is an error under the cover of a good status; the whole of it.
    Error(Value),
    /// It is something else, in a few words; with what was understood of it.
    Shape(&'static str, Option<String>),
}

/// A body without the mark of its byte order.
pub(in crate::provider) fn without_mark(body: &[u8]) -> &[u8] {
    body.strip_prefix(b"\xef\xbb\xbf").unwrap_or(body)
}

/// A body as JSON, if it is one and no error. `answer` is the key that every answer has.
pub(in crate::provider) fn document(body: &[u8], answer: &str) -> Result<Value, Wrong> {
    if body.trim_ascii().is_empty() {
        return Err(Wrong::Shape("it is empty", None));
    }
    let whole: Value = serde_json::from_slice(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => Wrong::Shape("its JSON breaks off", None),
        _ => Wrong::Shape(other_than_json(body), None),
    })?;
    let is_set = |key: &str| whole.get(key).is_some_and(|error| !error.is_null());
    let is_said_to_be = |key: &str| whole.get(key).is_some_and(|of| of == "error");
    let is_error = is_set("error")
        || (!is_set(answer)
            && (["errors", "detail", "message", "msg"].iter().any(|key| is_set(key))
                || is_said_to_be("object")
                || is_said_to_be("type")));
    if is_error { Err(Wrong::Error(whole)) } else { Ok(whole) }
}

/// What a body is that is not JSON.
fn other_than_json(body: &[u8]) -> &'static str {
    let begin = body.trim_ascii_start();
    match begin {
        [0x1f, 0x8b, ..] => "it is compressed (gzip), which was not requested",
        [0xff, 0xfe, ..] | [0xfe, 0xff, ..] | [_, 0, ..] | [0, ..] => {
            "it is in UTF-16, and JSON is in UTF-8"
        }
        [b'<', ..] => "it is a web page, as a login page or a proxy sends one",
        _ if std::str::from_utf8(body).is_err() => "it is not in UTF-8",
        _ => "it is not JSON",
    }
}

/// A field that is a text with something in it.
pub(in crate::provider) fn text(of: &Value, name: &str) -> Option<String> {
    of.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
