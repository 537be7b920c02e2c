//! What a reviewer is to label next, so that days close: the calibration queue.
//!
//! NO-GOs, the audit sample of what passed, second words on what others labelled, and repeats of what
//! the reviewer labelled before stand mixed, so that being in the queue says nothing on the verdict.

use crate::calibration::{Day, DayState, Plan, Readiness, SecondWord, is_repeat};
use crate::domain::review::{Given, Present, Requested};
use crate::domain::{RecordId, Timestamp};
use crate::stats::sample;
use rayon::prelude::*;
use std::collections::HashSet;

/// Days after which a label may come back to be given again.
const FORGOTTEN: u32 = 7;

/// Days after which the one reviewer there is may confirm a label that keeps its day open.
const NEXT_DAY: u32 = 1;

/// An item of the calibration queue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Due {
    /// Which record.
    pub record: RecordId,
    /// The reviewer labelled it before: the new label is compared with the old one, and is
    /// from then on the reviewer's word, or stands beside it.
    pub repeat: bool,
    /// Why it is asked for, where it has a label.
    pub requested: Option<Requested>,
}

/// What labels an assessment found missing.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    /// The days of the window.
    pub days: &'a [Day],
    /// Second words that are asked for.
    pub second_words: &'a [SecondWord],
    /// Records that all who labelled them are unsure of.
    pub second_look: &'a [RecordId],
    /// Records with a changed word that nobody has settled.
    pub unsettled: &'a [RecordId],
    /// Records that are repeated with them.
    pub companions: &'a [RecordId],
}

impl<'a> Wanted<'a> {
    /// What one answer wants.
    pub fn new(readiness: &'a Readiness) -> Self {
        let quality = readiness.label_quality.as_ref();
        Self {
            days: &readiness.days,
            second_words: &readiness.reviewer_error.second_words.waiting,
            second_look: &readiness.second_look,
            unsettled: quality.map_or(&[], |quality| &quality.unsettled),
            companions: quality.map_or(&[], |quality| &quality.companions),
        }
    }
}

/// In which order the calibration queue comes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Turn {
    /// The earliest open day first, within a day mixed: a place says nothing of a verdict.
    #[default]
    Mixed,
    /// What would decide a KPI soonest first. Places tell verdicts: no label is blind there.
    Decides,
}

impl Turn {
    /// Its name on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Mixed => "mixed",
            Self::Decides => "what decides",
        }
    }
}

