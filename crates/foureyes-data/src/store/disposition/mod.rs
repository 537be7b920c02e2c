//! What the operator did with the items of the queue, and since when there is a queue.
//!
//! A file in the session directory to which lines are appended; it is never rewritten. What the
//! lines say together is made by reading them in order: of an item the last line counts.

mod line;
mod past;

pub use past::{Past, Step};

use self::line::Line;
use crate::domain::{RecordId, Timestamp};
use crate::files::paths::DataDir;
use crate::store::journal::{self, Journal};
use std::collections::HashMap;
use std::io;
use std::path::PathBuf;

/// What was done with an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, strum::VariantArray)]
pub enum Disposition {
    /// Nothing, or it was taken up again.
    #[default]
    Open,
    /// It was looked at and needs no more.
    Seen,
    /// It comes after all others, until it is seen or taken up again.
    Later,
}

impl Disposition {
    /// All of them.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// The word in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Seen => "seen",
            Self::Later => "later",
        }
    }
}

/// The file could not be read or written.
#[derive(Debug, thiserror::Error)]
pub enum DealtError {
    /// Reading failed.
    #[error("failed to read {}", path.display())]
    Read {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
    /// Writing failed; nothing that was asked for counts.
    #[error("failed to write {}", path.display())]
    Write {
        /// Which file.
        path: PathBuf,
        /// Why.
        #[source]
        source: io::Error,
    },
}

/// What the lines of the file say together.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Fold {
    /// Items that are not open.
    deals: HashMap<RecordId, Disposition>,
    /// In which order they were dealt with.
    past: Past,
    /// First instant of the queue, by collection.
    starts: HashMap<String, Timestamp>,
    /// Lines that say nothing to this version.
    ignored: u64,
}

impl journal::Fold for Fold {
    fn reset(&mut self) {
        *self = Self::default();
    }

    fn take(&mut self, line: &[u8]) {
        let line = line::read(line);
        if let Line::Disposition { id, deal, at } = line {
            self.past.take(id, deal, at);
        }
        match line {
            Line::Disposition { id, deal: Disposition::Open, .. } => drop(self.deals.remove(&id)),
            Line::Disposition { id, deal, .. } => drop(self.deals.insert(id, deal)),
            Line::Start { collection, start } => drop(self.starts.insert(collection, start)),
            Line::Other => self.ignored += 1,
        }
    }
}

/// What was done with the items of the queue.
///
/// Several processes may have it open: every change is appended under a lock, after reading what
/// the others appended.
#[derive(Debug, Clone)]
pub struct Dispositions {
    journal: Journal,
    fold: Fold,
}

impl Dispositions {
    /// Reads it; nothing was done where there is no file. Never makes one.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn load(data: &DataDir) -> Result<Self, DealtError> {
        let journal = Journal::at(data.session().join("dealt.jsonl"));
        let mut dispositions = Self { journal, fold: Fold::default() };
        dispositions.reload()?;
        Ok(dispositions)
    }

    /// Reads what other processes appended; tells whether anything changed.
    ///
    /// # Errors
    /// A file that cannot be read; what was known stays.
    pub fn reload(&mut self) -> Result<bool, DealtError> {
        let before = self.fold.clone();
        let read = self.journal.read(&mut self.fold);
        let path = || self.journal.path().to_owned();
        read.map_err(|source| DealtError::Read { path: path(), source })?;
        Ok(self.fold != before)
    }

    /// What was done with an item.
    pub fn deal(&self, id: &RecordId) -> Disposition {
        self.fold.deals.get(id).copied().unwrap_or_default()
    }

    /// In which order items were dealt with: the last steps.
    pub fn past(&self) -> &Past {
        &self.fold.past
    }

    /// Whether nothing was done with any item.
    pub fn is_empty(&self) -> bool {
        self.fold.deals.is_empty()
    }

    /// Items that are not open.
    pub fn len(&self) -> usize {
        self.fold.deals.len()
    }

    /// Lines that say nothing to this version: damaged, or written by a later one. They stay.
    pub fn ignored(&self) -> u64 {
        self.fold.ignored
    }

    /// Writes down what was done with items: one write and one fsync for all of them.
    ///
    /// # Errors
    /// A file that cannot be written or locked. Then this value says what it said before; of the
    /// items those count whose line reached the disk, as [`Dispositions::reload`] tells.
    pub fn put(
        &mut self,
        ids: &[RecordId],
        deal: Disposition,
        at: Timestamp,
    ) -> Result<(), DealtError> {
        let lines: String = ids.iter().map(|id| line::of_deal(id, deal, at)).collect();
        self.append(|_| lines)
    }

    /// Since when the queue of a collection is shown; `None` before its first run.
    pub fn start(&self, collection: &str) -> Option<Timestamp> {
        self.fold.starts.get(collection).copied()
    }

    /// Gives that instant, and writes `first` down where there is none yet.
    ///
    /// # Errors
    /// As [`Dispositions::put`].
    pub fn begin(
        &mut self,
        collection: &str,
        first: Timestamp,
        at: Timestamp,
    ) -> Result<Timestamp, DealtError> {
        if self.start(collection).is_none() {
            self.append(|fold| match fold.starts.contains_key(collection) {
                true => String::new(),
                false => line::of_start(collection, first, at),
            })?;
        }
        Ok(self.start(collection).unwrap_or(first))
    }

    /// Moves that instant.
    ///
    /// # Errors
    /// As [`Dispositions::put`].
    pub fn set_start(
        &mut self,
        collection: &str,
        start: Timestamp,
        at: Timestamp,
    ) -> Result<(), DealtError> {
        self.append(|_| line::of_start(collection, start, at))
    }

    fn append(&mut self, lines: impl FnOnce(&Fold) -> String) -> Result<(), DealtError> {
        let lines = |fold: &Fold| Ok::<_, io::Error>(lines(fold));
        let appended = self.journal.append(&mut self.fold, lines).map(drop);
        let path = || self.journal.path().to_owned();
        appended.map_err(|source| DealtError::Write { path: path(), source })
    }
}

#[cfg(test)]
mod tests;
