//! What is counted of evaluations: the KPIs of a window are computed from it.

use super::{Cause, Outcome};
use std::collections::HashMap;

/// What is counted of the evaluations of one kind, the latest of each unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct EvaluationTally {
    /// All: of pushes the latest of each box, commit and judge, of tasks the last of each run.
    pub evaluations: u64,
    /// Those that said GO.
    pub go: u64,
    /// Those that are UNDETERMINED.
    pub undetermined: u64,
    /// Those that would say so if the judge could not be asked.
    pub reporting: u64,
    /// Those of them whose cause is an outage ([`Cause::is_outage`]).
    pub outages: u64,
    /// Durations in milliseconds of those that carry one, outages among them, in any order.
    pub latencies_ms: Vec<u64>,
}

impl EvaluationTally {
    /// Adds the latest evaluations of so many units.
    ///
    /// `reports` tells whether they would say so if the judge could not be asked.
    pub fn add(
        &mut self,
        outcome: Option<Outcome>,
        cause: Option<Cause>,
        reports: bool,
        times: u64,
    ) {
        let is = |it: bool| if it { times } else { 0 };
        self.evaluations += times;
        self.go += is(outcome == Some(Outcome::Go));
        self.undetermined += is(outcome == Some(Outcome::Undetermined));
        self.reporting += is(reports);
        self.outages += is(reports && cause.is_some_and(Cause::is_outage));
    }

    /// Adds a latency in milliseconds that so many of them carry.
    pub fn add_latency(&mut self, latency_ms: Option<u64>, times: u64) {
        let times = usize::try_from(times).unwrap_or(usize::MAX);
        self.latencies_ms
            .extend(latency_ms.into_iter().flat_map(|ms| std::iter::repeat_n(ms, times)));
    }

    /// Adds those of other rows.
    pub fn merge(&mut self, other: &Self) {
        self.evaluations += other.evaluations;
        self.go += other.go;
        self.undetermined += other.undetermined;
        self.reporting += other.reporting;
        self.outages += other.outages;
        self.latencies_ms.extend_from_slice(&other.latencies_ms);
    }

    /// Takes out those of a part of the rows.
    pub fn remove(&mut self, part: &Self) {
        self.evaluations = self.evaluations.saturating_sub(part.evaluations);
        self.go = self.go.saturating_sub(part.go);
        self.undetermined = self.undetermined.saturating_sub(part.undetermined);
        self.reporting = self.reporting.saturating_sub(part.reporting);
        self.outages = self.outages.saturating_sub(part.outages);
        let mut gone = HashMap::<u64, u64>::new();
        for latency in &part.latencies_ms {
            *gone.entry(*latency).or_default() += 1;
        }
        self.latencies_ms.retain(|latency| match gone.get_mut(latency) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
    }
}
