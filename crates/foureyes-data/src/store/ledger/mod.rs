//! What reviewers said: append-only files, one a reviewer and machine.
//!
//! An entry is one line, one write and one fsync, and counts as saved only after that. Each line
//! carries the hash of the one before it, so that a change, a removal and a move show; what stands
//! behind the first line that is wrong is not believed. The chain finds what happened to a file. It
//! is no signature: whoever may write the file can write a whole new one, or take its end away.

mod chain;
mod check;
mod error;
mod line;
mod machine;
mod published;
mod received;
mod reviewers;

pub use chain::{Break, BreakKind};
pub use check::{FileCheck, Foreign, foreign, is_name, is_of_machine};
pub use error::LedgerError;
pub use line::LEDGER_SCHEMA;
pub use machine::{MachineName, Origins, machine};
pub use reviewers::reviewers;

use self::chain::Chain;
use self::error::Refused;
use self::line::Draft;
use crate::domain::review::{
    Act, Assignment, Dated, Entry, EntryId, LineHash, Present, Reviewer, Reviews, Seed, Sequence,
    in_order, present,
};
use crate::domain::{RecordId, Timestamp};
use crate::files::atomic;
use crate::files::paths::DataDir;
use crate::store::journal::{Journal, Real, Steps};
use crate::store::names;
use std::collections::BTreeMap;
use std::collections::hash_map::RandomState;
use std::fs;
use std::hash::{BuildHasher, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Longest text of a note or a reason, in bytes.
pub const LONGEST_TEXT: usize = 64 << 10;
/// Longest name of a reviewer or a machine, in bytes.
pub const LONGEST_NAME: usize = 256;
/// Longest line, in bytes.
pub const LONGEST_LINE: usize = 64 << 20;
/// How names of ledgers end.
const ENDING: &str = ".jsonl";

/// What was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Saved {
    /// The entry.
    pub entry: EntryId,
    /// In which file.
    pub path: PathBuf,
    /// It stood there already: it was saved before.
    pub already: bool,
    /// A line that a killed writer left was ended first.
    pub repaired: bool,
}

/// One file.
#[derive(Debug, Clone)]
struct LedgerFile {
    journal: Journal,
    chain: Chain,
}

/// All ledgers of a data directory.
///
/// Several processes may have them open: every entry is appended under a lock, after reading what
/// the others appended.
#[derive(Debug, Clone)]
pub struct Ledger {
    dir: PathBuf,
    steps: Arc<dyn Steps>,
    files: BTreeMap<String, LedgerFile>,
    /// Where the copy of the assignments in the store of the operators is, and what it has.
    received: (PathBuf, Vec<Dated<Assignment>>),
    /// What others published of ledgers, by the names of those.
    published: BTreeMap<String, Vec<Entry>>,
}

impl Ledger {
    /// Reads all ledgers. Makes no file.
    ///
    /// # Errors
    /// A directory or a file that is there and cannot be read.
    pub fn load(data: &DataDir) -> Result<Self, LedgerError> {
        Self::load_with(data, Arc::new(Real))
    }

    /// The same with other steps of writing.
    ///
    /// # Errors
    /// As [`Ledger::load`].
    pub fn load_with(data: &DataDir, steps: Arc<dyn Steps>) -> Result<Self, LedgerError> {
        let received = (data.assignments(), Vec::new());
        let (files, published) = (BTreeMap::new(), BTreeMap::new());
        let mut ledger = Self { dir: data.ledger(), steps, files, received, published };
        ledger.reload()?;
        Ok(ledger)
    }

    /// Reads what came since, in files that were known and in new ones.
    ///
    /// # Errors
    /// As [`Ledger::load`].
    pub fn reload(&mut self) -> Result<(), LedgerError> {
        for name in self.names()? {
            let file = self.file(&name);
            let read = file.journal.read(&mut file.chain);
            let path = file.journal.path().to_owned();
            read.map_err(|source| LedgerError::Read { path, source })?;
        }
        self.received.1 = received::read(&self.received.0);
        Ok(())
    }

    /// Keeps a copy of the assignments that the store of the operators holds, as it holds them.
    ///
    /// # Errors
    /// A copy that cannot be written.
    pub fn receive(&mut self, all: Vec<Dated<Assignment>>) -> Result<(), LedgerError> {
        let path = self.received.0.clone();
        received::write(&path, &all).map_err(|source| LedgerError::Write { path, source })?;
        self.received.1 = all;
        Ok(())
    }

