#![allow(clippy::unwrap_used)]

use super::*;
use crate::domain::review::EntryId;

const PUSH: JudgementKind = JudgementKind::Push;

fn at(hour: i64) -> Timestamp {
    Timestamp(hour * HOUR)
}

fn dated<T>(hour: i64, reviewer: &str, what: T) -> Dated<T> {
    Dated { entry: EntryId([0; 16]), time: at(hour), reviewer: reviewer.to_owned(), what }
}

fn mode(hour: i64, name: &str, mode: &str, until: Option<i64>) -> Dated<ModeSet> {
    let waiver = until.map(|until| ModeWaiver {
        name: "Ada".to_owned(),
        reason: "a trial".to_owned(),
        until: at(until),
    });
    let set = ModeSet { waiver, ..ModeSet::new(name, HookMode::from_word(mode).unwrap()) };
    dated(hour, "anna", set)
}

fn step(hour: i64, runbook: &str, step: Option<&str>) -> Dated<StepSaid> {
    let step = step.map(str::to_owned);
    dated(hour, "bert", StepSaid { runbook: runbook.to_owned(), step, note: None })
}

fn fold(modes: &[Dated<ModeSet>], steps: &[Dated<StepSaid>], now: i64) -> Modes {
    let (modes, steps) = (modes.to_vec(), steps.to_vec());
    Modes::new(&Present { modes, steps, ..Present::default() }, at(now))
}

fn names(modes: &Modes) -> Vec<&str> {
    modes.blocking().filter_map(|of| of.name.as_deref()).collect()
}

#[test]
fn expired_waiver_stops_blocking_and_next_mode_starts_anew() {
    let waived = [mode(10, "a", "blocking", Some(30))];
    let before = fold(&waived, &[], 29);
    assert_eq!((names(&before), before.since(PUSH)), (vec!["a"], Some((at(10), "anna"))));
    let after = fold(&waived, &[], 30);
    let of = after.of_box("a").unwrap();
    assert_eq!((names(&after), after.since(PUSH)), (vec![], None));
    assert!(!of.blocks && of.since == at(30) && of.waiver().unwrap().name == "Ada");
    let again = [mode(10, "a", "blocking", Some(30)), mode(50, "a", "blocking", None)];
    let again = fold(&again, &[], 60);
    assert_eq!(again.since(PUSH), Some((at(50), "anna")), "nothing blocked in between");
    assert_eq!(again.of_box("a").unwrap().since, at(50));
    let in_time = [mode(10, "a", "blocking", Some(30)), mode(29, "a", "blocking", Some(90))];
    let in_time = fold(&in_time, &[], 60);
    let of = in_time.of_box("a").unwrap();
    assert_eq!((of.blocks, of.since, of.switched_at), (true, at(10), at(29)));
}

#[test]
fn some_box_blocks_from_the_first_until_the_last_is_back() {
    let all = [
        mode(10, "a", "blocking", None),
        mode(20, "b", "blocking", None),
        mode(30, "a", "advisory", None),
        mode(40, "b", "advisory", None),
        mode(50, "a", "blocking", None),
    ];
    let both = fold(&all[..2], &[], 25);
    assert_eq!((names(&both), both.since(PUSH)), (vec!["a", "b"], Some((at(10), "anna"))));
    let one = fold(&all[..3], &[], 35);
    assert_eq!((names(&one), one.since(PUSH)), (vec!["b"], Some((at(10), "anna"))));
    assert_eq!(one.of_box("a").map(|of| (of.blocks, of.since)), Some((false, at(30))));
    assert!(one.of_box("c").is_none());
    assert_eq!(fold(&all[..4], &[], 45).since(PUSH), None);
    assert_eq!(fold(&all, &[], 55).since(PUSH), Some((at(50), "anna")));
}

