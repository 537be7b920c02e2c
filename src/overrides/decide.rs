//! Keeping a decision: noted for its box, then in the ledger.

use super::book::{Book, BookError, Delivery};
use super::place::{self, NoPlace};
use super::record::{self, Answered, By, Kind};
use crate::config::Config;
use crate::domain::review::{Act, EntryId, Override, OverrideWord, Present};
use crate::domain::{RecordId, RecordRow, Timestamp};
use crate::source::append::LONGEST_RECORD;
use crate::store::ledger::{Ledger, LedgerError, Reviewer, Saved, fresh_id};

/// Longest reason, in bytes.
pub const LONGEST_REASON: usize = 4096;

/// What a person decides of a record.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The record, as it stands in the logs.
    pub row: &'a RecordRow,
    /// What to do.
    pub word: OverrideWord,
    /// Why.
    pub reason: &'a str,
    /// Which of its boxes takes the override; the first where it is not said.
    pub box_name: Option<&'a str>,
    /// The name of its entry, where it has one already: tried again, it is saved once.
    pub entry: Option<EntryId>,
}

/// A decision that is kept.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Decided {
    /// Its entry of the ledger; also the id of its record on the box.
    pub id: EntryId,
    /// The same decision was the reviewer's last on the record: nothing was added.
    pub already: bool,
    /// Where the entry stands, where it was added.
    pub saved: Option<Saved>,
}

/// A decision was not kept.
#[derive(Debug, thiserror::Error)]
pub enum DecideError {
    /// Without a reason nothing is decided.
    #[error("the reason is empty")]
    NoReason,
    /// A reason that is too long.
    #[error("the reason has {bytes} bytes, more than {LONGEST_REASON}")]
    LongReason {
        /// Its size.
        bytes: usize,
    },
    /// A record that cannot be overridden on its box.
    #[error("{} cannot be overridden", record.short())]
    Place {
        /// Which record.
        record: RecordId,
        /// Why.
        #[source]
        source: NoPlace,
    },
    /// The names in it make it too long for one write.
    #[error("the override of {} would have {bytes} bytes, more than {LONGEST_RECORD}", record.short())]
    LongRecord {
        /// Which record.
        record: RecordId,
        /// Its size.
        bytes: usize,
    },
    /// The record cannot be written as JSON.
    #[error("the override cannot be written as JSON")]
    Json(#[from] serde_json::Error),
    /// The journal.
    #[error("the override could not be noted for its box")]
    Book(#[from] BookError),
    /// The ledger.
    #[error("the override could not be saved")]
    Ledger(#[from] LedgerError),
    /// The ledger, after some were saved: those are kept.
    #[error("only the first {kept} of {all} overrides could be saved")]
    Partly {
        /// So many are saved.
        kept: usize,
        /// Of so many new ones.
        all: usize,
        /// Why the next one is not.
        #[source]
        source: LedgerError,
    },
}

/// Keeps decisions, an entry each: all that can be refused is refused before anything is written.
///
/// Asked again with the same word and reason, nothing is added: the entry that is there is given.
///
/// # Errors
/// A wish that cannot be met, or what cannot be written. Entries before one that failed are kept.
pub fn decide(
    ledger: &mut Ledger,
    book: &mut Book,
    config: &Config,
    reviewer: &Reviewer,
    wishes: &[Wish<'_>],
    now: Timestamp,
) -> Result<Vec<Decided>, DecideError> {
    let mut decided = Vec::new();
    let mut new = Vec::new();
    let present = ledger.present(now);
    for wish in wishes {
        check(wish.reason)?;
        let decision =
            Override { record: wish.row.id, word: wish.word, reason: wish.reason.to_owned() };
        let last = last_of(&present, reviewer, &decision);
        let fresh = last.filter(|id| book.get(*id).is_some()).is_none();
        let named = || wish.entry.unwrap_or_else(|| fresh_id(now));
        let id = last.filter(|_| !fresh).unwrap_or_else(named);
        if fresh {
            new.push((decision.clone(), delivery(config, reviewer, wish, &decision, id, now)?));
        }
        decided.push(Decided { id, already: !fresh, saved: None });
    }
    book.want(now, new.iter().map(|(_, delivery)| delivery.clone()).collect())?;
    let all = new.len();
    for (kept, (decision, delivery)) in new.into_iter().enumerate() {
        let saved = ledger.append(reviewer, delivery.id, now, &Act::Override(decision));
        let saved = saved.map_err(|source| match kept {
            0 => DecideError::Ledger(source),
            _ => DecideError::Partly { kept, all, source },
        })?;
        if let Some(one) = decided.iter_mut().find(|one| one.id == delivery.id) {
            one.saved = Some(saved);
        }
    }
    Ok(decided)
}

fn check(reason: &str) -> Result<(), DecideError> {
    if reason.trim().is_empty() {
        return Err(DecideError::NoReason);
    }
    match reason.len() {
        bytes if bytes > LONGEST_REASON => Err(DecideError::LongReason { bytes }),
        _ => Ok(()),
    }
}

/// The reviewer's last decision on the record, where it is this one.
fn last_of(present: &Present, reviewer: &Reviewer, decision: &Override) -> Option<EntryId> {
    let all = present.overrides.get(&decision.record)?;
    let last = all.iter().rev().find(|one| one.reviewer == reviewer.name)?;
    (last.what == *decision).then_some(last.entry)
}

fn delivery(
    config: &Config,
    reviewer: &Reviewer,
    wish: &Wish<'_>,
    decision: &Override,
    id: EntryId,
    now: Timestamp,
) -> Result<Delivery, DecideError> {
    let record = wish.row.id;
    let place = place::of(config, reviewer, wish.row, wish.box_name)
        .map_err(|source| DecideError::Place { record, source })?;
    let by = By { id, reviewer: &reviewer.name, time: now };
    let line = record::line(by, decision, &Answered::of(wish.row), Kind::Decides)?;
    if line.len() > LONGEST_RECORD {
        return Err(DecideError::LongRecord { record, bytes: line.len() });
    }
    let place::Place { box_name, path, make } = place;
    Ok(Delivery { id, box_name, path, make, line, judged: wish.row.outcome })
}
