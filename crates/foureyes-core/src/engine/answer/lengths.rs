//! How much of an answer is what.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Bytes of an answer: each is in exactly one of the three.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Lengths {
    /// Thoughts, with their tags.
    pub thought: u64,
    /// Objects with the call word.
    pub object: u64,
    /// Everything else.
    pub rest: u64,
}

/// What may follow an answer's last object without being said: ends of fences and turns.
const ENDS: [&str; 14] = [
    "`",
    "</answer>",
    "</output>",
    "</response>",
    "</s>",
    "<|im_end|>",
    "<|eot_id|>",
    "<|end|>",
    "<|return|>",
    "<|endoftext|>",
    "<|end_of_text|>",
    "<|end_of_solution|>",
    "<end_of_turn>",
    "<eos>",
];

impl Lengths {
    /// Of an answer of so many bytes, of which so many are said, and of those so many are its objects.
    pub(super) fn new(all: usize, answered: usize, object: usize) -> Self {
        let bytes = |count: usize| u64::try_from(count).unwrap_or(u64::MAX);
        Self {
            thought: bytes(all.saturating_sub(answered)),
            object: bytes(object),
            rest: bytes(answered.saturating_sub(object)),
        }
    }

    /// The lengths of two answers.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            thought: self.thought.saturating_add(other.thought),
            object: self.object.saturating_add(other.object),
            rest: self.rest.saturating_add(other.rest),
        }
    }
}

/// Whether nothing is said in a text.
pub(super) fn is_over(rest: &str) -> bool {
    let mut rest = rest.trim_matches(is_blank);
    while let Some(less) = ENDS.iter().find_map(|end| rest.strip_prefix(end)) {
        rest = less.trim_start_matches(is_blank);
    }
    rest.is_empty()
}

/// Whether a character says nothing: a blank, a byte order mark, or the bracket of a list around the object.
fn is_blank(c: char) -> bool {
    c.is_whitespace() || matches!(c, '\u{feff}' | '\u{200b}' | ']')
}
