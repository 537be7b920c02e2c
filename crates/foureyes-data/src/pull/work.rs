//! Writing what a box sends into its mirror, answer by answer.

use super::asking::put_aside;
use super::checkup::is_whole;
use super::plan::{self, Ask, Progress};
use crate::source::listing::Listing;
use crate::source::session::{Answer, ResponsePart};
use crate::store::blocks::Hashing;
use crate::store::cursor::Cursor;
use crate::store::lock::BoxLock;
use crate::store::mirror::{BoxMirror, Error, Generations};
use crate::store::state::{BoxStore, Entry, Fact};
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::runtime::Handle;
use tokio::task::{JoinHandle, spawn_blocking};

/// Copies that got so many bytes are made to last at once, each by itself. Fewer bytes are not worth a thread.
const LARGE: u64 = 8 << 20;

/// A pull of one box, as far as it got.
pub(super) struct Work {
    pub(super) mirror: BoxMirror,
    pub(super) store: BoxStore,
    pub(super) facts: Vec<Fact>,
    /// How many of the entries are of earlier pulls: the first ones.
    pub(super) known: usize,
    /// New bytes.
    pub(super) bytes: u64,
    /// Entries that got bytes or another name.
    pub(super) changed: BTreeSet<usize>,
    gate: Arc<Gate>,
    /// States made so far.
    version: u64,
    /// Entries whose bytes are not made to last yet, or are just being.
    dirty: Vec<(usize, Option<JoinHandle<io::Result<()>>>)>,
    /// Entries that a file of the present listing goes on with.
    adopted: BTreeSet<usize>,
    /// Entries whose path holds another content now, and the notice for it.
    displaced: Vec<(usize, Option<Fact>)>,
    listing: Option<Arc<Listing>>,
    taken: Generations,
    /// Bytes that may still come before a bound is reached.
    pub(super) room: u64,
    open: Option<Open>,
    before: Option<Before>,
}

/// How things were before the last question.
struct Before {
    files: Vec<Entry>,
    facts: usize,
    bytes: u64,
    changed: BTreeSet<usize>,
    adopted: BTreeSet<usize>,
    displaced: usize,
}

/// Keeps writers of the state apart: other processes by the lock, and our own by the version, for
/// a state may still be on its way to the disk when nobody waits for it any more.
struct Gate {
    _lock: BoxLock,
    /// Version saved last; `None` once bytes could not be made to last: a later state would say they do.
    saved: Mutex<Option<u64>>,
}

/// The answer that is coming in.
struct Open {
    ask: Ask,
    entry: usize,
    file: File,
    /// Of the copy, made while it is written.
    hashing: Hashing,
    unzipped: bool,
    /// Bytes that are still taken.
    room: u64,
    written: u64,
    /// Whether more came than there can be: something else is mixed into it.
    excess: bool,
}

impl Work {
    pub(super) fn new(mirror: BoxMirror, lock: BoxLock) -> Result<Self, Error> {
        let (mut store, recovered) = mirror.load()?;
        let mut facts = Vec::new();
        if recovered {
            facts.push(Fact::Recovered);
        }
        for entry in store.files.iter_mut().filter(|e| e.live) {
            if mirror.length(&entry.local) < entry.cursor.offset {
                put_aside(&mirror, entry, &mut facts);
            }
        }
        let taken = Generations::new(&store.files);
        Ok(Self {
            mirror,
            known: store.files.len(),
            store,
            facts,
            bytes: 0,
            changed: BTreeSet::new(),
            gate: Arc::new(Gate { _lock: lock, saved: Mutex::new(Some(0)) }),
            version: 0,
            dirty: Vec::new(),
            adopted: BTreeSet::new(),
            displaced: Vec::new(),
            listing: None,
            taken,
            room: u64::MAX,
            open: None,
            before: None,
        })
    }

    /// Starts, or starts over after a connection was lost, with a listing.
    pub(super) fn begin(&mut self, listing: Arc<Listing>) {
        self.adopted.clear();
        self.listing = Some(listing);
    }

    /// Remembers how things are, before a question.
    pub(super) fn ask(&mut self) {
        self.before = Some(Before {
            files: self.store.files.clone(),
            facts: self.facts.len(),
            bytes: self.bytes,
            changed: self.changed.clone(),
            adopted: self.adopted.clone(),
            displaced: self.displaced.len(),
        });
    }

