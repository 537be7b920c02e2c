//! Which logs there are, and opening them as one archive.

mod configured;
mod foreign;
mod given;
mod latest;
mod names;
mod offer;

pub use configured::{configured, path_of_log, rank_of_log};
pub use given::given;
pub use latest::{Latest, latest, latest_given};

use crate::domain::BoxState;
use crate::files::paths::DataDir;
use crate::jsonl::Settings;
use crate::store::cache::{Archive, CacheError, LogFile, Request, SharedLogs};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// The logs of a run and where their cache is.
#[derive(Debug)]
pub struct Collected {
    /// The logs; of two equal records of one box the first counts.
    pub files: Vec<LogFile>,
    /// Boxes or local sources, those without a log among them.
    pub boxes: Vec<SourceBox>,
    /// Directory of the cache of just these sources.
    pub collection: PathBuf,
    /// Standard input, spooled for this run; removed when dropped.
    spool: Option<tempfile::TempDir>,
    /// A store elsewhere that has the logs.
    store: Option<Arc<dyn SharedLogs>>,
}

/// A source, and how fresh its logs are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SourceBox {
    /// Its name.
    pub name: String,
    /// How it is.
    pub state: BoxState,
    /// When its logs were last known to be complete, microseconds since 1970.
    pub complete: Option<crate::domain::Timestamp>,
    /// What went wrong.
    pub error: Option<String>,
    /// What was noticed.
    pub notices: Vec<String>,
    /// Where the files that look like logs went; `None` where none were listed.
    pub listed: Option<crate::domain::FileCounts>,
    /// Notices that bytes of logs may be missing.
    pub lacking: u64,
    /// Seconds that its clock is ahead of this machine's, negative where it is behind; `None` where both
    /// agree as far as is known.
    pub clock_ahead_s: Option<i64>,
}

/// Logs could not be listed.
#[derive(Debug, thiserror::Error)]
pub enum CollectError {
    /// A path that was given.
    #[error("failed to read {}", path.display())]
    Given {
        /// Which path.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Directories without a log.
    #[error("there is no log in {}: {instead}", path.display())]
    NoLog {
        /// The first of them.
        path: PathBuf,
        /// What is there.
        instead: String,
    },
    /// Standard input.
    #[error("failed to read standard input")]
    Stdin(#[source] io::Error),
    /// Standard input without a byte: what was to write it may have failed.
    #[error("standard input is empty")]
    NothingPiped,
}

impl Collected {
    /// The logs of a store elsewhere, of these boxes.
    pub fn of_store(boxes: Vec<SourceBox>, store: Arc<dyn SharedLogs>) -> Self {
        let (files, collection) = (Vec::new(), PathBuf::new());
        Self { files, boxes, collection, spool: None, store: Some(store) }
    }

    /// Opens the logs as one archive.
    ///
    /// # Errors
    /// A log that cannot be read, or a cache that cannot be written.
    pub fn open(
        &self,
        settings: &Settings,
        progress: &(dyn Fn(u64) + Sync),
    ) -> Result<Archive, CacheError> {
        if let Some(store) = &self.store {
            return Ok(Archive::shared(Arc::clone(store)));
        }
        let (dir, files) = (self.collection.as_path(), self.files.as_slice());
        Archive::open(&Request { dir, files, settings, progress })
    }

    /// Opens the logs and asks something of them. Where the cache says other things than the logs,
    /// it is dropped, they are read anew, and the question is asked once more.
    ///
    /// # Errors
    /// As [`Collected::open`], or the question's own.
    pub fn ask<T, E: Outdated + From<CacheError>>(
        &self,
        settings: &Settings,
        progress: &(dyn Fn(u64) + Sync),
        mut question: impl FnMut(&Archive) -> Result<T, E>,
    ) -> Result<T, E> {
        let archive = self.open(settings, progress)?;
        match question(&archive) {
            Err(error) if error.is_outdated() => {
                archive.forget();
                drop(archive);
                question(&self.open(settings, progress)?)
            }
            other => other,
        }
    }

    /// The store elsewhere that has the logs, where one has.
    pub fn store(&self) -> Option<&dyn SharedLogs> {
        self.store.as_deref()
    }

    /// Whether the sources are read for this run alone.
    pub fn is_spooled(&self) -> bool {
        self.spool.is_some()
    }
}

/// An error of a question, which may lie in what the cache says.
pub trait Outdated {
    /// Whether reading the logs anew may mend it.
    fn is_outdated(&self) -> bool;
}

impl Outdated for CacheError {
    fn is_outdated(&self) -> bool {
        self.is_damage()
    }
}

/// The directory of the cache of a set of given paths.
fn collection_of(data: &DataDir, paths: &[PathBuf]) -> PathBuf {
    let mut hasher = blake3::Hasher::new();
    for path in paths {
        hasher.update(path.as_os_str().as_encoded_bytes());
        hasher.update(b"\0");
    }
    let name: String = hasher.finalize().to_hex().chars().take(16).collect();
    data.cache().join("from").join(name)
}

/// So many caches of given paths are kept.
const KEPT: usize = 8;

/// Removes the caches of given paths that were used longest ago.
pub fn forget_old(data: &DataDir, current: &Path) {
    let used = |dir: &Path| std::fs::metadata(dir.join("lock")).and_then(|m| m.modified()).ok();
    let mut dirs: Vec<_> = std::fs::read_dir(data.cache().join("from"))
        .into_iter()
        .flatten()
        .flatten()
        .map(|entry| entry.path())
        .filter(|dir| dir != current)
        .map(|dir| (used(&dir), dir))
        .collect();
    dirs.sort();
    let surplus = (dirs.len() + 1).saturating_sub(KEPT);
    for (_, dir) in dirs.into_iter().take(surplus) {
        // A cache in use by another instance is left for the next time.
        let free = |name: &str| match std::fs::File::open(dir.join(name)) {
            Ok(file) => file.try_lock().is_ok(),
            Err(error) => error.kind() == io::ErrorKind::NotFound,
        };
        if free("lock") && free("readers") {
            let _ = std::fs::remove_dir_all(dir);
        }
    }
}
