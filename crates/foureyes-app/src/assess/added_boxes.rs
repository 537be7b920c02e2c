//! Boxes that are added to a window which runs.

use crate::domain::review::{Act, Present, Reviewer, WindowAddition};
use crate::domain::{JudgementKind, Timestamp};
use crate::store::ledger::{Ledger, LedgerError, fresh_id};

/// Whether a window with the natural start runs that lacks one of some boxes.
pub fn lacks_boxes(present: &Present, boxes: &[&str], now: Timestamp) -> bool {
    JudgementKind::ALL.into_iter().any(|family| missing(present, family, boxes, now).is_some())
}

/// Adds boxes to each window with the natural start that does not have them: their records count from now
/// on. Whoever pulls a box for the first time chooses nothing by that.
///
/// # Errors
/// As [`Ledger::append`].
pub fn add_boxes(
    ledger: &mut Ledger,
    by: &Reviewer,
    boxes: &[&str],
    now: Timestamp,
) -> Result<(), LedgerError> {
    let present = ledger.present(now);
    for addition in
        JudgementKind::ALL.into_iter().filter_map(|of| missing(&present, of, boxes, now))
    {
        ledger.append(by, fresh_id(now), now, &Act::WindowAddition(addition))?;
    }
    Ok(())
}

/// The boxes of some that the window of a family does not have.
fn missing(
    present: &Present,
    family: JudgementKind,
    boxes: &[&str],
    now: Timestamp,
) -> Option<WindowAddition> {
    let begun = super::natural_window(present, family, now)?;
    let is_new = |name: &&&str| !begun.boxes().any(|own| own == **name);
    let new: Vec<String> = boxes.iter().filter(is_new).map(|name| (*name).to_owned()).collect();
    (!new.is_empty()).then(|| WindowAddition::boxes(family, begun.entry, new))
}
