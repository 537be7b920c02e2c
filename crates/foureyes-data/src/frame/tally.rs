//! What is counted over the rows of a window, one row at a time.

use super::fold::Kind;
use crate::domain::{ByKind, Cause, Counts, EvaluationTally, Family, Outcome};

/// What is counted over the rows of a window.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Tally {
    /// Outcomes of all families.
    pub counts: Counts,
    /// The evaluations of each kind.
    pub units: ByKind<EvaluationTally>,
    /// Runs of tasks without an end: last rounds that are no evaluations although a judge was asked.
    pub unfinished: u64,
    /// How many rows are flagged.
    pub flagged_total: u64,
    /// Those of a frame, no doubles: time (lowest where undated) and row.
    pub flagged: Vec<(i64, u32)>,
}

impl Tally {
    /// Adds a row that stands for so many.
    pub(super) fn add(&mut self, row: Kind, times: u64) {
        let counts = &mut self.counts;
        match row.outcome {
            Some(Outcome::Go) => counts.go += times,
            Some(Outcome::NoGo) => counts.no_go += times,
            Some(Outcome::Undetermined) => counts.undetermined += times,
            None if row.family == Family::Pick => counts.picks += times,
            None if row.family == Family::Prompt => counts.prompts += times,
            None => counts.overrides += times,
        }
        let is = |it: bool| if it { times } else { 0 };
        counts.in_window += times;
        counts.bypassed += is(row.cause == Some(Cause::Bypassed));
        counts.history += is(row.cause == Some(Cause::History));
        counts.scripted += is(row.cause == Some(Cause::Scripted));
        counts.empty += is(row.cause == Some(Cause::Empty));
        counts.earlier_rounds += is(row.is_earlier_round());
        counts.repeats += is(row.is_repeat());
    }

    /// Adds the tally of another frame, except its rows.
    pub fn merge(&mut self, other: &Self) {
        self.counts.add_window(&other.counts);
        self.unfinished += other.unfinished;
        self.flagged_total += other.flagged_total;
        other.units.iter().for_each(|(kind, more)| self.units.get_mut(kind).merge(more));
    }

    /// The units of the KPIs without those of a part of the rows; the other counts stay.
    pub fn without(mut self, part: &Self) -> Self {
        part.units.iter().for_each(|(kind, part)| self.units.get_mut(kind).remove(part));
        self
    }
}
