//! How much of the allowed error the running window has: what those before it left.

use super::Evaluations;
use super::window::{self, Window};
use crate::calibration::{Allowance, Began, Evaluation, Fingerprint, Plan, WindowOf};
use crate::domain::Timestamp;
use crate::domain::review::{Dated, EntryId, Present, WindowStart};
use std::collections::BTreeMap;

/// The allowance of the window that runs, or of the next one where none does.
pub(super) fn allowance(
    all: &Evaluations,
    present: &Present,
    plan: &Plan,
    now: Timestamp,
) -> Allowance {
    let windows = window::windows(present, all.kind(), now);
    let spans: Vec<Span<'_>> =
        (0..windows.len()).filter_map(|at| Span::new(&windows, at, all, present, plan)).collect();
    let runs = windows.last().is_some_and(|window| window.back.is_none());
    let (before, own) = spans.split_at(spans.len() - usize::from(runs));
    let shared = share(all, present, before, own.first());
    match own.first().is_some_and(|span| span.window.start.what.is_old()) {
        true => Allowance { part: 1.0, ..shared },
        false => shared,
    }
}

/// The allowance that a window would have which were begun now.
pub(super) fn allowance_of_next(
    all: &Evaluations,
    present: &Present,
    start: &WindowStart,
    now: Timestamp,
) -> Allowance {
    let mut present = present.clone();
    let (entry, reviewer, what) = (EntryId([0; 16]), String::new(), start.clone());
    let next = Dated { entry, time: now, reviewer, what };
    present.rules.get_mut(all.kind()).windows.push(next);
    allowance(all, &present, &Plan::default(), now)
}

/// The allowance of a window after others; of the next one where none runs.
fn share(
    all: &Evaluations,
    present: &Present,
    before: &[Span<'_>],
    own: Option<&Span<'_>>,
) -> Allowance {
    let fixed: Vec<Vec<Fingerprint>> =
        before.iter().chain(own).map(|span| fixed_judges(span.window.start)).collect();
    let judges = |span: &Span<'_>, fixed: &'_ [Fingerprint]| -> Vec<Fingerprint> {
        fixed.iter().chain(span.judges(all)).cloned().collect()
    };
    let mut each: Vec<Vec<Fingerprint>> =
        before.iter().chain(own).zip(&fixed).map(|(span, fixed)| judges(span, fixed)).collect();
    let mut own_judges = if own.is_some() { each.pop().unwrap_or_default() } else { Vec::new() };
    if own_judges.is_empty() {
        // What is judged next is judged by the one that judged last.
        own_judges.extend(all.newest().cloned());
    }
    let spent: Vec<WindowOf<'_>> = before
        .iter()
        .zip(&each)
        .filter(|(span, _)| span.is_spent(all, present))
        .map(|(span, judges)| WindowOf {
            judges: judges.iter().collect(),
            began: began(span, present),
        })
        .collect();
    let began = own.map_or(Began::Naturally, |span| began(span, present));
    let own = WindowOf { judges: own_judges.iter().collect(), began };
    Allowance::shared(&spent, &own, &first_seen(all))
}

/// The judges that the entry of a window names.
fn fixed_judges(start: &Dated<WindowStart>) -> Vec<Fingerprint> {
    let natural = start.what.natural.iter();
    natural.flat_map(|natural| natural.versions().map(Fingerprint::from_version)).collect()
}

fn began(span: &Span<'_>, present: &Present) -> Began {
    let start = span.window.start;
    match &start.what.natural {
        Some(_) => Began::Naturally,
        None if start.what.rules < WindowStart::RULES => Began::Plainly,
        None if present.known.is_of_switch(start.entry) => Began::Plainly,
        None => Began::ByHand { on: start.time.max(start.what.from).day() },
    }
}

/// Each judge, with the day on which it was first seen.
fn first_seen(all: &Evaluations) -> Vec<(&Fingerprint, i32)> {
    let mut first: BTreeMap<u32, i32> = BTreeMap::new();
    for e in all.all() {
        first.entry(e.fingerprint).or_insert_with(|| e.at.day());
    }
    let of = |(judge, day): (u32, i32)| Some((all.fingerprints().get(judge as usize)?, day));
    first.into_iter().filter_map(of).collect()
}

/// A window with the time that it took.
struct Span<'a> {
    window: &'a Window<'a>,
    /// The first instant at which anything counts in it.
    from: Timestamp,
    /// The first instant at which the rates count that need no labels.
    counts_from: Timestamp,
    /// When it ended: another one began, or it was taken back.
    end: Timestamp,
    /// How many records had a label by then.
    labelled: usize,
}

