//! One process at a time in a directory.

use super::verdict_log;
use std::fs::File;
use std::io;
use std::path::Path;
use std::time::Instant;

/// Waits for the lock of a directory, which is free once the file is dropped or its process is gone.
/// `None` where there is none to be had: the directory cannot be opened, or its file system has no
/// locks.
///
/// # Errors
/// Another process has it until `until`.
pub fn in_directory(dir: &Path, until: Instant) -> io::Result<Option<File>> {
    let Ok(file) = File::open(dir) else { return Ok(None) };
    Ok(verdict_log::lock(&file, until, File::try_lock)?.then_some(file))
}
