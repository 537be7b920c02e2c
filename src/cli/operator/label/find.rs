//! The records that words name, or all problems at once.

use crate::cli::operator::reading;
use crate::cli::{Context, Failure};
use crate::collect::Collected;
use crate::domain::RecordId;
use crate::lookup::Known;

/// Most problems that are listed.
const LISTED: usize = 20;

/// Looks up what words may name in the logs.
pub(super) fn load(
    context: &Context,
    collected: &Collected,
    words: &[String],
) -> Result<Known, Failure> {
    reading::warn_stale(collected);
    reading::ask(context, collected, |archive| Ok(Known::load(archive, words, context.now)?))
}

/// The records that words name, in their order.
pub(in crate::cli) fn all(
    context: &Context,
    collected: &Collected,
    words: &[String],
) -> Result<Vec<RecordId>, Failure> {
    let known = load(context, collected, words)?;
    let mut problems = Vec::new();
    let mut found = Vec::new();
    for word in words {
        match known.find(word) {
            Ok(id) => found.push(id),
            Err(lost) => problems.push(lost.message(word)),
        }
    }
    none_or(problems, found)
}

/// A failure that lists problems, where there are any.
pub(super) fn none_or<T>(problems: Vec<String>, good: T) -> Result<T, Failure> {
    if problems.is_empty() {
        return Ok(good);
    }
    let more = problems.len().saturating_sub(LISTED);
    let mut listed = problems;
    listed.truncate(LISTED);
    if more > 0 {
        listed.push(format!("and {more} more"));
    }
    Err(Failure::usage(listed.join("\n"))
        .hint("nothing was saved")
        .hint("`foureyes records` lists ids; `--from` reads other logs"))
}
