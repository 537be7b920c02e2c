//! One KPI as a row.

use super::{Fold, day_text, expiry, stated};
use crate::calibration::days::{RETRIED, UNDETERMINED};
use crate::calibration::kpi;
use crate::calibration::tally::{self, Sizes};
use crate::calibration::{KpiResult, KpiRow, Measure, Needed, Range, StratumRow, Undetermined};
use crate::stats::drift::dispersion;
use crate::stats::order::Median;
use crate::text::counted;

/// Numbers of a row.
#[derive(Default)]
struct Numbers {
    estimate: Option<f64>,
    bounds: (Option<f64>, Option<f64>),
    parts: (u64, u64),
    reason: Option<String>,
}

/// The row of a measure.
pub(super) fn row(
    fold: &Fold<'_>,
    m: Measure,
    median: Option<Median>,
    needed: Option<&Needed>,
) -> KpiRow {
    let policy = fold.input.policy;
    let threshold = policy.threshold(m);
    let track = fold.gate.track(m);
    let clusters = track.and_then(|t| t.clusters.as_ref());
    let numbers = if m.needs_labels() { of_labels(fold, m) } else { of_all(fold, m, median) };
    let (result, decided) = result(fold, m);
    let value = |ln: Option<f64>| ln.map_or(1.0, |ln| ln.exp().min(f64::MAX));
    KpiRow {
        id: m,
        definition: m.definition().symbol.to_owned(),
        gated: policy.gates(m),
        waived_by: policy.waiver(m.as_str(), fold.input.now).map(|w| w.name.clone()),
        result,
        decided_on: decided.map(day_text),
        withdrawn: track.and_then(|t| t.withdrawn).map(day_text),
        not_recorded: fold.unrecorded.has(m)
            && !matches!(result, KpiResult::Met | KpiResult::NotMet),
        estimate: numbers.estimate,
        lower: numbers.bounds.0,
        upper: numbers.bounds.1,
        threshold: threshold.value,
        threshold_upper: threshold.upper,
        numerator: numbers.parts.0,
        denominator: numbers.parts.1,
        e_value: value(track.map(|t| t.evidence.ln_met())),
        e_value_not_met: value(track.map(|t| t.evidence.ln_not_met())),
        e_value_cluster: clusters.map(|c| value(Some(c.ln_met()))),
        e_value_not_met_cluster: clusters.map(|c| value(Some(c.ln_not_met()))),
        strata: if m.needs_labels() { strata(fold, m) } else { Vec::new() },
        undetermined: undetermined(fold, m),
        unsure: fold.gate.tally.unsure(m).filter(|_| is_estimable(fold, m)),
        remarks: Vec::new(),
        labels_needed: match result {
            KpiResult::Met | KpiResult::NotMet => Some(0),
            _ => needed.and_then(Needed::least_labels),
        },
        reason: only_stated(fold, m).or(numbers.reason),
    }
}

/// Why a measure is not met that the evidence would call so.
fn only_stated(fold: &Fold<'_>, m: Measure) -> Option<String> {
    let met = fold.gate.track(m).is_some_and(|track| track.met.is_some());
    (met && fold.is_only_stated(m)).then(|| {
        "not met on labels that only state how their records were chosen (`stated_alone`)"
            .to_owned()
    })
}

/// What was found, and on which day.
fn result(fold: &Fold<'_>, m: Measure) -> (KpiResult, Option<i32>) {
    let Some(track) = fold.gate.track(m) else { return (KpiResult::NotEstimable, None) };
    if let Some(day) = track.not_met.or(track.withdrawn) {
        return (KpiResult::NotMet, Some(day));
    }
    if !is_estimable(fold, m) {
        return (KpiResult::NotEstimable, None);
    }
    let waived = || fold.input.policy.waiver("contradicted", fold.input.now).is_some();
    match track.met.filter(|_| !expiry::is_contradicted(fold, m) || waived()) {
        Some(_) if fold.is_only_stated(m) => (KpiResult::NotEnoughEvidence, None),
        Some(day) => (KpiResult::Met, Some(day)),
        None => (KpiResult::NotEnoughEvidence, None),
    }
}

