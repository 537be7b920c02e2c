//! The log of push verdicts on this machine: a file a UTC day, a line a verdict, only appended to.
//!
//! Other programs read and write it too, so a line is written in one piece and under a lock, and
//! nothing that stands there is ever touched.

mod chain;
mod changed;
mod index;
mod moment;
mod overrides;
mod search;
mod tasks;

pub use chain::{Chain, Follower, follow};
pub use changed::{ChangedBefore, changed_before};
pub use overrides::{Overridden, accepted_commits, overridden};
pub use search::{Found, Sought, Verdict, next_fresh, strictest};
pub use tasks::{Holding, LoggedOverride, LoggedRound, LoggedRun, TaskHistory, TaskQuery, history};

use crate::domain::Timestamp;
use crate::files::atomic;
use crate::files::lock::{self, TryLock};
use std::fs::{self, File, Metadata};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// UTC days in which a verdict may have come since it was looked for, today and yesterday: a push may
/// last past midnight, and not for a day.
pub const SINCE: u32 = 2;

/// Bytes that are read at a time in search of a last line.
const STEP_BACK: u64 = 64 << 10;
/// Bytes of a last line that are looked at.
const LONGEST: u64 = 32 << 20;

/// Why a verdict is not in the log, or could not be looked for.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// The directory is not there and could not be made.
    #[error("failed to make the directory {}", path.display())]
    Directory {
        /// The directory.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
    /// The file of the day could not be opened.
    #[error("failed to open {}", path.display())]
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
    #[error("failed to read {}", path.display())]
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
    /// The file system has no locks. A line is still written in one piece.
    pub unlocked: bool,
    /// The lines as they were written: each of ours names the one before it.
    pub lines: Vec<String>,
}

/// The directory of the log.
#[derive(Debug, Clone)]
pub struct VerdictLog {
    dir: PathBuf,
    looked: Arc<Mutex<search::Looked>>,
}

impl VerdictLog {
    /// A log in a directory, which need not be there.
    pub fn at(dir: impl Into<PathBuf>) -> Self {
        Self { dir: dir.into(), looked: Arc::default() }
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

    /// Appends the lines that are made of the verdicts which stand on a question by now, those of
    /// today and yesterday, the oldest first. Between the look and the write nobody else does the same, so
    /// that of several who asked at the same time one is the first, and the others know of it.
    ///
    /// # Errors
    /// As [`VerdictLog::append`].
    pub fn append_knowing(
        &self,
        now: Timestamp,
        asked: &Sought,
        days: u32,
        until: Instant,
        lines: &mut dyn FnMut(&[Verdict]) -> Vec<String>,
    ) -> Result<Appended, Error> {
        make(&self.dir)?;
        // The lock of a day's file would not do: at midnight two have two.
        let alone = lock::in_directory(&self.dir, until);
        let alone = alone.map_err(|source| Error::Lock { path: self.dir.clone(), source })?;
        let mut found = self.verdicts(std::slice::from_ref(asked), now, days);
        let stand = found.verdicts.remove(&asked.content_sha).unwrap_or_default();
        let appended = append_to(&self.file(now), &lines(&stand), until)?;
        Ok(Appended { unlocked: appended.unlocked || alone.is_none(), ..appended })
    }
}

/// Appends lines to a file in the same way, whatever its name.
///
/// # Errors
/// As [`VerdictLog::append`].
pub fn append_to(path: &Path, lines: &[String], until: Instant) -> Result<Appended, Error> {
    append_by(path, lines, until, File::try_lock)
}

fn append_by(
    path: &Path,
    lines: &[String],
    until: Instant,
    try_lock: TryLock,
) -> Result<Appended, Error> {
    let dir = path.parent().filter(|dir| !dir.as_os_str().is_empty());
    if let Some(dir) = dir {
        make(dir)?;
    }
    let Opened { mut file, new, locked } = open(path, until, try_lock)?;
    let failed = |source| Error::Write { path: path.to_owned(), source };
    let repaired = is_torn(&mut file).map_err(failed)?;
    let mut bytes = Vec::new();
    if repaired {
        bytes.push(b'\n');
    }
    let mut before = last_line(&mut file).map_err(failed)?;
    let mut written = Vec::new();
    for line in lines {
        // A line break inside would make two lines of one.
        let line = chain::linked(&line.replace('\n', " "), before.as_deref());
        bytes.extend(line.bytes());
        bytes.push(b'\n');
        before = Some(line.clone().into_bytes());
        written.push(line);
    }
    put(&mut file, &bytes).and_then(|()| file.sync_all()).map_err(failed)?;
    if new {
        atomic::sync_dir(dir.unwrap_or(Path::new("."))).map_err(failed)?;
    }
    Ok(Appended { path: path.to_owned(), repaired, unlocked: !locked, lines: written })
}

/// Makes the directory of a log that lines are to be appended to.
///
/// # Errors
/// It is not there and cannot be made.
pub fn make_directory(log: &Path) -> Result<(), Error> {
    make(atomic::dir_of(log))
}

/// Looks whether that directory is there or can be made, as far as that shows without making it.
///
/// # Errors
/// Something else is in its way.
pub fn check_directory(log: &Path) -> Result<(), Error> {
    let dir = atomic::dir_of(log);
    atomic::check_dir(dir).map_err(|source| Error::Directory { path: dir.to_owned(), source })
}

/// Looks whether lines can be appended to a log, and changes nothing.
///
/// # Errors
/// The log cannot be written, or there is none and no file can be made in its directory.
pub fn check_appendable(log: &Path) -> Result<(), Error> {
    check_is_file(log)?;
    let opened = match File::options().append(true).read(true).open(log) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => match fs::read_link(log) {
            // The file is made where the link leads.
            Ok(target) => return check_appendable(&atomic::dir_of(log).join(target)),
            Err(_) => tempfile::tempfile_in(atomic::dir_of(log)),
        },
        opened => opened,
    };
    opened.map(drop).map_err(|source| Error::Open { path: log.to_owned(), source })
}

