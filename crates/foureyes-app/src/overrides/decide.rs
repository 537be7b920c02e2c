//! Keeping a decision: noted for its box, then in the ledger.

use super::outbox::{BookError, Delivery, Outbox};
use super::place::{self, NoPlace};
use super::record::{self, Answered, By, Kind};
use crate::config::Config;
use crate::domain::review::Reviewer;
use crate::domain::review::{Act, EntryId, Override, OverrideWord, Present};
use crate::domain::{Record, RecordId, Timestamp, chain};
use crate::source::append::LONGEST_RECORD;
use crate::store::ledger::{Ledger, LedgerError, Saved, fresh_id};

/// Longest reason, in bytes.
pub const LONGEST_REASON: usize = 4096;

/// What a person decides of a record.
#[derive(Debug, Clone, Copy)]
pub struct Wish<'a> {
    /// The record, as it stands in the logs.
    pub row: &'a Record,
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

/// What became of wishes.
#[derive(Debug, Default)]
pub struct Decisions {
    /// Those that are kept, in their order.
    pub kept: Vec<Decided>,
    /// Those that are not, in their order.
    pub refused: Vec<Refused>,
}

/// A wish that is not kept.
#[derive(Debug)]
pub struct Refused {
    /// Which record it is of.
    pub record: RecordId,
    /// Why.
    pub why: DecideError,
}

impl Refused {
    /// Why, for a reader who is told which record it is. Raw text.
    pub fn reason(&self) -> String {
        match &self.why {
            DecideError::Place { source, .. } => source.to_string(),
            DecideError::LongRecord { bytes, .. } => {
                format!("its override would have {bytes} bytes, more than {LONGEST_RECORD}")
            }
            DecideError::Untried { .. } => "one before it could not be saved".to_owned(),
            other => chain(other),
        }
    }
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
    #[error("failed to write the override as JSON")]
    Json(#[from] serde_json::Error),
    /// The journal.
    #[error("failed to queue the override for its box")]
    Outbox(#[from] BookError),
    /// The ledger.
    #[error("failed to save the override")]
    Ledger(#[from] LedgerError),
    /// The ledger failed at another one before.
    #[error("the override of {} was not tried: one before it could not be saved", record.short())]
    Untried {
        /// Which record.
        record: RecordId,
    },
}

impl DecideError {
    /// Tells whether files of this machine are at fault, and not what was wished.
    pub fn is_local(&self) -> bool {
        matches!(self, Self::Outbox(_) | Self::Ledger(_) | Self::Untried { .. })
    }
}

/// Keeps decisions, an entry each. What cannot be kept is refused by itself, before anything is
/// written; the others are kept.
///
/// Asked again with the same word and reason, nothing is added: the entry that is there is given.
///
/// # Errors
/// A reason that no record can be overridden for, or what cannot be written: then none is kept.
pub fn decide(
    ledger: &mut Ledger,
    book: &mut Outbox,
    config: &Config,
    reviewer: &Reviewer,
    wishes: &[Wish<'_>],
    now: Timestamp,
) -> Result<Decisions, DecideError> {
    let mut all = Decisions::default();
    let mut new = Vec::new();
    let present = ledger.present(now);
    for wish in wishes {
        check(wish.reason)?;
        let (record, word, reason) = (wish.row.id, wish.word, wish.reason.to_owned());
        let decision = Override { record, word, reason, together: None };
        let last = last_of(&present, reviewer, &decision);
        let known = last.filter(|id| book.get(*id).is_some());
        let id = known.unwrap_or_else(|| wish.entry.unwrap_or_else(|| fresh_id(now)));
        if known.is_none() {
            match delivery(config, reviewer, wish, &decision, id, now) {
                Ok(delivery) => new.push((decision, delivery)),
                Err(why) => {
                    all.refused.push(Refused { record, why });
                    continue;
                }
            }
        }
        all.kept.push(Decided { id, already: known.is_some(), saved: None });
    }
    book.want(now, new.iter().map(|(_, delivery)| delivery.clone()).collect())?;
    append(ledger, reviewer, new, &mut all, now)?;
    Ok(all)
}

/// Appends an entry for each decision. Where the ledger fails, those before stay kept.
fn append(
    ledger: &mut Ledger,
    reviewer: &Reviewer,
    new: Vec<(Override, Delivery)>,
    all: &mut Decisions,
    now: Timestamp,
) -> Result<(), DecideError> {
    let together = new.first().map(|(_, delivery)| delivery.id).filter(|_| new.len() > 1);
    let mut failed = false;
    for (at, (decision, Delivery { id, .. })) in new.into_iter().enumerate() {
        let record = decision.record;
        let act = Act::Override(Override { together, ..decision });
        let why = match failed {
            true => DecideError::Untried { record },
            false => match ledger.append(reviewer, id, now, &act) {
                Ok(saved) => {
                    let kept = all.kept.iter_mut().find(|one| one.id == id);
                    kept.into_iter().for_each(|one| one.saved = Some(saved.clone()));
                    continue;
                }
                Err(source) if at == 0 => return Err(source.into()),
                Err(source) => source.into(),
            },
        };
        failed = true;
        all.kept.retain(|one| one.id != id);
        all.refused.push(Refused { record, why });
    }
    Ok(())
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
    last.what.says_as(decision).then_some(last.entry)
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
    let place = place::find(config, reviewer, wish.row, wish.box_name)
        .map_err(|source| DecideError::Place { record, source })?;
    let by = By { id, reviewer: &reviewer.name, time: now };
    let line = record::line(by, decision, &Answered::new(wish.row), Kind::Decides)?;
    if line.len() > LONGEST_RECORD {
        return Err(DecideError::LongRecord { record, bytes: line.len() });
    }
    let place::Place { box_name, path, make } = place;
    Ok(Delivery { id, box_name, path, make, line, judged: wish.row.outcome })
}
