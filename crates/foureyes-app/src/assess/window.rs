//! The window that runs, and who could know what is in it.

use super::{Evaluations, STRATA};
use crate::calibration::Plan;
use crate::domain::review::{Dated, EntryId, FamilyRules, Present, WindowStart};
use crate::domain::{JudgementKind, RecordId, Timestamp};
use std::collections::HashSet;

/// A window that began.
#[derive(Debug, Clone, Copy)]
pub(super) struct Window<'a> {
    /// The entry that counts.
    pub(super) start: &'a Dated<WindowStart>,
    /// Where it was taken back.
    pub(super) back: Option<&'a Dated<EntryId>>,
}

/// The window that runs, and what else was said of windows.
pub(super) struct Held<'a> {
    /// The one that runs.
    pub(super) window: &'a Dated<WindowStart>,
    /// The one before it.
    pub(super) before: Option<&'a Dated<WindowStart>>,
    /// How often a start was said that is past.
    pub(super) starts: usize,
}

/// The window that runs: the one that was said last and began already, where nobody took it back.
///
/// Where the same start was said several times in a row the first of them counts: saying it again
/// chooses nothing. Where a switch to blocking said it as well, that one counts: the switch would
/// have begun it whatever anybody had said.
pub fn in_force(
    present: &Present,
    family: JudgementKind,
    now: Timestamp,
) -> Option<&Dated<WindowStart>> {
    held(present, family, now).map(|held| held.window)
}

/// The same with what was said before.
pub(super) fn held(present: &Present, family: JudgementKind, now: Timestamp) -> Option<Held<'_>> {
    let all = windows(present, family, now);
    let (last, before) = all.split_last()?;
    let before = before.last().map(|window| window.start);
    let starts = past(present.of(family), now).count();
    last.back.is_none().then_some(Held { window: last.start, before, starts })
}

/// All windows that began, in the order in which they were said. One that was taken back before its
/// first day never began, and ended none.
pub(super) fn windows(present: &Present, family: JudgementKind, now: Timestamp) -> Vec<Window<'_>> {
    let rules = present.of(family);
    let back = |entry| rules.taken_back.get(&entry);
    let past: Vec<&Dated<WindowStart>> = past(rules, now).collect();
    let mut windows = Vec::new();
    // After a start that was taken back the same day is chosen anew.
    for run in past.chunk_by(|a, b| is_same_start(&a.what, &b.what) && back(a.entry).is_none()) {
        let [first, .., last] = run else {
            windows.extend(run.first().map(|only| Window { start: only, back: back(only.entry) }));
            continue;
        };
        let of_switch = run.iter().find(|w| present.known.is_of_switch(w.entry));
        windows.push(Window { start: of_switch.unwrap_or(first), back: back(last.entry) });
    }
    windows
}

/// Whether two starts begin the same window.
fn is_same_start(one: &WindowStart, other: &WindowStart) -> bool {
    let judge = |start: &WindowStart| start.natural.as_ref().map(|natural| natural.version.clone());
    one.from == other.from && judge(one) == judge(other)
}

/// Starts that are past, without those that were taken back before.
fn past(rules: &FamilyRules, now: Timestamp) -> impl Iterator<Item = &Dated<WindowStart>> {
    let began = move |w: &&Dated<WindowStart>| {
        let back = rules.taken_back.get(&w.entry);
        w.what.from <= now && back.is_none_or(|back| back.time >= w.what.from)
    };
    rules.windows.iter().filter(began)
}

/// From when on a window counts what needs no label: nothing that was judged before its entry, since
/// that was there to choose by. An earlier version began it with its first day, and so does a switch
/// to blocking, which chooses none.
pub(super) fn counts_from(present: &Present, window: &Dated<WindowStart>) -> Timestamp {
    let WindowStart { from, .. } = window.what;
    if window.what.is_old()
        || window.what.natural.is_some()
        || present.known.is_of_switch(window.entry)
    {
        return from;
    }
    from.max(window.time)
}

/// From when on anything counts in a window: from its first day also where it was said later, if
/// since then all that passed is in the audit sample and nothing of it had a label when it was said.
pub(super) fn starts(
    all: &Evaluations,
    present: &Present,
    window: &Dated<WindowStart>,
    plan: &Plan,
) -> Timestamp {
    let (from, until) = (window.what.from, counts_from(present, window));
    // What was judged before the entry counts in a window with the natural start alone.
    let is_closed = window.what.rules >= WindowStart::RULES;
    if from >= until || is_closed || !plan.takes_all(from, until, STRATA.len()) {
        return until;
    }
    let reached = |record: &RecordId| {
        let judged = all.find(*record).and_then(|at| all.all().get(at));
        judged.is_some_and(|e| e.at >= from && e.at < until)
    };
    match present.known.before(window.entry).iter().any(reached) {
        true => until,
        false => from,
    }
}

