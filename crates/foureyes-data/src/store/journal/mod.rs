//! A file of lines that several processes append to, and that a crash may leave with half a line.
//!
//! Nothing in it is ever changed. What its lines say together is a [`Fold`] of them in their order.

mod steps;

pub use steps::{Real, Steps};

use crate::files::atomic;
use std::fs::{File, Metadata};
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// What lines say together.
pub trait Fold {
    /// Forgets all lines: another file stands there now.
    fn reset(&mut self);

    /// Takes the next line, with its end.
    fn take(&mut self, line: &[u8]);

    /// Looks at what stands behind the last line without an end. It comes again as soon as it has one.
    fn tail(&mut self, _bytes: &[u8]) {}
}

/// The file, and how far it was read.
#[derive(Debug, Clone)]
pub struct Journal {
    path: PathBuf,
    steps: Arc<dyn Steps>,
    /// Which file it was, to notice another one under the same name.
    file: Option<(u64, u64)>,
    /// Bytes of whole lines that were read.
    done: u64,
    /// The last line has no end.
    torn: bool,
}

/// What an append did.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Appended {
    /// The last line had no end, and was given one first.
    pub repaired: bool,
}

impl Journal {
    /// A journal that was not read yet; makes no file.
    pub fn at(path: PathBuf) -> Self {
        Self::with(path, Arc::new(Real))
    }

    /// The same with other steps.
    pub fn with(path: PathBuf, steps: Arc<dyn Steps>) -> Self {
        Self { path, steps, file: None, done: 0, torn: false }
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether its last line has no end.
    pub fn is_torn(&self) -> bool {
        self.torn
    }

    /// Reads what came since the last time; anew where another file stands there now.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn read(&mut self, fold: &mut impl Fold) -> io::Result<()> {
        let mut file = match File::open(&self.path) {
            Ok(file) => file,
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                self.begin(None, fold);
                return Ok(());
            }
            Err(error) => return Err(error),
        };
        steps::patiently(|| file.try_lock_shared())?;
        self.catch_up(&mut file, fold)
    }

    /// Appends lines, each with its end, under the lock: one write and one fsync for all of them.
    /// What others appended is read before; lines that are none only wait for the disk.
    ///
    /// # Errors
    /// A step that failed, or the caller's own error, before which nothing is written. Of the
    /// lines those count that reached the file, as [`Journal::read`] tells.
    pub fn append<F: Fold, E: From<io::Error>>(
        &mut self,
        fold: &mut F,
        lines: impl FnOnce(&F) -> Result<String, E>,
    ) -> Result<Appended, E> {
        if let Some(dir) = self.path.parent() {
            atomic::private_dir(dir)?;
        }
        let mut file = self.locked()?;
        self.catch_up(&mut file, fold)?;
        let repaired = self.torn;
        if repaired {
            // What a killed process left becomes a line of its own, before anything follows it.
            self.put(&mut file, b"\n")?;
            self.catch_up(&mut file, fold)?;
        }
        let lines = lines(fold)?;
        let first = self.done == 0;
        if !lines.is_empty() {
            self.put(&mut file, lines.as_bytes())?;
        }
        self.steps.sync(&file)?;
        if first {
            // Its name, and that of the directory, which may be new too.
            for dir in self.path.ancestors().skip(1).take(2) {
                self.steps.sync_dir(dir)?;
            }
        }
        self.catch_up(&mut file, fold)?;
        Ok(Appended { repaired })
    }

    fn put(&self, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        let taken = self.steps.write(file, bytes)?;
        if taken == bytes.len() {
            return Ok(());
        }
        let message = format!("{taken} of {} bytes were written", bytes.len());
        Err(io::Error::new(io::ErrorKind::WriteZero, message))
    }

    /// The file, made where absent, with its lock.
    fn locked(&self) -> io::Result<File> {
        loop {
            let file = self.steps.open(&self.path)?;
            self.steps.lock(&file)?;
            // Somebody may have put another file there before the lock was ours.
            let there = std::fs::metadata(&self.path).ok().map(|meta| identity(&meta));
            if there == Some(identity(&file.metadata()?)) {
                return Ok(file);
            }
        }
    }

    fn catch_up(&mut self, file: &mut File, fold: &mut impl Fold) -> io::Result<()> {
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
        if self.torn {
            fold.tail(tail);
        }
        Ok(())
    }

    /// Forgets what was read.
    fn begin(&mut self, file: Option<(u64, u64)>, fold: &mut impl Fold) {
        (self.file, self.done, self.torn) = (file, 0, false);
        fold.reset();
    }
}

/// Device and number of a file.
fn identity(meta: &Metadata) -> (u64, u64) {
    use std::os::unix::fs::MetadataExt;
    (meta.dev(), meta.ino())
}
