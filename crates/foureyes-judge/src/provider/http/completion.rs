//! What a model answered, whatever protocol its endpoint speaks.

use crate::domain::Usage;
use serde_json::Value;

/// What a model answered.
#[derive(Debug, Default, PartialEq)]
pub(in crate::provider) struct Completion {
    pub(in crate::provider) text: String,
    pub(in crate::provider) refusal: Option<String>,
    pub(in crate::provider) model: Option<String>,
    pub(in crate::provider) usage: Option<Usage>,
    pub(in crate::provider) finish: Finish,
}

/// How a model ended.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq)]
pub(in crate::provider) enum Finish {
    /// By itself, or nothing is known of it.
    #[default]
    Whole,
    /// At its limit of tokens.
    Limit,
    /// A filter of the endpoint withheld the answer.
    Filtered,
    /// With an error.
    Failed,
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

/// A body as JSON, if it is one and no error.
pub(in crate::provider) fn document(body: &[u8]) -> Result<Value, Wrong> {
    if body.trim_ascii().is_empty() {
        return Err(Wrong::Shape("it is empty", None));
    }
    let whole: Value = serde_json::from_slice(body).map_err(|error| match error.classify() {
        serde_json::error::Category::Eof => Wrong::Shape("its JSON breaks off", None),
        _ => Wrong::Shape("it is not JSON", None),
    })?;
    match whole.get("error").is_some_and(|error| !error.is_null()) {
        true => Err(Wrong::Error(whole)),
        false => Ok(whole),
    }
}

/// A field that is a text with something in it.
pub(in crate::provider) fn text(of: &Value, name: &str) -> Option<String> {
    of.get(name)?.as_str().filter(|text| !text.is_empty()).map(str::to_owned)
}
