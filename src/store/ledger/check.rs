//! How a ledger is.

use super::{AHEAD, Break, LedgerFile};
use crate::domain::Timestamp;
use crate::domain::review::Entry;

/// How a ledger is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileCheck {
    /// Name of the file.
    pub file: String,
    /// Who wrote its last entry that can be read. Raw text.
    pub reviewer: Option<String>,
    /// On which machine. Raw text.
    pub machine: Option<String>,
    /// Entries that count, or were taken back in due form.
    pub entries: u64,
    /// The first line that is not as it was written.
    pub broken: Option<Break>,
    /// Entries that can be read and are not believed, those of the future among them.
    pub doubted: u64,
    /// Lines that a killed writer left, from 1: nothing that was acknowledged was in them.
    pub torn: Vec<u64>,
    /// The last line has no end. The next entry gives it one.
    pub unfinished: bool,
    /// Lines of entries whose time has not come yet, from 1.
    pub future: Vec<u64>,
}

impl FileCheck {
    /// Tells whether all that was acknowledged counts.
    pub fn is_sound(&self) -> bool {
        self.broken.is_none() && self.future.is_empty()
    }
}

pub(super) fn of(name: &str, file: &LedgerFile, now: Timestamp) -> FileCheck {
    let chain = &file.chain;
    let last = chain.doubted.last().or(chain.entries.last());
    let dated = chain.entries.iter().zip(&chain.places);
    let future: Vec<u64> =
        dated.filter(|(entry, _)| is_future(entry, now)).map(|(_, line)| *line).collect();
    FileCheck {
        file: name.to_owned(),
        reviewer: last.map(|entry| entry.reviewer.clone()),
        machine: last.map(|entry| entry.machine.clone()),
        entries: (chain.entries.len() - future.len()) as u64,
        broken: chain.broken,
        doubted: (chain.doubted.len() + future.len()) as u64,
        torn: chain.torn.clone(),
        unfinished: file.journal.is_torn(),
        future,
    }
}

fn is_future(entry: &Entry, now: Timestamp) -> bool {
    entry.time.0 > now.0.saturating_add(AHEAD)
}

/// The entries that count at a time, and those that are not believed.
pub(super) fn split(file: &LedgerFile, now: Timestamp) -> (Vec<&Entry>, Vec<&Entry>) {
    let (mut doubted, past): (Vec<&Entry>, Vec<&Entry>) =
        file.chain.entries.iter().partition(|entry| is_future(entry, now));
    doubted.extend(&file.chain.doubted);
    (past, doubted)
}