#[test]
fn the_watch_is_of_each_box_from_its_own_switch() {
    let all = [mode(0, "a", "blocking", None), mode(40, "b", "blocking", None)];
    let watched = |steps: &[i64]| -> Vec<bool> {
        let steps: Vec<_> = steps.iter().map(|h| step(*h, "enable", Some("watch"))).collect();
        let modes = fold(&all, &steps, 200);
        modes.blocking().map(|of| of.watched.is_some()).collect()
    };
    assert_eq!(fold(&all, &[], 50).of_box("b").unwrap().watch_until(), at(88));
    assert_eq!(watched(&[47]), [false, false], "too early for both");
    assert_eq!(watched(&[48]), [true, false], "the watch of b is not over");
    assert_eq!(watched(&[48, 88]), [true, true]);
    let switched = [mode(0, "a", "blocking", None), mode(60, "a", "blocking", None)];
    let again = fold(&switched, &[step(50, "enable", Some("watch"))], 70);
    assert!(again.of_box("a").unwrap().watched.is_none(), "it was switched since");
}

#[test]
fn a_runbook_counts_where_no_ledger_names_a_box() {
    let on = [step(10, "enable", Some("switch")), step(20, "enable", Some("switch"))];
    let alone = fold(&[], &on, 30);
    let of = alone.blocking().next().unwrap();
    assert_eq!((of.name.as_deref(), of.switched_at, of.by.as_str()), (None, at(10), "bert"));
    let anew = [on[0].clone(), step(15, "enable", None), on[1].clone()];
    let anew = fold(&[], &anew, 30);
    let of = anew.blocking().next().unwrap();
    assert_eq!((of.since, of.switched_at), (at(10), at(20)));
    let back = [on[0].clone(), step(30, "false-positives", Some("back"))];
    assert_eq!(fold(&[], &back, 40).since(PUSH), None);
    assert_eq!(fold(&[], &[step(1, "enable", Some("ready"))], 40).since(PUSH), None);
    let modes = fold(&[mode(5, "a", "advisory", None)], &on, 30);
    assert!(modes.since(PUSH).is_none() && modes.name_boxes() && !alone.name_boxes());
}

#[test]
fn manual_rollback_counts_for_missing_box_and_other_only_for_its_box() {
    let on = [mode(10, "a", "blocking", None)];
    let back = [step(20, "false-positives", Some("back"))];
    let gone = fold(&on, &back, 30);
    let of = gone.of_box("a").unwrap();
    assert_eq!((of.blocks, of.since, of.by.as_str()), (false, at(20), "bert"));
    assert!(of.waiver().is_none());
    // Who set `a` back did not know of `b` in another ledger.
    let both = [on[0].clone(), mode(15, "b", "blocking", None), mode(20, "a", "advisory", None)];
    let own = [Dated { reviewer: "anna".to_owned(), ..back[0].clone() }];
    assert_eq!(names(&fold(&both, &own, 30)), ["b"]);
}

#[test]
fn a_clock_that_was_wrong_ends_no_waiver() {
    let waived = mode(10, "a", "blocking", Some(100));
    let ahead = fold(&[waived.clone(), mode(999, "b", "advisory", None)], &[], 50);
    assert_eq!(names(&ahead), ["a"]);
    let gone_back = fold(&[waived, mode(5, "a", "advisory", None)], &[], 50);
    assert!(names(&gone_back).is_empty(), "the order of a ledger holds");
}

#[test]
fn future_entry_counts_from_now_without_ending_watch() {
    let ahead = [mode(10, "a", "blocking", None), mode(80, "b", "blocking", None)];
    let modes = fold(&ahead, &[step(90, "enable", Some("watch"))], 56);
    let b = modes.of_box("b").unwrap();
    assert_eq!((b.since, b.switched_at, b.watch_until()), (at(56), at(56), at(104)));
    assert!(modes.of_box("a").unwrap().watched.is_none(), "two hours of its watch are left");
    assert_eq!(fold(&ahead[1..], &[], 56).since(PUSH), Some((at(56), "anna")));
    let done = fold(&ahead, &[step(90, "enable", Some("watch"))], 60);
    let watched = done.of_box("a").unwrap().watched.as_ref().map(|step| step.time);
    assert_eq!(watched, Some(at(60)));
}

#[test]
fn clock_set_back_keeps_entry_order() {
    let back = [mode(20, "a", "advisory", None), mode(5, "a", "blocking", None)];
    let of = fold(&back, &[], 50);
    assert_eq!(of.of_box("a").map(|of| (of.blocks, of.since)), Some((true, at(20))));
    let present = Present { modes: back.to_vec(), ..Present::default() };
    let since = Modes::said_since(&present, "a", at(20), at(50));
    assert_eq!(since.len(), 2, "the word that it began with is one of them");
    assert!(Modes::said_since(&present, "b", at(0), at(50)).is_empty());
}

