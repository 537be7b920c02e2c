//! The log of judgements: signed lines, each with the hash of the line before it.
//!
//! Nobody is told of a judgement before its line is on the disk, so that no crash could take it back. One that
//! could not be written is kept, and written as soon as that is possible: it was paid for.

mod file;
mod index;
mod line;

use index::OwnKey;
pub(super) use index::{Key, key_of, own_key};
pub(super) use line::{FourEyes, Line};

use super::appender::{Appender, Sink, probe};
use super::{Error, SigningKey};
use crate::domain::Timestamp;
use crate::files::lock;
use crate::provider::service::ServiceKeys;
use file::Files;
use index::{Entry, Index, kept};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// The log of judgements.
#[derive(Debug)]
pub(super) struct Log {
    dir: PathBuf,
    index: Arc<Mutex<Index>>,
    appender: Appender<Line>,
    clock: fn() -> Timestamp,
    keys: Mutex<ServiceKeys>,
    /// What was found when it was opened.
    pub(super) found: Found,
    /// Lines whose signature or form is wrong, found when they were read.
    pub(super) unverified: AtomicU64,
}

/// What was found when a log was opened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Found {
    /// Lines in the files that were looked at.
    pub(super) lines: u64,
    /// Lines without an end or a form: the service was killed while it wrote.
    pub(super) torn: u64,
    /// Lines that do not name the line before them.
    pub(super) broken: u64,
}

impl Log {
    /// Opens the log of a directory, which nobody else may have open. What is older than `days` by the clock is not
    /// found.
    ///
    /// # Errors
    /// A directory that cannot be used, or that another service uses.
    pub(super) fn open(
        dir: &Path,
        days: u32,
        signer: Arc<Mutex<Arc<SigningKey>>>,
        keys: ServiceKeys,
        clock: fn() -> Timestamp,
    ) -> Result<Self, Error> {
        let failed = |source| Error::Log { path: dir.to_owned(), source };
        crate::files::atomic::private_dir(dir).map_err(failed)?;
        let alone = lock::in_directory(dir, Instant::now()).map_err(|_| {
            failed(io::Error::new(io::ErrorKind::WouldBlock, "another service uses it"))
        })?;
        let mut index = Index::new(days);
        let files = Files::open(dir, kept(days), &mut index)?;
        let found = files.found;
        let index = Arc::new(Mutex::new(index));
        let unwritten = Vec::new();
        let writer = Writer { files, signer, index: Arc::clone(&index), unwritten, _alone: alone };
        let appender = Appender::start("log", writer).map_err(Error::Start)?;
        let (dir, keys) = (dir.to_owned(), Mutex::new(keys));
        Ok(Self { dir, index, appender, clock, keys, found, unverified: AtomicU64::new(0) })
    }

    /// Has other public keys count from here on.
    pub(super) fn trust(&self, keys: ServiceKeys) {
        *self.keys.lock().unwrap_or_else(PoisonError::into_inner) = keys;
    }

    /// Appends a line, and waits until it is on the disk.
    ///
    /// # Errors
    /// It could not be written: nothing of it counts.
    pub(super) async fn append(&self, line: Line) -> Result<(), Error> {
        let written = self.appender.append(line).await;
        written.map_err(|source| Error::Append { path: self.dir.clone(), source })
    }

    /// Whether it could not be written the last time.
    pub(super) fn is_failing(&self) -> bool {
        self.appender.is_failing()
    }

    /// Tries to write it again, where that failed.
    pub(super) async fn recover(&self) {
        self.appender.recover().await;
    }

    /// Whether it has a line with an id.
    pub(super) fn has(&self, id: &str) -> bool {
        self.index().by_id(id, (self.clock)()).is_some()
    }

    /// Where a judgement by its question and judge is.
    pub(super) fn find(&self, key: &Key) -> Option<Entry> {
        self.index().by_key(key, (self.clock)())
    }

    /// The id under which a client was answered so before.
    pub(super) fn own(&self, own: &OwnKey) -> Option<String> {
        self.index().own(own, (self.clock)())
    }

    /// A line by its id.
    pub(super) fn by_id(&self, id: &str) -> Option<Line> {
        let entry = self.index().by_id(id, (self.clock)())?;
        self.read(entry)
    }

    /// Reads a line; none whose signature is by no key of ours.
    pub(super) fn read(&self, entry: Entry) -> Option<Line> {
        let bytes = file::read(&self.dir, entry).ok();
        let keys = self.keys.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let line = bytes.and_then(|bytes| Line::verified(&bytes, &keys));
        if line.is_none() {
            self.unverified.fetch_add(1, Ordering::Relaxed);
        }
        line
    }

    fn index(&self) -> MutexGuard<'_, Index> {
        self.index.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Writer {
    files: Files,
    signer: Arc<Mutex<Arc<SigningKey>>>,
    index: Arc<Mutex<Index>>,
    /// Lines of judgements that could not be written.
    unwritten: Vec<Line>,
    /// Nobody else writes as long as this is open.
    _alone: Option<File>,
}

impl Sink for Writer {
    type Item = Line;

    fn append(&mut self, lines: Vec<Line>) -> io::Result<()> {
        let signer = self.signer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let mut all = std::mem::take(&mut self.unwritten);
        all.extend(lines);
        match self.files.append(&all.iter().collect::<Vec<_>>(), &signer) {
            Ok(entries) => {
                let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
                all.iter().zip(entries).for_each(|(line, entry)| index.insert(line, entry));
                Ok(())
            }
            Err(error) => {
                // Whoever repeats what was judged before asks again.
                all.retain(Line::is_judged);
                self.unwritten = all;
                Err(error)
            }
        }
    }

    fn retry(&mut self) -> io::Result<()> {
        match self.unwritten.is_empty() {
            true => probe(self.files.dir()),
            false => self.append(Vec::new()),
        }
    }
}

#[cfg(test)]
mod tests;
