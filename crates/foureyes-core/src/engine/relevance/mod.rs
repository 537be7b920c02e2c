//! Which stored memories help a coding agent: the question, its order, and what comes of an answer.

mod block;
mod choice;
mod order;
mod question;

pub use block::{Shown, block};
pub use choice::{Fallback, Mode, combined};
pub use order::order;
pub use question::{
    Candidate, Criterion, MOST_CONTEXT, MOST_LINE, MOST_PROMPT, MOST_TAGS, MOST_TITLE, MOST_WORD,
    Question, beginning, prompt_sha, schema,
};

/// Candidates that are judged before a prompt, and for a search.
pub const CANDIDATES: [usize; 2] = [15, 20];
