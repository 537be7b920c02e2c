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
