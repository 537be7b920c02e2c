//! Which stored memories help a coding agent: the question, its order, and what comes of an answer.

mod block;
mod choice;
mod order;
mod question;

pub use block::{Block, Shown, block};
pub use choice::{Fallback, Mode, combined};
pub use order::order;
pub use question::{
    Candidate, Criterion, MOST_LINE, MOST_MESSAGES, MOST_PROMPT, MOST_TAGS, MOST_TITLE, MOST_WORD,
    Question, beginning, prompt_sha, schema,
};

/// Most candidates of one question.
pub const MOST_CANDIDATES: usize = 20;
/// Most of them that a judge may be let keep.
pub const MOST_KEPT: usize = MOST_CANDIDATES;
