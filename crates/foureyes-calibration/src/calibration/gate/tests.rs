//! The numbers of the reference, through the gate itself.

use super::*;
use crate::calibration::Word;
use crate::calibration::evaluation::tests::evaluation;
use crate::calibration::label::Unconfirmed;
use crate::domain::{Outcome, RecordId};
use crate::stats::near;

fn judged(flagged: bool, word: Word, pi: f64) -> Judged {
    let p = if flagged { 1.0 } else { pi };
    let id = RecordId([0; 32]);
    Judged {
        id,
        flagged,
        undetermined: false,
        agent: 0,
        judge: 0,
        stratum: 0,
        word: Some(word),
        pi: Some(p),
        rate: p,
        draw: 0.0,
        smallest: pi,
        stopped: 1.0,
        covered: true,
        double: false,
        unconfirmed: Unconfirmed::No,
        times: 1,
        planned: true,
    }
}

fn wealths(gate: &Gate<'_>, measure: Measure) -> (f64, f64) {
    let track = gate.track(measure).unwrap_or_else(|| unreachable!());
    (track.evidence.ln_met().exp(), track.evidence.ln_not_met().exp())
}

fn after(measure: Measure, items: &[(u32, Judged)]) -> (f64, f64) {
    let policy = Policy::default();
    let mut gate = Gate::new(&policy);
    for (times, item) in items {
        (0..*times).for_each(|_| gate.judged(item));
    }
    wealths(&gate, measure)
}

pub(super) const CAUGHT: (bool, Word) = (true, Word::Poor);
pub(super) const MISSED: (bool, Word) = (false, Word::Poor);
pub(super) const PASSED: (bool, Word) = (false, Word::Acceptable);
pub(super) const WRONG: (bool, Word) = (true, Word::Acceptable);

/// A poor content, caught or missed, everything labelled.
pub(in crate::calibration) fn poor(is_caught: bool) -> Judged {
    judged(is_caught, Word::Poor, 1.0)
}

pub(super) fn of((flagged, word): (bool, Word), pi: f64) -> Judged {
    judged(flagged, word, pi)
}

#[test]
fn misses_as_in_the_reference() {
    let fnr = |items: &[(u32, Judged)]| after(Measure::FalseNegativeRate, items);
    near(fnr(&[(59, of(CAUGHT, 1.0))]).0, 15.844_428, 5e-7);
    near(fnr(&[(64, of(CAUGHT, 1.0))]).0, 20.155_490, 5e-7);
    near(fnr(&[(130, of(CAUGHT, 1.0)), (1, of(MISSED, 1.0))]).0, 17.262_184, 5e-7);
    near(fnr(&[(150, of(CAUGHT, 1.0)), (1, of(MISSED, 1.0))]).0, 39.772_329, 5e-7);
    near(fnr(&[(200, of(CAUGHT, 0.3))]).0, 17.469_982, 5e-7);
    let missed = Judged { pi: Some(0.6), ..of(MISSED, 0.1) };
    near(fnr(&[(700, of(CAUGHT, 0.1)), (1, missed)]).0, 24.480_445, 5e-7);
    near(fnr(&[(10, of(MISSED, 1.0)), (50, of(CAUGHT, 1.0))]).1, 87.917_997, 5e-7);
}

#[test]
fn wrong_blocks_as_in_the_reference() {
    near(after(Measure::FalsePositiveRate, &[(11, of(PASSED, 0.3))]).0, 24.413_251, 5e-7);
    near(after(Measure::FalseDiscoveryRate, &[(31, of(CAUGHT, 1.0))]).0, 19.921_915, 5e-7);
    near(after(Measure::FalseDiscoveryRate, &[(32, of(CAUGHT, 1.0))]).0, 21.997_909, 5e-7);
}

