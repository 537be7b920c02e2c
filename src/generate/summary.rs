//! What was made, counted while it was made.

use super::dirt::Kind;
use super::event::Evaluation;
use crate::domain::{Accounting, Cause, Family, Outcome};
use std::collections::BTreeMap;

/// Planted truth against verdicts, over all contents that were pushed and not bypassed.
///
/// Each content counts once, with its first verdict; those that are tried again are flagged ones,
/// and would count for more than their share. A verdict that dirt made unreadable is undetermined.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Truth {
    /// Poor content: GO, NO-GO, UNDETERMINED.
    pub poor: [u64; 3],
    /// Acceptable content: GO, NO-GO, UNDETERMINED.
    pub acceptable: [u64; 3],
}

/// What was made; a reader of the whole output must come to the same numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    /// Log files, empty ones among them.
    pub files: u64,
    /// Bytes of all logs.
    pub bytes: u64,
    /// The accounting equation over all logs.
    pub accounting: Accounting,
    /// Distinct records without a timestamp.
    pub undated: u64,
    /// Distinct records of each family, in the order of [`Family::ALL`].
    pub families: [u64; Family::ALL.len()],
    /// Distinct evaluations that say GO, of all families.
    pub go: u64,
    /// Distinct evaluations that say NO-GO, of all families.
    pub no_go: u64,
    /// Distinct evaluations that are UNDETERMINED, of all families, bypasses among them.
    pub undetermined: u64,
    /// Distinct push records that are bypasses.
    pub bypassed: u64,
    /// Distinct records, of pushes and of tasks, in which the judge could not be asked.
    pub outages: u64,
    /// Distinct push records that try an earlier one again.
    pub repeats: u64,
    /// Distinct records that carry a latency.
    pub latencies: u64,
    /// Dirt of each kind that was made.
    pub dirt: BTreeMap<Kind, u64>,
    /// Planted truth.
    pub truth: Truth,
    /// Agents' commits with watched files in the repository; 0 where none is made.
    pub agent_commits: u64,
    /// Those that no record names.
    pub unjudged_commits: u64,
}

impl Summary {
    /// Distinct NO-GO and UNDETERMINED records without bypasses, earlier rounds of tasks among them.
    pub fn flagged(&self) -> u64 {
        self.no_go + self.undetermined - self.bypassed
    }

    /// Counts a distinct record.
    pub(super) fn count(&mut self, family: Family, outcome: Option<Outcome>) {
        self.accounting.records += 1;
        self.families[usize::from(family.code())] += 1;
        match outcome {
            Some(Outcome::Go) => self.go += 1,
            Some(Outcome::NoGo) => self.no_go += 1,
            Some(Outcome::Undetermined) => self.undetermined += 1,
            None => {}
        }
    }

    /// Counts what is particular to a push record; outcome and cause are those that can be read.
    pub(super) fn count_push(&mut self, seen: &Evaluation, outcome: Outcome, cause: Option<Cause>) {
        self.repeats += u64::from(seen.repeat);
        self.bypassed += u64::from(cause == Some(Cause::Bypassed));
        self.outages += u64::from(cause.is_some_and(Cause::is_outage));
        if cause != Some(Cause::Bypassed) && !seen.repeat {
            let truth = &mut self.truth;
            let row = if seen.event.poor { &mut truth.poor } else { &mut truth.acceptable };
            row[usize::from(outcome.code())] += 1;
        }
    }

    /// Counts a piece of dirt.
    pub(super) fn corrupt(&mut self, kind: Kind) {
        *self.dirt.entry(kind).or_default() += 1;
    }

    /// Adds the counts of another part.
    pub(super) fn add(&mut self, other: &Self) {
        self.files += other.files;
        self.bytes += other.bytes;
        self.accounting.add(&other.accounting);
        self.undated += other.undated;
        self.go += other.go;
        self.no_go += other.no_go;
        self.undetermined += other.undetermined;
        self.bypassed += other.bypassed;
        self.outages += other.outages;
        self.repeats += other.repeats;
        self.latencies += other.latencies;
        self.agent_commits += other.agent_commits;
        self.unjudged_commits += other.unjudged_commits;
        for (sum, more) in self.families.iter_mut().zip(other.families) {
            *sum += more;
        }
        for i in 0..3 {
            self.truth.poor[i] += other.truth.poor[i];
            self.truth.acceptable[i] += other.truth.acceptable[i];
        }
        for (kind, count) in &other.dirt {
            *self.dirt.entry(*kind).or_default() += count;
        }
    }
}
