//! The log of push verdicts on this machine: a file a UTC day, a line a verdict, only appended to.
//!
//! Other programs read and write it too, so a line is written in one piece and under a lock, and
//! nothing that stands there is ever touched.

mod search;

pub use search::{Asked, Verdict};

use super::atomic;
use crate::domain::Timestamp;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Time between two tries for the lock.
const STEP: Duration = Duration::from_micros(500);

/// Why a verdict is not in the log, or could not be looked for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The directory is not there and could not be made.
    #[error("making the directory {}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file of the day could not be opened.
    #[error("opening {}", path.display())]
    Open {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// Another process has the lock for too long.
    #[error("waiting for the lock of {}", path.display())]
    Lock {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The line was not written, or not all of it.
    #[error("appending to {}", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// A file that is there could not be read.
    #[error("reading {}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// What an append did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Appended {
    /// The file of the day.
    pub path: PathBuf,
    /// The last line had no end, and was given one first.
    pub repaired: bool,
}

/// The directory of the log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct VerdictLog {
    dir: PathBuf,
}

impl VerdictLog {
    /// A log in a directory, which need not be there.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into() }
    }

    /// The directory.
    pub fn dir(&self) -> &Path {
        &self.dir
    }

    /// The file of a UTC day.
    pub fn file(&self, day: Timestamp) -> PathBuf {
        self.dir.join(format!("{}.jsonl", day.day_text()))
    }

    /// Appends lines to the file of the day, all in one write, and waits until they are on the disk.
    ///
    /// A line is given without its end and has none in it. `until` bounds the wait for the lock.
    ///
    /// # Errors
    /// A step that failed. What then stands in the file is what stood there, and at most the
    /// beginning of the lines, which the next append keeps apart from its own.
    pub fn append(
        &self,
        now: Timestamp,
        lines: &[String],
        until: Instant,
    ) -> Result<Appended, Error> {
        append_to(&self.file(now), lines, until)
    }
}

/// Appends lines to a file in the same way, whatever its name.
///
/// # Errors
/// As [`VerdictLog::append`].
pub fn append_to(path: &Path, lines: &[String], until: Instant) -> Result<Appended, Error> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    if let Some(dir) = dir {
        let made = atomic::private_dir(dir);
        made.map_err(|source| Error::Directory { path: dir.to_owned(), source })?;
    }
    let (mut file, new) = locked(path, until)?;
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let repaired = is_torn(&mut file).map_err(failed)?;
    let mut bytes = Vec::new();
    if repaired {
        bytes.push(b'\n');
    }
    for line in lines {
        // A line break inside would make two lines of one.
        bytes.extend(line.bytes().map(|b| if b == b'\n' { b' ' } else { b }));
        bytes.push(b'\n');
    }
    put(&mut file, &bytes).and_then(|()| file.sync_all()).map_err(failed)?;
    if new {
        atomic::sync_dir(dir.unwrap_or(Path::new("."))).map_err(failed)?;
    }
    Ok(Appended { path: path.to_owned(), repaired })
}

/// The file, made where absent, with its lock; tells whether it is empty.
fn locked(path: &Path, until: Instant) -> Result<(File, bool), Error> {
    loop {
        let opened = atomic::private().append(true).read(true).open(path);
        let file = opened.map_err(|source| Error::Open { path: path.to_owned(), source })?;
        lock(&file, until).map_err(|source| Error::Lock { path: path.to_owned(), source })?;
        let meta = file.metadata();
        let meta = meta.map_err(|source| Error::Open { path: path.to_owned(), source })?;
        // Somebody may have put another file there before the lock was ours.
        let there = std::fs::metadata(path).ok().map(|meta| identity(&meta));
        if there == Some(identity(&meta)) || Instant::now() >= until {
            return Ok((file, meta.len() == 0));
        }
    }
}

fn lock(file: &File, until: Instant) -> io::Result<()> {
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(()),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if Instant::now() >= until => {
                return Err(io::Error::new(io::ErrorKind::TimedOut, "another process has it"));
            }
            Err(TryLockError::WouldBlock) => std::thread::sleep(STEP),
        }
    }
}

fn is_torn(file: &mut File) -> io::Result<bool> {
    if file.seek(SeekFrom::End(0))? == 0 {
        return Ok(false);
    }
    file.seek(SeekFrom::End(-1))?;
    let mut last = [0];
    file.read_exact(&mut last)?;
    Ok(last != *b"\n")
}

/// Hands bytes over in one call.
fn put(file: &mut File, bytes: &[u8]) -> io::Result<()> {
    let taken = file.write(bytes)?;
    if taken == bytes.len() {
        return Ok(());
    }
    let message = format!("{taken} of {} bytes were written", bytes.len());
    Err(io::Error::new(io::ErrorKind::WriteZero, message))
}

/// Device and number of a file.
fn identity(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

#[cfg(test)]
mod tests;