/// Records of a window that had labels when its start was chosen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Late {
    /// As the order of the entries proves.
    pub(super) proven: u64,
    /// Further ones, of which only the labels state it themselves.
    pub(super) stated: u64,
    /// Further ones, of which only clocks tell that the start came first.
    pub(super) by_clock: u64,
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
    if known.is_of_switch(window.entry) || window.what.natural.is_some() {
        return Late::default();
    }
    let inside = |record: &RecordId| {
        let judged = all.find(*record).and_then(|at| all.all().get(at));
        judged.is_some_and(|e| e.at >= from)
    };
    let mut counted: HashSet<RecordId> =
        known.before(window.entry).iter().copied().filter(|record| inside(record)).collect();
    let proven = counted.len() as u64;
    let mut further = |record: &RecordId| inside(record) && counted.insert(*record);
    let stated = known.stated_before(window.time).filter(|r| further(r)).count() as u64;
    let by_clock = known.after_by_clock(window.entry);
    let by_clock = by_clock.iter().filter(|record| further(record)).count() as u64;
    Late { proven, stated, by_clock }
}

/// From when on labels can have been in the way of a start: from its first day on, or on that day
/// itself from when it was said, by its own clock.
pub(super) fn chosen_from(present: &Present, window: &Dated<WindowStart>) -> Timestamp {
    let from = window.what.from;
    let moved = &present.of(window.what.family).moved;
    let moved = moved.iter().find(|moved| moved.rule == window.entry);
    let starts = moved.map_or(window.time, |moved| moved.written);
    if window.what.is_old() || starts.day() != from.day() { from } else { starts }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::domain::HookMode;
    use crate::domain::review::{
        Act, Entry, Label, LineHash, ModeSet, Sequence, Shown, Word, present,
    };

    pub(in crate::assess) const TODAY: Timestamp = Timestamp(1_771_545_600_000_000);

    /// Entries of anna's, at hours of today; each is named by its place, from 0.
    pub(in crate::assess) fn present_of(acts: Vec<(i64, Act)>) -> Present {
        let entry = |(n, (hour, act)): (usize, (i64, Act))| Entry {
            id: EntryId([n as u8; 16]),
            time: Timestamp(TODAY.0 + hour * 3_600_000_000),
            reviewer: "anna".to_owned(),
            machine: "desk".to_owned(),
            act,
            prev: None,
            seen: Vec::new(),
            hash: LineHash([0; 32]),
        };
        let all: Vec<Entry> = acts.into_iter().enumerate().map(entry).collect();
        let entries = all.iter().collect();
        present(&[Sequence { name: "anna@desk.jsonl", entries, doubted: Vec::new() }])
    }

    const PUSH: JudgementKind = JudgementKind::Push;

    fn start(days: u32) -> Act {
        Act::Window(WindowStart::new(TODAY.minus_days(days)))
    }

    /// What 0.2 wrote with a switch.
    fn of_switch() -> Act {
        Act::Window(WindowStart { rules: 1, ..WindowStart::new(TODAY) })
    }

    /// The hour at which the window that holds was said, and whether a switch began it.
    fn holds(acts: Vec<(i64, Act)>) -> (i64, bool) {
        let present = present_of(acts);
        let window = in_force(&present, PUSH, Timestamp(TODAY.0 + 86_400_000_000)).unwrap();
        let hour = (window.time.0 - TODAY.0) / 3_600_000_000;
        (hour, present.known.is_of_switch(window.entry))
    }

    #[test]
    fn window_of_mode_switch_is_separate_from_equal_chosen_start() {
        let switch = || Act::Mode(ModeSet::new("box", HookMode::Blocking));
        assert_eq!(holds(vec![(9, start(0)), (10, switch()), (10, of_switch())]), (10, true));
        assert_eq!(holds(vec![(9, switch()), (9, of_switch()), (10, start(0))]), (9, true));
        // From 0.3 on a switch begins none: one of the same moment was chosen.
        assert_eq!(holds(vec![(9, switch()), (9, start(0))]), (9, false));
        // A start of somebody's own stays that, and so does the way back to it.
        let later = vec![(9, switch()), (9, of_switch()), (10, start(3)), (11, start(0))];
        assert_eq!(holds(later), (11, false));
        assert_eq!(holds(vec![(9, switch()), (9, of_switch()), (10, start(3))]), (10, false));
    }

    #[test]
    fn first_of_equal_starts_counts() {
        let present = present_of(vec![(1, start(2)), (2, start(1)), (3, start(1)), (4, start(1))]);
        let Held { window, before, starts } = held(&present, PUSH, Timestamp(i64::MAX)).unwrap();
        assert_eq!(
            (window.what.from, window.time.0),
            (TODAY.minus_days(1), TODAY.0 + 7_200_000_000)
        );
        assert_eq!((before.unwrap().what.from, starts), (TODAY.minus_days(2), 4));
        assert!(held(&Present::default(), PUSH, TODAY).is_none());
    }

    fn entry(n: u8) -> EntryId {
        EntryId([n; 16])
    }

    #[test]
    fn undone_start_leaves_no_window_until_next_choice() {
        let now = Timestamp(i64::MAX);
        let undo = |hour, n| (hour, Act::WindowUndo(entry(n), PUSH));
        let taken = present_of(vec![(1, start(9)), (2, start(5)), undo(3, 1)]);
        assert!(in_force(&taken, PUSH, now).is_none(), "the one before it stays ended");
        assert_eq!(windows(&taken, PUSH, now).len(), 2);
        // The same day once more is a start of its own.
        let again = present_of(vec![(1, start(9)), (2, start(5)), undo(3, 1), (4, start(5))]);
        assert_eq!(in_force(&again, PUSH, now).unwrap().entry, entry(3));
        assert_eq!(windows(&again, PUSH, now).len(), 3);
        // One that had not begun ended none.
        let later = Act::Window(WindowStart::new(Timestamp(TODAY.0 + 30 * 86_400_000_000)));
        let early = present_of(vec![(1, start(9)), (2, later), undo(3, 1)]);
        assert_eq!(in_force(&early, PUSH, now).unwrap().entry, entry(0));
        assert_eq!(windows(&early, PUSH, now).len(), 1);
    }

    #[test]
    fn older_form_after_entries_of_a_later_version_is_read_by_present_rules() {
        let old = || Act::Window(WindowStart { rules: 0, ..WindowStart::new(TODAY.minus_days(3)) });
        let look = || {
            let shown = "readiness".to_owned();
            Act::Look(crate::domain::review::Look { family: PUSH, shown, window: TODAY })
        };
        let rules =
            |present: &Present| in_force(present, PUSH, Timestamp(i64::MAX)).unwrap().what.rules;
        let before = present_of(vec![(8, old()), (9, look())]);
        assert_eq!((rules(&before), before.known.outdated()), (0, 0));
        let after = present_of(vec![(8, look()), (9, old())]);
        assert_eq!((rules(&after), after.known.outdated()), (WindowStart::RULES, 1));
        assert_eq!(rules(&after.as_written()), 0);
        // One of 0.2 after what only this version writes, too.
        let shared = Act::Window(WindowStart { rules: 1, ..WindowStart::new(TODAY) });
        let mut label = Label::new(RecordId([1; 32]), Word::Poor);
        let mixed =
            |label: &Label| present_of(vec![(8, Act::Label(label.clone())), (9, shared.clone())]);
        assert_eq!(rules(&mixed(&label)), 1);
        label.shown = Some(Shown::Nothing);
        assert_eq!(rules(&mixed(&label)), WindowStart::RULES);
    }

    #[test]
    fn records_before_window_choice_do_not_count_except_in_older_version() {
        let old = Act::Window(WindowStart { rules: 0, ..WindowStart::new(TODAY.minus_days(3)) });
        let switch = Act::Mode(ModeSet::new("box", HookMode::Blocking));
        let of = |acts: Vec<(i64, Act)>| {
            let present = present_of(acts);
            let window = in_force(&present, PUSH, Timestamp(i64::MAX)).unwrap();
            (counts_from(&present, window).0 - TODAY.0) / 3_600_000_000
        };
        assert_eq!(of(vec![(9, start(3))]), 9);
        assert_eq!(of(vec![(9, old)]), -72);
        assert_eq!(of(vec![(9, switch), (9, of_switch())]), 0);
        let future = Act::Window(WindowStart::new(Timestamp(TODAY.0 + 86_400_000_000)));
        assert_eq!(of(vec![(9, future)]), 24);
    }
}