/// The same word as entry `entry`; where `back` is given it takes that entry back.
fn named(entry: u8, back: Option<u8>, word: Dated<ModeSet>) -> Dated<ModeSet> {
    let id = |n: u8| EntryId([n; 16]);
    let what = ModeSet { takes_back: back.map(id), ..word.what };
    Dated { entry: id(entry), what, ..word }
}

#[test]
fn undone_trial_changes_nothing() {
    let by_hand = [step(10, "enable", Some("switch"))];
    for mode_word in ["advisory", "blocking"] {
        let tried = [
            named(1, None, mode(20, "c", "blocking", None)),
            named(2, Some(1), mode(20, "c", mode_word, None)),
        ];
        let after = fold(&tried, &by_hand, 30);
        assert_eq!(after.since(PUSH), Some((at(10), "bert")), "others are set to blocking by hand");
        assert!(!after.name_boxes(), "nobody named them");
        assert_eq!(after.of_box("c").map(|of| of.blocks), Some(mode_word == "blocking"));
        let back = [by_hand[0].clone(), step(40, "false-positives", Some("back"))];
        assert_eq!(fold(&tried, &back, 50).since(PUSH), None);
    }
    // Where the box blocked before, its watch goes on, and its word holds.
    let again = [
        named(1, None, mode(10, "a", "blocking", Some(90))),
        named(2, None, mode(20, "a", "blocking", None)),
        named(3, Some(2), mode(20, "a", "blocking", Some(90))),
        named(4, None, mode(30, "a", "blocking", None)),
        named(5, Some(4), mode(30, "a", "blocking", Some(90))),
    ];
    assert_eq!(fold(&again, &[], 40), fold(&again[..1], &[], 40));
    let present = Present { modes: again.to_vec(), ..Present::default() };
    assert_eq!(Modes::said_since(&present, "a", at(0), at(40)).len(), 1);
    // Somebody turned it meanwhile.
    let other =
        [again[0].clone(), again[1].clone(), named(3, Some(2), mode(21, "a", "advisory", None))];
    let of = fold(&other, &[], 40);
    assert_eq!(of.of_box("a").map(|of| (of.blocks, of.since)), Some((false, at(21))));
}

#[test]
fn entry_is_undone_only_by_its_author_for_its_box() {
    let on = named(1, None, mode(10, "a", "blocking", None));
    let others =
        Dated { reviewer: "eve".to_owned(), ..named(2, Some(1), mode(20, "a", "advisory", None)) };
    let another = named(2, Some(1), mode(20, "b", "advisory", None));
    let itself = named(2, Some(2), mode(20, "b", "advisory", None));
    for back in [another, itself] {
        assert_eq!(fold(&[on.clone(), back], &[], 30).since(PUSH), Some((at(10), "anna")));
    }
    let modes = fold(&[on, others], &[], 30);
    assert_eq!(modes.of_box("a").map(|of| of.since), Some(at(20)), "it is a word like any other");
}

#[test]
fn box_that_blocks_on_tasks_blocks_no_pushes() {
    let on_tasks = |hour, name| {
        let set = mode(hour, name, "blocking", None);
        Dated { what: ModeSet { family: JudgementKind::Task, ..set.what.clone() }, ..set }
    };
    let all = [on_tasks(10, "a"), mode(20, "b", "blocking", None), mode(30, "a", "blocking", None)];
    let since = |count: usize, family| fold(&all[..count], &[], 40).since(family).map(|(at, _)| at);
    assert_eq!((since(1, PUSH), since(1, JudgementKind::Task)), (None, Some(at(10))));
    assert_eq!((since(2, PUSH), since(2, JudgementKind::Task)), (Some(at(20)), Some(at(10))));
    assert_eq!((since(3, PUSH), since(3, JudgementKind::Task)), (Some(at(20)), None));
    let of = fold(&all, &[], 40).of_box("a").unwrap().clone();
    assert_eq!(
        (of.family(), of.since),
        (PUSH, at(30)),
        "the hook goes by other verdicts since then"
    );
    let back = mode(50, "b", "advisory", None);
    let modes = fold(&[&all[..2], &[back]].concat(), &[], 60);
    assert_eq!((modes.since(PUSH), names(&modes)), (None, vec!["a"]));
}