#[test]
fn go_rate_as_in_the_reference() {
    let policy = Policy::default();
    let mut gate = Gate::new(&policy);
    let outcome = |n| if n < 240 { Outcome::Go } else { Outcome::NoGo };
    let rows: Vec<_> = (0..300).map(|n| evaluation(n, 1, outcome(n))).collect();
    let counts = DayCounts::new(&rows, 1, 2, &policy);
    gate.evaluations(&counts.known, &counts.last);
    // Both sides are needed: the smaller wealth counts.
    near(wealths(&gate, Measure::GoRate).0, 632.478_492, 5e-7);
    gate.end_of_day(1, true);
    let met = |m| gate.track(m).is_some_and(|t| t.met == Some(1));
    assert!(met(Measure::GoRate) && met(Measure::Availability) && met(Measure::MedianLatency));
}

/// A label where passes and NO-GOs are drawn with these probabilities.
fn drawn(kind: (bool, Word), passed: f64, stopped: f64) -> Judged {
    let p = if kind.0 { stopped } else { passed };
    Judged { pi: Some(p), rate: p, stopped, ..of(kind, passed) }
}

#[test]
fn thinned_no_go_as_in_the_reference() {
    let fnr = |items: &[(u32, Judged)]| after(Measure::FalseNegativeRate, items);
    let fpr = |items: &[(u32, Judged)]| after(Measure::FalsePositiveRate, items);
    let both = |kind| drawn(kind, 0.3, 0.3);
    near(fnr(&[(60, both(CAUGHT))]).0, 16.624_649, 5e-7);
    near(fnr(&[(60, both(CAUGHT)), (1, both(MISSED))]).0, 1.059_872, 5e-7);
    near(fnr(&[(5, both(MISSED)), (15, both(CAUGHT))]).1, 27.341_635, 5e-7);
    near(fnr(&[(5, of(MISSED, 0.3)), (50, of(CAUGHT, 0.3))]).1, 35.898_649, 5e-7);
    let half = |kind| drawn(kind, 0.3, 0.5);
    near(fnr(&[(90, half(CAUGHT))]).0, 12.781_957, 5e-7);
    near(fnr(&[(90, half(CAUGHT)), (1, half(MISSED))]).0, 0.857_519, 5e-7);
    let thin = |kind| drawn(kind, 0.5, 0.3);
    near(fpr(&[(30, thin(PASSED))]).0, 5.756_058, 5e-7);
    near(fpr(&[(30, thin(PASSED)), (1, thin(WRONG))]).0, 0.460_873, 5e-7);
    near(fpr(&[(20, of(WRONG, 0.3)), (30, of(PASSED, 0.3))]).1, 3.465_787, 5e-7);
}

#[test]
fn a_window_of_an_earlier_version_keeps_its_mirror_of_wrong_blocks() {
    let policy = Policy::default();
    let tests = Tests { laid_out: LaidOut::AsMisses, ..Tests::CURRENT };
    let mut gate = Gate::of_window(&policy, Allowance::FIRST, tests);
    (0..20).for_each(|_| gate.judged(&of(WRONG, 0.3)));
    (0..30).for_each(|_| gate.judged(&of(PASSED, 0.3)));
    // With ρ = π: φ0 = .03/.93.
    let null = 0.03 / 0.93;
    let bet = |r: f64| {
        let a = r * null / (r * null + 1.0 - null);
        let k = (a - null) / (1.0 - null);
        0.2 * (1.0 + k * 9.0 * 0.3_f64).powi(20) * (1.0 - k).powi(30)
    };
    let expected: f64 = [1.25, 1.5, 2.0, 3.0, 5.0].map(bet).iter().sum();
    near(wealths(&gate, Measure::FalsePositiveRate).1, expected, 1e-9);
}

#[test]
fn where_part_is_never_drawn_no_rate_that_needs_it_is_decided() {
    let measures =
        [Measure::FalseNegativeRate, Measure::FalsePositiveRate, Measure::FalseDiscoveryRate];
    let items = [(500, drawn(MISSED, 1.0, 0.0)), (500, drawn(PASSED, 1.0, 0.0))];
    for m in measures {
        let (met, not_met) = after(m, &items);
        assert!(met <= 1.0 && not_met <= 1.0 + 1e-12, "{m:?} {met} {not_met}");
    }
}

