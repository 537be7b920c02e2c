//! The log of judgements: signed lines, each with the hash of the line before it.
//!
//! One thread writes. It takes all lines that wait, writes them at once, and reports them as written
//! after one fsync: nobody is told of a judgement that a crash could take back.

mod file;
mod index;
mod line;

use index::OwnKey;
pub(super) use index::{Key, key_of, own_key};
pub(super) use line::{FourEyes, Line};

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
use tokio::sync::{mpsc, oneshot};

/// Lines that are written at once.
const BATCH: usize = 256;

/// The log of judgements.
#[derive(Debug)]
pub(super) struct Log {
    dir: PathBuf,
    index: Arc<Mutex<Index>>,
    sender: mpsc::Sender<Append>,
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

struct Append {
    line: Line,
    written: oneshot::Sender<Result<(), Error>>,
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
        let (sender, receiver) = mpsc::channel(BATCH * 4);
        let writer = Writer { files, signer, index: Arc::clone(&index), _alone: alone };
        let thread = std::thread::Builder::new().name("log".to_owned());
        thread.spawn(move || writer.run(receiver)).map_err(Error::Start)?;
        let (dir, keys) = (dir.to_owned(), Mutex::new(keys));
        Ok(Self { dir, index, sender, clock, keys, found, unverified: AtomicU64::new(0) })
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
        let (written, done) = oneshot::channel();
        let ended = || Error::Append {
            path: self.dir.clone(),
            source: io::Error::other("the thread of the log ended"),
        };
        self.sender.send(Append { line, written }).await.map_err(|_| ended())?;
        done.await.map_err(|_| ended())?
    }

    /// Where a judgement by its question and judge is.
    pub(super) fn find(&self, key: &Key) -> Option<Entry> {
        self.index().by_key(key, (self.clock)())
    }

    /// The id under which a client was answered so before.
    pub(super) fn own(&self, own: &OwnKey) -> Option<String> {
        self.index().own(own, (self.clock)())
    }

    /// Contents that were judged for a client on a day.
    pub(super) fn judged_on(&self, client: &str, day: i32) -> u64 {
        self.index().judged_on(client, day)
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
    /// Nobody else writes as long as this is open.
    _alone: Option<File>,
}

impl Writer {
    fn run(mut self, mut receiver: mpsc::Receiver<Append>) {
        let mut batch = Vec::new();
        while receiver.blocking_recv_many(&mut batch, BATCH) > 0 {
            self.write(std::mem::take(&mut batch));
        }
    }

    fn write(&mut self, batch: Vec<Append>) {
        let signer = self.signer.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let lines: Vec<&Line> = batch.iter().map(|append| &append.line).collect();
        match self.files.append(&lines, &signer) {
            Ok(entries) => {
                let mut index = self.index.lock().unwrap_or_else(PoisonError::into_inner);
                lines.iter().zip(entries).for_each(|(line, entry)| index.insert(line, entry));
                drop(index);
                // Who no longer waits is not told.
                batch.into_iter().for_each(|append| drop(append.written.send(Ok(()))));
            }
            Err(error) => {
                for append in batch {
                    let source = io::Error::new(error.kind(), error.to_string());
                    let path = self.files.dir().to_owned();
                    let _ = append.written.send(Err(Error::Append { path, source }));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
