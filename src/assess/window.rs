//! The window that holds, and who could know what is in it.

use super::Evaluations;
use crate::domain::review::{Dated, Present, WindowStart};
use crate::domain::{RecordId, Timestamp};

/// The window that was said last and began already.
///
/// Where the same start was said several times in a row the first of them counts: saying it again
/// chooses nothing.
pub(super) fn in_force(present: &Present, now: Timestamp) -> Option<&Dated<WindowStart>> {
    let mut held = present.windows.iter().rev().filter(|w| w.what.from <= now);
    let last = held.next()?;
    let same = held.take_while(|before| before.what.from == last.what.from);
    Some(same.last().unwrap_or(last))
}

/// Records of a window that had labels when its start was chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Late {
    /// As the order of the entries proves.
    pub(super) proven: u64,
    /// Further ones, of which only the labels state it themselves.
    pub(super) stated: u64,
}

/// How many they are, among what was judged from an instant on.
///
/// The day of a switch to blocking begins a window by itself, and chooses nothing.
pub(super) fn late(
    all: &Evaluations,
    present: &Present,
    window: &Dated<WindowStart>,
    from: Timestamp,
) -> Late {
    let known = &present.known;
    if known.is_of_switch(window.entry) {
        return Late::default();
    }
    let inside = |record: &RecordId| {
        let judged = all.find(*record).and_then(|at| all.all().get(at));
        judged.is_some_and(|e| e.at >= from)
    };
    let proven = known.before(window.entry).iter().filter(|record| inside(record)).count();
    let proven_ones: std::collections::HashSet<_> = known.before(window.entry).iter().collect();
    let stated = known.stated_before(window.time).filter(|r| !proven_ones.contains(r));
    Late { proven: proven as u64, stated: stated.filter(inside).count() as u64 }
}
