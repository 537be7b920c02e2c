//! What would decide a KPI that is not decided yet.

use super::gate::{Evidence, Gate, Track};
use super::tally::Reading;
use super::{Measure, Method, Needed, Policy, Price};
use crate::stats::sampled::Sampled;
use crate::stats::spending;

/// Beyond this many records a KPI is called undecidable.
const MOST: u64 = 10_000_000;

/// Rates of the audit sample whose price is shown.
const RATES: [f64; 5] = [0.1, 0.2, 0.3, 0.5, 1.0];

/// What a day of the present traffic brings.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Traffic {
    /// Days that were counted.
    pub(super) days: u64,
    /// Evaluations in them.
    pub(super) evaluations: u64,
    /// Flagged contents in them.
    pub(super) flagged: u64,
    /// Passed contents in them.
    pub(super) passed: u64,
    /// The smallest rate of the audit sample in force now; 0 where there is none.
    pub(super) pi: f64,
}

/// What would decide a measure.
pub(super) fn needed(gate: &Gate<'_>, policy: &Policy, track: &Track, traffic: Traffic) -> Needed {
    match &track.evidence {
        Evidence::Error(..) => of_errors(gate, policy, track, traffic),
        Evidence::Shares(_) => of_evaluations(gate, policy, track, traffic),
    }
}

/// The smallest number for which something holds, by doubling and halving.
///
/// It may hold and cease to hold where a further error falls in between; then the number is one at
/// which it holds.
fn least(holds: impl Fn(u64) -> bool) -> Option<u64> {
    let mut high = 1;
    while !holds(high) {
        high *= 2;
        if high > MOST {
            return None;
        }
    }
    let mut low = high / 2;
    while high - low > 1 {
        let middle = low + (high - low) / 2;
        if holds(middle) {
            high = middle;
        } else {
            low = middle;
        }
    }
    Some(high)
}

/// Further records in the present mixture of errors and what is right; all clean where none is
/// labelled yet.
fn of_errors(gate: &Gate<'_>, policy: &Policy, track: &Track, traffic: Traffic) -> Needed {
    let measure = track.measure;
    let (errors, correct) = gate.tally.seen(measure, Reading::Worst);
    let kind = Kind::of(measure);
    let records = if kind.needs_audit && traffic.pi <= 0.0 {
        None
    } else {
        further(policy, track, (errors, correct), traffic.pi)
    };
    let per_day = |count: u64| count as f64 / traffic.days.max(1) as f64;
    let yield_per_day = per_day(errors + correct);
    let cost = |pi: f64| {
        let passed = if kind.needs_audit { per_day(traffic.passed) * pi } else { 0.0 };
        per_day(traffic.flagged) + passed
    };
    let days = records.filter(|_| yield_per_day > 0.0).map(|m| (m as f64 / yield_per_day).ceil());
    let labels = records.map(|m| days.map_or(m, |d| ((d * cost(traffic.pi)).ceil() as u64).max(m)));
    let price = |pi: f64| {
        let m = further(policy, track, (errors, correct), pi)?;
        let days = (m as f64 / yield_per_day).ceil();
        let labels = ((days * cost(pi)).ceil() as u64).max(m);
        Some(Price { pi, labels, days: days as u64 })
    };
    // What passed is labelled more at a higher rate, so its yield would change with it.
    let priced = measure == Measure::FalseNegativeRate && yield_per_day > 0.0;
    let prices = if priced { RATES.into_iter().filter_map(price).collect() } else { Vec::new() };
    let text = kind.say(records, labels, days, traffic.pi);
    let days = days.map(|d| d as u64);
    Needed { kpi: measure, stratum: kind.stratum.to_owned(), records, labels, days, text, prices }
}

/// Records until the gate would find the measure met.
fn further(policy: &Policy, track: &Track, (errors, correct): (u64, u64), pi: f64) -> Option<u64> {
    let Evidence::Error(below, _) = &track.evidence else { return None };
    let part = if errors == 0 { 0.0 } else { errors as f64 / (errors + correct) as f64 };
    let split = |m: u64| {
        let more = (m as f64 * part).floor();
        (more, m as f64 - more)
    };
    let (share, ratio) = match track.measure {
        Measure::FalseNegativeRate => (pi, pi),
        Measure::FalsePositiveRate => (1.0 / pi, 1.0 / pi),
        _ => (1.0, 1.0),
    };
    match policy.method {
        Method::Anytime => least(|m| {
            let (wrong, right) = split(m);
            let mut test = *below;
            test.errors(1.0, wrong);
            test.correct(share, right);
            test.wealth().ln() >= -policy.alpha().ln()
        }),
        Method::Fixed => {
            let each = spending::each(policy.alpha(), policy.look_days().len());
            let (t, _) = policy.threshold(track.measure);
            least(|m| {
                let (wrong, right) = split(m);
                let errors = errors + wrong as u64;
                let s = Sampled { errors, correct: correct + right as u64, ratio };
                s.upper(1.0 - each) < t
            })
        }
    }
}

/// How the records of a measure are called.
struct Kind {
    stratum: &'static str,
    needs_audit: bool,
    name: &'static str,
}

impl Kind {
    fn of(measure: Measure) -> Self {
        let (stratum, needs_audit, name) = match measure {
            Measure::FalseNegativeRate => ("no_go", true, "poor records"),
            Measure::FalsePositiveRate => ("go", true, "acceptable records"),
            Measure::FalseOmissionRate => ("go", true, "audited GO records"),
            _ => ("no_go", false, "NO-GO records"),
        };
        Self { stratum, needs_audit, name }
    }

