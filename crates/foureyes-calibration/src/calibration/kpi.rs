//! The six KPIs of a window, each with its counts, its exact interval and its threshold. What a KPI is, is
//! in `domain/measure.rs`; what it counts, in `gate/counts.rs`.
//!
//! They are about the evaluations of one kind of judgement, without overrides, bypasses and repeats. Nothing here
//! decides: a threshold is for reading beside a number.

use super::Policy;
use super::gate::Counts;
use crate::domain::{EvaluationTally, Kpi, Measure, Unit};
use crate::stats::{CONFIDENCE, binomial, order};
use crate::text::counted;

/// Why there is no estimate where nothing was evaluated.
pub const NO_EVALUATIONS: &str = "no evaluations in the window";

/// Computes the six KPIs of evaluations, with the thresholds of a policy.
pub fn kpis(tally: &EvaluationTally, policy: &Policy) -> Vec<Kpi> {
    let counts = counts(tally, policy);
    Measure::kpis().map(|id| kpi(id, tally, &counts, policy)).collect()
}

fn counts(tally: &EvaluationTally, policy: &Policy) -> Counts {
    let limit = policy.median_latency_below_s * 1000.0;
    let timed = tally.latencies_ms.len() as u64;
    let slow = tally.latencies_ms.iter().filter(|ms| **ms as f64 >= limit).count() as u64;
    Counts {
        evaluations: tally.evaluations,
        go: tally.go,
        undetermined: tally.undetermined,
        reporting: tally.reporting,
        outages: tally.outages,
        timed,
        slow,
        carrying: timed,
        ..Counts::default()
    }
}

fn kpi(id: Measure, tally: &EvaluationTally, counts: &Counts, policy: &Policy) -> Kpi {
    let threshold = policy.threshold(id);
    let (numerator, denominator) = counts.parts(id);
    let definition = id.definition();
    let unknown = |reason: String| Kpi {
        id,
        numerator,
        denominator,
        estimate: None,
        lower: None,
        upper: None,
        confidence: CONFIDENCE,
        unit: definition.unit.as_str().to_owned(),
        threshold: threshold.value,
        threshold_upper: threshold.upper,
        reason: Some(reason),
    };
    if definition.needs_labels {
        return unknown("no labels yet".to_owned());
    }
    if counts.evaluations == 0 {
        return unknown(NO_EVALUATIONS.to_owned());
    }
    if id == Measure::Availability && counts.outages_are_unknown() {
        return unknown(unreported(counts));
    }
    let (estimate, ends) = match definition.unit {
        Unit::Share => match binomial::share(numerator, denominator) {
            Some((share, ends)) => (Some(share), Some((ends.lower, ends.upper))),
            None => (None, None),
        },
        Unit::Seconds if counts.latency_is_unknown() => {
            return unknown(format!(
                "only {denominator} of {} a latency; at least half must",
                counted(counts.evaluations, "evaluation records", "evaluations record")
            ));
        }
        Unit::Seconds => {
            let median = order::median(&mut tally.latencies_ms.clone(), CONFIDENCE);
            let seconds = |(lower, upper)| (lower as f64 / 1000.0, upper as f64 / 1000.0);
            let ends = median.and_then(|m| m.interval).map(seconds);
            (median.map(|m| m.estimate / 1000.0), ends)
        }
    };
    let (lower, upper) = ends.unzip();
    Kpi { estimate, lower, upper, reason: None, ..unknown(String::new()) }
}

/// Why nothing is known of outages.
pub(super) fn unreported(counts: &Counts) -> String {
    format!(
        "only {} of {} whether the judge could be reached; at least half must",
        counts.reporting,
        counted(counts.evaluations, "evaluation records", "evaluations record")
    )
}

