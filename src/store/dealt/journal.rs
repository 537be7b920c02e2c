//! A file of lines that several processes append to, and that a crash may leave with half a line.

use super::Fold;
use crate::store::atomic;
use std::fs::{File, Metadata, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::PathBuf;
use std::time::{Duration, Instant};

/// How long another process may hold the lock; it does so for a write and an fsync.
const PATIENCE: Duration = Duration::from_secs(5);
/// Time between two tries.
const STEP: Duration = Duration::from_millis(5);

/// The file, and how far it was read.
#[derive(Debug, Clone)]
pub(super) struct Journal {
    path: PathBuf,
    /// Which file it was, to notice another one under the same name.
    file: Option<(u64, u64)>,
    /// Bytes of whole lines that were read.
    done: u64,
    /// The last line has no end.
    torn: bool,
}

impl Journal {
    pub(super) fn at(path: PathBuf) -> Self {
        Self { path, file: None, done: 0, torn: false }
    }

    pub(super) fn path(&self) -> PathBuf {
        self.path.clone()
    }

    /// Reads what came since the last time; anew where another file stands there now.
    pub(super) fn read(&mut self, fold: &mut Fold) -> io::Result<()> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.begin(None, fold);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        patiently(|| file.try_lock_shared())?;
        self.catch_up(&mut file, fold)
    }

    /// Appends lines, each with its end, under the lock. What others appended is read before.
    pub(super) fn append(
        &mut self,
        fold: &mut Fold,
        lines: impl FnOnce(&Fold) -> String,
    ) -> io::Result<()> {
        if let Some(dir) = self.path.parent() {
            atomic::private_dir(dir)?;
        }
        let mut file = self.locked()?;
        self.catch_up(&mut file, fold)?;
        let lines = lines(fold);
        if lines.is_empty() {
            return Ok(());
        }
        // Ends what a killed process left, so that it stays a line of its own.
        let end = if self.torn { "\n" } else { "" };
        file.write_all(format!("{end}{lines}").as_bytes())?;
        file.sync_all()?;
        if self.done == 0
            && let Some(dir) = self.path.parent()
        {
            atomic::sync_dir(dir)?;
        }
        self.catch_up(&mut file, fold)
    }

    /// The file, made where absent, with its lock.
    fn locked(&self) -> io::Result<File> {
        loop {
            let mut options = File::options();
            options.create(true).append(true).read(true);
            #[cfg(unix)]
            std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
            let file = options.open(&self.path)?;
            patiently(|| file.try_lock())?;
            // Somebody may have put another file there before the lock was ours.
            let there = std::fs::metadata(&self.path).ok().map(|meta| identity(&meta));
            if there == Some(identity(&file.metadata()?)) {
                return Ok(file);
            }
        }
    }

    fn catch_up(&mut self, file: &mut File, fold: &mut Fold) -> io::Result<()> {
        let meta = file.metadata()?;
        if self.file != Some(identity(&meta)) || meta.len() < self.done {
            self.begin(Some(identity(&meta)), fold);
        }
        let mut bytes = Vec::new();
        file.seek(SeekFrom::Start(self.done))?;
        file.read_to_end(&mut bytes)?;
        let whole = memchr::memrchr(b'\n', &bytes).map_or(0, |at| at + 1);
        let (lines, tail) = bytes.split_at(whole);
        for line in lines.split_inclusive(|b| *b == b'\n') {
            fold.take(line);
        }
        self.done += whole as u64;
        self.torn = !tail.is_empty();
        Ok(())
    }

    /// Forgets what was read.
    fn begin(&mut self, file: Option<(u64, u64)>, fold: &mut Fold) {
        *self = Self { file, ..Self::at(self.path()) };
        *fold = Fold::default();
    }
}

/// Device and number of a file.
fn identity(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}

/// Tries for a lock for a while.
fn patiently(lock: impl Fn() -> Result<(), TryLockError>) -> io::Result<()> {
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
