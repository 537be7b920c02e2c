//! How much room there is for the cache.

use super::{CacheError, Cached};
use crate::store::free_bytes;
use std::io::{self, ErrorKind};
use std::path::Path;

/// The disk has no more than what stays free.
#[derive(Debug, thiserror::Error)]
#[error("less than {0} bytes of the disk are free (`min_free_bytes`)")]
struct Full(u64);

/// Fails where less than that, or the twentieth part of the disk, is free there.
pub(super) fn keep_free(dir: &Path, least: u64) -> Cached<()> {
    let failed = CacheError::file("write to", dir);
    match free_bytes::above(dir, least) {
        Ok(0) => Err(failed(io::Error::new(ErrorKind::StorageFull, Full(least)))),
        Ok(_) => Ok(()),
        Err(error) => Err(failed(error)),
    }
}