/// Whether the data could tell at all.
pub(super) fn is_estimable(fold: &Fold<'_>, m: Measure) -> bool {
    let (flagged, passed) = fold.gate.tally.labels();
    match m {
        Measure::FalseDiscoveryRate => flagged > 0,
        Measure::FalsePositiveRate | Measure::FalseNegativeRate if unstopped(fold) => false,
        Measure::MedianLatency => !fold.gate.counts.latency_is_unknown(),
        Measure::Availability if fold.gate.counts.outages_are_unknown() => false,
        Measure::FalsePositiveRate | Measure::FalseNegativeRate | Measure::FalseOmissionRate => {
            passed > 0 && fold.gate.tally.is_covered()
        }
        Measure::GoRate | Measure::UndeterminedRate | Measure::Availability => {
            fold.gate.counts.evaluations > 0
        }
    }
}

/// Whether labels are there, and all are from when part of what is stopped was not drawn.
fn unstopped(fold: &Fold<'_>) -> bool {
    let (flagged, passed) = fold.gate.tally.labels();
    flagged + passed > 0 && !fold.gate.tally.is_stopped_drawn()
}

fn of_labels(fold: &Fold<'_>, m: Measure) -> Numbers {
    let tally = &fold.gate.tally;
    let estimate = tally.rates().of(m);
    let (errors, correct) = tally.sure(m);
    let parts = (errors, errors + correct);
    if !is_estimable(fold, m) {
        let reason = match m {
            Measure::FalseDiscoveryRate => NO_FLAGGED.to_owned(),
            _ if unstopped(fold) => NO_STOPPED.to_owned(),
            _ => format!("not estimable: {}", unlooked(fold)),
        };
        return Numbers { parts, reason: Some(reason), ..Numbers::default() };
    }
    let b = tally.sampled(m).bounds(fold.input.policy.confidence);
    // The estimate weighs by what was really labelled, the bounds by what was meant to be: where
    // the two differ much, the interval is widened to hold the estimate.
    let lower = estimate.map_or(b.lower, |e| e.min(b.lower));
    let upper = estimate.map_or(b.upper, |e| e.max(b.upper));
    let why = match m {
        Measure::FalseNegativeRate => "no labelled content is poor",
        Measure::FalsePositiveRate => "no labelled content is acceptable",
        _ => "every label is unsure",
    };
    let reason = match estimate {
        None => Some(why.to_owned()),
        Some(_) if m == Measure::FalseDiscoveryRate => None,
        Some(_) => left_out(fold),
    };
    Numbers { estimate, bounds: (Some(lower), Some(upper)), parts, reason }
}

/// Why the false discovery rate has no estimate.
const NO_FLAGGED: &str = "not estimable: no NO-GO of a closed day has a label";

/// Why no rate that needs both sides has an estimate.
const NO_STOPPED: &str = "not estimable: no NO-GO is drawn for labelling; `foureyes gate audit --nogo 1` labels all from now on";

/// Why what passed on the closed days tells no rate.
pub(super) fn unlooked(fold: &Fold<'_>) -> String {
    let unseen = stated::unseen(fold);
    let unseen = unseen.map_or(String::new(), |names| format!(" ({names})"));
    match fold.gate.tally.labels().1 {
        0 => "no GO in the audit sample of a closed day has a label".to_owned(),
        _ => format!(
            "part of the passed content{unseen} was never sampled, and its labels do not state how \
             they were chosen"
        ),
    }
}

/// Why some of the closed days do not count, where labels state how others were looked at.
fn left_out(fold: &Fold<'_>) -> Option<String> {
    let unseen = stated::unseen(fold).filter(|_| fold.stated)?;
    Some(format!(
        "not all closed days count: part of the passed content ({unseen}) was never sampled, and \
         its labels do not state how they were chosen"
    ))
}

