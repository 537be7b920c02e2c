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
    /// Flagged rows, no doubles: time (lowest where undated) and row.
    pub flagged: Vec<(i64, u32)>,
}

impl Tally {
    pub(super) fn add(&mut self, row: Kind) {
        let counts = &mut self.counts;
        match row.outcome {
            Some(Outcome::Go) => counts.go += 1,
            Some(Outcome::NoGo) => counts.no_go += 1,
            Some(Outcome::Undetermined) => counts.undetermined += 1,
            None if row.family == Family::Pick => counts.picks += 1,
            None if row.family == Family::Prompt => counts.prompts += 1,
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
        self.unfinished += other.unfinished;
        other.units.iter().for_each(|(kind, more)| self.units.get_mut(kind).merge(more));
    }

    /// The units of the KPIs without those of a part of the rows; the other counts stay.
    pub fn without(mut self, part: &Self) -> Self {
        part.units.iter().for_each(|(kind, part)| self.units.get_mut(kind).remove(part));
        self
    }
}
