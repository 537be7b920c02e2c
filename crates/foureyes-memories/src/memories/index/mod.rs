//! The full-text index of a directory: one file of SQLite in the cache, replaced as a whole.
//!
//! An update is made in a copy, which then takes the place of the file. So a reader needs no lock and
//! waits for nobody, and a crash leaves the old index or the new one. What is damaged is made anew.

mod schema;
mod search;
mod update;

pub use search::{Index, Scope};
pub use update::{Updated, update};

use super::directory::{Directory, Error as DirectoryError};
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// Why there is no index, or it was not made.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is none yet.
    #[error("there is no index yet")]
    None,
    /// It was written by another version.
    #[error("the index is of another version")]
    Version,
    /// Its tables or its full text are damaged.
    #[error("the index is damaged")]
    Damaged,
    /// SQLite failed: the file is damaged or cannot be read.
    #[error("failed to use the index: {0}")]
    Sqlite(#[from] rusqlite::Error),
    /// A step on files of the cache failed.
    #[error("failed to {what} the index")]
    File {
        /// The step.
        what: &'static str,
        /// Why.
        source: io::Error,
    },
    /// Another process is updating it.
    #[error("another process is updating the index")]
    Busy,
    /// The time was up.
    #[error("updating the index takes too long")]
    Time,
    /// The directory cannot be read.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
}

impl Error {
    /// Whether the file is damaged, so that only a new one helps.
    pub(super) fn is_damage(&self) -> bool {
        use rusqlite::ErrorCode::{DatabaseCorrupt, NotADatabase};
        match self {
            Self::Damaged => true,
            Self::Sqlite(error) => {
                matches!(error.sqlite_error_code(), Some(DatabaseCorrupt | NotADatabase))
            }
            _ => false,
        }
    }
}

/// The file of a directory's index.
pub fn index_path(cache: &Path, directory: &Directory) -> PathBuf {
    let hash = blake3::hash(directory.root().as_os_str().as_bytes()).to_hex();
    let name = hash.get(..32).unwrap_or_default();
    cache.join("memories").join(format!("{name}.sqlite"))
}

#[cfg(test)]
mod tests;