impl super::KpiRow {
    /// Whether READY is withdrawn for it: it decides, and has become worse than its threshold.
    pub fn is_withdrawn(&self) -> bool {
        self.gated && self.waived_by.is_none() && self.withdrawn.is_some()
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::domain::EvaluationTally as Tally;

    fn tally() -> Tally {
        Tally {
            evaluations: 10,
            go: 7,
            undetermined: 2,
            reporting: 10,
            outages: 1,
            latencies_ms: vec![60_000, 1_000, 2_000, 3_000, 29_999, 30_000],
        }
    }

    #[test]
    fn kpis_are_ordered_and_have_counts() {
        let kpis = kpis(&tally(), &Policy::default());
        assert_eq!(
            kpis.iter().map(|k| k.id).collect::<Vec<_>>(),
            Measure::kpis().collect::<Vec<_>>()
        );
        let counts: Vec<_> = kpis.iter().map(|k| (k.numerator, k.denominator)).collect();
        assert_eq!(counts, [(7, 10), (2, 10), (9, 10), (4, 6), (0, 0), (0, 0)]);
        assert_eq!(kpis[0].estimate, Some(0.7));
        assert_eq!(kpis[2].estimate, Some(0.9));
    }

    #[test]
    fn a_slow_outage_moves_the_median_up() {
        let kpi = &kpis(&tally(), &Policy::default())[3];
        assert_eq!(kpi.estimate, Some((3_000.0 + 29_999.0) / 2.0 / 1000.0));
        assert_eq!((kpi.lower, kpi.upper), (Some(1.0), Some(60.0)));
        assert_eq!(kpi.unit, "seconds");
    }

    #[test]
    fn few_latencies_give_a_reason_with_both_counts() {
        let kpi = &kpis(&Tally { latencies_ms: vec![1; 4], ..tally() }, &Policy::default())[3];
        assert_eq!((kpi.estimate, kpi.lower, kpi.upper), (None, None, None));
        let reason = kpi.reason.as_deref().unwrap();
        assert!(reason.contains("4 of 10"), "{reason}");
        assert!(
            kpis(&Tally { latencies_ms: vec![1; 5], ..tally() }, &Policy::default())[3]
                .estimate
                .is_some()
        );
    }

    #[test]
    fn availability_is_unknown_where_few_records_would_tell_of_outages() {
        let kpi = &kpis(&Tally { reporting: 4, ..tally() }, &Policy::default())[2];
        assert_eq!((kpi.estimate, kpi.numerator, kpi.denominator), (None, 3, 4));
        assert!(kpi.reason.as_deref().unwrap().contains("4 of 10"), "{:?}", kpi.reason);
        let kpi = &kpis(&Tally { reporting: 5, ..tally() }, &Policy::default())[2];
        assert_eq!((kpi.estimate, kpi.denominator), (Some(0.8), 5));
    }

    #[test]
    fn few_values_have_a_median_with_open_ends() {
        let t = Tally {
            evaluations: 3,
            reporting: 3,
            latencies_ms: vec![1000, 2000, 9000],
            ..Tally::default()
        };
        let kpi = &kpis(&t, &Policy::default())[3];
        assert_eq!((kpi.estimate, kpi.lower, kpi.upper), (Some(2.0), None, None));
    }

    #[test]
    fn empty_window_has_no_rates() {
        for kpi in kpis(&Tally::default(), &Policy::default()) {
            assert_eq!((kpi.estimate, kpi.lower, kpi.upper), (None, None, None));
            assert!(kpi.reason.is_some(), "{:?}", kpi.id);
        }
    }

    #[test]
    fn error_rates_wait_for_labels() {
        for kpi in &kpis(&tally(), &Policy::default())[4..] {
            assert_eq!(kpi.reason.as_deref(), Some("no labels yet"));
        }
    }

    #[test]
    fn thresholds_are_those_of_the_policy() {
        let policy =
            Policy { go_rate: [0.5, 0.8], median_latency_below_s: 3.0, ..Policy::default() };
        let kpis = kpis(&tally(), &policy);
        assert_eq!((kpis[0].threshold, kpis[0].threshold_upper), (0.5, Some(0.8)));
        // Of six latencies two are below 3 s.
        assert_eq!((kpis[3].numerator, kpis[3].threshold), (2, 3.0));
    }
}
