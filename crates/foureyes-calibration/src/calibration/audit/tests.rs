//! Rates that hold, and what they draw.

use super::*;
use crate::calibration::evaluation::tests::evaluation;

const GO: Stratum = Stratum::Go;
const ALONE: Draws = Draws::GoAlone;

fn every(undetermined: Undetermined) -> Draws {
    Draws::Every(Parts { undetermined, retry_days: 2 })
}

fn rate(day: i32, stratum: Stratum, pi: f64) -> Rate {
    Rate { from: Timestamp::of_day(day), stratum, pi, key: [1; 32] }
}

#[test]
fn a_rate_binds_from_its_instant_and_the_later_one_counts() {
    let plan = Plan { rates: vec![rate(2, GO, 0.1), rate(5, GO, 0.3)] };
    let pi = |day| plan.rate(Timestamp::of_day(day), Stratum::Band(0)).map(|r| r.pi);
    assert_eq!([1, 2, 4, 5].map(pi), [None, Some(0.1), Some(0.1), Some(0.3)]);
    assert!(plan.in_force(Timestamp::of_day(1), 1, ALONE).is_none());
}

#[test]
fn a_stratum_has_its_own_rate_and_one_without_any_is_seen() {
    let plan = Plan { rates: vec![rate(0, Stratum::Band(1), 0.6), rate(0, Stratum::Band(0), 0.2)] };
    let at = Timestamp::of_day(3);
    let [two, three] = [2, 3].map(|strata| plan.in_force(at, strata, ALONE));
    assert_eq!((two.smallest(), two.left_aside()), (0.2, 0));
    assert_eq!((three.smallest(), three.left_aside()), (0.2, 0b100));
    assert!(three.rate(Stratum::Band(2)).is_none() && !three.is_none());
}

#[test]
fn audit_rate_holds_until_next_change() {
    let rates = vec![rate(2, GO, 0.1), rate(5, Stratum::Band(0), 0.3), rate(9, GO, 0.0)];
    let plan = Plan { rates };
    let day = Timestamp::of_day;
    for at in (0..12).map(day) {
        let force = plan.in_force(at, 2, ALONE);
        for later in (0..12).map(day).filter(|later| force.holds(*later)) {
            for stratum in 0..2 {
                let pi =
                    plan.rate(later, Stratum::Band(stratum)).map(|r| r.pi).filter(|pi| *pi > 0.0);
                assert_eq!(
                    force.rate(Stratum::Band(stratum)).map(|r| r.pi),
                    pi,
                    "{at:?} {later:?}"
                );
            }
        }
    }
    assert!(
        !plan.in_force(day(3), 2, ALONE).holds(day(5))
            && plan.in_force(day(3), 2, ALONE).holds(day(4))
    );
    assert_eq!(plan.in_force(day(10), 2, ALONE).left_aside(), 0b10, "a rate of 0 draws nothing");
}

#[test]
fn span_is_a_census_when_every_stratum_has_rate_one() {
    let day = Timestamp::of_day;
    let of = |rates: &[Rate], from, until| {
        Plan { rates: rates.to_vec() }.takes_all(day(from), day(until), 2)
    };
    let whole = [rate(2, GO, 1.0)];
    assert!(of(&whole, 2, 9) && !of(&whole, 1, 9) && of(&whole, 1, 1));
    assert!(!of(&[rate(2, GO, 1.0), rate(5, GO, 0.5)], 2, 9));
    assert!(of(&[rate(2, GO, 1.0), rate(9, GO, 0.5)], 2, 9));
    assert!(!of(&[rate(2, Stratum::Band(0), 1.0)], 2, 9));
    assert!(of(&[rate(2, Stratum::Band(0), 1.0), rate(1, Stratum::Band(1), 1.0)], 2, 9));
}

#[test]
fn no_go_has_a_rate_and_a_key_of_its_own() {
    let rates = vec![rate(0, GO, 0.3), rate(4, Stratum::NoGo, 0.5)];
    let plan = Plan { rates };
    let of = |day, draws| plan.in_force(Timestamp::of_day(day), 1, draws);
    let every = every(Undetermined::Apart);
    let [before, after] = [1, 5].map(|day| of(day, every));
    assert_eq!((before.smallest(), before.stopped()), (0.3, 1.0));
    assert_eq!((after.smallest(), after.stopped()), (0.3, 0.5));
    assert_eq!(before.rate(Stratum::NoGo).unwrap().key, no_go_key(&[1; 32]));
    assert_eq!(after.rate(Stratum::NoGo).unwrap().key, [1; 32]);
    assert_eq!(before.until(), Timestamp::of_day(4));
    // In a window of an earlier version every NO-GO is labelled.
    assert_eq!((of(5, ALONE).stopped(), of(5, ALONE).rate(Stratum::NoGo)), (1.0, None));
    let span = |until| plan.takes_all(Timestamp::of_day(0), Timestamp::of_day(until), 1);
    assert!(
        !span(2)
            && Plan { rates: vec![rate(0, GO, 1.0)] }.takes_all(
                Timestamp::of_day(0),
                Timestamp::of_day(9),
                1
            )
    );
    let thinned = Plan { rates: vec![rate(0, GO, 1.0), rate(4, Stratum::NoGo, 0.5)] };
    let span = |until| thinned.takes_all(Timestamp::of_day(0), Timestamp::of_day(until), 1);
    assert!(span(4) && !span(5));
}

