//! The entries of one ledger, and whether each follows the one before it.

use super::line::{self, Fault};
use crate::domain::review::{Act, Entry, EntryId, LineHash};
use crate::store::journal::Fold;
use std::collections::{HashMap, HashSet};

/// The first line that is not as it was written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Break {
    /// Its number, from 1.
    pub line: u64,
    /// What is wrong.
    pub what: BreakKind,
}

/// What is wrong with a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "snake_case")]
pub enum BreakKind {
    /// Its bytes are not those that were written.
    Changed,
    /// It does not follow the line before it: one was removed, put in or moved.
    OutOfPlace,
    /// It is not whole, and what follows shows that it was.
    Cut,
}

/// What the lines of a ledger say, and how far they can be trusted.
#[derive(Debug, Clone, Default)]
pub(super) struct Chain {
    /// Entries before the first line that is wrong.
    pub(super) entries: Vec<Entry>,
    /// The line of each of them.
    pub(super) places: Vec<u64>,
    /// What can be read of that line and of those behind it.
    pub(super) doubted: Vec<Entry>,
    /// The first line that is wrong.
    pub(super) broken: Option<Break>,
    /// Lines that a killed writer left; they say nothing.
    pub(super) torn: Vec<u64>,
    /// Lines in all.
    pub(super) lines: u64,
    /// The place of each entry.
    ids: HashMap<EntryId, usize>,
    /// Entries of other ledgers that the entries name.
    seen: HashSet<LineHash>,
    /// Where the last rule of the assessment, or the last look at it, is among the entries.
    rule: Option<usize>,
}

impl Chain {
    /// The hash that the next entry follows.
    pub(super) fn last(&self) -> Option<LineHash> {
        self.entries.last().map(|entry| entry.hash)
    }

    /// Whether an entry stands here, trusted.
    pub(super) fn has(&self, id: EntryId) -> bool {
        self.ids.contains_key(&id)
    }

    /// A trusted entry by its name.
    pub(super) fn entry(&self, id: EntryId) -> Option<&Entry> {
        self.entries.get(*self.ids.get(&id)?)
    }

    /// Whether it names the last rule or look of another ledger, or something behind that; also where
    /// the other has none.
    pub(super) fn knows_rules_of(&self, other: &Self) -> bool {
        let since = other.rule.and_then(|at| other.entries.get(at..));
        since.is_none_or(|entries| entries.iter().any(|entry| self.seen.contains(&entry.hash)))
    }

    /// Lines that are not whole and stand behind the last entry: a killed writer's, or cut ones.
    fn cut_before_here(&self) -> Option<u64> {
        let last = self.places.last().copied().unwrap_or(0);
        self.torn.iter().copied().find(|line| *line > last)
    }

    fn breaks(&mut self, what: BreakKind, entry: Option<Entry>) {
        // Of lines that were not whole, the first was something once, or this would follow.
        let broken = match self.cut_before_here().filter(|_| what == BreakKind::OutOfPlace) {
            Some(line) => Break { line, what: BreakKind::Cut },
            None => Break { line: self.lines, what },
        };
        self.torn.retain(|line| *line < broken.line);
        self.broken = Some(broken);
        self.doubt(entry);
    }

    /// Keeps an entry that is not believed; the copy of one that is says nothing new.
    fn doubt(&mut self, entry: Option<Entry>) {
        let last = self.doubted.last().map(|last| (last.id, last.hash));
        let copy = |entry: &Entry| {
            self.entry(entry.id).is_some_and(|known| known.hash == entry.hash)
                || last == Some((entry.id, entry.hash))
        };
        let entry = entry.filter(|entry| !copy(entry));
        self.doubted.extend(entry);
    }
}

impl Fold for Chain {
    fn reset(&mut self) {
        *self = Self::default();
    }

    fn take(&mut self, line: &[u8]) {
        self.lines += 1;
        let read = line::read(line);
        if self.broken.is_some() {
            self.doubt(read.ok().or_else(|| line::read_changed(line)));
            return;
        }
        match read {
            Ok(entry) if entry.prev == self.last() && !self.has(entry.id) => {
                self.ids.insert(entry.id, self.entries.len());
                self.places.push(self.lines);
                self.seen.extend(&entry.seen);
                let marks = entry.act.is_rule() || matches!(entry.act, Act::Look(_));
                self.rule = marks.then_some(self.entries.len()).or(self.rule);
                self.entries.push(entry);
            }
            Ok(entry) => self.breaks(BreakKind::OutOfPlace, Some(entry)),
            Err(Fault::NotWhole) => self.torn.push(self.lines),
            Err(Fault::Changed) => self.breaks(BreakKind::Changed, line::read_changed(line)),
        }
    }

    fn tail(&mut self, bytes: &[u8]) {
        // A killed writer leaves the beginning of an entry, or all of it. Anything else was changed.
        if self.broken.is_none() && matches!(line::read(bytes), Err(Fault::Changed)) {
            self.lines += 1;
            self.breaks(BreakKind::Changed, line::read_changed(bytes));
            self.lines -= 1;
        }
    }
}
