//! What reviewers said of records by overrides, and by taking them back: of each the last word.

use super::outbox::Outbox;
use super::record;
use crate::domain::review::{Act, Entry, EntryId, Override, Present};
use crate::domain::{RecordId, Timestamp};
use crate::store::ledger::Ledger;
use std::collections::{HashMap, HashSet};

/// An entry that says something of an override, and the override.
#[derive(Debug, Clone, Copy)]
struct Word<'a> {
    entry: &'a Entry,
    target: EntryId,
    decision: &'a Override,
}

impl Word<'_> {
    fn is_undo(&self) -> bool {
        matches!(self.entry.act, Act::Undo(_))
    }
}

/// The overrides of all ledgers, with what was said of each later.
#[derive(Debug)]
pub(super) struct Words<'a> {
    present: Present,
    counts: HashSet<EntryId>,
    /// In the order in which they count.
    words: Vec<Word<'a>>,
    /// Of each reviewer and record the last word.
    last: HashMap<(&'a str, RecordId), EntryId>,
    /// Of each override the last word.
    of: HashMap<EntryId, Word<'a>>,
}

impl<'a> Words<'a> {
    pub(super) fn new(ledger: &'a Ledger, now: Timestamp) -> Self {
        let present = ledger.present(now);
        let counts = present.overrides.values().flatten().map(|o| o.entry).collect();
        let mut overrides: HashMap<EntryId, (&Override, &str)> = HashMap::new();
        let mut words = Vec::new();
        for entry in ledger.in_order(now) {
            let (target, decision) = match &entry.act {
                Act::Override(decision) => {
                    overrides.insert(entry.id, (decision, &entry.reviewer));
                    (entry.id, decision)
                }
                Act::Undo(of) | Act::Redo(of) => match overrides.get(of) {
                    Some((decision, by)) if *by == entry.reviewer => (*of, *decision),
                    _ => continue,
                },
                _ => continue,
            };
            words.push(Word { entry, target, decision });
        }
        let (mut last, mut of) = (HashMap::new(), HashMap::new());
        for word in &words {
            last.insert((word.entry.reviewer.as_str(), word.decision.record), word.entry.id);
            of.insert(word.target, *word);
        }
        Self { present, counts, words, last, of }
    }

    /// Tells whether an override counts.
    pub(super) fn counts(&self, id: EntryId) -> bool {
        self.counts.contains(&id)
    }

    /// The entry that speaks last of an override: itself where nobody did, else an undo or a redo.
    pub(super) fn last_of(&self, id: EntryId) -> Option<&'a Entry> {
        self.of.get(&id).map(|word| word.entry)
    }

    /// Tells whether its reviewer said nothing later of the record.
    pub(super) fn is_last(&self, entry: EntryId, reviewer: &str, record: RecordId) -> bool {
        self.last.get(&(reviewer, record)) == Some(&entry)
    }

    /// Entries that a box is to hear of and was not heard to hold, the earliest first: of a reviewer
    /// and record the last word alone, so that no older one comes to stand behind it.
    pub(super) fn waiting(&self, book: &Outbox) -> Vec<EntryId> {
        let waits = |word: &&Word<'_>| {
            let Word { entry, target, decision } = word;
            let holds = self.counts(*target) != word.is_undo();
            let doubted = self.present.doubted.contains(&(entry.reviewer.clone(), decision.record));
            let wanted = book.get(entry.id).is_some_and(|p| p.confirmed.is_none());
            wanted && holds && !doubted && self.is_last(entry.id, &entry.reviewer, decision.record)
        };
        self.words.iter().filter(waits).map(|word| word.entry.id).collect()
    }

    /// The record that an entry of those is of.
    pub(super) fn record(&self, id: EntryId) -> Option<RecordId> {
        self.words.iter().find(|word| word.entry.id == id).map(|word| word.decision.record)
    }

    /// Why what is noted for a box must not be written there: it is not what the ledger says.
    pub(super) fn doubt(&self, id: EntryId, line: &str) -> Option<&'static str> {
        let word = self.words.iter().find(|word| word.entry.id == id)?;
        let says = record::Says::read(line);
        let fits = says.is_some_and(|says| {
            let entry = word.entry;
            let same = says.id == id.to_string()
                && says.record == word.decision.record.to_string()
                && says.reviewer == entry.reviewer;
            same && match &entry.act {
                Act::Undo(of) => says.undoes == Some(of.to_string()),
                Act::Redo(of) => {
                    says.redoes == Some(of.to_string())
                        && says.verdict == word.decision.word.as_str()
                }
                _ => {
                    says.verdict == word.decision.word.as_str()
                        && says.reason == word.decision.reason
                        && (says.undoes, says.redoes) == (None, None)
                }
            }
        });
        (!fits).then_some("what was noted for the box is not what the ledger says: it was changed")
    }
}
