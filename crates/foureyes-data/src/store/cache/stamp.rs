//! How a file was when it was read, so that a change is noticed.

use super::{CacheError, Cached};
use serde::{Deserialize, Serialize};
use std::fs::Metadata;
use std::path::Path;
use std::time::UNIX_EPOCH;

/// Size, time and identity of a file.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Stamp {
    pub(super) len: u64,
    /// Last change, nanoseconds since 1970.
    pub(super) changed: i128,
    /// Last change of content or status, nanoseconds since 1970: unlike the other, nobody sets it back.
    status: i128,
    pub(super) inode: u64,
    pub(super) device: u64,
}

impl Stamp {
    pub(super) fn new(meta: &Metadata) -> Self {
        let changed = meta.modified().ok().and_then(|t| t.duration_since(UNIX_EPOCH).ok());
        #[cfg(unix)]
        let (inode, device, status) = {
            use std::os::unix::fs::MetadataExt;
            let status = i128::from(meta.ctime()) * 1_000_000_000 + i128::from(meta.ctime_nsec());
            (meta.ino(), meta.dev(), status)
        };
        #[cfg(not(unix))]
        let (inode, device, status) = (0, 0, 0);
        let changed = changed.map_or(0, |d| d.as_nanos() as i128);
        Self { len: meta.len(), changed, status, inode, device }
    }

    pub(super) fn at(path: &Path) -> Cached<Self> {
        let meta = std::fs::metadata(path).map_err(CacheError::log(path))?;
        Ok(Self::new(&meta))
    }

    /// The stamp of a file of the cache. Its content has a seal, and its status may change: a directory
    /// that is made read-only still holds a valid cache.
    pub(super) fn sealed(path: &Path) -> Cached<Self> {
        Ok(Self { status: 0, ..Self::at(path)? })
    }
}
