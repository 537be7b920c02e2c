//! Objects in a text of whatever kind.

use super::Fault;
use super::node::Node;
use super::object;
use crate::engine::PushVerdict;
use std::ops::Range;

/// Most braces of a text that are tried.
const MOST_TRIES: usize = 10_000;

/// What stands where an object begins.
#[derive(Debug)]
pub(super) enum Found {
    /// A whole object that is about a verdict.
    Whole { node: Node },
    /// The beginning of an object that has no right end.
    Broken { said: Option<PushVerdict>, fault: Fault },
}

/// How far a broken object is searched for its verdict, in bytes.
const NEAR: usize = 16 << 10;

/// The objects about a verdict that stand in a text, none inside another, and all that are broken.
pub(super) fn find(text: &str) -> Vec<(Range<usize>, Found)> {
    let mut found = Vec::new();
    let (mut at, mut tries) = (start(text), 0);
    while let Some(open) = text.get(at..).and_then(|rest| rest.find('{')).map(|i| at + i) {
        let rest = text.get(open..).unwrap_or_default();
        let mut values = serde_json::Deserializer::from_str(rest).into_iter::<Node>();
        tries += 1;
        at = match values.next() {
            _ if tries > MOST_TRIES => {
                let broken = Found::Broken { said: None, fault: Fault::Garbled };
                found.push((open..text.len(), broken));
                return found;
            }
            Some(Ok(node)) => {
                let end = open + values.byte_offset();
                if object::is_about_a_verdict(&node) {
                    found.push((open..end, Found::Whole { node }));
                }
                end
            }
            Some(Err(error)) if looks_like_an_object(rest) => {
                let fault = if error.is_eof() { Fault::Torn } else { Fault::Garbled };
                found.push((open..open + 1, Found::Broken { said: said_in(rest), fault }));
                open + 1
            }
            _ => open + 1,
        };
    }
    found
}

/// Where an answer begins that thinks aloud before it: after the thoughts, which are no answer.
fn start(text: &str) -> usize {
    const THOUGHTS: &str = "<think>";
    const END: &str = "</think>";
    if !text.trim_start().starts_with(THOUGHTS) {
        return 0;
    }
    // The last one: thoughts may speak of such an end themselves, and quote what is no answer.
    text.rfind(END).map_or(text.len(), |at| at + END.len())
}

/// Tells whether what begins with a brace goes on as a JSON object with a key.
fn looks_like_an_object(text: &str) -> bool {
    text.get(1..).is_some_and(|rest| rest.trim_start().starts_with('"'))
}

/// The first verdict that a broken object states near its beginning.
fn said_in(text: &str) -> Option<PushVerdict> {
    // Of a text full of broken objects each would else be searched to the end.
    let text = text.get(..text.floor_char_boundary(NEAR)).unwrap_or_default();
    let after = text.split_once("\"verdict\"")?.1.trim_start().strip_prefix(':')?;
    let word = after.trim_start().strip_prefix('"')?.split('"').next()?;
    PushVerdict::of_word(word)
}
