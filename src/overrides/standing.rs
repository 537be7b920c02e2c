//! How each override stands.

use super::book::{Book, Progress};
use super::send::pending;
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
    /// It was taken back before any box was heard to hold it; it is not tried any more.
    TakenBack,
    /// It was decided elsewhere: whoever did brings it to its box.
    Elsewhere,
}

impl State {
    /// The word in documents and filters.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Confirmed => "confirmed",
            Self::Unconfirmed => "unconfirmed",
            Self::TakenBack => "taken_back",
            Self::Elsewhere => "elsewhere",
        }
    }
}

/// An override that stands in a ledger. Texts are raw.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Standing {
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
pub fn standings(ledger: &Ledger, book: &Book, now: Timestamp) -> Vec<Standing> {
    let present = ledger.present(now);
    let counts: HashSet<EntryId> = present.overrides.values().flatten().map(|o| o.entry).collect();
    let mut seen = HashSet::new();
    let mut all: Vec<Standing> = ledger
        .entries()
        .filter(|entry| seen.insert(entry.id))
        .filter_map(|entry| one(entry, book.get(entry.id), counts.contains(&entry.id)))
        .collect();
    all.sort_by_key(|standing| (standing.time, standing.id));
    all
}

fn one(entry: &Entry, progress: Option<&Progress>, counts: bool) -> Option<Standing> {
    let Act::Override(decision) = &entry.act else { return None };
    let confirmed = progress.and_then(|progress| progress.confirmed);
    let state = match progress {
        None => State::Elsewhere,
        Some(_) if confirmed.is_some() => State::Confirmed,
        Some(_) if counts => State::Unconfirmed,
        Some(_) => State::TakenBack,
    };
    Some(Standing {
        id: entry.id,
        record: decision.record,
        word: decision.word,
        reviewer: entry.reviewer.clone(),
        reason: decision.reason.clone(),
        time: entry.time,
        counts,
        state,
        box_name: progress.map(|progress| progress.delivery.box_name.clone()),
        path: progress.map(|progress| progress.delivery.path.clone()),
        confirmed,
        tries: progress.map_or(0, |progress| progress.tries),
        last_try: progress.and_then(|progress| progress.last_try),
        error: progress.and_then(|progress| progress.error.clone()),
    })
}

/// How many overrides are unconfirmed.
pub fn count_unconfirmed(ledger: &Ledger, book: &Book, now: Timestamp) -> usize {
    pending(ledger, book, now).len()
}

/// Tells filters which overrides boxes hold: one that is unconfirmed tells of its record.
pub fn mark(reviews: &mut Reviews, standings: &[Standing]) {
    for standing in standings.iter().filter(|standing| standing.counts) {
        match standing.state {
            State::Confirmed => reviews.hold(standing.record, true),
            State::Unconfirmed => reviews.hold(standing.record, false),
            State::TakenBack | State::Elsewhere => {}
        }
    }
}
