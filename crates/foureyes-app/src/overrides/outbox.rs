//! What is to be written to boxes, and what was: an append-only journal of this machine.

use crate::domain::review::EntryId;
use crate::domain::{Outcome, Timestamp};
use crate::files::paths::DataDir;
use crate::store::journal::{Fold, Journal, Real, Steps};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// Name of the format of a line.
const SCHEMA: &str = "foureyes/override-delivery/1";

/// The journal could not be read or written.
#[derive(Debug, thiserror::Error)]
#[error("failed to {attempt} {}", path.display())]
pub struct BookError {
    attempt: &'static str,
    path: PathBuf,
    #[source]
    source: io::Error,
}

impl BookError {
    /// Tells whether it was to be written.
    pub fn is_write(&self) -> bool {
        self.attempt == "write"
    }
}

/// A record that is to stand on a box.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Delivery {
    /// The entry of the ledger, and the id of the record on the box.
    pub(super) id: EntryId,
    #[serde(rename = "box")]
    pub(super) box_name: String,
    pub(super) path: String,
    pub(super) make: bool,
    /// The record to the letter: tried again, it is the same.
    pub(super) line: String,
    /// What the judge said of the record that it answers; lines of earlier versions do not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) judged: Option<Outcome>,
}

/// One line of the journal.
#[derive(Serialize, Deserialize)]
struct Line {
    schema: String,
    time: Timestamp,
    #[serde(flatten)]
    event: Event,
}

#[derive(Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Event {
    /// Noted before the entry stands in the ledger: without one it means nothing.
    Wanted(Delivery),
    Confirmed {
        id: EntryId,
    },
    Failed {
        ids: Vec<EntryId>,
        error: String,
    },
}

/// How far a record came.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) delivery: Delivery,
    /// When the box was heard to hold it.
    pub(super) confirmed: Option<Timestamp>,
    /// Tries that did not end so.
    pub(super) tries: u32,
    pub(super) last_try: Option<Timestamp>,
    pub(super) error: Option<String>,
}

#[derive(Debug, Clone, Default)]
struct Pages(BTreeMap<EntryId, Progress>);

impl Fold for Pages {
    fn reset(&mut self) {
        self.0.clear();
    }

    fn take(&mut self, line: &[u8]) {
        // A line that a killed writer left says nothing that was acknowledged.
        let Ok(line) = serde_json::from_slice::<Line>(line) else { return };
        if line.schema != SCHEMA {
            return;
        }
        match line.event {
            Event::Wanted(delivery) => {
                let (confirmed, last_try, error) = (None, None, None);
                let progress = Progress { delivery, confirmed, tries: 0, last_try, error };
                self.0.entry(progress.delivery.id).or_insert(progress);
            }
            Event::Confirmed { id } => {
                if let Some(progress) = self.0.get_mut(&id) {
                    progress.confirmed.get_or_insert(line.time);
                    progress.error = None;
                }
            }
            Event::Failed { ids, error } => {
                for id in ids {
                    let Some(progress) = self.0.get_mut(&id) else { continue };
                    progress.tries += 1;
                    progress.last_try = Some(line.time);
                    progress.error = Some(error.clone());
                }
            }
        }
    }
}

/// The journal. Several processes may have it open.
#[derive(Debug)]
pub struct Outbox {
    journal: Journal,
    pages: Pages,
}

impl Outbox {
    /// Reads it; makes no file.
    ///
    /// # Errors
    /// A file that is there and cannot be read.
    pub fn load(data: &DataDir) -> Result<Self, BookError> {
        Self::load_with(data, Arc::new(Real))
    }

    /// The same with other steps of writing.
    ///
    /// # Errors
    /// As [`Outbox::load`].
    pub fn load_with(data: &DataDir, steps: Arc<dyn Steps>) -> Result<Self, BookError> {
        let path = data.overrides().join("boxes.jsonl");
        let mut book = Self { journal: Journal::with(path, steps), pages: Pages::default() };
        let read = book.journal.read(&mut book.pages);
        read.map_err(|source| book.failed("read", source))?;
        Ok(book)
    }

    /// Reads what came since.
    ///
    /// # Errors
    /// As [`Outbox::load`]; what was known stays.
    pub fn reload(&mut self) -> Result<(), BookError> {
        let read = self.journal.read(&mut self.pages);
        read.map_err(|source| self.failed("read", source))
    }

    fn failed(&self, attempt: &'static str, source: io::Error) -> BookError {
        BookError { attempt, path: self.journal.path().to_owned(), source }
    }

    fn append(&mut self, time: Timestamp, events: Vec<Event>) -> Result<(), BookError> {
        if events.is_empty() {
            return Ok(());
        }
        let mut text = String::new();
        for event in events {
            let line = Line { schema: SCHEMA.to_owned(), time, event };
            text += &serde_json::to_string(&line)
                .map_err(|error| self.failed("write", error.into()))?;
            text.push('\n');
        }
        let done = self.journal.append(&mut self.pages, |_| Ok::<_, io::Error>(text));
        done.map(drop).map_err(|source| self.failed("write", source))
    }

    /// Notes what is to stand on boxes. Once it returns, that is on the disk.
    pub(super) fn want(
        &mut self,
        time: Timestamp,
        deliveries: Vec<Delivery>,
    ) -> Result<(), BookError> {
        self.append(time, deliveries.into_iter().map(Event::Wanted).collect())
    }

    /// Notes what boxes were heard to hold, and what failed.
    pub(super) fn note(
        &mut self,
        time: Timestamp,
        confirmed: &[EntryId],
        failed: Vec<(Vec<EntryId>, String)>,
    ) -> Result<(), BookError> {
        let confirmed = confirmed.iter().map(|id| Event::Confirmed { id: *id });
        let failed = failed.into_iter().map(|(ids, error)| Event::Failed { ids, error });
        self.append(time, confirmed.chain(failed).collect())
    }

    pub(super) fn get(&self, id: EntryId) -> Option<&Progress> {
        self.pages.0.get(&id)
    }
}