/// Asked before opening: opening a pipe may wait for somebody at its other end.
fn check_is_file(log: &Path) -> Result<(), Error> {
    let is_other = fs::metadata(log).is_ok_and(|meta| !meta.is_file());
    if is_other {
        let source = io::Error::other("it is not a file");
        return Err(Error::Open { path: log.to_owned(), source });
    }
    Ok(())
}

fn make(dir: &Path) -> Result<(), Error> {
    atomic::private_dir(dir).map_err(|source| Error::Directory { path: dir.to_owned(), source })
}

/// A file that is open to be appended to.
struct Opened {
    file: File,
    /// It is empty.
    new: bool,
    /// Nobody else has it; else there are no locks here.
    locked: bool,
}

/// The file, made where absent, with its lock.
fn open(path: &Path, until: Instant, try_lock: TryLock) -> Result<Opened, Error> {
    let failed = |source| Error::Open { path: path.to_owned(), source };
    loop {
        check_is_file(path)?;
        let file = atomic::private().append(true).read(true).open(path).map_err(failed)?;
        let locked = lock::wait(&file, until, try_lock);
        let locked = locked.map_err(|source| Error::Lock { path: path.to_owned(), source })?;
        let meta = file.metadata().map_err(failed)?;
        // Somebody may have put another file there before the lock was ours.
        let there = fs::metadata(path).ok().map(|meta| identity(&meta));
        if there == Some(identity(&meta)) || Instant::now() >= until {
            return Ok(Opened { file, new: meta.len() == 0, locked });
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

/// The last line of a file without its end, torn or not; `None` where there is none, or one that is
/// longer than any record.
fn last_line(file: &mut File) -> io::Result<Option<Vec<u8>>> {
    let length = file.seek(SeekFrom::End(0))?;
    let mut held = Vec::new();
    while (held.len() as u64) < length.min(LONGEST) {
        let step = STEP_BACK.min(length - held.len() as u64);
        file.seek(SeekFrom::Start(length - held.len() as u64 - step))?;
        let mut block = Vec::new();
        Read::by_ref(file).take(step).read_to_end(&mut block)?;
        block.append(&mut held);
        held = block;
        let line = held.strip_suffix(b"\n").unwrap_or(&held);
        if let Some(at) = memchr::memrchr(b'\n', line) {
            return Ok(line.get(at + 1..).map(<[u8]>::to_vec));
        }
    }
    let whole = held.len() as u64 == length && length > 0;
    Ok(whole.then(|| held.strip_suffix(b"\n").unwrap_or(&held).to_vec()))
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
