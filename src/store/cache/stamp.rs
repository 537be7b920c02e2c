//! How a file was when it was read, so that a change is noticed.

use super::{CacheError, Cached};
use serde::{Deserialize, Serialize};
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Size, time and identity of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) len: u64,
    /// Last change, nanoseconds since 1970.
    pub(super) changed: i128,
    pub(super) inode: u64,
    pub(super) device: u64,
}

impl Stamp {
    pub(super) fn of(meta: &Metadata) -> Self {
        let changed = meta.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        #[cfg(unix)]
        let (inode, device) = {
            use std::os::unix::fs::MetadataExt;
            (meta.ino(), meta.dev())
        };
        #[cfg(not(unix))]
        let (inode, device) = (0, 0);
        let changed = changed.map_or(0, |d| d.as_nanos() as i128);
        Self { len: meta.len(), changed, inode, device }
    }

    pub(super) fn at(path: &Path) -> Cached<Self> {
        let meta = std::fs::metadata(path).map_err(CacheError::log(path))?;
        Ok(Self::of(&meta))
    }
}

/// Hashes of the head of a log and of the block before where reading stopped.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Print {
    head: String,
    last: String,
    upto: u64,
}

/// Bytes of each of the two blocks.
const BLOCK: u64 = 4096;

impl Print {
    /// Takes the print of the first `upto` bytes.
    pub(super) fn take(path: &Path, upto: u64) -> Cached<Self> {
        let read = || -> io::Result<Self> {
            let mut file = File::open(path)?;
            let head = block(&mut file, 0, upto.min(BLOCK))?;
            let last = block(&mut file, upto.saturating_sub(BLOCK), upto.min(BLOCK))?;
            Ok(Self { head, last, upto })
        };
        read().map_err(CacheError::log(path))
    }

    /// Tells whether the file still begins as it did.
    pub(super) fn holds(&self, path: &Path) -> Cached<bool> {
        match Self::take(path, self.upto) {
            Ok(now) => Ok(now == *self),
            Err(CacheError::Log { source, .. })
                if source.kind() == io::ErrorKind::UnexpectedEof =>
            {
                Ok(false)
            }
            Err(error) => Err(error),
        }
    }
}

fn block(file: &mut File, at: u64, len: u64) -> io::Result<String> {
    let mut bytes = vec![0; len as usize];
    file.seek(SeekFrom::Start(at))?;
    file.read_exact(&mut bytes)?;
    Ok(blake3::hash(&bytes).to_hex().to_string())
}
