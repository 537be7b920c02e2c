//! Parts beside GO and NO-GO: what was retried, and UNDETERMINED where the policy counts it.

use super::*;
use crate::calibration::Undetermined;

fn misses(r: &Readiness) -> &KpiRow {
    r.kpis.iter().find(|k| k.id == Measure::FalseNegativeRate).unwrap()
}

/// Days of twenty, of which the last GO was retried after a day.
fn retried(days: i32) -> Vec<Evaluation> {
    let mut rows = planted(days, 4);
    rows.chunks_mut(20).for_each(|day| day[19].retried_after = Some(1).into());
    rows
}

#[test]
fn what_was_retried_is_drawn_whole_and_costs_no_evidence() {
    let (rows, plan) = (retried(60), plan(0.3));
    let due = |e: &Evaluation| {
        e.outcome == Outcome::NoGo || e.retried_after.get().is_some() || plan.rates[0].draws(&e.id)
    };
    let drawn: Vec<Evaluation> = rows.iter().copied().filter(due).collect();
    let r = readiness(&input(&rows, &agreed(&drawn), &plan));
    assert!(r.days.iter().all(|d| d.state == DayState::Closed));
    let row = misses(&r);
    let part = row.strata.iter().find(|s| s.name == "go:retried").unwrap();
    assert_eq!((part.population, part.labelled, part.title()), (60, 60, "GO (retried)".to_owned()));
    let works = r.retried.unwrap();
    assert_eq!((works.passed, works.labelled, works.poor), (60, 60, 0));
    // As evidence goes, it is a sample of three tenths.
    let plain = readiness(&input(&planted(60, 4), &agreed(&planted(60, 4)), &plan));
    assert!((row.e_value / misses(&plain).e_value - 1.0).abs() < 1e-9);
    // One of them without a label keeps its day open.
    let mut labels = agreed(&drawn);
    labels.retain(|l| l.record != rows[19].id);
    assert_eq!(readiness(&input(&rows, &labels, &plan)).days[0].state, DayState::Open);
}

#[test]
fn a_miss_among_the_retried_costs_less_and_is_told() {
    let (rows, plan) = (retried(60), plan(0.3));
    let with = |poor: usize| {
        let mut labels = agreed(&rows);
        labels[poor].word = Word::Poor;
        readiness(&input(&rows, &labels, &plan))
    };
    let main = (4..19).find(|at| plan.rates[0].draws(&rows[*at].id)).unwrap();
    let (among, beside) = (with(19), with(main));
    assert!(misses(&among).e_value > 5.0 * misses(&beside).e_value);
    assert_eq!(among.retried.unwrap().poor, 1);
    let caveat = among.caveats.iter().find(|c| c.id == "retried_works").unwrap();
    let expected = "60 works were stopped and passed later; of the 60 labelled, 1 is poor";
    assert_eq!(caveat.text, expected);
}

#[test]
fn an_older_window_and_a_later_retry_know_no_such_part() {
    let (rows, plan) = (retried(20), plan(1.0));
    let labels = agreed(&rows);
    for rules in [WindowRules::Earlier, WindowRules::Shared] {
        let r = readiness(&Input { rules, ..input(&rows, &labels, &plan) });
        assert_eq!(r.retried, None);
        assert!(misses(&r).strata.iter().all(|s| s.name != "go:retried"));
    }
    let none = Policy { retry_days: 0, ..Policy::default() };
    let r = readiness(&Input { policy: &none, ..input(&rows, &labels, &plan) });
    assert_eq!(r.retried, None);
}

/// Days of twenty: four NO-GOs, fourteen GOs, two UNDETERMINED, of which one is poor.
fn undecided(days: i32) -> (Vec<Evaluation>, Vec<Labelled>) {
    let mut rows = planted(days, 4);
    for day in rows.chunks_mut(20) {
        day[18..].iter_mut().for_each(|e| {
            (e.outcome, e.first) = (Outcome::Undetermined, false);
        });
    }
    let mut labels = agreed(&rows);
    labels.chunks_mut(20).for_each(|day| day[19].word = Word::Poor);
    (rows, labels)
}

#[test]
fn undetermined_counts_as_the_policy_says_and_else_not_at_all() {
    let (rows, labels) = undecided(20);
    let plan = plan(1.0);
    let of = |undetermined, rules| {
        let policy = Policy { undetermined, ..Policy::default() };
        let r = readiness(&Input { policy: &policy, rules, ..input(&rows, &labels, &plan) });
        let row = |m| r.kpis.iter().chain(&r.beside).find(|k| k.id == m).unwrap().clone();
        let estimate = |m| row(m).estimate.unwrap();
        assert_eq!(estimate(Measure::FalseOmissionRate), 0.0, "GO alone");
        assert_eq!(estimate(Measure::FalseDiscoveryRate), 0.0, "NO-GO alone");
        (estimate(Measure::FalseNegativeRate), estimate(Measure::FalsePositiveRate))
    };
    let current = WindowRules::Current;
    assert_eq!(of(Undetermined::Apart, current), (0.0, 0.0));
    // A day brings four caught, one that passes undecided, and fifteen acceptable ones.
    assert_eq!(of(Undetermined::Passes, current), (1.0 / 5.0, 0.0));
    assert_eq!(of(Undetermined::Blocks, current), (0.0, 1.0 / 15.0));
    assert_eq!(of(Undetermined::Passes, WindowRules::Shared), (0.0, 0.0));
}

#[test]
fn undetermined_that_counts_keeps_its_day_open() {
    let (rows, labels) = undecided(5);
    let (plan, policy) =
        (plan(1.0), Policy { undetermined: Undetermined::Blocks, ..Policy::default() });
    let fewer: Vec<Labelled> = labels.iter().filter(|l| l.record != rows[19].id).cloned().collect();
    let of = |labels: &[Labelled], policy: &Policy| {
        readiness(&Input { policy, ..input(&rows, labels, &plan) }).days[0].state
    };
    assert_eq!(of(&labels, &policy), DayState::Closed);
    assert_eq!(of(&fewer, &policy), DayState::Open);
    assert_eq!(of(&fewer, &Policy::default()), DayState::Closed);
}