    fn say(&self, records: Option<u64>, labels: Option<u64>, days: Option<f64>, pi: f64) -> String {
        let Some((records, labels)) = records.zip(labels) else {
            return if self.needs_audit && pi <= 0.0 {
                "not estimable: no rate of the audit sample is in force".to_owned()
            } else {
                "at the rate seen so far no number of labels would show it".to_owned()
            };
        };
        let name = self.name;
        match days {
            Some(days) => format!(
                "{records} more labelled {name} at the rate seen so far: some {labels} labels, \
                 {days} days at the present traffic"
            ),
            None => format!("at least {records} labelled {name} without an error"),
        }
    }
}

/// Further evaluations, which need no labels.
fn of_evaluations(gate: &Gate<'_>, policy: &Policy, track: &Track, traffic: Traffic) -> Needed {
    let (part, whole) = gate.counts.parts(track.measure);
    let share = if whole == 0 { 0.0 } else { part as f64 / whole as f64 };
    let records = (whole > 0).then(|| least(|m| would_meet(policy, track, share, m))).flatten();
    // The median is told only where half of the evaluations carry a latency: as many more as lack.
    let lacking = gate.counts.evaluations.saturating_sub(gate.counts.timed * 2);
    let lacks = track.measure == Measure::MedianLatency && lacking > 0;
    let records = if lacks { records.map(|m| m.max(lacking)) } else { records };
    let per_day = traffic.evaluations as f64 / traffic.days.max(1) as f64;
    let days = records.filter(|_| per_day > 0.0).map(|m| (m as f64 / per_day).ceil());
    let text = match (records, days) {
        (Some(m), Some(d)) => {
            let s = |one: bool| if one { "" } else { "s" };
            let (ms, ds) = (s(m == 1), s(d <= 1.0));
            let what = if lacks { " that carry a latency" } else { "" };
            format!("{m} more evaluation{ms}{what} at the rate seen so far: {d} day{ds}, no labels")
        }
        _ => "at the rate seen so far no number of evaluations would show it".to_owned(),
    };
    Needed {
        kpi: track.measure,
        stratum: "all".to_owned(),
        records,
        labels: records.map(|_| 0),
        days: days.map(|d| d as u64),
        text,
        prices: Vec::new(),
    }
}

/// Whether so many evaluations more, of the present share, would show a measure to be met.
fn would_meet(policy: &Policy, track: &Track, share: f64, m: u64) -> bool {
    let Evidence::Shares(tests) = &track.evidence else { return false };
    let counting = m as f64 * share;
    let rest = m as f64 - counting;
    // What counts for the measure is an error in the second test of the GO rate, and in that of
    // UNDETERMINED; elsewhere it is what is right.
    let is_error = |i: usize| i == 1 || track.measure == Measure::UndeterminedRate;
    tests.iter().enumerate().all(|(i, (below, _))| {
        let mut test = *below;
        let (errors, others) = if is_error(i) { (counting, rest) } else { (rest, counting) };
        test.take(errors, others);
        test.wealth().ln() >= -policy.alpha().ln()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::gate::Counts;

    fn fresh(traffic: Traffic, measure: Measure, policy: &Policy) -> Needed {
        let gate = Gate::new(policy);
        let track = gate.track(measure).cloned();
        track.map(|t| needed(&gate, policy, &t, traffic)).unwrap_or_else(|| unreachable!())
    }

    #[test]
    fn a_clean_start_needs_sixty_four_poor_records_and_thirty_two_flagged_ones() {
        let policy = Policy::default();
        let whole = Traffic { pi: 1.0, ..Traffic::default() };
        let records = |m| fresh(whole, m, &policy).records;
        assert_eq!(records(Measure::FalseNegativeRate), Some(64));
        assert_eq!(records(Measure::FalseDiscoveryRate), Some(32));
        assert_eq!(fresh(whole, Measure::FalseNegativeRate, &policy).labels, Some(64));
    }

    #[test]
    fn declared_looks_need_the_exact_floor() {
        let policy = Policy {
            method: Method::Fixed,
            looks: vec!["2026-03-01".to_owned()],
            ..Policy::default()
        };
        let whole = Traffic { pi: 1.0, ..Traffic::default() };
        assert_eq!(fresh(whole, Measure::FalseNegativeRate, &policy).records, Some(59));
    }

    #[test]
    fn without_an_audit_sample_no_number_is_named() {
        let policy = Policy::default();
        let got = fresh(Traffic::default(), Measure::FalseNegativeRate, &policy);
        assert_eq!((got.records, got.labels), (None, None));
        assert!(got.text.starts_with("not estimable"), "{}", got.text);
    }

    #[test]
    fn a_median_waits_until_half_of_the_evaluations_carry_a_latency() {
        let policy = Policy::default();
        let mut gate = Gate::new(&policy);
        let (evaluations, timed) = (1019, 496);
        gate.evaluations(&Counts { evaluations, timed, carrying: timed, ..Counts::default() });
        let track = gate.track(Measure::MedianLatency).cloned();
        let track = track.unwrap_or_else(|| unreachable!());
        let day = Traffic { days: 10, evaluations: 1000, ..Traffic::default() };
        let got = needed(&gate, &policy, &track, day);
        assert_eq!((got.records, got.days), (Some(27), Some(1)));
        assert!(got.text.contains("27 more evaluations that carry a latency"), "{}", got.text);
    }

    #[test]
    fn the_least_number_is_found_or_none() {
        assert_eq!(least(|n| n >= 77), Some(77));
        assert_eq!(least(|n| n >= 1), Some(1));
        assert_eq!(least(|_| false), None);
    }
}