    /// Forgets all answers to the last question: something else was mixed into them.
    pub(super) fn roll_back(&mut self) {
        let Some(before) = self.before.take() else { return };
        self.open = None;
        for begun in self.store.files.drain(before.files.len()..) {
            self.mirror.forget(&begun);
        }
        self.store.files = before.files;
        self.taken = Generations::new(&self.store.files);
        self.facts.truncate(before.facts);
        (self.bytes, self.changed, self.adopted) = (before.bytes, before.changed, before.adopted);
        self.displaced.truncate(before.displaced);
        self.dirty.retain(|(i, _)| *i < self.store.files.len());
    }

    /// Takes a piece of the answers to a batch.
    pub(super) fn take(
        &mut self,
        asks: &mut std::slice::IterMut<'_, Ask>,
        most: u64,
        part: ResponsePart<'_>,
    ) -> Result<u64, Error> {
        match part {
            ResponsePart::Start(answer) => {
                if let Some(ask) = asks.next() {
                    self.start(ask, answer, most)?;
                }
                Ok(0)
            }
            ResponsePart::Data(bytes) => self.data(bytes),
            ResponsePart::End => self.end().map(|()| 0),
        }
    }

    fn start(&mut self, ask: &mut Ask, answer: Answer, most: u64) -> Result<(), Error> {
        let (entry, unzipped, file) = match answer {
            Answer::Unreadable => {
                self.facts.push(Fact::Unreadable { path: ask.path.clone() });
                return Ok(());
            }
            Answer::Known(id) => {
                // An answer nobody asked for is taken as new content: nothing known is touched.
                let Some(at) = ask.candidates.iter().find(|c| c.0 == id) else {
                    return self.start(ask, Answer::New, most);
                };
                (id, at.1, self.known(ask, id, at.1)?)
            }
            Answer::New => {
                // Where our own copy was put aside, there was none to find it by.
                if ask.own.is_some() {
                    ask.progress = ask.progress.unknown();
                }
                let (entry, file) = self.mirror.create(&ask.path, &mut self.taken)?;
                self.store.files.push(entry);
                self.changed.insert(self.store.files.len() - 1);
                (self.store.files.len() - 1, false, file)
            }
        };
        self.displace(ask, entry);
        self.adopted.insert(entry);
        let Entry { local, cursor, .. } = &self.store.files[entry];
        let (path, offset) = (self.mirror.path(local), cursor.offset);
        let known = cursor.hashes.clone().unwrap_or_default();
        let hashing = Hashing::resume(&path, &known, offset)
            .map_err(|source| Error::Read { path, source })?;
        let left = if unzipped { u64::MAX } else { ask.stamp.size.saturating_sub(offset) };
        let room = left.min(most);
        let ask = ask.clone();
        self.open =
            Some(Open { ask, entry, file, hashing, unzipped, room, written: 0, excess: false });
        Ok(())
    }

    /// The path of an entry holds something else now, unless another file was found to go on
    /// with it.
    fn displace(&mut self, ask: &Ask, entry: usize) {
        // What this pull itself has copied from the path counts only while the path holds it.
        let is_free = |o: &usize| ask.progress.is_begun() || !self.adopted.contains(o);
        let Some(own) = ask.own.filter(|o| *o != entry && is_free(o)) else {
            return;
        };
        if !is_whole(&self.mirror, &self.store.files[own]) {
            // Not the box but this machine has changed it.
            put_aside(&self.mirror, &mut self.store.files[own], &mut self.facts);
            return;
        }
        let fact = match ask.progress.is_begun() {
            // The listing is older than what happened.
            true => Some(Fact::Incomplete { path: ask.path.clone() }),
            false => self
                .listing
                .as_deref()
                .and_then(|listing| plan::displaced(&self.store.files[own], &ask.stamp, listing)),
        };
        self.displaced.push((own, fact));
        self.store.files[own].live = false;
    }

    /// The file goes on with an entry, perhaps under another name.
    fn known(&mut self, ask: &Ask, id: usize, unzipped: bool) -> Result<File, Error> {
        let entry = &mut self.store.files[id];
        let file = self.mirror.append(&entry.local, entry.cursor.offset)?;
        if entry.path != ask.path {
            let from = std::mem::replace(&mut entry.path, ask.path.clone());
            self.facts.push(Fact::Rotated { from, to: ask.path.clone() });
            self.changed.insert(id);
        }
        entry.live = true;
        entry.archived = unzipped;
        Ok(file)
    }