#[test]
fn flagged_only_labels_never_meet_misses_or_wrong_blocks() {
    let none = |word| Judged { covered: false, ..judged(true, word, 0.0) };
    let items = [(5_000, none(Word::Poor)), (5, none(Word::Acceptable))];
    for m in [Measure::FalseNegativeRate, Measure::FalsePositiveRate, Measure::FalseOmissionRate] {
        let (met, not_met) = after(m, &items);
        near(met, 1.0, 1e-12);
        near(not_met, 1.0, 1e-12);
    }
}

#[test]
fn windows_of_one_judge_share_alpha_and_not_met_uses_all() {
    let policy = Policy::default();
    // Caught without a miss, until it is met: at a wealth of 25, of 200, of 400.
    for (window, caught) in [(1, 69), (2, 112), (3, 126)] {
        let mut gate = Gate::of_window(&policy, Allowance::new(window, 1), Tests::CURRENT);
        let met = |gate: &Gate<'_>| gate.track(Measure::FalseNegativeRate).and_then(|t| t.met);
        for n in 1..=caught {
            assert_eq!(met(&gate), None, "window {window}, after {}", n - 1);
            gate.judged(&of(CAUGHT, 1.0));
            gate.end_of_day(n, true);
        }
        assert_eq!(met(&gate), Some(caught), "window {window}");
    }
    let not_met = |window| {
        let mut gate = Gate::of_window(&policy, Allowance::new(window, 1), Tests::CURRENT);
        (1..200).find(|day| {
            gate.judged(&of(MISSED, 1.0));
            gate.end_of_day(*day, true);
            gate.track(Measure::FalseNegativeRate).is_some_and(|t| t.not_met.is_some())
        })
    };
    assert!(not_met(1).is_some() && not_met(1) == not_met(4));
}

#[test]
fn declared_looks_share_alpha() {
    let day = crate::domain::Timestamp::parse_day("2026-03-02").map_or(0, |t| t.day());
    let policy =
        Policy { method: Method::Fixed, looks: vec!["2026-03-02".to_owned()], ..Policy::default() };
    // No miss of n is below 5 % at 1 - α where 0.95^n <= α: 63 at 4 %, 104 at 0.5 %.
    for (window, caught) in [(1, 63), (2, 104)] {
        let met = |caught: i32| {
            let mut gate = Gate::of_window(&policy, Allowance::new(window, 1), Tests::CURRENT);
            (0..caught).for_each(|_| gate.judged(&of(CAUGHT, 1.0)));
            gate.end_of_day(day - 1, true);
            gate.track(Measure::FalseNegativeRate).and_then(|t| t.met)
        };
        assert_eq!((met(caught - 1), met(caught)), (None, Some(day - 1)), "window {window}");
    }
}

#[test]
fn finding_persists_and_not_met_overrides_met() {
    let policy = Policy::default();
    let mut gate = Gate::new(&policy);
    (0..69).for_each(|_| gate.judged(&of(CAUGHT, 1.0)));
    gate.end_of_day(1, true);
    (0..60).for_each(|_| gate.judged(&of(MISSED, 1.0)));
    gate.end_of_day(2, true);
    let track = gate.track(Measure::FalseNegativeRate);
    assert_eq!(track.map(|t| (t.met, t.not_met)), Some((Some(1), Some(2))));
}

#[test]
fn within_a_day_nothing_is_looked_at() {
    let policy = Policy::default();
    let mut gate = Gate::new(&policy);
    (0..69).for_each(|_| gate.judged(&of(CAUGHT, 1.0)));
    (0..10).for_each(|_| gate.judged(&of(MISSED, 1.0)));
    gate.end_of_day(1, true);
    assert_eq!(gate.track(Measure::FalseNegativeRate).and_then(|t| t.met), None);
}

