//! What may still be written to a disk.

use std::io;
use std::path::Path;

/// This part of a disk stays free where that is less than the configured floor.
const PART: u64 = 20;

/// Free bytes of the disk that holds a path, beyond those that stay free.
///
/// # Errors
/// A path that is not there, or that the system tells nothing of.
pub fn above(path: &Path, least_free: u64) -> io::Result<u64> {
    let disk = rustix::fs::statvfs(path)?;
    let floor = (disk.f_blocks / PART).saturating_mul(disk.f_frsize).min(least_free);
    Ok(disk.f_bavail.saturating_mul(disk.f_frsize).saturating_sub(floor))
}
