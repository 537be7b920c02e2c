//! Labels and overrides of records, what of it is still being written, and what is being typed.

use super::{BlindMode, Change, Facts, LedgerSnapshot, ListId, QueueKind, UndoStep};
use crate::config::reasons::Reason;
use crate::domain::review::{Act, ContentHash, EntryId, Given, Label, Shown};
use crate::domain::{Outcome, RecordId, Timestamp};
use crate::overrides::Delivery;
use crate::store::ledger::id_of;
use crate::tui::session::{Drafts, OverrideDrafts};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Longest time that counts as spent on a record, in seconds.
const LONGEST: i64 = 3600;

/// Who labels, and with which words; does not change while the console runs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Labelling {
    /// Whose labels they are; `None` where it is unknown.
    pub reviewer: Option<String>,
    /// What sets the entries of this run apart from all others.
    pub run: EntryId,
    /// Reasons that a label may name.
    pub reasons: Vec<Reason>,
    /// Labels of the calibration queue after which it is shown how often the judge agreed;
    /// 0 where each label shows the verdict.
    pub set: u32,
}

/// An entry that is not known to be on the disk yet.
#[derive(Debug, Clone, PartialEq)]
pub struct Pending {
    /// Id of the ledger entry.
    pub entry: EntryId,
    /// New labels, an undo or a redo.
    pub change: Change,
    /// The labels that it gives.
    pub labels: Vec<Label>,
    /// What is undone where it fails.
    pub step: UndoStep,
    /// Verdicts on the records.
    pub judged: Vec<(RecordId, Option<Outcome>)>,
    /// The list where it was done.
    pub list: ListId,
    /// The kind of the queue then.
    pub kind: QueueKind,
    /// Whether verdicts were hidden.
    pub sight: BlindMode,
    /// Records of which an earlier label of one's own is beside the new one.
    pub further: Vec<RecordId>,
    /// What the record is called where it is one: its file or its task, as the log has it.
    pub name: String,
}

impl Pending {
    /// The entry as it is written.
    pub fn act(&self) -> Act {
        let target = self.step.entry().unwrap_or(self.entry);
        match (self.change, &self.labels[..]) {
            (Change::Undo, _) => Act::Undo(target),
            (Change::Redo, _) => Act::Redo(target),
            (Change::New, [one]) => Act::Label(one.clone()),
            (Change::New, many) => Act::Labels { labels: many.to_vec(), import: None },
        }
    }
}

/// Labels and overrides of records.
#[derive(Debug, Clone, Default)]
pub struct Labels {
    /// Content of the ledgers; `None` until they are read.
    pub ledger: Option<Arc<LedgerSnapshot>>,
    /// Entries on their way, the oldest first.
    pub pending: Vec<Pending>,
    /// When a record was first shown in this run.
    pub shown: BTreeMap<RecordId, Timestamp>,
    /// The contents that were on the screen in this run, by their records.
    pub contents: BTreeMap<RecordId, ContentHash>,
    /// Records whose verdict was seen in this run.
    pub seen: BTreeSet<RecordId>,
    /// Whether verdicts are hidden.
    pub sight: BlindMode,
    /// Notes that were typed and not yet given.
    pub drafts: Drafts,
    /// Overrides that were begun and not yet saved.
    pub typed: OverrideDrafts,
    /// Overrides on their way.
    pub deciding: Vec<super::PendingOverrides>,
    /// Entries of this run.
    pub entries: u64,
    /// Entries on their way that are no labels, and the notice once one is saved.
    pub pending_notes: Vec<(EntryId, String)>,
}

/// A label of one's own as far as it is known.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum OwnLabel<'a> {
    /// The reviewer has not labelled the record.
    None,
    /// One that is being written.
    Saving(&'a Label),
    /// It is being taken or brought back.
    Changing,
    /// One that is on the disk.
    Saved(&'a Given),
}

impl OwnLabel<'_> {
    /// The label; `None` where there is none, or it is being changed.
    pub fn label(&self) -> Option<&Label> {
        match self {
            Self::Saving(label) => Some(label),
            Self::Saved(given) => Some(&given.label),
            Self::None | Self::Changing => None,
        }
    }
}

impl Labels {
    /// What an earlier run left. Who only reads labels nothing, and could not open his eyes again.
    pub fn restore(sight: BlindMode, drafts: Drafts, typed: OverrideDrafts, facts: &Facts) -> Self {
        let sight = if facts.read_only { BlindMode::Open } else { sight };
        Self { sight, drafts, typed, ..Self::default() }
    }

    /// The name of a new entry.
    pub fn new_entry_id(&mut self, run: EntryId) -> EntryId {
        self.entries += 1;
        id_of(&[&run.0[..], &self.entries.to_be_bytes()].concat())
    }

    /// The reviewer's own label of a record.
    pub fn own(&self, record: RecordId, reviewer: Option<&str>) -> OwnLabel<'_> {
        for pending in self.pending.iter().rev() {
            if let Some(label) = pending.labels.iter().find(|l| l.record == record) {
                return OwnLabel::Saving(label);
            }
            let of = match &pending.step {
                UndoStep::Labelled { records, .. } => records.contains(&record),
                UndoStep::Dispositions(_) | UndoStep::Overridden(_) | UndoStep::Opened => false,
            };
            if of {
                return OwnLabel::Changing;
            }
        }
        self.saved(record, reviewer).map_or(OwnLabel::None, OwnLabel::Saved)
    }

    /// The reviewer's own label of a record that is on the disk.
    pub fn saved(&self, record: RecordId, reviewer: Option<&str>) -> Option<&Given> {
        self.ledger.as_ref()?.present.word_of(record, reviewer?)
    }

    /// The overrides of a record, the earliest first; also those that count no more.
    pub fn overrides(&self, record: RecordId) -> &[Delivery] {
        let all = self.ledger.as_ref().and_then(|ledger| ledger.overrides.get(&record));
        all.map_or(&[], Vec::as_slice)
    }

    /// Labels of a record by other reviewers.
    pub fn others(&self, record: RecordId, reviewer: Option<&str>) -> Vec<&Given> {
        let words =
            self.ledger.as_ref().map(|ledger| ledger.present.words(record)).unwrap_or_default();
        words.into_iter().filter(|given| Some(given.reviewer.as_str()) != reviewer).collect()
    }

    /// What of a record's content was on the screen in this run: a label says so.
    pub fn shown_content(&self, record: RecordId) -> Shown {
        self.contents.get(&record).map_or(Shown::Nothing, |hash| Shown::Content(*hash))
    }

    /// Seconds since a record was first shown.
    pub fn seconds(&self, record: RecordId, now: Timestamp) -> Option<u32> {
        let first = *self.shown.get(&record)?;
        u32::try_from(now.seconds_since(first).clamp(0, LONGEST)).ok()
    }
}