#[test]
fn declared_looks_read_exact_bounds_and_wait_for_closed_days() {
    let day = crate::domain::Timestamp::parse_day("2026-03-02").map_or(0, |t| t.day());
    let policy =
        Policy { method: Method::Fixed, looks: vec!["2026-03-02".to_owned()], ..Policy::default() };
    let mut gate = Gate::new(&policy);
    (0..63).for_each(|_| gate.judged(&of(CAUGHT, 1.0)));
    gate.end_of_day(day - 2, true);
    let met = |gate: &Gate<'_>| gate.track(Measure::FalseNegativeRate).and_then(|t| t.met);
    assert_eq!(met(&gate), None);
    let mut waits = gate.clone();
    waits.end_of_day(day - 1, false);
    assert_eq!((met(&waits), waits.pending.as_slice()), (None, &[day][..]));
    gate.end_of_day(day - 1, true);
    assert_eq!(met(&gate), Some(day - 1));
}

#[test]
fn whole_days_count_by_their_sums_in_a_window_of_this_version() {
    let policy = Policy { cluster: Cluster::Day, ..Policy::default() };
    let wealth = |days: &[(u32, &[(u32, Judged)])]| {
        let mut gate = Gate::new(&policy);
        for (times, day) in days {
            let all = day.iter().flat_map(|(times, j)| (0..*times).map(|_| *j));
            let labelled: Vec<Judged> = all.collect();
            for _ in 0..*times {
                let mut tally = Tally::default();
                labelled.iter().for_each(|j| tally.add(j));
                gate.day(tally, &labelled, Limits::WHOLE);
            }
        }
        let track = gate.track(Measure::FalseNegativeRate);
        track.and_then(|t| t.clusters.as_ref()).map_or(0.0, |c| c.ln_met().exp())
    };
    let (clean, bad) = ((6, of(CAUGHT, 1.0)), (3, of(MISSED, 1.0)));
    near(wealth(&[(105, &[clean])]), 3.543_561, 5e-7);
    let half = [(3, of(CAUGHT, 1.0)), bad];
    near(wealth(&[(65, &[clean]), (1, &half), (60, &[clean])]), 4.048_662, 5e-7);
    near(wealth(&[(105, &[clean]), (1, &[(18, of(MISSED, 1.0))])]), 0.930_256, 5e-7);
    // A day without poor content is a day of none.
    let none = [(6, of(PASSED, 1.0))];
    assert!(wealth(&[(50, &none), (55, &[clean])]) > wealth(&[(50, &none)]));
}

#[test]
fn agents_have_days_of_their_own_sizes() {
    let policy = Policy { cluster: Cluster::AgentDay, ..Policy::default() };
    let wealth = |days: u32, agents: u32| {
        let mut gate = Gate::new(&policy);
        for _ in 0..days {
            let of = |agent| vec![Judged { agent, ..of(CAUGHT, 1.0) }; 6];
            let labelled: Vec<Judged> = (0..agents).flat_map(of).collect();
            let mut tally = Tally::default();
            labelled.iter().for_each(|j| tally.add(j));
            gate.day(tally, &labelled, Limits::WHOLE);
        }
        let track = gate.track(Measure::FalseNegativeRate);
        track.and_then(|t| t.clusters.as_ref()).map_or(0.0, |c| c.ln_met().exp())
    };
    near(wealth(105, 1), 3.543_561, 5e-7);
    // The first five days of each agent are for its own size: 100 factors of each.
    near(wealth(55, 2), 3.543_561, 5e-7);
    near(wealth(5, 9), 1.0, 1e-12);
}

#[test]
fn a_timeout_is_slow_and_a_declared_timeout_is_quick() {
    let slow = |policy: &Policy, cause, latency_ms: Option<u64>| {
        let e = crate::calibration::Evaluation {
            cause,
            latency_ms: latency_ms.into(),
            ..evaluation(1, 1, Outcome::Undetermined)
        };
        counts::is_slow(&e, policy)
    };
    let (plain, declared) =
        (Policy::default(), Policy { hook_timeout_s: Some(25.0), ..Policy::default() });
    let timeout = Some(crate::domain::Cause::Timeout);
    assert_eq!(slow(&plain, timeout, Some(10)), Some(true));
    assert_eq!(slow(&plain, None, Some(30_000)), Some(true));
    assert_eq!(slow(&plain, None, Some(29_999)), Some(false));
    assert_eq!(slow(&plain, None, None), None);
    assert_eq!(slow(&declared, None, None), Some(false));
    assert_eq!(slow(&declared, timeout, None), Some(true));
}
