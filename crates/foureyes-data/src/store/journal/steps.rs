//! What a journal asks of the file system, a method a step, so that a test may watch or break it.

use crate::files::atomic;
use std::fmt::Debug;
use std::fs::{File, TryLockError};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, Instant};

/// How long another process may hold the lock; it does so for a write and an fsync.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time between two tries: short, since one who writes much lets go of the lock only for moments.
const STEP: Duration = Duration::from_micros(500);

/// The steps of an append, in the order in which they are taken.
///
/// Every one does the real thing unless it is written over.
pub trait Steps: Debug + Send + Sync {
    /// Opens the file to read and to append, made where absent.
    ///
    /// # Errors
    /// The file cannot be opened.
    fn open(&self, path: &Path) -> io::Result<File> {
        atomic::private().append(true).read(true).open(path)
    }

    /// Takes the lock for writing; free once the file is closed or its process is gone.
    ///
    /// # Errors
    /// Another process holds it for too long.
    fn lock(&self, file: &File) -> io::Result<()> {
        patiently(|| file.try_lock())
    }

    /// Hands bytes over in one call; gives how many were taken.
    ///
    /// # Errors
    /// The system's.
    fn write(&self, file: &mut File, bytes: &[u8]) -> io::Result<usize> {
        file.write(bytes)
    }

    /// Waits until the file is on the disk.
    ///
    /// # Errors
    /// The system's.
    fn sync(&self, file: &File) -> io::Result<()> {
        file.sync_all()
    }

    /// Waits until the names in a directory are on the disk.
    ///
    /// # Errors
    /// The system's.
    fn sync_dir(&self, dir: &Path) -> io::Result<()> {
        atomic::sync_dir(dir)
    }
}

/// The steps as they are.
#[derive(Debug, Clone, Copy, Default)]
pub struct Real;

impl Steps for Real {}

/// Tries for a lock for a while.
pub(super) fn patiently(lock: impl Fn() -> Result<(), TryLockError>) -> io::Result<()> {
    let start = Instant::now();
    loop {
        match lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if start.elapsed() >= PATIENCE => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another process locks it"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(STEP),
        }
    }
}