    fn data(&mut self, bytes: &[u8]) -> Result<u64, Error> {
        let Some(open) = &mut self.open else { return Ok(0) };
        let wanted = usize::try_from(open.room).unwrap_or(usize::MAX).min(bytes.len());
        let taken = usize::try_from(self.room).unwrap_or(usize::MAX).min(wanted);
        let path = || PathBuf::from(&self.store.files[open.entry].local);
        open.file
            .write_all(&bytes[..taken])
            .map_err(|source| Error::Write { path: path(), source })?;
        open.hashing.push(&bytes[..taken]);
        // The box cuts files to what was asked for, and not always what it unzips.
        open.excess |= wanted < bytes.len() && !open.unzipped;
        open.room -= taken as u64;
        open.written += taken as u64;
        self.bytes += taken as u64;
        self.room -= taken as u64;
        if taken < wanted { Err(Error::Bound) } else { Ok(taken as u64) }
    }

    fn end(&mut self) -> Result<(), Error> {
        self.open.take().map_or(Ok(()), |open| self.close(open, true))
    }

    /// Keeps what came of an answer that was cut.
    pub(super) fn keep_partial(&mut self) -> Result<(), Error> {
        self.open.take().map_or(Ok(()), |open| self.close(open, false))
    }

    fn close(&mut self, mut open: Open, whole: bool) -> Result<(), Error> {
        if open.excess {
            self.facts.push(Fact::Garbled { path: open.ask.path });
            self.bytes -= open.written;
            return Ok(());
        }
        let entry = &mut self.store.files[open.entry];
        let offset = entry.cursor.offset + open.written;
        let complete = match open.unzipped {
            false => offset == open.ask.stamp.size,
            true => open.room > 0,
        };
        let unread = |source| Error::Read { path: PathBuf::from(&entry.local), source };
        let (head, tail) = Cursor::blocks(&mut open.file, offset).map_err(unread)?;
        // The listing was made of another file than what is in its place now.
        let is_listed = matches!(open.ask.progress, Progress::New | Progress::Begun);
        let stamp = (whole && complete && is_listed).then_some(open.ask.stamp);
        let hashes = Some(open.hashing.finish(offset).map_err(unread)?);
        entry.cursor = Cursor { offset, stamp, head, tail, hashes };
        // The disk takes a large copy while the next one comes.
        let file = open.file;
        let lasting = (open.written >= LARGE).then(|| spawn_blocking(move || file.sync_data()));
        self.dirty.push((open.entry, lasting));
        if open.written > 0 {
            self.changed.insert(open.entry);
        }
        Ok(())
    }

    /// Whether a file of the present listing goes on with an entry.
    pub(super) fn is_adopted(&self, entry: usize) -> bool {
        self.adopted.contains(&entry)
    }

    /// Bytes of all copies.
    pub(super) fn copied(&self) -> u64 {
        self.store.files.iter().map(|entry| entry.cursor.offset).sum()
    }

    /// What must be done, away from the runtime's threads, for all of it to last.
    pub(super) fn commit(&mut self) -> impl FnOnce() -> Result<(), Error> + Send + 'static {
        let dirty = std::mem::take(&mut self.dirty);
        self.version += 1;
        let (version, gate) = (self.version, Arc::clone(&self.gate));
        let (mirror, store, runtime) = (self.mirror.clone(), self.store.clone(), Handle::current());
        move || {
            let mut saved = gate.saved.lock().unwrap_or_else(PoisonError::into_inner);
            let last = saved.take().ok_or_else(|| Error::Write {
                path: mirror.dir().to_owned(),
                source: io::Error::other("an earlier write failed"),
            })?;
            let is_any = !dirty.is_empty();
            for (i, lasting) in dirty {
                let local = &store.files[i].local;
                let lasts = match lasting {
                    Some(lasting) => runtime.block_on(lasting).map_err(io::Error::other).flatten(),
                    None => mirror.read(local).and_then(|file| file.sync_data()),
                };
                lasts.map_err(|source| Error::Write { path: PathBuf::from(local), source })?;
            }
            if is_any {
                mirror.sync_names()?;
            }
            if last < version {
                store.save(mirror.dir())?;
            }
            *saved = Some(last.max(version));
            Ok(())
        }
    }
}

mod remaining;
#[cfg(test)]
mod tests;
