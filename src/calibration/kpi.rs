//! The six KPIs of a window, each with its counts and its exact interval.
//!
//! They are about push evaluations only, without overrides, bypasses and repeats. Nothing here
//! decides: a threshold is for reading beside a number.

use crate::domain::{Kpi, KpiId};
use crate::stats::{CONFIDENCE, binomial, order};

/// A latency of this many milliseconds or more is slow.
pub const SLOW_MS: u64 = 30_000;

/// What is counted of the push evaluations in a window, the latest of each unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Evaluations: the latest of each box, commit and judge.
    pub evaluations: u64,
    /// Those that said GO.
    pub go: u64,
    /// Those that are UNDETERMINED.
    pub undetermined: u64,
    /// Those whose cause is an outage ([`crate::domain::Cause::is_outage`]).
    pub outages: u64,
    /// Durations in milliseconds of those that carry one, outages among them, in any order.
    pub latencies_ms: Vec<u64>,
}

impl Tally {
    /// Computes the KPIs in the order of [`KpiId::ALL`].
    pub fn kpis(mut self) -> Vec<Kpi> {
        KpiId::ALL.into_iter().map(|id| self.kpi(id)).collect()
    }

    fn kpi(&mut self, id: KpiId) -> Kpi {
        let all = self.evaluations;
        match id {
            KpiId::GoRate => share(id, self.go, all),
            KpiId::UndeterminedRate => share(id, self.undetermined, all),
            KpiId::Availability => share(id, all.saturating_sub(self.outages), all),
            KpiId::MedianLatency => self.latency(),
            KpiId::FalsePositiveRate | KpiId::FalseNegativeRate => {
                Kpi { reason: Some("no labels yet".to_owned()), ..unknown(id, "share") }
            }
        }
    }

    /// The median in seconds, where at least half of the evaluations carry a latency.
    fn latency(&mut self) -> Kpi {
        let carrying = self.latencies_ms.len() as u64;
        let quick = self.latencies_ms.iter().filter(|ms| **ms < SLOW_MS).count() as u64;
        let kpi = Kpi {
            numerator: quick,
            denominator: carrying,
            ..unknown(KpiId::MedianLatency, "seconds")
        };
        if self.evaluations == 0 {
            return Kpi { reason: Some(EMPTY.to_owned()), ..kpi };
        }
        if carrying * 2 < self.evaluations {
            let reason = format!(
                "only {carrying} of {} evaluations record a latency; at least half must",
                self.evaluations
            );
            return Kpi { reason: Some(reason), ..kpi };
        }
        let median = order::median(&mut self.latencies_ms, CONFIDENCE);
        let ends = median.and_then(|m| m.interval);
        Kpi {
            estimate: median.map(|m| m.estimate / 1000.0),
            lower: ends.map(|(lower, _)| lower as f64 / 1000.0),
            upper: ends.map(|(_, upper)| upper as f64 / 1000.0),
            ..kpi
        }
    }
}

/// Why a window without evaluations has no estimate.
const EMPTY: &str = "no evaluations in the window";

/// A share with its exact two-sided interval.
fn share(id: KpiId, numerator: u64, denominator: u64) -> Kpi {
    let share = binomial::share(numerator, denominator);
    Kpi {
        numerator,
        denominator,
        estimate: share.map(|(estimate, _)| estimate),
        lower: share.map(|(_, ends)| ends.lower),
        upper: share.map(|(_, ends)| ends.upper),
        reason: share.is_none().then(|| EMPTY.to_owned()),
        ..unknown(id, "share")
    }
}

/// A KPI without any number.
fn unknown(id: KpiId, unit: &str) -> Kpi {
    Kpi {
        id,
        numerator: 0,
        denominator: 0,
        estimate: None,
        lower: None,
        upper: None,
        confidence: CONFIDENCE,
        unit: unit.to_owned(),
        reason: None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn tally() -> Tally {
        Tally {
            evaluations: 10,
            go: 7,
            undetermined: 2,
            outages: 1,
            latencies_ms: vec![60_000, 1_000, 2_000, 3_000, 29_999, 30_000],
        }
    }

    #[test]
    fn every_kpi_comes_in_its_order_with_its_counts() {
        let kpis = tally().kpis();
        assert_eq!(kpis.iter().map(|k| k.id).collect::<Vec<_>>(), KpiId::ALL);
        let counts: Vec<_> = kpis.iter().map(|k| (k.numerator, k.denominator)).collect();
        assert_eq!(counts, [(7, 10), (2, 10), (9, 10), (4, 6), (0, 0), (0, 0)]);
        assert_eq!(kpis[0].estimate, Some(0.7));
        assert_eq!(kpis[2].estimate, Some(0.9));
    }

    #[test]
    fn a_slow_outage_moves_the_median_up() {
        let kpi = &tally().kpis()[3];
        assert_eq!(kpi.estimate, Some((3_000.0 + 29_999.0) / 2.0 / 1000.0));
        assert_eq!((kpi.lower, kpi.upper), (Some(1.0), Some(60.0)));
        assert_eq!(kpi.unit, "seconds");
    }

    #[test]
    fn few_latencies_give_a_reason_with_both_counts() {
        let kpi = &Tally { latencies_ms: vec![1; 4], ..tally() }.kpis()[3];
        assert_eq!((kpi.estimate, kpi.lower, kpi.upper), (None, None, None));
        let reason = kpi.reason.as_deref().unwrap();
        assert!(reason.contains("4 of 10"), "{reason}");
        assert!(Tally { latencies_ms: vec![1; 5], ..tally() }.kpis()[3].estimate.is_some());
    }

    #[test]
    fn few_values_have_a_median_with_open_ends() {
        let t = Tally { evaluations: 3, latencies_ms: vec![1000, 2000, 9000], ..Tally::default() };
        let kpi = &t.kpis()[3];
        assert_eq!((kpi.estimate, kpi.lower, kpi.upper), (Some(2.0), None, None));
    }

    #[test]
    fn an_empty_window_has_no_number_at_all() {
        for kpi in Tally::default().kpis() {
            assert_eq!((kpi.estimate, kpi.lower, kpi.upper), (None, None, None));
            assert!(kpi.reason.is_some(), "{:?}", kpi.id);
        }
    }

    #[test]
    fn error_rates_wait_for_labels() {
        for kpi in &tally().kpis()[4..] {
            assert_eq!(kpi.reason.as_deref(), Some("no labels yet"));
        }
    }
}
