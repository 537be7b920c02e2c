//! The columnar cache: what logs hold, read once.
//!
//! A *collection* is a directory with a manifest and immutable segments. Opening it compares the
//! logs with the manifest, reads only what grew, and gives an [`Archive`]. Whatever in it is
//! absent, old or damaged is made again from the logs, which are never touched.

#[cfg(test)]
mod accounting_tests;
mod again;
mod archive;
mod ask;
mod assemble;
mod checksummed;
mod coded;
mod collection;
mod collector;
mod column_cache;
mod counted;
mod counts;
mod cutting;
mod decided;
mod doubles;
mod evaluations;
mod flagging;
mod flags;
mod grid;
mod in_memory;
mod ingest;
mod job;
mod kept;
mod list;
mod manifest;
mod merge;
mod no_records;
mod open;
mod partitions;
mod passed;
mod pieces;
mod positions;
mod reading;
mod rejects;
mod remembered;
mod report;
mod room;
mod row;
mod rows;
mod runs;
mod segment;
mod segment_writer;
mod shared;
mod sort_keys;
mod stamp;
mod wanted;
mod whole;

pub use archive::Archive;
pub use collection::{Collection, Segment};
pub use decided::{TaskLine, decided};
pub use report::FileReport;
pub use row::Row;
pub use rows::{Located, RowError};
pub use shared::{EvaluationParts, Lacking, SharedLogs, Tallied, Totals};
pub use whole::Occurrence;

use crate::frame::FrameError;
use crate::frame::trend::TrendError;
use crate::jsonl::Settings;
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// What a thread that panicked left is whole: what is in it was made before it was put there.
fn lock<T>(slot: &Mutex<T>) -> MutexGuard<'_, T> {
    slot.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A log to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFile {
    /// The box or local source it belongs to.
    pub box_name: String,
    /// Its name for people: the path on the box, or as given.
    pub name: String,
    /// Where its bytes are on this machine.
    pub path: PathBuf,
    /// Read no further than this, where what follows is not yet certain.
    pub limit: Option<u64>,
    /// Compressed, with gzip or zstd.
    pub gzip: bool,
}

/// What to open.
pub struct Request<'a> {
    /// Directory of the collection; made where absent.
    pub dir: &'a Path,
    /// The logs in their order: of two equal records of one box the first is the one that counts, of two
    /// boxes that whose name is the first.
    pub files: &'a [LogFile],
    /// How to read.
    pub settings: &'a Settings,
    /// Called with the bytes read since the last call.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

/// The cache could not be used.
#[derive(Debug, thiserror::Error)]
pub enum CacheError {
    /// A file of the cache.
    #[error("failed to {attempt} {}", path.display())]
    File {
        /// What was attempted.
        attempt: &'static str,
        /// Which file.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// A log.
    #[error("failed to read {}", path.display())]
    Log {
        /// Which log.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: io::Error,
    },
    /// A file of the cache that is not what was written.
    #[error("{} of the cache is damaged", path.display())]
    Damaged {
        /// Which file.
        path: PathBuf,
        /// What is wrong with it.
        #[source]
        source: io::Error,
    },
    /// A segment's frame.
    #[error("segment {} of the cache", path.display())]
    Frame {
        /// Which file.
        path: PathBuf,
        /// Why it failed.
        #[source]
        source: FrameError,
    },
    /// A table that cannot be made.
    #[error("failed to make the table")]
    Trend(#[from] TrendError),
    /// A store elsewhere.
    #[error(transparent)]
    Store(Box<dyn Error + Send + Sync>),
}

impl CacheError {
    /// Whether the cache is at fault and not the system: made anew from the logs it is sound.
    pub fn is_damage(&self) -> bool {
        match self {
            Self::Damaged { .. } => true,
            Self::Frame { source, .. } => source.is_damage(),
            Self::File { .. } | Self::Log { .. } | Self::Trend(_) | Self::Store(_) => false,
        }
    }

    fn damaged(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Damaged { path, source }
    }

    fn file(attempt: &'static str, path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { attempt, path, source }
    }

    fn log(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Log { path, source }
    }

    fn frame(path: &Path) -> impl FnOnce(FrameError) -> Self {
        let path = path.to_path_buf();
        move |source| Self::Frame { path, source }
    }
}

/// Asks whether to stop; it is asked often and from several threads.
pub type Cancel<'a> = &'a (dyn Fn() -> bool + Sync);

/// A result of this room.
type Cached<T> = Result<T, CacheError>;
