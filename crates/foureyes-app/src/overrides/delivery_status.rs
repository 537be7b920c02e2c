//! How each override stands.

use super::outbox::{Outbox, Progress};
use super::send::pending;
use super::words::Words;
use crate::domain::review::{Act, Entry, EntryId, OverrideWord, Reviews};
use crate::domain::{RecordId, Timestamp};
use crate::store::ledger::Ledger;
use std::collections::HashSet;

/// Whether the box holds it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum State {
    /// It was read back from the box.
    Confirmed,
    /// Nobody heard yet that the box holds it; it is tried again.
    Unconfirmed,
    /// It was never heard to be on its box, and the reviewer decided again since; it is not tried
    /// any more, or it would come to stand behind the later word.
    Superseded,
    /// It was taken back before any box was heard to hold it; it is not tried any more.
    TakenBack,
    /// It was taken back, and that was read back from the box.
    Undone,
    /// It was taken back, and nobody heard yet that the box holds that; it is tried again.
    UndoUnconfirmed,
    /// It was decided elsewhere: whoever did brings it to its box.
    Elsewhere,
}

impl State {
    /// The word in documents and filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Unconfirmed => "unconfirmed",
            Self::Superseded => "superseded",
            Self::TakenBack => "taken_back",
            Self::Undone => "undone",
            Self::UndoUnconfirmed => "undo_unconfirmed",
            Self::Elsewhere => "elsewhere",
        }
    }

    /// Tells whether something of it is still to be written to its box.
    pub fn is_waiting(self) -> bool {
        matches!(self, Self::Unconfirmed | Self::UndoUnconfirmed)
    }
}

/// An override that stands in a ledger. Texts are raw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// Its entry, and its record's id on the box.
    pub id: EntryId,
    /// What it is of.
    pub record: RecordId,
    /// What to do.
    pub word: OverrideWord,
    /// Who says so.
    pub reviewer: String,
    /// Why.
    pub reason: String,
    /// When.
    pub time: Timestamp,
    /// It counts: nobody took it back, and its ledger is believed.
    pub counts: bool,
    /// Whether the box holds it.
    pub state: State,
    /// The entry that took it back, or brought it back, of which the box is to hear.
    pub back: Option<EntryId>,
    /// Which box; `None` of one that was decided elsewhere.
    pub box_name: Option<String>,
    /// Which file there.
    pub path: Option<String>,
    /// When the box was heard to hold it.
    pub confirmed: Option<Timestamp>,
    /// Tries after which nobody knew.
    pub tries: u32,
    /// The last of them.
    pub last_try: Option<Timestamp>,
    /// Why.
    pub error: Option<String>,
}

/// All overrides of all ledgers, the earliest first.
pub fn deliveries(ledger: &Ledger, book: &Outbox, now: Timestamp) -> Vec<Delivery> {
    let words = Words::new(ledger, now);
    let mut seen = HashSet::new();
    let mut all: Vec<Delivery> = ledger
        .entries()
        .filter(|entry| seen.insert(entry.id))
        .filter_map(|entry| one(entry, book, &words))
        .collect();
    all.sort_by_key(|delivery| (delivery.time, delivery.id));
    all
}

fn one(entry: &Entry, book: &Outbox, words: &Words<'_>) -> Option<Delivery> {
    let Act::Override(decision) = &entry.act else { return None };
    let own = book.get(entry.id);
    // What was said of it last, where a box is to hear of that.
    let last = words.last_of(entry.id).unwrap_or(entry);
    let progress = book.get(last.id).or(own);
    let counts = words.counts(entry.id);
    let is_last = words.is_last(last.id, &entry.reviewer, decision.record);
    let confirmed = progress.and_then(|progress| progress.confirmed);
    Some(Delivery {
        id: entry.id,
        record: decision.record,
        word: decision.word,
        reviewer: entry.reviewer.clone(),
        reason: decision.reason.clone(),
        time: entry.time,
        counts,
        state: state(progress, last, (counts, is_last)),
        back: progress.map(|progress| progress.delivery.id).filter(|id| *id != entry.id),
        box_name: progress.map(|progress| progress.delivery.box_name.clone()),
        path: progress.map(|progress| progress.delivery.path.clone()),
        confirmed,
        tries: progress.map_or(0, |progress| progress.tries),
        last_try: progress.and_then(|progress| progress.last_try),
        error: progress.and_then(|progress| progress.error.clone()),
    })
}

/// How it stands, by how far the last word on it came.
fn state(progress: Option<&Progress>, last: &Entry, (counts, is_last): (bool, bool)) -> State {
    let Some(progress) = progress else { return State::Elsewhere };
    let undone = matches!(last.act, Act::Undo(_)) && progress.delivery.id == last.id;
    match (progress.confirmed.is_some(), undone) {
        (true, true) => State::Undone,
        (true, false) => State::Confirmed,
        (false, true) if is_last && !counts => State::UndoUnconfirmed,
        (false, false) if is_last && counts => State::Unconfirmed,
        (false, false) if !counts => State::TakenBack,
        (false, _) => State::Superseded,
    }
}

/// How many words on records no box was heard to hold.
pub fn count_unconfirmed(ledger: &Ledger, book: &Outbox, now: Timestamp) -> usize {
    pending(ledger, book, now).len()
}

/// Tells filters which overrides boxes hold: one that is unconfirmed tells of its record.
pub fn mark(reviews: &mut Reviews, deliveries: &[Delivery]) {
    for delivery in deliveries {
        match delivery.state {
            State::Confirmed if delivery.counts => reviews.hold(delivery.record, true),
            State::Unconfirmed | State::UndoUnconfirmed => reviews.hold(delivery.record, false),
            _ => {}
        }
    }
}
