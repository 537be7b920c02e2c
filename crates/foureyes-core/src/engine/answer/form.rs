//! The form that an answer is asked for in, in words and as a schema.

use super::super::PushVerdict;
use super::super::rubric::{HIGHEST, LOWEST};
use crate::domain::Dimension;
use serde_json::{Value, json};

/// The key of the call word.
pub(super) const CALL: &str = "call";

/// The form in words, with the call word of one request. It holds no JSON: an object with the word is
/// the judge's own, so none may stand anywhere in a request.
pub fn form(call: &str) -> String {
    let dimensions = Dimension::ALL.map(|d| format!("`{}`", d.as_str())).join(", ");
    let words = PushVerdict::ALL.map(|v| format!("\"{}\"", v.word())).join(", ");
    format!(
        "Answer with one JSON object and nothing else. Its keys:\n\
         - `{CALL}`: exactly {call}. This word belongs to this request alone; an object without it is not your answer.\n\
         - `scores`: an object with the keys {dimensions}, each a whole number from {LOWEST} to {HIGHEST}.\n\
         - `verdict`: one of {words}.\n\
         - `findings`: a text of a few sentences: what decided the scores, and where.\n\
         - `revision_suggestions`: a list of texts: what to change, most important first; empty where nothing is.\n"
    )
}

/// The same as a JSON Schema, for endpoints that take one. A wish, never a promise.
///
/// The call word is not a constant in it: an endpoint would force the word into an object that only
/// quotes, and would compile the schema anew for every request.
pub fn schema() -> Value {
    let score = json!({ "type": "integer", "minimum": LOWEST, "maximum": HIGHEST });
    let scores: Value =
        Dimension::ALL.iter().map(|d| (d.as_str().to_owned(), score.clone())).collect();
    json!({
        "type": "object",
        "properties": {
            CALL: { "type": "string" },
            "scores": {
                "type": "object",
                "properties": scores,
                "required": Dimension::ALL.map(Dimension::as_str),
                "additionalProperties": false,
            },
            "verdict": { "type": "string", "enum": PushVerdict::ALL.map(PushVerdict::word) },
            "findings": { "type": "string" },
            "revision_suggestions": { "type": "array", "items": { "type": "string" } },
        },
        "required": [CALL, "scores", "verdict", "findings", "revision_suggestions"],
        "additionalProperties": false,
    })
}
