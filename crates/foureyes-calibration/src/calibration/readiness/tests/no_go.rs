//! NO-GOs that are drawn and not labelled whole.

use super::*;

/// Everything that passes is drawn, and of NO-GO this much.
fn thinned(pi: f64) -> Plan {
    let mut plan = plan(1.0);
    let from = Timestamp(i64::MIN);
    plan.rates.push(Rate { from, stratum: Stratum::NoGo, pi, key: [2; 32] });
    plan
}

fn is_drawn(plan: &Plan, e: &Evaluation) -> bool {
    e.outcome != Outcome::NoGo || plan.rates[1].draws(&e.id)
}

fn row(r: &Readiness, m: Measure) -> &KpiRow {
    r.kpis.iter().chain(&r.beside).find(|k| k.id == m).unwrap()
}

#[test]
fn a_day_closes_when_its_drawn_no_gos_are_labelled_and_others_are_picked() {
    let (rows, plan) = (planted(30, 4), thinned(0.5));
    let drawn: Vec<Evaluation> = rows.iter().copied().filter(|e| is_drawn(&plan, e)).collect();
    assert!((490..590).contains(&drawn.len()), "{}", drawn.len());
    let labels = agreed(&drawn);
    let of = |labels: &[Labelled]| readiness(&input(&rows, labels, &plan));
    let r = of(&labels);
    assert!(r.days.iter().all(|d| d.state == DayState::Closed));
    assert_eq!(r.days.iter().map(|d| d.no_go).sum::<u64>(), drawn.len() as u64 - 480);
    assert_eq!(row(&r, Measure::FalseNegativeRate).estimate, Some(0.0));
    // A label on a NO-GO that was not drawn counts in no rate, whatever it says.
    let other = rows.iter().find(|e| !is_drawn(&plan, e)).unwrap();
    let picked = label(other.id, "a", 1, Word::Acceptable);
    let with = of(&[labels.clone(), vec![picked]].concat());
    for m in [Measure::FalseNegativeRate, Measure::FalsePositiveRate, Measure::FalseDiscoveryRate] {
        let numbers = |r: &Readiness| {
            let k = row(r, m);
            (k.estimate, k.lower, k.upper, k.e_value, k.numerator, k.denominator)
        };
        assert_eq!(numbers(&with), numbers(&r), "{m:?}");
    }
    // One of those that were drawn less, and its day is open.
    let missing = labels.iter().position(|l| l.record == drawn[0].id).unwrap();
    let mut fewer = labels.clone();
    fewer.remove(missing);
    assert_eq!(of(&fewer).days[0].state, DayState::Open);
}

#[test]
fn drawn_no_gos_stand_for_all_in_estimates() {
    let (rows, plan) = (planted(40, 8), thinned(0.5));
    let mut labels = agreed(&rows);
    // One pass of each day is poor: 40 missed, 320 caught, of which about 160 have a label.
    labels.chunks_mut(20).for_each(|day| day[19].word = Word::Poor);
    let r = readiness(&input(&rows, &labels, &plan));
    let misses = row(&r, Measure::FalseNegativeRate);
    assert!((misses.estimate.unwrap() - 40.0 / 360.0).abs() < 1e-12, "{misses:#?}");
    // Of the labels a larger part are misses: the bounds allow for it.
    assert!(misses.denominator < 220 && misses.numerator == 40, "{misses:#?}");
    assert!(misses.lower.unwrap() < 0.111 && misses.upper.unwrap() > 0.111, "{misses:#?}");
    assert!(misses.upper.unwrap() < 0.17, "{misses:#?}");
    let no_go = &misses.strata[0];
    assert_eq!((no_go.name.as_str(), no_go.population), ("no_go", 320));
}

#[test]
fn without_any_drawn_no_go_neither_rate_is_estimable() {
    let (rows, plan) = (planted(30, 4), thinned(0.0));
    let r = readiness(&input(&rows, &agreed(&rows), &plan));
    for m in [Measure::FalseNegativeRate, Measure::FalsePositiveRate] {
        assert_eq!(result(&r, m), KpiResult::NotEstimable);
        let reason = row(&r, m).reason.clone().unwrap();
        assert!(reason.contains("gate audit --nogo"), "{reason}");
    }
    assert_ne!(r.result, ReadinessResult::Ready);
}

#[test]
fn a_window_of_an_earlier_version_labels_every_no_go() {
    let (rows, whole) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let of = |plan: &Plan, rules| {
        let mut r = readiness(&Input { rules, ..input(&rows, &labels, plan) });
        // The plan is another one, and that is all.
        r.evidence.clear();
        r
    };
    for rules in [WindowRules::Earlier, WindowRules::Shared] {
        assert_eq!(of(&thinned(0.5), rules), of(&whole, rules));
    }
}
