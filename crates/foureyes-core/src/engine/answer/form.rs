//! The form that an answer is asked for in, in words and as a schema.

use crate::domain::Dimension;
use crate::engine::rubric::{HIGHEST, LOWEST};
use crate::engine::verdict::{Kind, Texts, Verdict};
use serde_json::{Value, json};

/// The key of the call word.
pub(super) const CALL: &str = "call";
/// The keys of a suggestion that is an object.
pub(super) const IMPROVEMENT: [&str; 4] = ["dimension", "location", "issue", "suggestion"];

/// The form in words, with the call word of one request. It holds no JSON: an object with the word is
/// the judge's own, so none may stand anywhere in a request.
pub fn form<V: Verdict>(kind: &Kind<V>, call: &str) -> String {
    let dimensions = Dimension::ALL.map(|d| format!("`{}`", d.as_str())).join(", ");
    let words = kind.all_words().map(|word| format!("\"{word}\"")).collect::<Vec<_>>().join(", ");
    let Texts { findings, suggestions, objects } = kind.texts;
    let each = match objects {
        true => format!(
            "a list of objects with the keys {}, each a text",
            IMPROVEMENT.map(|key| format!("`{key}`")).join(", ")
        ),
        false => "a list of texts".to_owned(),
    };
    format!(
        "Answer with one JSON object and nothing else. Its keys:\n\
         - `{CALL}`: exactly {call}\n\
         - `scores`: an object with the keys {dimensions}, each a whole number from {LOWEST} to {HIGHEST}.\n\
         - `verdict`: one of {words}.\n\
         - `{findings}`: a text of a few sentences: what decided the scores, and where.\n\
         - `{suggestions}`: {each}: what to change, most important first; empty where nothing is.\n\
         The word in `{CALL}` belongs to this request alone: an object without it is not your answer.\n"
    )
}

/// The last line of a question: nothing follows the call word, so that nothing is copied along with it.
pub fn closing(call: &str) -> String {
    format!("Write the object now. In `{CALL}`, write this word: {call}")
}

/// The same as a JSON Schema, for endpoints that take one. A wish, never a promise.
///
/// The call word is not a constant in it: an endpoint would force the word into an object that only
/// quotes, and would compile the schema anew for every request.
pub fn schema<V: Verdict>(kind: &Kind<V>) -> Value {
    let score = json!({ "type": "integer", "minimum": LOWEST, "maximum": HIGHEST });
    let scores: Value =
        Dimension::ALL.iter().map(|d| (d.as_str().to_owned(), score.clone())).collect();
    let Texts { findings, suggestions, objects } = kind.texts;
    let text = json!({ "type": "string" });
    let each = match objects {
        true => json!({
            "type": "object",
            "properties": IMPROVEMENT.map(|key| (key, text.clone())).into_iter().collect::<Value>(),
            "required": IMPROVEMENT,
            "additionalProperties": false,
        }),
        false => text.clone(),
    };
    json!({
        "type": "object",
        "properties": {
            CALL: text,
            "scores": {
                "type": "object",
                "properties": scores,
                "required": Dimension::ALL.map(Dimension::as_str),
                "additionalProperties": false,
            },
            "verdict": { "type": "string", "enum": kind.all_words().collect::<Vec<_>>() },
            findings: { "type": "string" },
            suggestions: { "type": "array", "items": each },
        },
        "required": [CALL, "scores", "verdict", findings, suggestions],
        "additionalProperties": false,
    })
}