#[test]
fn parts_beside_go_are_drawn_whole_unless_a_rate_is_set() {
    let day = Timestamp::of_day(3);
    let of = |more: Option<Rate>, counts_as| {
        let rates = [rate(0, GO, 0.3)].into_iter().chain(more).collect();
        Plan { rates }.in_force(day, 1, every(counts_as))
    };
    let whole = |force: &InForce, stratum| force.rate(stratum).map(|r| (r.pi, r.key));
    let passes = of(None, Undetermined::Passes);
    assert_eq!(whole(&passes, Stratum::Retried), Some((1.0, [1; 32])));
    assert_eq!(whole(&passes, Stratum::Undetermined), Some((1.0, [1; 32])));
    assert_eq!(whole(&of(None, Undetermined::Apart), Stratum::Undetermined), None);
    // One that is drawn less sets the pace of what it passes with, and of nothing else.
    let thin = |stratum, counts_as| {
        let force = of(Some(rate(1, stratum, 0.1)), counts_as);
        (force.smallest(), force.stopped())
    };
    assert_eq!(thin(Stratum::Retried, Undetermined::Apart), (0.1, 1.0));
    assert_eq!(thin(Stratum::Undetermined, Undetermined::Passes), (0.1, 1.0));
    assert_eq!(thin(Stratum::Undetermined, Undetermined::Blocks), (0.3, 0.1));
    assert_eq!(thin(Stratum::Undetermined, Undetermined::Apart), (0.3, 1.0));
    assert_eq!(thin(Stratum::NoGo, Undetermined::Apart), (0.3, 0.1));
}

#[test]
fn retried_content_is_a_part_of_its_own_only_where_go_is_drawn() {
    let day = Timestamp::of_day(3);
    let retried = Evaluation { retried_after: Some(2).into(), ..evaluation(1, 3, Outcome::Go) };
    let later = Evaluation { retried_after: Some(3).into(), ..retried };
    let of = |rates: Vec<Rate>, draws, e: &Evaluation| {
        Plan { rates }.in_force(day, 1, draws).stratum(e, 0)
    };
    let (drawn, every) = (vec![rate(0, GO, 0.1)], every(Undetermined::Apart));
    assert_eq!(of(drawn.clone(), every, &retried), Stratum::Retried);
    assert_eq!(of(drawn.clone(), every, &later), Stratum::Band(0));
    assert_eq!(of(drawn, ALONE, &retried), Stratum::Band(0));
    for rates in [Vec::new(), vec![rate(0, GO, 0.0)]] {
        assert_eq!(of(rates, every, &retried), Stratum::Band(0));
    }
}

#[test]
fn an_undetermined_counts_where_the_policy_says_so() {
    let plan = Plan { rates: vec![rate(0, GO, 0.3)] };
    let e = evaluation(1, 3, Outcome::Undetermined);
    let chance = |draws| plan.chance(&e, 1, draws);
    assert_eq!([ALONE, every(Undetermined::Apart)].map(chance), [None, None]);
    assert_eq!(chance(every(Undetermined::Passes)), Some(1.0));
    assert_eq!(chance(every(Undetermined::Blocks)), Some(1.0));
    // A later verdict on the same content is none of its own.
    let second = Evaluation { first_seen: false, ..evaluation(2, 3, Outcome::NoGo) };
    assert_eq!(plan.chance(&second, 1, every(Undetermined::Passes)), None);
    assert_eq!(plan.chance(&second, 1, every(Undetermined::Apart)), Some(1.0));
}

#[test]
fn raising_rate_keeps_earlier_sample() {
    let plan = Plan { rates: vec![rate(0, GO, 0.1)] };
    let draw = |n: u32| {
        let id = RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes());
        plan.rate(Timestamp::of_day(1), GO).unwrap().draw(&id)
    };
    let chosen = |pi: f64| (0..2000).filter(|n| draw(*n) < pi).collect::<Vec<_>>();
    let (few, many) = (chosen(0.1), chosen(0.3));
    assert!(few.iter().all(|n| many.contains(n)) && many.len() > few.len());
}

#[test]
fn repeats_are_drawn_apart_from_the_audit_sample() {
    let ids = (0..4000_u32).map(|n| RecordId(*blake3::hash(&n.to_be_bytes()).as_bytes()));
    let (mut both, mut repeats) = (0, 0);
    for id in ids {
        let again = is_repeat(&[1; 32], &id, 0.5);
        repeats += u32::from(again);
        both += u32::from(again && sample::draw(&[1; 32], &id.0) < 0.5);
    }
    assert!((1850..2150).contains(&repeats), "{repeats}");
    assert!((880..1120).contains(&both), "{both}");
}
