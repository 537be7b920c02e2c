//! What is counted over the rows of a window, one row at a time.

use super::fold::Kind;
use crate::domain::{ByKind, Cause, Counts, Outcome};
use std::collections::HashMap;

/// What is counted over the rows of a window.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Outcomes of all families.
    pub counts: Counts,
    /// The evaluations of each kind.
    pub units: ByKind<Units>,
    /// Flagged rows, no doubles: time (lowest where undated) and row.
    pub flagged: Vec<(i64, u32)>,
}

/// What is counted of the evaluations of one kind, the latest of each unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Units {
    /// All.
    pub evaluations: u64,
    /// Those that said GO.
    pub go: u64,
    /// Those that are UNDETERMINED.
    pub undetermined: u64,
    /// Those that would say so if the judge could not be asked.
    pub reporting: u64,
    /// Those of them in which it could not.
    pub outages: u64,
    /// Durations of those that carry one, in milliseconds.
    pub latencies: Vec<u64>,
}

impl Units {
    /// Adds the latest evaluation of a unit.
    pub(super) fn add(&mut self, row: Kind, reports: bool, latency: Option<u64>) {
        self.evaluations += 1;
        self.go += u64::from(row.outcome == Some(Outcome::Go));
        self.undetermined += u64::from(row.outcome == Some(Outcome::Undetermined));
        self.reporting += u64::from(reports);
        self.outages += u64::from(reports && row.cause.is_some_and(Cause::is_outage));
        self.latencies.extend(latency);
    }

    fn merge(&mut self, other: &Self) {
        self.evaluations += other.evaluations;
        self.go += other.go;
        self.undetermined += other.undetermined;
        self.reporting += other.reporting;
        self.outages += other.outages;
        self.latencies.extend_from_slice(&other.latencies);
    }

    fn remove(&mut self, part: &Self) {
        self.evaluations = self.evaluations.saturating_sub(part.evaluations);
        self.go = self.go.saturating_sub(part.go);
        self.undetermined = self.undetermined.saturating_sub(part.undetermined);
        self.reporting = self.reporting.saturating_sub(part.reporting);
        self.outages = self.outages.saturating_sub(part.outages);
        let mut gone = HashMap::<u64, u64>::new();
        for latency in &part.latencies {
            *gone.entry(*latency).or_default() += 1;
        }
        self.latencies.retain(|latency| match gone.get_mut(latency) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
    }
}

impl Tally {
    pub(super) fn add(&mut self, row: Kind) {
        let counts = &mut self.counts;
        match row.outcome {
            Some(Outcome::Go) => counts.go += 1,
            Some(Outcome::NoGo) => counts.no_go += 1,
            Some(Outcome::Undetermined) => counts.undetermined += 1,
            None => counts.overrides += 1,
        }
        let is = |cause| u64::from(row.cause == Some(cause));
        counts.bypassed += is(Cause::Bypassed);
        counts.history += is(Cause::History);
        counts.scripted += is(Cause::Scripted);
        counts.earlier_rounds += u64::from(row.is_earlier_round());
        counts.repeats += u64::from(row.is_repeat());
    }

    /// Adds the tally of another frame, except its rows.
    pub fn merge(&mut self, other: &Self) {
        self.counts.add_window(&other.counts);
        other.units.iter().for_each(|(kind, more)| self.units.get_mut(kind).merge(more));
    }

    /// The units of the KPIs without those of a part of the rows; the other counts stay.
    pub fn without(mut self, part: &Self) -> Self {
        part.units.iter().for_each(|(kind, part)| self.units.get_mut(kind).remove(part));
        self
    }
}
