//! The form that an answer is asked for in, in words and as a schema.

use super::super::PushVerdict;
use super::super::rubric::{HIGHEST, LOWEST};
use crate::domain::Dimension;
use serde_json::{Value, json};

/// The form in words. It holds no example: one repeated would pass for an answer.
pub fn form() -> String {
    let dimensions = Dimension::ALL.map(|d| format!("`{}`", d.as_str())).join(", ");
    let words = PushVerdict::ALL.map(|v| format!("\"{}\"", v.word())).join(", ");
    format!(
        "Answer with one JSON object and nothing else. Its keys:\n\
         - `scores`: an object with the keys {dimensions}, each a whole number from {LOWEST} to {HIGHEST}.\n\
         - `verdict`: one of {words}.\n\
         - `findings`: a text of a few sentences: what decided the scores, and where.\n\
         - `revision_suggestions`: a list of texts: what to change, most important first; empty where nothing is.\n"
    )
}

/// The same as a JSON Schema, for endpoints that take one. A wish, never a promise.
pub fn schema() -> Value {
    let score = json!({ "type": "integer", "minimum": LOWEST, "maximum": HIGHEST });
    let scores: Value =
        Dimension::ALL.iter().map(|d| (d.as_str().to_owned(), score.clone())).collect();
    json!({
        "type": "object",
        "properties": {
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
        "required": ["scores", "verdict", "findings", "revision_suggestions"],
        "additionalProperties": false,
    })
}
