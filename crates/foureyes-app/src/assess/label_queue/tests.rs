//! What is due to whom, and when.

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
        missing_no_go: Vec::new(),
        unconfirmed: Vec::new(),
    }
}

fn days_alone(days: &[Day]) -> Wanted<'_> {
    Wanted {
        days,
        second_words: &[],
        beside: &[],
        undetermined: &[],
        second_look: &[],
        unsettled: &[],
        companions: &[],
    }
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
    let of =
        |seed| due(days_alone(&days), &plan(seed), &Present::default(), "anna", 0.0, Timestamp(0));
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
fn due_again(
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
    let of = |n, requested| SecondWord { record: id(n), requested, next_day: false };
    let second = [of(1, Requested::Double), of(2, Requested::Compare), of(3, Requested::Confirm)];
    let for_others = [
        (id(1), false, Some(Requested::Double)),
        (id(2), false, Some(Requested::Compare)),
        (id(3), false, Some(Requested::Confirm)),
    ];
    let mut present = Present::default();
    labelled(&mut present, "anna", Timestamp::of_day(90), 1..4);
    assert_eq!(due_again(&present, &second, &[], "bert", 90), for_others);
    // Anna alone: a confirmation may come back on the second day after, the rest after a week,
    // and a record does so once, however often it is drawn.
    assert_eq!(due_again(&present, &second, &[], "anna", 91), []);
    let confirm = (id(3), true, Some(Requested::Confirm));
    assert_eq!(due_again(&present, &second, &[], "anna", 92), [confirm]);
    let all = due_again(&present, &second, &[], "anna", 98);
    assert_eq!(all, for_others.map(|(id, _, why)| (id, true, why)));
    // Once bert labels, what anna labelled is his.
    labelled(&mut present, "bert", Timestamp::of_day(95), 50..51);
    let anna = due_again(&present, &second, &[], "anna", 98);
    assert!(anna.iter().all(|(_, repeat, why)| *repeat && *why == Some(Requested::Repeat)));
    assert_eq!(due_again(&present, &second, &[], "bert", 98), for_others);
}

/// A confirmation that is asked for from the next day on.
fn confirm(n: u32) -> SecondWord {
    SecondWord { record: id(n), requested: Requested::Confirm, next_day: true }
}

#[test]
fn second_and_third_words_go_to_those_who_have_not_spoken() {
    let mut present = Present::default();
    let again = |repeat| [(id(1), repeat, Some(Requested::Confirm))];
    labelled(&mut present, "anna", Timestamp::of_day(90), 1..2);
    assert_eq!(due_again(&present, &[confirm(1)], &[], "bert", 90), again(false));
    assert_eq!(due_again(&present, &[confirm(1)], &[], "anna", 90), [], "not on the same day");
    assert_eq!(due_again(&present, &[confirm(1)], &[], "anna", 91), again(true));
    // Bert labels elsewhere: it is his, and not anna's.
    labelled(&mut present, "bert", Timestamp::of_day(90), 50..51);
    assert_eq!(due_again(&present, &[confirm(1)], &[], "anna", 91), []);
    assert_eq!(due_again(&present, &[confirm(1)], &[], "bert", 91), again(false));
    // Both have spoken: a third word is a repeat on a later day, of either of them.
    labelled(&mut present, "bert", Timestamp::of_day(91), 1..2);
    assert_eq!(due_again(&present, &[confirm(1)], &[], "bert", 91), []);
    assert_eq!(due_again(&present, &[confirm(1)], &[], "bert", 92), again(true));
    assert_eq!(due_again(&present, &[confirm(1)], &[], "anna", 92), again(true));
    assert_eq!(due_again(&present, &[confirm(1)], &[], "cleo", 92), again(false));
    // Who has been away for two weeks is not waited for.
    labelled(&mut present, "dora", Timestamp::of_day(92), 60..61);
    assert_eq!(due_again(&present, &[confirm(1)], &[], "anna", 93), []);
    labelled(&mut present, "bert", Timestamp::of_day(110), 61..62);
    let bert = due_again(&present, &[confirm(1)], &[], "bert", 111);
    assert!(bert.contains(&again(true)[0]), "{bert:?}");
}

