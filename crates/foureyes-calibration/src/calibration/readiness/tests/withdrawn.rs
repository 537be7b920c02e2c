//! READY that does not hold any more.

use super::*;
use crate::calibration::readiness::facts::Facts;
use crate::calibration::readiness::{next, result};

/// A READY judge of thirty days, and its rows with one of them withdrawn on a day.
fn withdrawn(day: &str) -> (Readiness, Vec<KpiRow>) {
    let (rows, plan) = (planted(30, 4), plan(1.0));
    let labels = agreed(&rows);
    let r = readiness(&input(&rows, &labels, &plan));
    assert_eq!(r.result, ReadinessResult::Ready);
    let mut kpis = r.kpis.clone();
    let row = kpis.iter_mut().find(|k| k.id == Measure::FalseNegativeRate).unwrap();
    row.withdrawn = Some(day.to_owned());
    (r, kpis)
}

#[test]
fn withdrawn_kpi_beats_met_and_waived_block() {
    let (_, mut kpis) = withdrawn("1970-01-25");
    assert_eq!(result(&kpis, &[]), ReadinessResult::NotReady, "its row says met");
    for kpi in &mut kpis {
        kpi.waived_by = Some("Ada".to_owned());
    }
    assert_eq!(result(&kpis, &[]), ReadinessResult::Ready, "what is waived decides nothing");
    kpis.iter_mut().for_each(|kpi| (kpi.waived_by, kpi.gated) = (None, false));
    assert_eq!(result(&kpis, &[]), ReadinessResult::Ready, "nor what is not gated");
}

#[test]
fn step_says_by_when_it_had_become_worse() {
    let (mut r, kpis) = withdrawn("1970-01-25");
    (r.kpis, r.result) = (kpis, ReadinessResult::NotReady);
    r.kpis.iter_mut().filter(|k| k.is_withdrawn()).for_each(|k| k.result = KpiResult::NotMet);
    let facts = Facts {
        unmet_as_words_stand: Vec::new(),
        met_as_words_stand: Vec::new(),
        confirmed_from: 0,
        family: r.family,
        policy: &DEFAULT,
        unlabelled_from: 30,
        soonest: Vec::new(),
        held: Vec::new(),
        anew: 0,
        first_rates: Vec::new(),
        pi: 1.0,
        lapses_on: None,
    };
    let steps = next::steps(&r, &facts);
    assert_eq!(steps[0].kind, "not_met");
    let text = "By 1970-01-25 it had become worse than its threshold; more labels";
    assert!(steps[0].text.starts_with(text), "{}", steps[0].text);
}
