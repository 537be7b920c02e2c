//! What is counted of some records.

use super::Row;
use crate::domain::{Cause, Family, Outcome};
use serde::Serialize;

/// Counts of some records.
///
/// The first ten are over distinct records of *all families*:
/// `records = go + no_go + undetermined + overrides + memories`. Those whose names begin with `unit`, and
/// outages, are over the *units of the KPIs* of one kind of judgement: of pushes the last evaluation of a
/// commit by a judge in a box, of tasks the last round of a run, without bypasses, history and what a
/// script answered. Scores are over units, too.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Sums {
    /// Distinct records.
    pub records: u64,
    /// Rows that stand here and are counted elsewhere: the same record once more.
    pub doubles: u64,
    /// Evaluations that said GO.
    pub go: u64,
    /// Evaluations that said NO-GO.
    pub no_go: u64,
    /// Evaluations that are UNDETERMINED, bypasses among them.
    pub undetermined: u64,
    /// Overrides. Never evaluations.
    pub overrides: u64,
    /// Picks of memories and their prompts. Never evaluations.
    #[serde(skip)]
    pub memories: u64,
    /// Bypasses.
    pub bypassed: u64,
    /// NO-GO and UNDETERMINED by a judge: what the queue lists.
    pub flagged: u64,
    /// Push evaluations that a later one of the same box, commit and judge repeats, and verdicts on
    /// a part of another commit's NO-GO.
    pub repeats: u64,
    /// Task and ladder verdicts that a later round of the same run follows.
    pub earlier_rounds: u64,
    /// Units of the KPIs.
    pub units: u64,
    /// Units that said GO.
    pub unit_go: u64,
    /// Units that said NO-GO.
    pub unit_no_go: u64,
    /// Units that are UNDETERMINED.
    pub unit_undetermined: u64,
    /// Units that would say so if the judge could not be asked.
    #[serde(skip)]
    pub reporting: u64,
    /// Those of them in which it could not.
    pub outages: u64,
    /// Scores of 1 to 5 given by units, in the order of [`crate::domain::Dimension::ALL`].
    pub scores: [Scored; 3],
}

/// Scores of one dimension.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize)]
pub struct Scored {
    /// So many.
    pub n: u64,
    /// Their sum. It is exact: a score has 23 binary digits behind the point at most.
    pub sum: f64,
}

impl Scored {
    /// Their mean; `None` over nothing.
    pub fn mean(&self) -> Option<f64> {
        (self.n > 0).then(|| self.sum / self.n as f64)
    }
}

impl Sums {
    pub(in crate::frame) fn add(&mut self, row: &Row) {
        let is = |it: bool| if it { row.times } else { 0 };
        if row.kind.flags.duplicate {
            self.doubles += row.times;
            return;
        }
        self.records += row.times;
        match row.kind.outcome {
            Some(Outcome::Go) => self.go += row.times,
            Some(Outcome::NoGo) => self.no_go += row.times,
            Some(Outcome::Undetermined) => self.undetermined += row.times,
            None if row.kind.family == Family::Override => self.overrides += row.times,
            None => self.memories += row.times,
        }
        self.bypassed += is(row.kind.cause == Some(Cause::Bypassed));
        self.flagged += is(row.kind.is_flagged());
        self.repeats += is(row.kind.is_repeat());
        self.earlier_rounds += is(row.kind.is_earlier_round());
        if row.is_unit {
            self.add_unit(row);
        }
    }

    fn add_unit(&mut self, row: &Row) {
        let is = |it: bool| if it { row.times } else { 0 };
        self.units += row.times;
        match row.kind.outcome {
            Some(Outcome::Go) => self.unit_go += row.times,
            Some(Outcome::NoGo) => self.unit_no_go += row.times,
            Some(Outcome::Undetermined) => self.unit_undetermined += row.times,
            None => {}
        }
        let is_outage = row.kind.cause.is_some_and(Cause::is_outage);
        self.reporting += is(row.reports_outages);
        self.outages += is(row.reports_outages && is_outage);
        for (scored, score) in self.scores.iter_mut().zip(row.scores) {
            if let Some(score) = score {
                scored.n += row.times;
                scored.sum += f64::from(score) * row.times as f64;
            }
        }
    }

    /// Takes out the counts of some judged pushes among the records.
    pub fn remove(&mut self, some: &Self) {
        let counts = [
            (&mut self.records, some.records),
            (&mut self.go, some.go),
            (&mut self.no_go, some.no_go),
            (&mut self.undetermined, some.undetermined),
            (&mut self.flagged, some.flagged),
            (&mut self.units, some.units),
            (&mut self.unit_go, some.unit_go),
            (&mut self.unit_no_go, some.unit_no_go),
            (&mut self.unit_undetermined, some.unit_undetermined),
        ];
        for (count, less) in counts {
            *count = count.saturating_sub(less);
        }
        for (scored, less) in self.scores.iter_mut().zip(some.scores) {
            scored.n = scored.n.saturating_sub(less.n);
            scored.sum -= less.sum;
        }
    }

    /// Adds the counts of other records.
    pub fn merge(&mut self, other: &Self) {
        self.records += other.records;
        self.doubles += other.doubles;
        self.go += other.go;
        self.no_go += other.no_go;
        self.undetermined += other.undetermined;
        self.overrides += other.overrides;
        self.memories += other.memories;
        self.bypassed += other.bypassed;
        self.flagged += other.flagged;
        self.repeats += other.repeats;
        self.earlier_rounds += other.earlier_rounds;
        self.units += other.units;
        self.unit_go += other.unit_go;
        self.unit_no_go += other.unit_no_go;
        self.unit_undetermined += other.unit_undetermined;
        self.reporting += other.reporting;
        self.outages += other.outages;
        for (scored, more) in self.scores.iter_mut().zip(other.scores) {
            scored.n += more.n;
            scored.sum += more.sum;
        }
    }
}