fn of_all(fold: &Fold<'_>, m: Measure, median: Option<Median>) -> Numbers {
    let (counts, confidence) = (&fold.gate.counts, fold.input.policy.confidence);
    let (part, whole) = counts.parts(m);
    if m == Measure::MedianLatency {
        return latency(fold, (part, whole), median);
    }
    if m == Measure::Availability && counts.outages_are_unknown() {
        let reason = Some(format!("not estimable: {}", kpi::unreported(counts)));
        return Numbers { parts: (part, whole), reason, ..Numbers::default() };
    }
    match tally::share(part, whole, confidence) {
        Some((estimate, b)) => Numbers {
            estimate: Some(estimate),
            bounds: (Some(b.lower), Some(b.upper)),
            parts: (part, whole),
            reason: if m == Measure::Availability { runs(fold) } else { None },
        },
        None => Numbers {
            reason: Some("no evaluations in the window".to_owned()),
            ..Numbers::default()
        },
    }
}

/// How outages are spread: the interval takes each evaluation for a draw of its own.
fn runs(fold: &Fold<'_>) -> Option<String> {
    let spread = dispersion(fold.outages.iter().copied());
    let factor = spread.factor.map_or(String::new(), |factor| {
        format!("; day-to-day variation: {factor:.1} times what chance explains")
    });
    (spread.longest_run > 0)
        .then(|| format!("longest outage: {} in a row{factor}", spread.longest_run))
}

fn latency(fold: &Fold<'_>, parts: (u64, u64), median: Option<Median>) -> Numbers {
    let counts = &fold.gate.counts;
    if counts.latency_is_unknown() {
        let reason = format!(
            "not estimable: only {} of {} a latency; at least half must",
            counts.timed,
            counted(counts.evaluations, "evaluation records", "evaluations record")
        );
        return Numbers { parts, reason: Some(reason), ..Numbers::default() };
    }
    let reason = (counts.declared() > 0).then(|| {
        let bound = fold.input.policy.hook_timeout_s.unwrap_or_default();
        format!("the policy declares that calls without a latency took at most {bound} s")
    });
    let median = median.filter(|_| !counts.latency_is_declared());
    let ends = median.and_then(|m| m.interval);
    let seconds = |ms: u64| ms as f64 / 1000.0;
    Numbers {
        estimate: median.map(|m| m.estimate / 1000.0),
        bounds: (ends.map(|e| seconds(e.0)), ends.map(|e| seconds(e.1))),
        parts,
        reason,
    }
}

fn strata(fold: &Fold<'_>, m: Measure) -> Vec<StratumRow> {
    let [flagged, passed] = fold.gate.tally.sizes();
    let row = |name: String, s: Sizes| StratumRow {
        name,
        population: s.population,
        labelled: s.labelled,
        poor: s.poor,
        unsure: s.unsure,
    };
    let name = |stratum: u16| match fold.input.strata.get(usize::from(stratum)) {
        _ if stratum == RETRIED => "go:retried".to_owned(),
        _ if stratum == UNDETERMINED => "undetermined".to_owned(),
        Some(name) if fold.input.strata.len() > 1 => format!("go:{name}"),
        _ => "go".to_owned(),
    };
    let mut rows = Vec::new();
    if m != Measure::FalseOmissionRate {
        rows.push(row("no_go".to_owned(), flagged.get(&0).copied().unwrap_or_default()));
        let apart = flagged.get(&UNDETERMINED).filter(|_| m != Measure::FalseDiscoveryRate);
        rows.extend(apart.map(|sizes| row(name(UNDETERMINED), *sizes)));
    }
    if m != Measure::FalseDiscoveryRate {
        if passed.is_empty() {
            rows.push(row("go".to_owned(), Sizes::default()));
        }
        let counts = |stratum: &u16| m != Measure::FalseOmissionRate || *stratum != UNDETERMINED;
        let passed = passed.into_iter().filter(|(stratum, _)| counts(stratum));
        rows.extend(passed.map(|(stratum, sizes)| row(name(stratum), sizes)));
    }
    rows
}

/// The estimate if all UNDETERMINED had been right, and if all had been wrong.
fn undetermined(fold: &Fold<'_>, m: Measure) -> Option<Range> {
    let n = fold.undetermined;
    let counts = fold.input.is_current() && fold.input.policy.undetermined != Undetermined::Apart;
    if n == 0 || counts || !is_estimable(fold, m) {
        return None;
    }
    let tally = &fold.gate.tally;
    Some(Range { from: tally.rates_with(0, n, m)?, to: tally.rates_with(n, 0, m)? })
}

