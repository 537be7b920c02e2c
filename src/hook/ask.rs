//! Who is asked.

use super::Content;
use crate::engine::record::PushRecord;
use std::time::Instant;

/// A judge of contents, as the hook knows it.
pub trait Judges {
    /// The model that is asked for.
    fn model(&self) -> &str;

    /// Version of its question: see [`crate::engine::prompt::Template::prompt_sha`].
    fn prompt_sha(&self) -> String;

    /// Tells whether it may not judge what this author wrote. Then no verdict of it counts, not
    /// even one that was given before.
    fn refuses(&self, author: &str) -> bool;

    /// Judges contents, so many at the same time, and gives the record of each as it comes; a
    /// failure is a record too. `None` is given for one that was not begun before `until`.
    fn judge(
        &self,
        contents: &[&Content],
        parallel: usize,
        until: Instant,
        each: &mut dyn FnMut(usize, Option<PushRecord>),
    );
}

/// Why nobody can be asked.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum NoJudge {
    /// There is no key: what says so.
    NoKey(String),
    /// Prompt, rubric or configuration cannot be used: why.
    Unusable(String),
}
