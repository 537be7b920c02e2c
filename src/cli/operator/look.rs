//! Looks: what a command shows of the window's labels is written down before it is shown.

use super::{Context, Failure, ledger, reading};
use crate::assess;
use crate::domain::review::Present;
use crate::domain::{JudgementKind, chain};
use crate::store::ledger::Ledger;

/// The same of every family, for a command that has not read the ledgers.
///
/// # Errors
/// Ledgers that cannot be read.
pub(super) fn record_anew(context: &Context, shown: &str) -> Result<(), Failure> {
    let mut ledgers = Ledger::load(&context.data).map_err(ledger::failure)?;
    let present = ledgers.present(context.now);
    for family in JudgementKind::ALL {
        record(context, &mut ledgers, &present, family, shown);
    }
    Ok(())
}

/// Writes down that a command shows what the labels say of a family, once per sitting.
///
/// Nobody's look is written where nobody says who looks. A ledger that cannot be written stops no
/// command: stderr says so.
pub(super) fn record(
    context: &Context,
    ledger: &mut Ledger,
    present: &Present,
    family: JudgementKind,
    shown: &str,
) {
    if present.of(family).windows.is_empty() {
        return;
    }
    let who = super::ledger::writer(context, None);
    let Some(who) = who else { return };
    let recorded = assess::record_look(ledger, present, family, &who, shown, context.now);
    if let Err(error) = recorded {
        let cause = chain(&error);
        reading::note(&format!("failed to record in your ledger that you looked: {cause}"));
    }
}
