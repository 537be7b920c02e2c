//! What was met and does not stay so.

use super::*;

/// Days of twenty, four of them flagged and right; on the last `bad` of them half of what should have been
/// flagged passed.
fn turned(days: i32, bad: usize) -> (Vec<Evaluation>, Vec<Labelled>) {
    let rows = planted(days, 4);
    let mut labels = agreed(&rows);
    for day in labels.chunks_mut(20).rev().take(bad) {
        day[16..].iter_mut().for_each(|label| label.word = Word::Poor);
    }
    (rows, labels)
}

fn misses(r: &Readiness) -> &KpiRow {
    r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap()
}

#[test]
fn ready_is_withdrawn_after_three_bad_days_in_windows_of_every_version() {
    let (rows, labels) = turned(103, 3);
    let plan = plan(1.0);
    for rules in [WindowRules::Earlier, WindowRules::Shared, WindowRules::Current] {
        let r = readiness(&Input { rules, ..input(&rows, &labels, &plan) });
        let row = misses(&r);
        assert_eq!((row.result, r.result), (KpiResult::NotMet, ReadinessResult::NotReady));
        assert_eq!(row.withdrawn.as_deref(), Some("1970-04-13"));
        assert_eq!(row.decided_on, row.withdrawn);
        let before =
            readiness(&Input { release: Release::V02, rules, ..input(&rows, &labels, &plan) });
        let row = misses(&before);
        assert_eq!((row.withdrawn.as_deref(), row.result), (None, KpiResult::Met));
    }
}

#[test]
fn a_contradicted_rate_is_not_met_while_its_interval_is_on_the_wrong_side() {
    // Found on day 18; then ten days with a miss beside three that are caught: too few in a row to be
    // withdrawn by chance alone, and 7.7 % in all.
    let rows = planted(45, 4);
    let mut labels = agreed(&rows);
    labels.chunks_mut(20).skip(20).for_each(|day| day[19].word = Word::Poor);
    let plan = plan(1.0);
    let never = Policy { false_alarm_days: u32::MAX, ..single() };
    let of = |days: usize, policy: &Policy| {
        let (rows, labels) = (&rows[..days * 20], &labels[..days * 20]);
        readiness(&Input { policy, ..input(rows, labels, &plan) })
    };
    let r = of(20, &never);
    assert_eq!((misses(&r).result, r.result), (KpiResult::Met, ReadinessResult::Ready));
    let later = (21..45).find(|days| of(*days, &never).result != ReadinessResult::Ready).unwrap();
    let r = of(later, &never);
    let row = misses(&r);
    assert!(row.lower.unwrap() > row.threshold, "{row:#?}");
    assert_eq!(
        (row.result, r.result),
        (KpiResult::NotEnoughEvidence, ReadinessResult::NotEnoughEvidence)
    );
    blocked_by(&r, &["contradicted"]);
    assert!(row.remarks[0].starts_with("It met its threshold on an earlier day"), "{row:#?}");
    // It is not kept: many good days later the interval is on the right side again.
    let waiver = Waiver {
        what: "contradicted".to_owned(),
        name: "Ada".to_owned(),
        reason: "one author".to_owned(),
        until: "2030-01-01".to_owned(),
    };
    let waived = of(later, &Policy { waivers: vec![waiver], ..never.clone() });
    assert_eq!((misses(&waived).result, waived.result), (KpiResult::Met, ReadinessResult::Ready));
    assert!(waived.blocks[0].waived.is_some());
}

#[test]
fn a_contradiction_ends_with_the_days_that_end_it() {
    let never = Policy { false_alarm_days: u32::MAX, ..single() };
    let plan = plan(1.0);
    let of = |good: usize| {
        let rows = planted(38 + good as i32, 4);
        let mut labels = agreed(&rows);
        labels.chunks_mut(20).skip(20).take(18).for_each(|day| day[19].word = Word::Poor);
        readiness(&Input { policy: &never, ..input(&rows, &labels, &plan) }).result
    };
    assert_eq!(of(0), ReadinessResult::NotEnoughEvidence);
    assert_eq!(of(100), ReadinessResult::Ready);
}