/// The calibration queue of a reviewer: the earliest open day first, since only the unbroken run of
/// closed days counts; within a day in an order that depends on nothing but the seed.
///
/// `share` of what the reviewer labelled more than a week ago comes back once, unmarked among the
/// others; in [0, 1]. Second words are for those who have not labelled the record; where there is
/// one reviewer alone, they come back to that one, and what was unsure does too. A changed word is for
/// those who have not labelled the record; to one reviewer alone it comes back among companions.
pub fn due(
    wanted: Wanted<'_>,
    plan: &Plan,
    present: &Present,
    reviewer: &str,
    share: f64,
    now: Timestamp,
) -> Vec<Due> {
    let open = |day: &&Day| day.state == DayState::Open;
    let days: Vec<&Day> = wanted.days.iter().filter(open).collect();
    let key = key(plan);
    let missing = |(place, day): (usize, &&Day)| {
        let due = move |record: &RecordId| {
            let due = Due { record: *record, repeat: false, requested: None };
            ((place, sample::draw(&key, &record.0)), due)
        };
        day.missing.iter().map(due).collect::<Vec<_>>()
    };
    let mut placed: Vec<((usize, f64), Due)> =
        days.par_iter().enumerate().flat_map_iter(missing).collect();
    // What has a label is spread over the open days.
    let places = days.len().max(1);
    let mut again = second_words(wanted, present, reviewer, now);
    let twice: HashSet<RecordId> = again.iter().map(|due| due.record).collect();
    let settling = settling(wanted, present, reviewer, now).into_iter();
    again.extend(settling.filter(|due| !twice.contains(&due.record)));
    let twice: HashSet<RecordId> = again.iter().map(|due| due.record).collect();
    again.extend(assigned(present, reviewer).filter(|due| !twice.contains(&due.record)));
    let known: HashSet<RecordId> = again.iter().map(|due| due.record).collect();
    let requested = Some(Requested::Repeat);
    let repeats = repeats(present, reviewer, share, now, &key).into_iter();
    let repeats = repeats.filter(|record| !known.contains(record));
    again.extend(repeats.map(|record| Due { record, repeat: true, requested }));
    // A changed word that was undone leaves a record without a label: it is missing, and not due twice.
    let missing: HashSet<RecordId> = placed.iter().map(|(_, due)| due.record).collect();
    again.retain(|due| !missing.contains(&due.record));
    for due in again {
        let draw = sample::draw(&key, &due.record.0);
        let place = (sample::public_draw("foureyes 2026 day of a repeat", &due.record.0)
            * places as f64) as usize;
        placed.push(((place, draw), due));
    }
    placed.par_sort_by(|(a, _), (b, _)| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    placed.into_iter().map(|(_, due)| due).collect()
}

/// What the order depends on: of no use to whoever knows the audit seed but nothing else.
fn key(plan: &Plan) -> [u8; sample::KEY_BYTES] {
    blake3::derive_key("foureyes 2026 order of the calibration queue", &plan.seed())
}

/// The second words that a reviewer is asked for.
fn second_words(wanted: Wanted<'_>, present: &Present, reviewer: &str, now: Timestamp) -> Vec<Due> {
    let alone = is_alone(present, reviewer);
    let look = Requested::SecondLook;
    let looks = wanted.second_look.iter().map(|id| SecondWord { record: *id, requested: look });
    // What others are unsure of has a queue of its own.
    let looks = looks.filter(|_| alone);
    let waiting = wanted.second_words.iter().copied();
    let due = |SecondWord { record, requested }: SecondWord| {
        let given = present.labels.get(&record).into_iter().flatten();
        let own: Vec<&Given> = given.filter(|given| given.reviewer == reviewer).collect();
        let days = if requested == Requested::Confirm { NEXT_DAY } else { FORGOTTEN };
        let repeat = match own[..] {
            [] => false,
            [one] if alone && one.import.is_none() && one.time < now.minus_days(days) => true,
            _ => return None,
        };
        Some(Due { record, repeat, requested: Some(requested) })
    };
    waiting.chain(looks).filter_map(due).collect()
}

/// What is assigned to a reviewer beside the label of another one: a double label.
fn assigned(present: &Present, reviewer: &str) -> impl Iterator<Item = Due> {
    let labelled = present.assigned_to(reviewer).filter(|id| present.labels.contains_key(id));
    let requested = Some(Requested::Double);
    labelled.map(move |record| Due { record, repeat: false, requested })
}

/// Whether nobody else labelled anything.
fn is_alone(present: &Present, reviewer: &str) -> bool {
    present.labels.values().flatten().all(|given| given.reviewer == reviewer)
}

/// What settles changed words: labels of those who gave none, or repeats where there is one reviewer.
fn settling(wanted: Wanted<'_>, present: &Present, reviewer: &str, now: Timestamp) -> Vec<Due> {
    let last = |record: &RecordId| {
        let given = present.labels.get(record).into_iter().flatten();
        given.filter(|given| given.reviewer == reviewer).map(|given| given.time).max()
    };
    if !is_alone(present, reviewer) {
        let open = wanted.unsettled.iter().filter(|record| last(record).is_none());
        let requested = Some(Requested::SecondLook);
        return open.map(|record| Due { record: *record, repeat: false, requested }).collect();
    }
    let day_ago = now.minus_days(1);
    let all = wanted.unsettled.iter().chain(wanted.companions);
    let due = all.filter(|record| last(record).is_some_and(|time| time < day_ago));
    let requested = Some(Requested::Repeat);
    due.map(|record| Due { record: *record, repeat: true, requested }).collect()
}

/// What comes back: labelled once by the reviewer, long enough ago, and drawn.
fn repeats(
    present: &Present,
    reviewer: &str,
    share: f64,
    now: Timestamp,
    key: &[u8; sample::KEY_BYTES],
) -> Vec<RecordId> {
    let before = now.minus_days(FORGOTTEN);
    let again = |record: &RecordId| {
        let given = present.labels.get(record).into_iter().flatten();
        let mut own = given.filter(|given| given.reviewer == reviewer && given.import.is_none());
        let old = own.next().is_some_and(|first| first.time < before);
        old && own.next().is_none() && is_repeat(key, record, share)
    };
    present.labels.keys().filter(|record| again(record)).copied().collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::{Rate, Stratum};
    use crate::domain::review::{EntryId, Given, Label, Word};

    fn id(n: u32) -> RecordId {
        RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes())
    }

    fn day(name: &str, state: DayState, missing: Vec<RecordId>) -> Day {
        let (no_go, audit) = (missing.len() as u64, 0);
        Day {
            day: name.to_owned(),
            state,
            evaluations: 9,
            no_go,
            no_go_labelled: 0,
            audit,
            audit_labelled: 0,
            missing,
            unconfirmed: Vec::new(),
        }
    }

    fn days_alone(days: &[Day]) -> Wanted<'_> {
        Wanted { days, second_words: &[], second_look: &[], unsettled: &[], companions: &[] }
    }

    fn plan(seed: u8) -> Plan {
        let rate = Rate { from: Timestamp(0), stratum: Stratum::Go, pi: 1.0, key: [seed; 32] };
        Plan { rates: vec![rate] }
    }

    /// Labels of a reviewer at a time.
    fn labelled(present: &mut Present, by: &str, at: Timestamp, ids: impl Iterator<Item = u32>) {
        for n in ids {
            let given = Given {
                entry: EntryId([0; 16]),
                time: at,
                reviewer: by.to_owned(),
                label: Label::new(id(n), Word::Poor),
                import: None,
            };
            present.labels.entry(id(n)).or_default().push(given);
        }
    }

    #[test]
    fn earliest_open_day_comes_first_in_seed_order() {
        let days = [
            day("2026-02-01", DayState::Closed, vec![]),
            day("2026-02-02", DayState::Open, (0..20).map(id).collect()),
            day("2026-02-03", DayState::Open, (20..40).map(id).collect()),
        ];
        let of = |seed| {
            due(days_alone(&days), &plan(seed), &Present::default(), "anna", 0.0, Timestamp(0))
        };
        let (one, other) = (of(1), of(2));
        let first: Vec<RecordId> = one[..20].iter().map(|due| due.record).collect();
        assert!((0..20).all(|n| first.contains(&id(n))));
        assert_eq!(one.len(), 40);
        assert_eq!(one, of(1));
        assert_ne!(one, other);
        assert_ne!(first, (0..20).map(id).collect::<Vec<_>>(), "it is not an order of the logs");
    }

    #[test]
    fn share_of_own_old_labels_returns_once_unmarked() {
        let now = Timestamp::of_day(100);
        let mut present = Present::default();
        labelled(&mut present, "anna", Timestamp::of_day(90), 1000..1400);
        labelled(&mut present, "anna", Timestamp::of_day(99), 2000..2400);
        labelled(&mut present, "bert", Timestamp::of_day(50), 3000..3400);
        let days = [day("1970-03-01", DayState::Open, (0..50).map(id).collect())];
        let plan = plan(3);
        let all = due(days_alone(&days), &plan, &present, "anna", 0.1, now);
        let back: Vec<_> = all.iter().filter(|due| due.repeat).map(|due| due.record).collect();
        assert!((20..=65).contains(&back.len()), "{} of 400", back.len());
        assert!(back.iter().all(|record| (1000..1400).any(|n| id(n) == *record)));
        // They stand among the others, not behind them.
        let first = all.iter().position(|due| due.repeat).unwrap();
        assert!(all[first..].iter().filter(|due| !due.repeat).count() > 20, "{all:?}");
        assert_eq!(due(days_alone(&days), &plan, &present, "anna", 0.0, now).len(), 50);
        // What was given twice does not come back a third time.
        let twice = back.iter().map(|record| (1000..1400).find(|n| id(*n) == *record).unwrap());
        labelled(&mut present, "anna", now, twice.collect::<Vec<_>>().into_iter());
        assert_eq!(due(days_alone(&days), &plan, &present, "anna", 0.1, now).len(), 50);
    }

    /// What of `second` is due to somebody at a time, and whether as a repeat.
    fn asked(
        present: &Present,
        second: &[SecondWord],
        second_look: &[RecordId],
        who: &str,
        day: i32,
    ) -> Vec<(RecordId, bool, Option<Requested>)> {
        let days = [day_of(vec![id(9000)])];
        let wanted = Wanted { second_words: second, second_look, ..days_alone(&days) };
        let all = due(wanted, &plan(3), present, who, 1.0, Timestamp::of_day(day));
        let again = all.iter().filter(|due| due.requested.is_some());
        let mut found: Vec<_> = again.map(|d| (d.record, d.repeat, d.requested)).collect();
        found.sort_unstable_by_key(|(_, _, why)| *why);
        found
    }

    fn day_of(missing: Vec<RecordId>) -> Day {
        day("1970-03-01", DayState::Open, missing)
    }

    #[test]
    fn second_labels_go_to_other_reviewer_or_become_repeats() {
        let of = |n, requested| SecondWord { record: id(n), requested };
        let second =
            [of(1, Requested::Double), of(2, Requested::Compare), of(3, Requested::Confirm)];
        let for_others = [
            (id(1), false, Some(Requested::Double)),
            (id(2), false, Some(Requested::Compare)),
            (id(3), false, Some(Requested::Confirm)),
        ];
        let mut present = Present::default();
        labelled(&mut present, "anna", Timestamp::of_day(90), 1..4);
        assert_eq!(asked(&present, &second, &[], "bert", 90), for_others);
        // Anna alone: a confirmation may come back on the second day after, the rest after a week,
        // and a record does so once, however often it is drawn.
        assert_eq!(asked(&present, &second, &[], "anna", 91), []);
        let confirm = (id(3), true, Some(Requested::Confirm));
        assert_eq!(asked(&present, &second, &[], "anna", 92), [confirm]);
        let all = asked(&present, &second, &[], "anna", 98);
        assert_eq!(all, for_others.map(|(id, _, why)| (id, true, why)));
        // Once bert labels, what anna labelled is his.
        labelled(&mut present, "bert", Timestamp::of_day(95), 50..51);
        let anna = asked(&present, &second, &[], "anna", 98);
        assert!(anna.iter().all(|(_, repeat, why)| *repeat && *why == Some(Requested::Repeat)));
        assert_eq!(asked(&present, &second, &[], "bert", 98), for_others);
    }

    #[test]
    fn own_unsure_returns_only_to_sole_reviewer() {
        let mut present = Present::default();
        labelled(&mut present, "anna", Timestamp::of_day(90), 1..2);
        let look = (id(1), true, Some(Requested::SecondLook));
        assert_eq!(asked(&present, &[], &[id(1)], "anna", 95), []);
        assert_eq!(asked(&present, &[], &[id(1)], "anna", 98), [look]);
        // Another one has a queue for it.
        labelled(&mut present, "bert", Timestamp::of_day(95), 50..51);
        let looks = asked(&present, &[], &[id(1)], "bert", 98);
        assert!(looks.iter().all(|(_, _, why)| *why != Some(Requested::SecondLook)));
    }

    #[test]
    fn changed_label_goes_to_others_or_returns_among_companions() {
        let mut present = Present::default();
        labelled(&mut present, "anna", Timestamp::of_day(90), 1..4);
        let (unsettled, companions) = ([id(1)], [id(2), id(3)]);
        let days = [day_of(vec![id(9000)])];
        let wanted = Wanted { unsettled: &unsettled, companions: &companions, ..days_alone(&days) };
        let of = |present: &Present, who: &str, at| {
            let all = due(wanted, &plan(3), present, who, 0.0, Timestamp::of_day(at));
            let again = all.into_iter().filter(|due| due.requested.is_some());
            let mut found: Vec<Due> = again.collect();
            found.sort_by_key(|due| due.record);
            found
        };
        assert_eq!(of(&present, "anna", 91), [], "a day must pass");
        let mut expected = [id(1), id(2), id(3)];
        expected.sort();
        let requested = Some(Requested::Repeat);
        assert_eq!(
            of(&present, "anna", 92),
            expected.map(|record| Due { record, repeat: true, requested })
        );
        // With another reviewer it is for that one, and nothing comes back.
        labelled(&mut present, "bert", Timestamp::of_day(91), 50..51);
        assert_eq!(of(&present, "anna", 92), []);
        let requested = Some(Requested::SecondLook);
        assert_eq!(of(&present, "bert", 92), [Due { record: id(1), repeat: false, requested }]);
    }
}
