//! The questions of tasks, kept beside the log that has their hashes: `questions/TASK_SHA.json`, a file each.
//!
//! The log has no texts of a task, and a person who is to decide needs them. Secrets are masked before anything is
//! written, nobody but the owner can read the files, and each is removed some days after its last run.

mod file;
mod keep;
mod known;

pub use file::{MOST_BYTES, Unusable, parse, read, write};
pub use keep::{NotKept, keep, prune};
pub use known::known;

use crate::files::atomic;
use std::path::{Path, PathBuf};

/// Directory of the files, beside the log.
pub const DIRECTORY: &str = "questions";

/// How names begin of files that a write which was killed may leave; nobody else's do.
const TEMPORARY: &str = ".tmp-foureyes-question-";

/// Digits of a hash.
const DIGITS: usize = 64;

/// The directory of the questions whose hashes are in a log.
pub fn directory_of(log: &Path) -> PathBuf {
    atomic::dir_of(log).join(DIRECTORY)
}

/// Whether a text is the hash of a question, and so a harmless file name.
pub fn is_sha(text: &str) -> bool {
    let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
    text.len() == DIGITS && text.bytes().all(is_digit)
}

/// Name of the file of a question. Its hash is looked at by whoever calls.
fn name(sha: &str) -> String {
    format!("{sha}.json")
}

#[cfg(test)]
mod tests;
