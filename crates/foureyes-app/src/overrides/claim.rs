//! Claiming an escalation: who takes it on, before anybody decides.

use crate::domain::review::{Act, Claim, Dated, Release, Reviewer};
use crate::domain::{RecordId, Timestamp};
use crate::store::ledger::{Ledger, LedgerError, fresh_id};

/// What became of the wish to claim a record, or to release it.
#[derive(Debug, Clone, PartialEq)]
pub enum Claimed {
    /// It is written.
    Saved,
    /// The reviewer holds it already: nothing is added.
    Already(Dated<Claim>),
    /// Somebody else holds it: nothing is added.
    Taken(Dated<Claim>),
    /// These claims are released, the earliest first.
    Released(Vec<Dated<Claim>>),
    /// Nobody holds it: nothing is added.
    Free,
}

/// Claims a record for a reviewer, unless somebody holds it.
///
/// # Errors
/// The ledger cannot be written.
pub fn claim(
    ledger: &mut Ledger,
    reviewer: &Reviewer,
    record: RecordId,
    now: Timestamp,
) -> Result<Claimed, LedgerError> {
    let claims = ledger.present(now).claims.remove(&record).unwrap_or_default();
    match claims.into_iter().next() {
        Some(held) if held.reviewer == reviewer.name => Ok(Claimed::Already(held)),
        Some(held) => Ok(Claimed::Taken(held)),
        None => {
            ledger.append(reviewer, fresh_id(now), now, &Act::Claim(Claim { record }))?;
            Ok(Claimed::Saved)
        }
    }
}

/// Releases all claims of a record, whoever holds them.
///
/// # Errors
/// The ledger cannot be written; claims before the one that failed are released.
pub fn release(
    ledger: &mut Ledger,
    reviewer: &Reviewer,
    record: RecordId,
    now: Timestamp,
) -> Result<Claimed, LedgerError> {
    let claims = ledger.present(now).claims.remove(&record).unwrap_or_default();
    for held in &claims {
        let act = Act::Release(Release { claim: held.entry });
        ledger.append(reviewer, fresh_id(now), now, &act)?;
    }
    Ok(if claims.is_empty() { Claimed::Free } else { Claimed::Released(claims) })
}