    /// Names of the files that are there, in order, and of those that were.
    fn names(&self) -> Result<Vec<String>, LedgerError> {
        let failed = |source| LedgerError::Read { path: self.dir.clone(), source };
        let mut found: Vec<String> = self.files.keys().cloned().collect();
        let entries = match fs::read_dir(&self.dir) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(found),
            Err(error) => return Err(failed(error)),
        };
        for entry in entries {
            let entry = entry.map_err(failed)?;
            let Ok(name) = entry.file_name().into_string() else { continue };
            let ours = name.ends_with(ENDING) && name.contains('@') && entry.path().is_file();
            if ours && !self.files.contains_key(&name) {
                found.push(name);
            }
        }
        found.sort();
        Ok(found)
    }

    fn file(&mut self, name: &str) -> &mut LedgerFile {
        let (path, steps) = (self.dir.join(name), &self.steps);
        self.files.entry(name.to_owned()).or_insert_with(|| LedgerFile {
            journal: Journal::with(path, Arc::clone(steps)),
            chain: Chain::default(),
        })
    }

    /// The file that a reviewer writes to here: the last one of that name.
    fn own(&self, reviewer: &Reviewer) -> (String, u32) {
        let base = base(reviewer);
        let there = |n: &u32| self.dir.join(file_name(&base, *n)).exists();
        let last = (0..).take_while(there).last().unwrap_or(0);
        (file_name(&base, last), last)
    }

    /// Where a reviewer's next entry goes.
    pub fn path_of(&self, reviewer: &Reviewer) -> PathBuf {
        self.dir.join(self.own(reviewer).0)
    }

    /// Appends an entry. Once it returns, the entry is on the disk.
    ///
    /// An id that stands there already is saved once: so what may or may not have been written can
    /// be tried again.
    ///
    /// # Errors
    /// What cannot be written or locked, texts that are too long, or a ledger that is not as it
    /// was written. An entry that failed may yet be there, as [`Ledger::reload`] tells.
    pub fn append(
        &mut self,
        reviewer: &Reviewer,
        id: EntryId,
        time: Timestamp,
        act: &Act,
    ) -> Result<Saved, LedgerError> {
        error::check(reviewer, act)?;
        let (name, _) = self.own(reviewer);
        let seen = self.seen(&name, act)?;
        let file = self.file(&name);
        let draft = Draft { id, time, reviewer: &reviewer.name, machine: &reviewer.machine, act };
        let mut already = false;
        let appended = file.journal.append(&mut file.chain, |chain| {
            if let Some(broken) = chain.broken {
                return Err(Refused::Broken(broken));
            }
            already = chain.has(id);
            if already {
                return Ok(String::new());
            }
            let line = line::write(draft, chain.last(), seen).map_err(io::Error::from)?;
            if line.len() > LONGEST_LINE { Err(Refused::Long(line.len())) } else { Ok(line) }
        });
        let path = file.journal.path().to_owned();
        match appended {
            Ok(done) if file.chain.has(id) => {
                Ok(Saved { entry: id, path, already, repaired: done.repaired })
            }
            // Somebody without the lock wrote into it meanwhile.
            Ok(_) => Err(LedgerError::NotThere { path }),
            Err(refused) => Err(refused.at(path)),
        }
    }

    /// The last entries of the other ledgers, where an entry of one names them.
    ///
    /// A rule does, so that nothing here can be said to have come after it. So does the first entry
    /// behind rules or looks of others, so that it and what follows is proven to have come after those.
    fn seen(&mut self, name: &str, act: &Act) -> Result<Vec<LineHash>, LedgerError> {
        if act.is_rule() {
            self.reload()?;
        }
        let unread = Chain::default();
        let own = self.files.get(name).map_or(&unread, |file| &file.chain);
        let others =
            || self.files.iter().filter(|(other, _)| *other != name).map(|(_, f)| &f.chain);
        let names = act.is_rule() || others().any(|other| !own.knows_rules_of(other));
        Ok(others().filter(|_| names).filter_map(Chain::last).collect())
    }

    /// Begins a new file for a reviewer whose last one is broken, and gives its path.
    ///
    /// # Errors
    /// A last file that is not broken, or a file that cannot be made.
    pub fn renew(&mut self, reviewer: &Reviewer) -> Result<PathBuf, LedgerError> {
        self.reload()?;
        let (name, last) = self.own(reviewer);
        if self.files.get(&name).is_none_or(|file| file.chain.broken.is_none()) {
            return Err(LedgerError::NotBroken { path: self.dir.join(name) });
        }
        let path = self.dir.join(file_name(&base(reviewer), last + 1));
        let made = atomic::private().append(true).create_new(true).open(&path);
        let made = made.and_then(|file| file.sync_all()).and_then(|()| atomic::sync_dir(&self.dir));
        made.map_err(|source| LedgerError::Write { path: path.clone(), source })?;
        Ok(path)
    }

    /// What all ledgers say together at a time: what is of the future does not count yet.
    pub fn present(&self, now: Timestamp) -> Present {
        let mut present = present(&self.sequences(now)).at(now);
        // What was published has the assignments of the store itself.
        if !self.received.1.is_empty() && self.published.is_empty() {
            present.receive(&self.received.1);
        }
        present
    }

    /// The entries that count at a time, each once, in the order in which they do.
    pub fn in_order(&self, now: Timestamp) -> Vec<&Entry> {
        in_order(&self.sequences(now))
    }

    /// Counts what others published of ledgers as well, each with the name of its ledger and in its order:
    /// what is said is then what it would be with these ledgers merged here. Nothing of it is written.
    /// Entries that are here count as they are here.
    pub fn count_published(&mut self, published: BTreeMap<String, Vec<Entry>>) {
        self.published = published;
    }

    fn sequences(&self, now: Timestamp) -> Vec<Sequence<'_>> {
        let mut sequences: BTreeMap<&str, Sequence<'_>> = BTreeMap::new();
        for (name, file) in &self.files {
            let (entries, doubted) = check::split(file, now);
            sequences.insert(name, Sequence { name, entries, doubted });
        }
        for (name, published) in &self.published {
            let empty = || Sequence { name, entries: Vec::new(), doubted: Vec::new() };
            published::join(sequences.entry(name).or_insert_with(empty), published, now);
        }
        sequences.into_values().collect()
    }

    /// What they said together at an earlier time; what is believed is what is believed now.
    pub fn present_as_of(&self, as_of: Timestamp, now: Timestamp) -> Present {
        let mut sequences = self.sequences(now);
        for Sequence { entries, doubted, .. } in &mut sequences {
            entries.retain(|entry| entry.time <= as_of);
            doubted.retain(|entry| entry.time <= as_of);
        }
        present(&sequences)
    }

    /// What it says of records, for filters.
    pub fn reviews(&self, now: Timestamp) -> Reviews {
        self.present(now).reviews()
    }

    /// How each file is, in the order of their names.
    pub fn check(&self, now: Timestamp) -> Vec<FileCheck> {
        self.files.iter().map(|(name, file)| check::check_file(name, file, now)).collect()
    }

    /// All entries that are as they were written, a ledger after the other.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.files.values().flat_map(|file| &file.chain.entries)
    }

    /// The records that they name, some more than once.
    pub fn records(&self) -> impl Iterator<Item = RecordId> + '_ {
        self.entries().flat_map(|entry| entry.act.records())
    }

    /// The entries that are as they were written, by ledger: its name and its entries in their order.
    pub fn ledgers(&self) -> impl Iterator<Item = (&str, &[Entry])> {
        self.files.iter().map(|(name, file)| (name.as_str(), file.chain.entries.as_slice()))
    }

    /// An entry by its name.
    pub fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.files.values().find_map(|file| file.chain.entry(id))
    }

    /// The directory of the ledgers.
    pub fn dir(&self) -> &Path {
        &self.dir
    }
}

