//! Keeping a question, and removing those whose time is over.

use super::file::write;
use super::{beside, is_sha};
use crate::domain::Timestamp;
use crate::engine::task_question::{MaskedQuestion, TaskQuestion};
use crate::files::atomic::TEMPORARY;
use std::fs::{self, DirEntry};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Most files of a directory that one run looks at.
const MOST_LOOKED_AT: usize = 10_000;
/// What is left of a write that was killed is removed after this time.
const LEFT: Duration = Duration::from_secs(3600);
/// A day.
const DAY: Duration = Duration::from_secs(86_400);

/// The question of a task is not kept. The verdict is the same without it.
#[derive(Debug, thiserror::Error)]
#[error("failed to keep the question of the task in {}", directory.display())]
pub struct NotKept {
    /// Where it was to be.
    pub directory: PathBuf,
    /// Why.
    #[source]
    pub source: io::Error,
}

/// Keeps the question of a task beside its log for so many days, masked, and removes those that are older. With 0 days
/// none is kept.
///
/// # Errors
/// A step that failed; nothing of the question is there then.
pub fn keep(log: &Path, question: &TaskQuestion, days: u32, now: Timestamp) -> Result<(), NotKept> {
    let directory = beside(log);
    prune(&directory, days, now);
    if days == 0 {
        return Ok(());
    }
    let is_file = |log: &Path| fs::metadata(log).map_or(true, |meta| meta.is_file());
    let written = match is_file(log) {
        true => write(&directory, &question.sha(), &MaskedQuestion::new(question)),
        // Nothing is put beside a device or a pipe.
        false => Err(io::Error::other("the log is not a regular file")),
    };
    written.map_err(|source| NotKept { directory, source })
}

/// Removes the questions that were written more than so many days ago. What cannot be removed now is tried again by
/// the next run.
pub fn prune(directory: &Path, days: u32, now: Timestamp) {
    // Through a link it would remove what is not ours.
    if !fs::symlink_metadata(directory).is_ok_and(|meta| meta.is_dir()) {
        return;
    }
    let now = UNIX_EPOCH + Duration::from_micros(u64::try_from(now.0).unwrap_or_default());
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    for entry in entries.take(MOST_LOOKED_AT).filter(|entry| is_over(entry, days, now)) {
        let _ = fs::remove_file(entry.path());
    }
}

/// Whether a file is one of these, and its time is over.
fn is_over(entry: &DirEntry, days: u32, now: SystemTime) -> bool {
    let name = entry.file_name();
    let name = name.to_string_lossy();
    let longest = match name.strip_suffix(".json").is_some_and(is_sha) {
        true => DAY.saturating_mul(days),
        false if name.starts_with(TEMPORARY) => LEFT,
        false => return false,
    };
    let written = entry.metadata().ok().filter(fs::Metadata::is_file).map(|meta| meta.modified());
    // A time to come is that of a clock that was wrong.
    let age = written.and_then(Result::ok).map(|written| now.duration_since(written));
    age.is_some_and(|age| days == 0 || age.is_ok_and(|age| age > longest))
}
