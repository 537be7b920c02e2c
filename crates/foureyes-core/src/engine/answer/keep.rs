//! An answer that keeps some of a numbered list.

use super::call::{self, Places};
use super::find::{Found, find};
use super::form::CALL;
use super::node::Node;
use super::{Fault, MOST_BYTES};
use crate::engine::finish::Finish;
use crate::engine::problem::quoted;
use serde_json::{Value, json};

/// The key of the numbers.
const KEEP: &str = "keep";

/// Which numbers an answer keeps.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The numbers in the order of the answer, each once and in the list; else why it is no answer.
    pub numbers: Result<Vec<usize>, Fault>,
    /// Whether nothing follows its last object.
    pub is_last: bool,
}

/// Whether an object keeps something.
pub(super) fn is_about(node: &Node) -> bool {
    node.has(KEEP)
}

/// Reads an answer to the request with this call word about a list of so many, numbered from 0.
///
/// Whole objects with the word count and no others. What is out of range, doubled or no whole number is
/// dropped: nothing but numbers of the list comes back. Of several objects, what all keep is kept.
pub fn read_keep(text: &str, count: usize, call: &str) -> Kept {
    let not = |fault| Kept { numbers: Err(fault), is_last: false };
    if text.len() > MOST_BYTES {
        return not(Fault::TooLong { bytes: text.len() });
    }
    if text.trim().is_empty() {
        return not(Fault::Empty);
    }
    let parts = super::parted(text, call, is_about);
    if parts.open {
        return not(Fault::OnlyThoughts);
    }
    let text = text.get(parts.answered).unwrap_or_default();
    let found = find(text, call, is_about);
    let places = Places::new(text, &found, call);
    let (mut all, mut unfit, mut other): (Option<Vec<usize>>, _, _) = (None, None, None);
    for (span, one) in &found {
        match one {
            Found::Whole { node } if call::is_in(node, call) => match numbers(node, count) {
                Ok(mut kept) => {
                    kept.retain(|n| all.as_ref().is_none_or(|before| before.contains(n)));
                    all = Some(kept);
                }
                Err(fault) => unfit = Some(fault),
            },
            Found::Broken { fault } if places.is_in_broken(span.start) => {
                unfit = Some(fault.clone())
            }
            Found::Whole { .. } => other = Some(Fault::NoCall),
            Found::Around { .. } => other = other.or(Some(Fault::Nested)),
            Found::Broken { fault } => other = other.or_else(|| Some(fault.clone())),
        }
    }
    let last = found.last().and_then(|(span, _)| text.get(span.end..));
    let is_last = last.is_some_and(super::lengths::is_over);
    Kept { numbers: all.ok_or_else(|| unfit.or(other).unwrap_or(Fault::NoKeep)), is_last }
}

impl Kept {
    /// The same of an answer that ended so: nothing is kept by one that was cut.
    #[must_use]
    pub fn ended(self, finish: &Finish) -> Self {
        match finish.is_cut(self.is_last || self.numbers.is_err()) {
            true => Self { numbers: Err(Fault::Cut(finish.clone())), ..self },
            false => self,
        }
    }
}

fn numbers(node: &Node, count: usize) -> Result<Vec<usize>, Fault> {
    if let Some(key) = node.twice() {
        return Err(Fault::Twice { key: quoted(key) });
    }
    let Some(Node::List(items)) = node.get(KEEP) else { return Err(Fault::WrongType(KEEP)) };
    let mut kept = Vec::new();
    for item in items {
        let number = match item {
            Node::Whole(whole) => usize::try_from(*whole).ok(),
            _ => None,
        };
        kept.extend(number.filter(|n| *n < count && !kept.contains(n)));
    }
    Ok(kept)
}

/// The form in words, with the call word of one request.
pub(in crate::engine) fn form(call: &str) -> String {
    format!(
        "Answer with one JSON object and nothing else. Its keys:\n\
         - `{CALL}`: exactly {call}\n\
         - `{KEEP}`: a list of the numbers that you keep; empty where you keep none.\n\
         The word in `{CALL}` belongs to this request alone.\n"
    )
}

/// The same as a JSON Schema, for endpoints that take one.
pub(in crate::engine) fn schema() -> Value {
    json!({
        "type": "object",
        "properties": {
            CALL: { "type": "string" },
            KEEP: { "type": "array", "items": { "type": "integer" } },
        },
        "required": [CALL, KEEP],
        "additionalProperties": false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const CALL_WORD: &str = "0123456789abcdef";

    fn keep(text: &str) -> Result<Vec<usize>, Fault> {
        read_keep(&text.replace("CALL", CALL_WORD), 15, CALL_WORD).numbers
    }

    #[test]
    fn out_of_range_doubled_and_non_numbers_are_dropped() {
        let text = r#"{"call":"CALL","keep":[3, 3, 15, -1, "2", 1.5, null, [4], {"n":5}, 1e3, 99999999999999999999, 0, 14]}"#;
        assert_eq!(keep(text), Ok(vec![3, 0, 14]));
        assert_eq!(keep(r#"{"call":"CALL","keep":[]}"#), Ok(vec![]));
        assert_eq!(keep("Sure:\n```json\n{\"keep\": [2], \"call\": \"CALL\"}\n```"), Ok(vec![2]));
    }

    #[test]
    fn what_is_no_answer_has_a_cause() {
        for (text, fault) in [
            ("", Fault::Empty),
            ("I keep 1 and 2.", Fault::NoKeep),
            ("[1, 2]", Fault::NoKeep),
            (r#"{"keep":[1]}"#, Fault::NoCall),
            (r#"{"call":"fedcba9876543210","keep":[1]}"#, Fault::NoCall),
            (r#"{"answer":{"call":"CALL","keep":[1]}}"#, Fault::Nested),
            (r#"{"call":"CALL","keep":"1"}"#, Fault::WrongType("keep")),
            (r#"{"call":"CALL","keep":null}"#, Fault::WrongType("keep")),
            (r#"{"call":"CALL","keep":[1"#, Fault::Torn),
            (
                r#"{"call":"CALL","keep":[1],"keep":[2]}"#,
                Fault::Twice { key: "\"keep\"".to_owned() },
            ),
        ] {
            assert_eq!(keep(text), Err(fault), "{text}");
        }
    }

    #[test]
    fn of_several_objects_what_all_keep_is_kept() {
        let text =
            r#"{"call":"CALL","keep":[1,2,3]} no: {"call":"CALL","keep":[3,1,9]} {"keep":[2]}"#;
        assert_eq!(keep(text), Ok(vec![3, 1]));
    }

    proptest::proptest! {
        #[test]
        fn never_more_than_numbers_of_the_list_come_back(text in "[\\[\\]{}\",:0-9a-z -]{0,120}", count in 0usize..20) {
            let text = format!("{{\"call\":\"{CALL_WORD}\",\"keep\":[{text}");
            for text in [format!("{text}]}}"), text] {
                let numbers = read_keep(&text, count, CALL_WORD).numbers.unwrap_or_default();
                proptest::prop_assert!(numbers.iter().all(|n| *n < count));
            }
        }
    }
}
