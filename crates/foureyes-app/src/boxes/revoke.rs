//! The word that a box blocks, taken back where it does not.

use super::Context;
use crate::advice;
use crate::domain::review::Reviewer;
use crate::domain::review::{Act, Dated, EntryId, ModeSet, Present};
use crate::failure::Failure;
use crate::hook::switch::ModeStatus;
use crate::store::ledger::{Ledger, fresh_id};

/// Why a ledger says of a box what it is, where nothing was said of it before.
const WHY: &str = "the last order to block was not followed";

/// Writes down how the box is, where the ledger says by this entry that it blocks. An entry that
/// could not be written needs nothing, but for the look whether it stands there all the same.
pub(super) fn take_back(
    context: &Context<'_>,
    by: &Reviewer,
    name: &str,
    entry: EntryId,
    there: &ModeStatus,
) -> Result<(), Failure> {
    let mut ledgers = Ledger::load(context.data).map_err(advice::of_ledger)?;
    let now = context.clock.now();
    let present = ledgers.present(now);
    if !present.modes.iter().any(|entry_of_box| entry_of_box.entry == entry) {
        return Ok(());
    }
    let set = as_it_is(&present, name, entry, there);
    let saved = ledgers.append(by, fresh_id(now), now, &Act::Mode(set));
    saved.map(drop).map_err(advice::of_ledger)
}

/// The last word on the box but for that entry, where the box says the same; else what it says.
fn as_it_is(present: &Present, name: &str, entry: EntryId, there: &ModeStatus) -> ModeSet {
    let other = |entry_of_box: &&Dated<ModeSet>| {
        entry_of_box.what.box_name == name && entry_of_box.entry != entry
    };
    let before = present
        .modes
        .iter()
        .rfind(other)
        .filter(|entry_of_box| entry_of_box.what.mode == there.mode.as_str());
    let report = there.switch.as_ref().and_then(|switch| switch.report.as_ref());
    let takes_back = Some(entry);
    match before {
        // What readiness says was not asked for it.
        Some(entry_of_box) => ModeSet { readiness: None, takes_back, ..entry_of_box.what.clone() },
        None => ModeSet {
            report: report.map(|evidence| evidence.blake3.clone()),
            reason: Some(WHY.to_owned()),
            takes_back,
            ..ModeSet::new(name, there.mode)
        },
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::config::HookMode;
    use crate::domain::Timestamp;
    use crate::hook::switch::Source;

    const OURS: EntryId = EntryId([9; 16]);

    fn mode_entry(entry: EntryId, name: &str, mode: HookMode, report: &str) -> Dated<ModeSet> {
        let what = ModeSet {
            readiness: Some("ready".to_owned()),
            report: Some(report.to_owned()),
            ..ModeSet::new(name, mode)
        };
        Dated { entry, time: Timestamp(1), reviewer: "anna".to_owned(), what }
    }

    /// What is said of box `a`, which is in this mode, after words on it and on another one.
    fn is(there: HookMode, before: &[HookMode]) -> ModeSet {
        let of = |mode: &HookMode| mode_entry(EntryId([1; 16]), "a", *mode, "old");
        let mut modes: Vec<_> = before.iter().map(of).collect();
        modes.push(mode_entry(EntryId([2; 16]), "b", HookMode::Blocking, "of b"));
        modes.push(mode_entry(OURS, "a", HookMode::Blocking, "new"));
        let there = ModeStatus {
            mode: there,
            from: Source::Configuration,
            switch: None,
            damaged: None,
            configured: there,
            script: None,
            file: String::new(),
        };
        let set = as_it_is(&Present { modes, ..Present::default() }, "a", OURS, &there);
        assert_eq!(set.takes_back, Some(OURS), "whoever reads it knows that it was only tried");
        set
    }

    #[test]
    fn earlier_mode_is_recorded_again_when_box_confirms_it() {
        use HookMode::{Advisory, Blocking};
        let again = is(Blocking, &[Advisory, Blocking]);
        assert_eq!((again.mode.as_str(), again.report.as_deref()), ("blocking", Some("old")));
        assert_eq!(again.readiness, None, "no further box goes by it");
        assert_eq!(is(Advisory, &[Blocking, Advisory]).report.as_deref(), Some("old"));
        for (there, before) in [(Advisory, vec![]), (Advisory, vec![Blocking]), (Blocking, vec![])]
        {
            let set = is(there, &before);
            assert_eq!((set.mode.as_str(), set.report), (there.as_str(), None));
            assert_eq!(set.reason.as_deref(), Some(WHY));
        }
    }
}
