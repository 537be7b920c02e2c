//! The entry that a box blocks, and the window that begins with it.

use crate::assess::Modes;
use crate::domain::review::Present;
use crate::domain::{JudgementKind, Timestamp};

/// The ledger has an entry that a box blocks on verdicts of a family.
#[derive(Clone, Copy)]
pub(super) struct BlockingRecorded {
    /// The family.
    pub(super) family: JudgementKind,
    /// Whether no box blocked on it until then.
    pub(super) first: bool,
    /// The time of the entry.
    pub(super) at: Timestamp,
}

/// From when on evidence counts anew: from the day of this word, where no other box blocks or no
/// window began with the first that does: a machine may have died before it wrote that. Days count
/// whole, and today is in no window that was read before.
pub(super) fn window(
    present: &Present,
    word: BlockingRecorded,
    now: Timestamp,
) -> Option<Timestamp> {
    let day = Modes::new(present, now).since(word.family)?.0.day();
    let started = crate::assess::window_in_force(present, word.family, now);
    let before = started.is_none_or(|window| window.what.from.day() < day);
    (word.first || before).then(|| Timestamp::of_day(word.at.day()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::HookMode;
    use crate::domain::review::{Dated, EntryId, ModeSet, WindowStart};

    fn dated<T>(hour: i64, what: T) -> Dated<T> {
        let time = Timestamp(hour * 3_600_000_000);
        Dated { entry: EntryId([0; 16]), time, reviewer: "anna".to_owned(), what }
    }

    fn blocking(hour: i64) -> Dated<ModeSet> {
        let set = ModeSet::new("box", HookMode::Blocking);
        dated(hour, set)
    }

    #[test]
    fn window_begins_with_first_box_without_ledger_entry() {
        let began = |hour: i64| Dated {
            entry: EntryId([0; 16]),
            time: Timestamp(0),
            reviewer: "anna".to_owned(),
            what: WindowStart::new(Timestamp(hour * 3_600_000_000)),
        };
        let day = |n: u32| Some(Timestamp(i64::from(n) * 86_400_000_000));
        let of = |windows: &[i64], first| {
            let modes = vec![blocking(49), blocking(80)];
            let windows = windows.iter().map(|hour| began(*hour)).collect();
            let now = Timestamp(90 * 3_600_000_000);
            let mut present = Present { modes, ..Present::default() };
            present.rules.get_mut(JudgementKind::Push).windows = windows;
            let family = JudgementKind::Push;
            window(&present, BlockingRecorded { family, first, at: now }, now)
        };
        assert_eq!((of(&[], true), of(&[0], true), of(&[48], true)), (day(3), day(3), day(3)));
        assert_eq!((of(&[], false), of(&[24], false)), (day(3), day(3)), "it was left out");
        assert_eq!((of(&[48], false), of(&[72], false)), (None, None));
        let family = JudgementKind::Push;
        let word = BlockingRecorded { family, first: true, at: Timestamp(0) };
        assert_eq!(window(&Present::default(), word, Timestamp(0)), None, "none blocks");
    }
}