impl<'a> Span<'a> {
    fn new(
        windows: &'a [Window<'a>],
        at: usize,
        all: &Evaluations,
        present: &Present,
        plan: &Plan,
    ) -> Option<Self> {
        let window = windows.get(at)?;
        let next = windows.get(at + 1);
        let begins = |next: &Window<'_>| next.start.time.max(next.start.what.from);
        let ends = [next.map(begins), window.back.map(|back| back.time)];
        let known = &present.known;
        let labelled = next.map_or(known.records().len(), |n| known.before(n.start.entry).len());
        Some(Self {
            window,
            from: window::starts(all, present, window.start, plan),
            counts_from: window::counts_from(present, window.start),
            end: ends.into_iter().flatten().min().unwrap_or(Timestamp(i64::MAX)),
            labelled,
        })
    }

    /// Tells whether it used up a share: a day of it ended, or a record in it ever had a label, taken
    /// back or not, before the next one began.
    fn is_spent(&self, all: &Evaluations, present: &Present) -> bool {
        let first_day_ends = Timestamp::of_day(self.counts_from.day().saturating_add(1));
        let inside = |e: &Evaluation| e.at >= self.from && e.at < self.end;
        let mut labelled = present.known.records().iter().take(self.labelled);
        self.end >= first_day_ends
            || labelled.any(|id| all.find(*id).and_then(|at| all.all().get(at)).is_some_and(inside))
    }

    /// The judges of its records, each once.
    fn judges<'e>(&self, all: &'e Evaluations) -> Vec<&'e Fingerprint> {
        let rows = all.all();
        // What its entry left out is of no judge of it.
        let natural = self.window.start.what.natural.as_ref();
        let start = natural.map_or(self.from, |_| self.from.max(self.window.start.time));
        let from = rows.partition_point(|e| e.at < start);
        let to = rows.partition_point(|e| e.at < self.end);
        let mut seen: Vec<u32> = Vec::new();
        for same in
            rows.get(from..to).unwrap_or_default().chunk_by(|a, b| a.fingerprint == b.fingerprint)
        {
            seen.extend(same.first().map(|e| e.fingerprint).filter(|f| !seen.contains(f)));
        }
        let inside = |at: &Timestamp| *at >= start && *at < self.end;
        for (_, judge) in all.rounds().iter().filter(|(at, _)| inside(at)) {
            if !seen.contains(judge) {
                seen.push(*judge);
            }
        }
        let of = |number: u32| all.fingerprints().get(usize::try_from(number).ok()?);
        seen.into_iter().filter_map(of).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::super::window::tests::{TODAY, present_of};
    use super::*;
    use crate::domain::review::{
        Act, Draw, EntryId, JudgeVersion, Label, NaturalStart, WindowStart, Word,
    };
    use crate::domain::{JudgementKind, Outcome, RecordId};

    const DAY: i64 = 86_400_000_000;

    fn id(day: i64) -> RecordId {
        RecordId([u8::try_from(day).unwrap(); 32])
    }

    /// One evaluation at noon of each of forty days from today on; another judge from the twentieth on.
    fn evaluations() -> Evaluations {
        let one = |day: i64| Evaluation {
            id: id(day),
            at: Timestamp(TODAY.0 + day * DAY + DAY / 2),
            outcome: Outcome::Go,
            cause: None,
            reports_outages: true,
            latency_ms: None.into(),
            stratum: 0,
            fingerprint: u32::from(day >= 20),
            agent: 0,
            repeated: None.into(),
            first: true,
            first_seen: true,
            retried_after: None.into(),
            times: 1,
        };
        let judge =
            |model: &str| Fingerprint { model: Some(model.to_owned()), ..Fingerprint::default() };
        Evaluations::planted((0..40).map(one).collect(), vec![judge("one"), judge("two")])
    }

    /// Said at the beginning of a day.
    fn on(day: i64, act: Act) -> (i64, Act) {
        (day * 24, act)
    }

    fn start(day: i64) -> (i64, Act) {
        let from = Timestamp(TODAY.0 + day * DAY);
        on(day, Act::Window(WindowStart { rules: 1, ..WindowStart::new(from) }))
    }

    /// One of now, with a day that somebody chose.
    fn by_hand(day: i64) -> (i64, Act) {
        on(day, Act::Window(WindowStart::new(Timestamp(TODAY.0 + day * DAY))))
    }

    /// One with the first record ever of the first judge.
    fn natural(day: i64, model: &str, from: i64) -> (i64, Act) {
        let start = NaturalStart {
            version: JudgeVersion::new(None, [Some(model), None, None]),
            panel: Vec::new(),
            boxes: Vec::new(),
            draw: Draw::Thin,
            rate: 1.0,
            seed: None,
            withheld: false,
        };
        let from = Timestamp(TODAY.0 + from * DAY + DAY / 2);
        on(day, Act::Window(WindowStart::natural(from, start)))
    }

    #[test]
    fn natural_start_is_first_window_of_its_judge_taken_or_not() {
        assert_eq!(of(vec![natural(15, "one", 0)]), (1, 2), "another judge came later");
        assert_eq!(of(vec![natural(30, "two", 20)]), (1, 1));
        assert_eq!(of(vec![by_hand(30)]).0, 2, "as after one in a copy");
        assert_eq!(of(vec![by_hand(30), natural(31, "two", 20)]).0, 1);
        assert_eq!(of(vec![natural(30, "two", 20), by_hand(31)]).0, 2);
        assert_eq!(of(vec![natural(30, "two", 20), by_hand(31), by_hand(33)]).0, 3);
        // No whole day of the second judge was over.
        assert_eq!(of(vec![by_hand(20)]).0, 1);
        // After windows of older rules it takes the next number.
        assert_eq!(of(vec![start(21), natural(30, "two", 20)]).0, 2);
        assert_eq!(of(vec![start(21), by_hand(30)]).0, 3);
    }

    fn undo(day: i64, entry: u8) -> (i64, Act) {
        on(day, Act::WindowUndo(EntryId([entry; 16]), JudgementKind::Push))
    }

    fn label(day: i64, of: i64) -> (i64, Act) {
        on(day, Act::Label(Label::new(id(of), Word::Poor)))
    }

    /// Number of the running window, and judges tried, as they are at the end.
    fn of(acts: Vec<(i64, Act)>) -> (u64, u64) {
        let plan = Plan::default();
        let now = Timestamp(TODAY.0 + 40 * DAY);
        let Allowance { window, judges, .. } =
            allowance(&evaluations(), &present_of(acts), &plan, now);
        (window, judges)
    }

    #[test]
    fn window_share_is_spent_after_a_day_or_a_label() {
        assert_eq!(of(vec![]), (1, 1));
        assert_eq!(of(vec![start(1)]), (1, 2), "both judges are in it");
        assert_eq!(of(vec![start(1), start(5)]), (2, 2));
        let late = |day, hour| (day * 24 + hour, start(day).1);
        let hour = |hours: i64, act: (i64, Act)| (act.0 + hours, act.1);
        // No day of the first ended, and nothing of it had a label.
        assert_eq!(of(vec![start(1), late(0, 25)]), (1, 2), "another day, said on the same");
        // A label that was taken back was one.
        let undone = hour(16, on(1, Act::Undo(EntryId([1; 16]))));
        let anew = (24 + 20, start(0).1);
        assert_eq!(of(vec![start(1), hour(15, label(1, 1)), undone, anew.clone()]), (2, 2));
        // One of a record that was judged before it is none of it.
        assert_eq!(of(vec![start(1), hour(15, label(1, 0)), (24 + 16, start(0).1)]), (1, 2));
    }

    #[test]
    fn undone_window_stays_spent_unless_unused() {
        assert_eq!(of(vec![start(1), start(5), undo(8, 1), start(9)]), (3, 2));
        assert_eq!(of(vec![start(1), start(5), undo(5, 1), start(9)]), (2, 2));
        // None is running: that is the share of the next one, whose judge is the one that judged last.
        assert_eq!(of(vec![start(1), start(5), undo(8, 1)]), (1, 2));
        assert_eq!(of(vec![start(21), start(25), undo(28, 1)]), (3, 1));
    }

    #[test]
    fn a_new_judge_has_a_share_of_its_own_and_is_counted() {
        assert_eq!(of(vec![start(1), start(5), start(9), start(25)]), (2, 2));
        assert_eq!(of(vec![start(1), start(5), start(20)]), (1, 2));
        // A day that is to come has no judge yet: the last one is meant.
        assert_eq!(of(vec![start(25), start(30), start(40)]), (3, 1));
    }

    #[test]
    fn older_window_has_whole_share_and_counts_for_later_ones() {
        let old = |day: i64| {
            let from = Timestamp(TODAY.0 + day * DAY);
            on(day, Act::Window(WindowStart { rules: 0, ..WindowStart::new(from) }))
        };
        let now = Timestamp(TODAY.0 + 40 * DAY);
        let of = |acts| allowance(&evaluations(), &present_of(acts), &Plan::default(), now);
        let first = of(vec![old(21)]);
        assert_eq!((first.window, first.part), (1, 1.0));
        assert_eq!(of(vec![old(21), start(25)]), Allowance::new(2, 1));
        // One that follows an entry of this version is read by the rules of this version, in which the
        // natural start is the first window, taken or not; and 0.2 believed it.
        assert_eq!(of(vec![start(21), old(25)]), Allowance::new(3, 1));
        let written = present_of(vec![start(21), old(25)]).as_written();
        let second = allowance(&evaluations(), &written, &Plan::default(), now);
        assert_eq!((second.window, second.part), (2, 1.0));
    }
}
