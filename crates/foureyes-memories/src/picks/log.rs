//! The log of picks: a file a UTC day, a line a pick, only appended to.

use crate::domain::Timestamp;
use crate::engine::record::{PickFormat, PickRecord};
use crate::verdict_log::{self, VerdictLog};
use serde::{Deserialize, Serialize};
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::time::Instant;

/// The directory of texts, in that of the log.
const TEXTS: &str = "prompts";
/// Days that texts are kept.
const KEPT_DAYS: u32 = 30;
/// Longest line that counts for the cost of a day; none of ours is longer.
const MOST_LINE: u64 = 1 << 20;

/// Why a pick is not in the log, or its cost is not known.
#[derive(Debug, thiserror::Error)]
pub enum LogError {
    /// The line was not written.
    #[error(transparent)]
    Append(#[from] verdict_log::Error),
    /// The line could not be made.
    #[error("failed to encode the record")]
    Encode(#[from] serde_json::Error),
    /// The log could not be read.
    #[error("failed to read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What a pick was about, kept for people who label it. Secrets are masked.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PickText {
    /// Name and version of this format.
    pub schema: TextFormat,
    /// The id of the pick.
    pub pick: String,
    /// When it was made.
    pub timestamp: Timestamp,
    /// The prompt, or the words searched for.
    pub prompt: String,
    /// The last lines of the conversation.
    pub context: Vec<String>,
    /// The candidates, by rank.
    pub candidates: Vec<CandidateText>,
}

/// The format of texts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum TextFormat {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/pick-text/1")]
    PickText1,
}

/// The beginning of a candidate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct CandidateText {
    /// Path of its file.
    pub memory: String,
    /// Its title.
    pub title: Option<String>,
    /// The beginning of its text.
    pub body: String,
}

/// The directory of the log.
#[derive(Debug, Clone)]
pub struct PickLog {
    dir: PathBuf,
}

/// What of a line counts for the cost of a day.
#[derive(Deserialize)]
struct Cost {
    #[serde(rename = "schema")]
    _schema: PickFormat,
    cost: Option<f64>,
    cost_at_most: Option<f64>,
}

impl PickLog {
    /// A log in a directory, which need not be there.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// Appends a record to the file of its day, waits until it is on the disk, and removes texts that are too
    /// old. `until` bounds the wait for the lock.
    ///
    /// # Errors
    /// A step that failed.
    pub fn append(&self, record: &PickRecord, until: Instant) -> Result<(), LogError> {
        let line = record.line()?;
        VerdictLog::at(&self.dir).append(record.timestamp, &[line], until)?;
        self.remove_old_texts(record.timestamp);
        Ok(())
    }

    /// Appends a text to those of its day, readable by nobody else.
    ///
    /// # Errors
    /// A step that failed.
    pub fn append_text(&self, text: &PickText, until: Instant) -> Result<(), LogError> {
        let line = serde_json::to_string(text)?;
        let path = self.dir.join(TEXTS).join(format!("{}.jsonl", text.timestamp.day_text()));
        verdict_log::append_to(&path, &[line], until)?;
        Ok(())
    }

    /// What picks of a UTC day cost so far, or may have cost at most where nobody counted.
    ///
    /// # Errors
    /// The log is there and cannot be read.
    pub fn spent(&self, day: Timestamp) -> Result<f64, LogError> {
        let path = self.dir.join(format!("{}.jsonl", day.day_text()));
        let failed = |source| LogError::Read { path: path.clone(), source };
        // Asked before opening: opening a pipe would wait.
        match fs::metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0.0),
            Err(error) => return Err(failed(error)),
            Ok(meta) if !meta.is_file() => {
                return Err(failed(io::Error::other("it is not a file")));
            }
            Ok(_) => {}
        }
        let mut reader = BufReader::new(File::open(&path).map_err(failed)?);
        let (mut spent, mut line) = (0.0, Vec::new());
        loop {
            line.clear();
            let mut bounded = io::Read::take(&mut reader, MOST_LINE);
            if bounded.read_until(b'\n', &mut line).map_err(failed)? == 0 {
                return Ok(spent);
            }
            if let Ok(Cost { cost, cost_at_most, .. }) = serde_json::from_slice::<Cost>(&line) {
                let all = cost.unwrap_or_default() + cost_at_most.unwrap_or_default();
                spent += if all.is_finite() { all.max(0.0) } else { 0.0 };
            }
        }
    }

    /// Removes files of texts whose day is past.
    fn remove_old_texts(&self, now: Timestamp) {
        let Ok(entries) = fs::read_dir(self.dir.join(TEXTS)) else { return };
        let oldest = now.minus_days(KEPT_DAYS).day();
        for entry in entries.flatten() {
            let name = entry.file_name();
            let day = name.to_str().and_then(|name| name.strip_suffix(".jsonl"));
            if day.and_then(Timestamp::parse_day).is_some_and(|day| day.day() < oldest) {
                // The next pick tries again.
                let _ = fs::remove_file(entry.path());
            }
        }
    }
}
