//! The window that holds, and who could know what is in it.

use super::Evaluations;
use crate::domain::review::{Dated, Present, WindowStart};
use crate::domain::{RecordId, Timestamp};

/// The window that holds, and what else was said of windows.
pub(super) struct Held<'a> {
    /// The one that holds.
    pub(super) window: &'a Dated<WindowStart>,
    /// The one with another start that held before it.
    pub(super) before: Option<&'a Dated<WindowStart>>,
    /// How often a start was said that is past.
    pub(super) said: usize,
}

/// The window that was said last and began already.
///
/// Where the same start was said several times in a row the first of them counts: saying it again
/// chooses nothing. Where a switch to blocking said it as well, that one counts: the switch would
/// have begun it whatever anybody had said.
pub fn in_force(present: &Present, now: Timestamp) -> Option<&Dated<WindowStart>> {
    held(present, now).map(|held| held.window)
}

/// The same with what was said before.
pub(super) fn held(present: &Present, now: Timestamp) -> Option<Held<'_>> {
    let past: Vec<_> = present.windows.iter().filter(|w| w.what.from <= now).collect();
    let start = past.last()?.what.from;
    let earlier = past.iter().rposition(|w| w.what.from != start);
    let run = past.get(earlier.map_or(0, |at| at + 1)..)?;
    let of_switch = run.iter().find(|w| present.known.is_of_switch(w.entry));
    let before = earlier.and_then(|at| past.get(at).copied());
    Some(Held { window: of_switch.or(run.first())?, before, said: past.len() })
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::HookMode;
    use crate::domain::review::{Act, Entry, EntryId, LineHash, ModeSet, Sequence, present};

    const TODAY: Timestamp = Timestamp(1_771_545_600_000_000);

    /// Entries of anna's, at hours of today.
    fn said(acts: Vec<(i64, Act)>) -> Present {
        let entry = |(n, (hour, act)): (usize, (i64, Act))| Entry {
            id: EntryId([n as u8; 16]),
            time: Timestamp(TODAY.0 + hour * 3_600_000_000),
            reviewer: "anna".to_owned(),
            machine: "desk".to_owned(),
            act,
            prev: None,
            hash: LineHash([0; 32]),
        };
        let all: Vec<Entry> = acts.into_iter().enumerate().map(entry).collect();
        let entries = all.iter().collect();
        present(&[Sequence { name: "anna@desk.jsonl", entries, doubted: Vec::new() }])
    }

    fn start(days: u32) -> Act {
        Act::Window(WindowStart { from: TODAY.minus_days(days) })
    }

    /// The hour at which the window that holds was said, and whether a switch began it.
    fn holds(acts: Vec<(i64, Act)>) -> (i64, bool) {
        let present = said(acts);
        let window = in_force(&present, Timestamp(TODAY.0 + 86_400_000_000)).unwrap();
        let hour = (window.time.0 - TODAY.0) / 3_600_000_000;
        (hour, present.known.is_of_switch(window.entry))
    }

    #[test]
    fn the_window_of_a_switch_is_its_own_also_where_somebody_said_the_same_start_before() {
        let switch = || Act::Mode(ModeSet::new("box", HookMode::Blocking));
        assert_eq!(holds(vec![(9, start(0)), (10, switch()), (10, start(0))]), (10, true));
        assert_eq!(holds(vec![(9, switch()), (9, start(0)), (10, start(0))]), (9, true));
        // A start of somebody's own stays that, and so does the way back to it.
        let later = vec![(9, switch()), (9, start(0)), (10, start(3)), (11, start(0))];
        assert_eq!(holds(later), (11, false));
        assert_eq!(holds(vec![(9, switch()), (9, start(0)), (10, start(3))]), (10, false));
    }

    #[test]
    fn of_equal_starts_in_a_row_the_first_counts_and_the_one_before_them_has_another_start() {
        let present = said(vec![(1, start(2)), (2, start(1)), (3, start(1)), (4, start(1))]);
        let Held { window, before, said } = held(&present, Timestamp(i64::MAX)).unwrap();
        assert_eq!(
            (window.what.from, window.time.0),
            (TODAY.minus_days(1), TODAY.0 + 7_200_000_000)
        );
        assert_eq!((before.unwrap().what.from, said), (TODAY.minus_days(2), 4));
        assert!(held(&Present::default(), TODAY).is_none());
    }
}
