//! Taking overrides back, and bringing them back: a further entry, and a further record on the box.

use super::outbox::{BookError, Delivery, Outbox};
use super::record::{self, Answered, By, Kind};
use crate::domain::review::Reviewer;
use crate::domain::review::{Act, Dated, EntryId, Override, OverrideWord, Present};
use crate::domain::{Outcome, RecordId, Timestamp};
use crate::store::ledger::{Ledger, LedgerError, Saved, fresh_id};

/// Which way.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Back {
    /// An override counts no more.
    Undo,
    /// One that was revoked counts again.
    Redo,
}

/// An override that was revoked or brought back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TakenBack {
    /// The override.
    pub of: EntryId,
    /// The entry that says so; also the id of its record on the box.
    pub id: EntryId,
    /// Which record it is of.
    pub record: RecordId,
    /// Where the entry stands.
    pub saved: Saved,
}

/// An override was not taken back.
#[derive(Debug, thiserror::Error)]
pub enum BackError {
    /// No override has that name.
    #[error("no override of {reviewer} has the entry {id}")]
    Unknown {
        /// The name.
        id: EntryId,
        /// Whose it would be. Raw text.
        reviewer: String,
    },
    /// It counts no more, or does not count again since it was never taken back.
    #[error("the override {id} {}", if *counts { "counts already" } else { "was taken back already" })]
    Already {
        /// Its entry.
        id: EntryId,
        /// It counts.
        counts: bool,
    },
    /// It was decided on another machine.
    #[error("the override {id} was decided on another machine, {machine:?}")]
    Elsewhere {
        /// Its entry.
        id: EntryId,
        /// Which machine. Raw text.
        machine: String,
    },
    /// The record cannot be written as JSON.
    #[error("failed to write the override as JSON")]
    Json(#[from] serde_json::Error),
    /// The journal.
    #[error("failed to queue it for its box")]
    Outbox(#[from] BookError),
    /// The ledger.
    #[error("failed to save it")]
    Ledger(#[from] LedgerError),
    /// The ledger, after some were saved: those are kept.
    #[error("only the first {done} could be saved, and not those of {}", shorts(left))]
    Partly {
        /// So many are saved.
        done: usize,
        /// Records of the others.
        left: Vec<RecordId>,
        /// Why the first of them is not.
        #[source]
        source: LedgerError,
    },
}

/// Short names of records.
fn shorts(records: &[RecordId]) -> String {
    records.iter().map(RecordId::short).collect::<Vec<_>>().join(", ")
}

/// Takes overrides back, or brings them back, an entry each; an entry's own name may be given. All
/// that can be refused is refused before anything is written.
///
/// # Errors
/// What is no override of the reviewer from this machine, or does not stand so; what cannot be written.
pub fn take_back(
    ledger: &mut Ledger,
    book: &mut Outbox,
    reviewer: &Reviewer,
    wishes: &[(EntryId, Option<EntryId>)],
    back: Back,
    now: Timestamp,
) -> Result<Vec<TakenBack>, BackError> {
    let mut present = ledger.present(now);
    let mut new = Vec::new();
    for (of, name) in wishes {
        let id = name.unwrap_or_else(|| fresh_id(now));
        let decision = wanted(ledger, &present, reviewer, *of, back)?;
        let held = book.get(*of).map(|progress| progress.delivery.clone());
        let held = held.ok_or_else(|| elsewhere(ledger, *of))?;
        if back == Back::Undo {
            without(&mut present, &decision, *of);
        }
        let line = line(&present, reviewer, (id, *of), &decision, &held, (back, now))?;
        new.push((*of, decision.record, Delivery { id, line, ..held }));
    }
    book.want(now, new.iter().map(|(.., delivery)| delivery.clone()).collect())?;
    let mut done = Vec::new();
    for (of, record, Delivery { id, .. }) in &new {
        let act = if back == Back::Undo { Act::Undo(*of) } else { Act::Redo(*of) };
        let saved = ledger.append(reviewer, *id, now, &act).map_err(|source| match done.len() {
            0 => BackError::Ledger(source),
            done => {
                let left = new.iter().skip(done).map(|(_, record, _)| *record).collect();
                BackError::Partly { done, left, source }
            }
        })?;
        done.push(TakenBack { of: *of, id: *id, record: *record, saved });
    }
    Ok(done)
}

/// The decision, where it can be taken back or brought back.
fn wanted(
    ledger: &Ledger,
    present: &Present,
    reviewer: &Reviewer,
    id: EntryId,
    back: Back,
) -> Result<Override, BackError> {
    let entry = ledger.entry(id).filter(|entry| entry.reviewer == reviewer.name);
    let Some(Act::Override(decision)) = entry.map(|entry| &entry.act) else {
        return Err(BackError::Unknown { id, reviewer: reviewer.name.clone() });
    };
    let all = present.overrides.get(&decision.record).map_or(&[][..], Vec::as_slice);
    let counts = all.iter().any(|one| one.entry == id);
    match counts == (back == Back::Undo) {
        true => Ok(decision.clone()),
        false => Err(BackError::Already { id, counts }),
    }
}

fn elsewhere(ledger: &Ledger, id: EntryId) -> BackError {
    let machine = ledger.entry(id).map(|entry| entry.machine.clone()).unwrap_or_default();
    BackError::Elsewhere { id, machine }
}

fn without(present: &mut Present, decision: &Override, id: EntryId) {
    if let Some(all) = present.overrides.get_mut(&decision.record) {
        all.retain(|one| one.entry != id);
    }
}

/// The record for the box. Of an undo it says what holds from then on.
fn line(
    present: &Present,
    reviewer: &Reviewer,
    (id, of): (EntryId, EntryId),
    decision: &Override,
    held: &Delivery,
    (back, now): (Back, Timestamp),
) -> Result<String, serde_json::Error> {
    let by = By { id, reviewer: &reviewer.name, time: now };
    let answered = Answered::read(&held.line);
    if back == Back::Redo {
        return record::line(by, decision, &answered, Kind::Redoes(of));
    }
    let others = present.overrides.get(&decision.record).map_or(&[][..], Vec::as_slice);
    let (word, why) = holds(others.last(), held.judged, decision.word);
    let reason = format!("taken back: {} of {of}; {why}", decision.word.as_str());
    let decision = Override { record: decision.record, word, reason, together: None };
    record::line(by, &decision, &answered, Kind::Undoes(of))
}

/// What holds without the override, and why: the last one that still counts, whoever's; else what
/// the judge said; where that decides nothing, the opposite of what is taken back.
fn holds(
    other: Option<&Dated<Override>>,
    judged: Option<Outcome>,
    taken: OverrideWord,
) -> (OverrideWord, String) {
    if let Some(other) = other {
        let word = other.what.word;
        let why =
            format!("the override {} of {} holds: {}", other.entry, other.reviewer, word.as_str());
        return (word, why);
    }
    match judged {
        Some(Outcome::Go) => (OverrideWord::Accept, "the judge said GO".to_owned()),
        Some(Outcome::NoGo) => (OverrideWord::Reject, "the judge said NO-GO".to_owned()),
        Some(Outcome::Undetermined) | None => {
            let word = match taken {
                OverrideWord::Accept => OverrideWord::Reject,
                OverrideWord::Reject => OverrideWord::Accept,
            };
            (word, "the judge decided nothing".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn undone_override_restores_judge_verdict_or_reports_none() {
        use OverrideWord::{Accept, Reject};
        let holds = |judged, taken| holds(None, judged, taken).0;
        assert_eq!(holds(Some(Outcome::Go), Accept), Accept);
        assert_eq!(holds(Some(Outcome::Go), Reject), Accept);
        assert_eq!(holds(Some(Outcome::NoGo), Accept), Reject);
        assert_eq!(holds(Some(Outcome::Undetermined), Accept), Reject);
        assert_eq!(holds(None, Reject), Accept);
    }
}
