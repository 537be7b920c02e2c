//! Locks between processes: on a file, or on a directory.

use std::fs::{File, TryLockError};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two tries for the lock.
const STEP: Duration = Duration::from_micros(500);

/// How a lock is tried for.
pub type TryLock = fn(&File) -> Result<(), TryLockError>;

/// Waits for the lock of a directory, which is free once the file is dropped or its process is gone.
/// `None` where there is none to be had: the directory cannot be opened, or its file system has no
/// locks.
///
/// # Errors
/// Another process has it until `until`.
pub fn in_directory(dir: &Path, until: Instant) -> io::Result<Option<File>> {
    let Ok(file) = File::open(dir) else { return Ok(None) };
    Ok(wait(&file, until, File::try_lock)?.then_some(file))
}

/// Waits for a lock; tells whether there is one. A file system that has none (many a network's) is
/// no reason to lose a record.
///
/// # Errors
/// Another process has it until `until`.
pub fn wait(file: &File, until: Instant, try_lock: TryLock) -> io::Result<bool> {
    loop {
        match try_lock(file) {
            Ok(()) => return Ok(true),
            Err(TryLockError::Error(error)) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(TryLockError::Error(_)) => return Ok(false),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another process has it"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(STEP),
        }
    }
}
