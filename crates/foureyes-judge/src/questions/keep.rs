//! Keeping a question, and removing those whose time is over.

use super::file::write;
use super::{TEMPORARY, directory_of, is_sha};
use crate::domain::Timestamp;
use crate::engine::task_question::{MaskedQuestion, TaskQuestion};
use memchr::memmem::Finder;
use serde::Deserialize;
use std::collections::HashSet;
use std::fs::{self, DirEntry, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Most files of a directory that one run looks at.
const MOST_LOOKED_AT: usize = 10_000;
/// What is left of a write that was killed is removed after this time.
const LEFT: Duration = Duration::from_secs(3600);
/// A day.
const DAY: Duration = Duration::from_secs(86_400);
/// Days for questions that a log which keeps none does not name: they are of other logs, or of a run that was killed.
const UNNAMED_DAYS: u32 = 30;
/// What stands in a line that names a question.
const KEY: &[u8] = b"\"task_sha\"";

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
/// none is kept, and those that the log names are removed.
///
/// # Errors
/// A step that failed; nothing of the question is there then.
pub fn keep(log: &Path, question: &TaskQuestion, days: u32, now: Timestamp) -> Result<(), NotKept> {
    let directory = directory_of(log);
    if days == 0 {
        remove(&directory, now, UNNAMED_DAYS, || named(log));
        return Ok(());
    }
    prune(&directory, days, now);
    let is_file = |log: &Path| fs::metadata(log).map_or(true, |meta| meta.is_file());
    let written = match is_file(log) {
        true => write(&directory, &question.sha(), &MaskedQuestion::new(question)),
        // Nothing is put beside a device or a pipe.
        false => Err(io::Error::other("the log is not a regular file")),
    };
    written.map_err(|source| NotKept { directory, source })
}

/// Removes the questions that were written more than so many days ago; with 0 days all. What cannot be removed now is
/// tried again by the next run.
pub fn prune(directory: &Path, days: u32, now: Timestamp) {
    remove(directory, now, days, HashSet::new);
}

/// Removes what is older than so many days, and all of some hashes, which are looked up where any file is younger.
fn remove(directory: &Path, now: Timestamp, days: u32, named: impl FnOnce() -> HashSet<String>) {
    // Through a link it would remove what is not ours.
    if !fs::symlink_metadata(directory).is_ok_and(|meta| meta.is_dir()) {
        return;
    }
    let now = UNIX_EPOCH + Duration::from_micros(u64::try_from(now.0).unwrap_or_default());
    let entries = fs::read_dir(directory).into_iter().flatten().flatten();
    let (over, young): (Vec<DirEntry>, Vec<DirEntry>) =
        entries.take(MOST_LOOKED_AT).partition(|entry| is_over(entry, days, now));
    let sha = |entry: &DirEntry| {
        let name = entry.file_name().into_string().ok()?;
        name.strip_suffix(".json").filter(|sha| is_sha(sha)).map(str::to_owned)
    };
    let mut young = young.into_iter().filter_map(|entry| Some((sha(&entry)?, entry))).peekable();
    let named = young.peek().is_some().then(named).unwrap_or_default();
    let named = young.filter(|(sha, _)| named.contains(sha)).map(|(_, entry)| entry);
    for entry in over.into_iter().chain(named) {
        let _ = fs::remove_file(entry.path());
    }
}

/// The hashes of questions that a log names; none where it cannot be read.
fn named(log: &Path) -> HashSet<String> {
    #[derive(Deserialize)]
    struct Line {
        task_sha: String,
    }
    let is_file = fs::metadata(log).is_ok_and(|meta| meta.is_file());
    let Some(file) = is_file.then(|| File::open(log).ok()).flatten() else { return HashSet::new() };
    let key = Finder::new(KEY);
    let lines = BufReader::new(file).split(b'\n').map_while(Result::ok);
    let lines = lines.filter(|line| key.find(line).is_some());
    lines.filter_map(|line| Some(serde_json::from_slice::<Line>(&line).ok()?.task_sha)).collect()
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