/// The name of a reviewer's files here, without generation and ending: whatever is in the names.
fn base(reviewer: &Reviewer) -> String {
    let part = |text: &str| names::encode(text.as_bytes(), 100);
    format!("{}@{}", part(&reviewer.name), part(&reviewer.machine))
}

fn file_name(base: &str, generation: u32) -> String {
    names::with_generation(base, generation) + ENDING
}

/// An id that no other entry has.
pub fn fresh_id(time: Timestamp) -> EntryId {
    // Each state is keyed at random by the system.
    let words = [RandomState::new(), RandomState::new()].map(|state| {
        let mut hasher = state.build_hasher();
        hasher.write_i64(time.0);
        hasher.write_u32(std::process::id());
        hasher.finish()
    });
    id_of(&words.map(u64::to_be_bytes).concat())
}

/// A seed that cannot be guessed: 256 bits from the system.
///
/// # Errors
/// A system that gives no random numbers.
pub fn fresh_seed() -> Result<Seed, LedgerError> {
    let mut seed = [0; 32];
    getrandom::fill(&mut seed).map_err(|source| LedgerError::NoRandomness { source })?;
    Ok(Seed(seed))
}

/// The id of what is the same whenever it is tried: of some bytes always the same.
pub fn id_of(bytes: &[u8]) -> EntryId {
    let mut id = [0; 16];
    id.copy_from_slice(&blake3::hash(bytes).as_bytes()[..16]);
    EntryId(id)
}

#[cfg(test)]
mod order_tests;
#[cfg(test)]
mod tests;
