//! One file with everything that cannot be made again: ledgers, mirror, sessions, reports and the
//! configuration; and the way back from it.
//!
//! The file is a tar archive, compressed with zstd. Its last entry is a manifest with the length and
//! the BLAKE3 hash of every other entry, so an archive that was cut or changed is found before
//! anything is put in its place. The cache is left out: it is rebuilt from the mirror.

mod create;
mod hashed;
mod manifest;
mod restore;
#[cfg(test)]
mod tests;

pub use create::create;
pub use restore::{RestoredConfig, check, restore};

use crate::domain::Timestamp;
use std::io;
use std::path::PathBuf;

/// Value of `schema` in the manifest.
pub const SCHEMA: &str = "foureyes/backup/1";

/// What an archive has.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Summary {
    /// Files, the configuration among them.
    pub files: usize,
    /// Bytes of these files, uncompressed.
    pub bytes: u64,
    /// Ledgers.
    pub ledgers: usize,
    /// Boxes with a mirror.
    pub boxes: usize,
    /// Whether the configuration is in it.
    pub has_config: bool,
    /// When the archive was made.
    pub created: Timestamp,
    /// Paths that were left out because they are not regular files with a plain name.
    pub left_out: Vec<PathBuf>,
}

/// A backup could not be made, checked or restored.
#[derive(Debug, thiserror::Error)]
pub enum BackupError {
    /// A file of the data directory, or the configuration.
    #[error("failed to read {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file became shorter while it was read.
    #[error("{} changed while it was read", path.display())]
    Changed {
        /// The file.
        path: PathBuf,
    },
    /// A pull is writing to the mirror of a box.
    #[error("the mirror in {} is being written by a pull", path.display())]
    Busy {
        /// Its directory.
        path: PathBuf,
    },
    /// The archive could not be written.
    #[error("failed to write the backup")]
    Write(#[source] io::Error),
    /// The archive could not be read, or is not one.
    #[error("failed to read the backup")]
    Archive(#[source] io::Error),
    /// The archive is readable, but is not what was written.
    #[error("the backup is damaged or incomplete: {0}")]
    Damaged(String),
    /// There is data where the backup is to go.
    #[error("{} already has data", path.display())]
    Occupied {
        /// The data directory.
        path: PathBuf,
    },
    /// A file could not be put in its place.
    #[error("failed to restore {}", path.display())]
    Restore {
        /// The file or directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}