#[cfg(test)]
mod tests {
    use super::super::tests::{agreed, input, plan, planted};
    use crate::calibration::{Evaluation, KpiRow, Labelled, Measure, Readiness, Word, readiness};
    use crate::domain::{Cause, Outcome};

    fn row(r: &Readiness, m: Measure) -> &KpiRow {
        r.kpis.iter().chain(&r.beside).find(|k| k.id == m).unwrap()
    }

    fn undetermined(e: &mut Evaluation, cause: Cause) {
        e.outcome = Outcome::Undetermined;
        e.cause = Some(cause);
        e.first = false;
    }

    #[test]
    fn undetermined_bounds_match_hand_calculation() {
        let plan = plan(1.0);
        // Twenty days: 4 NO-GO, 14 GO, 2 UNDETERMINED each; on eight of them one GO is poor.
        let mut rows = planted(20, 4);
        for day in rows.chunks_mut(20) {
            day[18..].iter_mut().for_each(|e| undetermined(e, Cause::InvalidAnswer));
        }
        let verdicts: Vec<_> = rows.iter().copied().filter(|e| e.first).collect();
        let mut labels: Vec<Labelled> = agreed(&verdicts);
        for day in labels.chunks_mut(18).take(8) {
            day[10].word = Word::Poor;
        }
        let r = readiness(&input(&rows, &labels, &plan));
        // 80 caught, 8 missed, 40 not told: 8 / 128 where all would have been caught, 48 / 128 where
        // all would have been missed.
        let misses = row(&r, Measure::FalseNegativeRate);
        let range = misses.undetermined.unwrap();
        assert_eq!((range.from, range.to), (0.0625, 0.375));
        assert_eq!(misses.estimate, Some(8.0 / 88.0));
        // No alarm was false, 272 passed rightly.
        let alarms = row(&r, Measure::FalsePositiveRate).undetermined.unwrap();
        assert_eq!((alarms.from, alarms.to), (0.0, 40.0 / 312.0));
        assert_eq!(row(&r, Measure::FalseDiscoveryRate).undetermined, None);
    }

    #[test]
    fn daily_outage_is_shown_beside_availability_as_burst() {
        let plan = plan(1.0);
        let mut rows = planted(20, 4);
        rows[140..160].iter_mut().for_each(|e| undetermined(e, Cause::Timeout));
        let labels = agreed(&rows);
        let r = readiness(&input(&rows, &labels, &plan));
        // p = 1/20: one day of 19² and nineteen of 1² over 20 · 1/20 · 19/20, by nineteen.
        let how = "day-to-day variation: 21.1 times what chance explains";
        let available = row(&r, Measure::Availability);
        assert_eq!((available.numerator, available.denominator), (380, 400));
        let expected = format!("longest outage: 20 in a row; {how}");
        assert_eq!(available.reason.as_deref(), Some(expected.as_str()));
        let caveat = r.caveats.iter().find(|c| c.id == "outages_in_bursts").unwrap();
        assert!(caveat.text.contains("up to 20 in a row"), "{}", caveat.text);
        // As many, one a day: said beside it, and no burst.
        let mut even = planted(20, 4);
        even.chunks_mut(20).for_each(|day| undetermined(&mut day[9], Cause::Timeout));
        let r = readiness(&input(&even, &labels, &plan));
        let expected = row(&r, Measure::Availability).reason.as_deref().unwrap();
        assert!(
            expected.starts_with("longest outage: 1 in a row; day-to-day variation: 0.0"),
            "{expected}"
        );
        assert!(r.caveats.iter().all(|c| c.id != "outages_in_bursts"));
        // Without any outage there is nothing to say.
        let quiet = planted(20, 4);
        let r = readiness(&input(&quiet, &agreed(&quiet), &plan));
        assert_eq!(row(&r, Measure::Availability).reason, None);
    }
}
