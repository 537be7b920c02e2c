//! How a ledger is.

use super::chain::Chain;
use super::{Break, LedgerFile, Reviewer};
use crate::domain::AHEAD;
use crate::domain::Timestamp;
use crate::domain::review::Entry;
use crate::store::journal::Fold;

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
    /// Lines whose time has come and is more than ten minutes after that of a later one, from 1:
    /// what follows them counts as said no earlier.
    pub ahead: Vec<u64>,
}

impl FileCheck {
    /// Whether all that was acknowledged counts.
    pub fn is_sound(&self) -> bool {
        self.broken.is_none() && self.future.is_empty()
    }
}

pub(super) fn check_file(name: &str, file: &LedgerFile, now: Timestamp) -> FileCheck {
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
        ahead: ahead(file, now),
    }
}

/// Lines of the times that others count by, much against their own.
fn ahead(file: &LedgerFile, now: Timestamp) -> Vec<u64> {
    let (mut found, mut latest) = (Vec::new(), None::<(Timestamp, u64)>);
    let dated = file.chain.entries.iter().zip(&file.chain.places);
    for (entry, line) in dated.filter(|(entry, _)| !is_future(entry, now)) {
        match latest {
            Some((time, of)) if time >= entry.time => {
                let is_ahead = time.0.saturating_sub(entry.time.0) > AHEAD;
                found.extend((is_ahead && found.last() != Some(&of)).then_some(of));
            }
            _ => latest = Some((entry.time, *line)),
        }
    }
    found
}

/// What the bytes of a ledger that stands elsewhere are worth, by the name of its file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Foreign {
    /// Entries before the first line that is wrong.
    pub entries: u64,
    /// The first line that is not as it was written.
    pub broken: Option<Break>,
    /// The line of the first entry whose reviewer and machine are not those of the name, from 1.
    pub stranger: Option<u64>,
}

/// Checks the whole lines of a ledger that stands elsewhere.
pub fn foreign(name: &str, bytes: &[u8]) -> Foreign {
    let mut chain = Chain::default();
    for line in bytes.split_inclusive(|b| *b == b'\n').filter(|line| line.ends_with(b"\n")) {
        chain.take(line);
    }
    let own = |entry: &Entry| {
        let (name_of, machine) = (entry.reviewer.clone(), entry.machine.clone());
        let base = super::base(&Reviewer { name: name_of, machine });
        let rest = name.strip_prefix(&base).and_then(|rest| rest.strip_suffix(super::ENDING));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('+'))
    };
    let strange = chain.entries.iter().zip(&chain.places).find(|(entry, _)| !own(entry));
    Foreign {
        entries: chain.entries.len() as u64,
        broken: chain.broken,
        stranger: strange.map(|(_, line)| *line),
    }
}

/// Whether a file is named as a ledger.
pub fn is_name(name: &str) -> bool {
    let plain = |b: u8| b.is_ascii_alphanumeric() || b"._-%~+@".contains(&b);
    let parts = name.strip_suffix(super::ENDING).and_then(|base| base.split_once('@'));
    let whole = parts.is_some_and(|(a, b)| !a.is_empty() && !b.is_empty());
    whole && !name.starts_with(['.', '-']) && name.bytes().all(plain)
}

/// Whether a ledger is one of a machine's, by the name of its file.
pub fn is_of_machine(name: &str, machine: &str) -> bool {
    let part = crate::store::names::encode(machine.as_bytes(), 100);
    let base = name.strip_suffix(super::ENDING).unwrap_or(name);
    let base = base.split_once('+').map_or(base, |(base, _)| base);
    base.split_once('@').is_some_and(|(_, of)| of == part)
}

pub(super) fn is_future(entry: &Entry, now: Timestamp) -> bool {
    entry.time.0 > now.0.saturating_add(AHEAD)
}

/// The entries that count at a time, and those that are not believed.
pub(super) fn split(file: &LedgerFile, now: Timestamp) -> (Vec<&Entry>, Vec<&Entry>) {
    let (mut doubted, past): (Vec<&Entry>, Vec<&Entry>) =
        file.chain.entries.iter().partition(|entry| is_future(entry, now));
    doubted.extend(&file.chain.doubted);
    (past, doubted)
}