#[test]
fn second_words_come_among_twice_as_many_first_words_and_no_later() {
    let ten = |n: u32| (n * 10..n * 10 + 10).map(id).collect();
    let days: Vec<Day> =
        (0..40).map(|n| day(&format!("day {n:02}"), DayState::Open, ten(n))).collect();
    let mut present = Present::default();
    labelled(&mut present, "anna", Timestamp::of_day(99), 1000..1020);
    let words: Vec<SecondWord> = (1000..1020).map(confirm).collect();
    let wanted = Wanted { second_words: &words, ..days_alone(&days) };
    let all = due(wanted, &plan(1), &present, "bert", 0.0, Timestamp::of_day(100));
    assert_eq!(all.len(), 420);
    let at = |due: &Due| due.requested.is_some();
    let last = all.iter().rposition(at).unwrap();
    assert!((40..60).contains(&last), "the last stands at {last}");
    let first = all.iter().position(at).unwrap();
    assert!(first < 20, "they are spread: the first stands at {first}");
    // With fewer first words they are spread over all days.
    let few = Wanted { days: &days[..3], ..wanted };
    let all = due(few, &plan(1), &present, "bert", 0.0, Timestamp::of_day(100));
    let (last_ten, second) = (&all[all.len() - 10..], |due: &Due| due.requested.is_some());
    assert!(all.iter().take(15).any(second) && last_ten.iter().any(second), "{all:?}");
    // What decides nothing is spread over all days, and does not push them back.
    let drawn: Vec<RecordId> = (3000..3200).map(id).collect();
    let more = Wanted { undetermined: &drawn, ..wanted };
    let all = due(more, &plan(1), &present, "bert", 0.0, Timestamp::of_day(100));
    let before = all.iter().rposition(second).unwrap();
    let first_words = all[..before].iter().filter(|due| !drawn.contains(&due.record));
    assert!(first_words.count() < 60, "the last stands at {before}");
    let early = all[..all.len() / 2].iter().filter(|due| drawn.contains(&due.record)).count();
    assert!((60..140).contains(&early), "{early} of 200 in the first half");
}

#[test]
fn double_label_of_a_lone_reviewer_is_a_repeat_on_the_next_day() {
    let mut present = Present::default();
    let double = SecondWord { requested: Requested::Double, ..confirm(1) };
    labelled(&mut present, "anna", Timestamp::of_day(90), 1..2);
    let again = [(id(1), true, Some(Requested::Double))];
    assert_eq!(due_again(&present, &[double], &[], "anna", 91), again);
    labelled(&mut present, "anna", Timestamp::of_day(91), 1..2);
    assert_eq!(due_again(&present, &[double], &[], "anna", 92), []);
}

#[test]
fn repeat_that_confirms_stands_among_two_others() {
    let mut present = Present::default();
    labelled(&mut present, "anna", Timestamp::of_day(90), 1..9);
    let (second, beside) = ([confirm(1), confirm(2)], [id(3), id(4), id(5)]);
    let queue = |missing: Vec<RecordId>, beside: &[RecordId]| {
        let days = [day_of(missing)];
        let wanted = Wanted { second_words: &second, beside, ..days_alone(&days) };
        due(wanted, &plan(3), &present, "anna", 0.0, Timestamp::of_day(91))
    };
    let repeats =
        |all: &[Due]| all.iter().filter(|due| due.requested == Some(Requested::Repeat)).count();
    let all = queue(vec![], &beside);
    assert_eq!((all.len(), repeats(&all)), (4, 2));
    // New items of that sitting do as well.
    let all = queue(vec![id(9000)], &beside);
    assert_eq!((all.len(), repeats(&all)), (4, 1));
    let all = queue(vec![id(9000), id(9001)], &beside);
    assert_eq!((all.len(), repeats(&all)), (4, 0));
    assert_eq!(queue(vec![], &[]).len(), 2);
}

#[test]
fn undetermined_that_is_drawn_is_due_beside_the_sample() {
    let drawn = [id(7000), id(7001)];
    let days = [day_of(vec![id(9000)])];
    let wanted = Wanted { undetermined: &drawn, ..days_alone(&days) };
    let all = due(wanted, &plan(3), &Present::default(), "anna", 0.0, Timestamp::of_day(91));
    let records: HashSet<RecordId> = all.iter().map(|due| due.record).collect();
    assert_eq!(records, HashSet::from([id(7000), id(7001), id(9000)]));
    assert!(all.iter().all(|due| !due.repeat && due.requested.is_none()), "{all:?}");
}

#[test]
fn own_unsure_returns_only_to_sole_reviewer() {
    let mut present = Present::default();
    labelled(&mut present, "anna", Timestamp::of_day(90), 1..2);
    let look = (id(1), true, Some(Requested::SecondLook));
    assert_eq!(due_again(&present, &[], &[id(1)], "anna", 95), []);
    assert_eq!(due_again(&present, &[], &[id(1)], "anna", 98), [look]);
    // Another one has a queue for it.
    labelled(&mut present, "bert", Timestamp::of_day(95), 50..51);
    let looks = due_again(&present, &[], &[id(1)], "bert", 98);
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
