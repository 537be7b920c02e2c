//! Writing down that what the labels say was looked at.

use crate::domain::review::Reviewer;
use crate::domain::review::{Act, Look, Present};
use crate::domain::{JudgementKind, Timestamp};
use crate::store::ledger::{Ledger, LedgerError, fresh_id};

/// Writes a look at a family into the ledger of the one who looks, once per sitting; `present` is what the
/// ledgers say at `now`. Without a window there is nothing to look at yet, and nothing is written.
///
/// # Errors
/// As [`Ledger::append`]. Whoever looks goes on all the same.
pub fn record_look(
    ledger: &mut Ledger,
    present: &Present,
    family: JudgementKind,
    by: &Reviewer,
    shown: &str,
    now: Timestamp,
) -> Result<(), LedgerError> {
    let Some(window) = super::window_in_force(present, family, now).map(|w| w.what.from) else {
        return Ok(());
    };
    if !present.looks.begins_sitting(family, &by.name, window, now) {
        return Ok(());
    }
    let act = Act::Look(Look { family, shown: shown.to_owned(), window });
    ledger.append(by, fresh_id(now), now, &act).map(drop)
}
