//! Counts over all evaluations, and exact bounds of their shares.

use crate::calibration::unrecorded::Unrecorded;
use crate::calibration::{Evaluation, Measure, Policy};
use crate::domain::{Cause, Outcome, Side, Unit};
use crate::stats::binomial;
use crate::stats::order::{self, Median};
use std::collections::BTreeMap;

/// What is counted of evaluations, the latest of each unit.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(in crate::calibration) struct Counts {
    pub(in crate::calibration) evaluations: u64,
    pub(in crate::calibration) go: u64,
    pub(in crate::calibration) undetermined: u64,
    /// Evaluations that would say so if the judge could not be asked.
    pub(in crate::calibration) reporting: u64,
    /// Those of them in which it could not.
    pub(in crate::calibration) outages: u64,
    /// Evaluations of which it is known whether they were slow.
    pub(in crate::calibration) timed: u64,
    /// Those that were.
    pub(in crate::calibration) slow: u64,
    /// Evaluations that carry a latency of their own, or timed out.
    pub(in crate::calibration) carrying: u64,
    /// Evaluations of a time when none says how long it took.
    pub(in crate::calibration) untimeable: u64,
    /// Evaluations of a time when none would say that the judge could not be asked.
    pub(in crate::calibration) unreportable: u64,
}

/// What is counted of a day.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::calibration) struct DayCounts {
    /// As it was known at the day's end.
    pub(in crate::calibration) known: Counts,
    /// What of it a later evaluation of the same unit took the place of, by the day of that one.
    pub(in crate::calibration) replaced: Vec<(i32, Counts)>,
    /// As it is at the end of the window.
    pub(in crate::calibration) last: Counts,
    /// Latencies of that, milliseconds.
    pub(in crate::calibration) latencies_ms: Vec<u64>,
}

/// Whether a call was slow; `None` where nothing tells.
///
/// A timeout is slow, whatever it carries. A call without a latency is as quick as the hook's own
/// timeout, where the policy declares one that is quick.
pub(in crate::calibration) fn is_slow(e: &Evaluation, policy: &Policy) -> Option<bool> {
    if e.cause == Some(Cause::Timeout) {
        return Some(true);
    }
    let limit = policy.median_latency_below_s;
    match e.latency_ms.get() {
        Some(ms) => Some(ms as f64 >= limit * 1000.0),
        None => policy.hook_timeout_s.filter(|s| *s < limit).map(|_| false),
    }
}

/// The count of a day that is under way.
#[derive(Debug)]
pub(in crate::calibration) struct Counting<'a> {
    day: i32,
    end: i32,
    policy: &'a Policy,
    unrecorded: Unrecorded,
    counts: DayCounts,
    /// Calls that were answered, and those of them that carry a latency.
    answered: u64,
    carrying: u64,
}

impl<'a> Counting<'a> {
    /// Nothing yet of a day of a window that ends with the day before `end`.
    pub(in crate::calibration) fn new(day: i32, end: i32, policy: &'a Policy) -> Self {
        let (unrecorded, counts) = (Unrecorded::default(), DayCounts::default());
        Self { day, end, policy, unrecorded, counts, answered: 0, carrying: 0 }
    }

    /// The same where something is not recorded before the window's entry.
    pub(in crate::calibration) fn without(self, unrecorded: Unrecorded) -> Self {
        Self { unrecorded, ..self }
    }

    /// Counts evaluations of the day.
    pub(in crate::calibration) fn take(&mut self, rows: &[Evaluation]) {
        for e in rows {
            let repeated = e.repeated.get().unwrap_or(i32::MAX);
            if repeated <= self.day {
                continue;
            }
            if !e.is_outage() && self.unrecorded.latency.is_none_or(|until| e.at >= until) {
                self.answered += u64::from(e.times);
                self.carrying += u64::from(e.latency_ms.get().is_some()) * u64::from(e.times);
            }
            let one = Counts::one(e, is_slow(e, self.policy)).recorded(e, self.unrecorded);
            self.counts.known.join(&one);
            if repeated < self.end {
                self.counts.replace(repeated, &one);
            } else {
                self.counts.latencies_ms.extend(e.latency_ms.get());
            }
        }
    }

    /// The counts of the whole day.
    ///
    /// A day says how long calls took where half of those that were answered carry a latency. Else
    /// timeouts alone would be known, and every one of them is slow.
    pub(in crate::calibration) fn counts(mut self) -> DayCounts {
        if self.policy.hook_timeout_s.is_none() && self.carrying * 2 < self.answered {
            self.counts.untimed();
        }
        self.counts.last = self.counts.known;
        let Self { counts: DayCounts { replaced, last, .. }, .. } = &mut self;
        replaced.iter().for_each(|(_, gone)| last.leave(gone));
        self.counts
    }
}

impl DayCounts {
    /// Counts the evaluations of a day of a window that ends with the day before `end`.
    pub(in crate::calibration) fn new(
        rows: &[Evaluation],
        day: i32,
        end: i32,
        policy: &Policy,
    ) -> Self {
        let mut counting = Counting::new(day, end, policy);
        counting.take(rows);
        counting.counts()
    }

    fn replace(&mut self, day: i32, one: &Counts) {
        match self.replaced.iter_mut().find(|(known, _)| *known == day) {
            Some((_, counts)) => counts.join(one),
            None => self.replaced.push((day, *one)),
        }
    }

    /// Leaves out how long calls took.
    fn untimed(&mut self) {
        let replaced = self.replaced.iter_mut().map(|(_, counts)| counts);
        for counts in replaced.chain([&mut self.known]) {
            (counts.timed, counts.slow, counts.carrying) = (0, 0, 0);
        }
    }
}

/// The median of latencies in milliseconds, with its interval; it reorders them.
pub(in crate::calibration) fn median(latencies_ms: &mut [u64], policy: &Policy) -> Option<Median> {
    // One-sided bounds of a confidence are the ends of a two-sided interval of less.
    order::median(latencies_ms, 1.0 - 2.0 * policy.alpha())
}

/// The same of how often each latency is.
pub(in crate::calibration) fn median_of(
    latencies_ms: &BTreeMap<u64, u64>,
    policy: &Policy,
) -> Option<Median> {
    order::median_of(latencies_ms, 1.0 - 2.0 * policy.alpha())
}

impl Counts {
    /// Counts an evaluation with all that it stands for, and whether it was slow.
    fn one(e: &Evaluation, slow: Option<bool>) -> Self {
        let timeout = e.cause == Some(Cause::Timeout);
        let times = |counts: bool| u64::from(counts) * u64::from(e.times);
        Self {
            evaluations: e.times.into(),
            go: times(e.outcome == Outcome::Go),
            undetermined: times(e.outcome == Outcome::Undetermined),
            reporting: times(e.reports_outages),
            outages: times(e.reports_outages && e.is_outage()),
            timed: times(slow.is_some()),
            slow: times(slow == Some(true)),
            carrying: times(slow.is_some() && (e.latency_ms.get().is_some() || timeout)),
            ..Self::default()
        }
    }

    /// The same without what is not recorded at its time.
    fn recorded(mut self, e: &Evaluation, unrecorded: Unrecorded) -> Self {
        if unrecorded.latency.is_some_and(|until| e.at < until) {
            (self.timed, self.slow, self.carrying) = (0, 0, 0);
            self.untimeable = self.evaluations;
        }
        if unrecorded.outages.is_some_and(|until| e.at < until) {
            (self.reporting, self.outages) = (0, 0);
            self.unreportable = self.evaluations;
        }
        self
    }

    /// Adds other counts.
    pub(in crate::calibration) fn join(&mut self, other: &Self) {
        self.evaluations += other.evaluations;
        self.go += other.go;
        self.undetermined += other.undetermined;
        self.reporting += other.reporting;
        self.outages += other.outages;
        self.timed += other.timed;
        self.slow += other.slow;
        self.carrying += other.carrying;
        self.untimeable += other.untimeable;
        self.unreportable += other.unreportable;
    }

    /// Takes away counts that were added before.
    pub(super) fn leave(&mut self, other: &Self) {
        self.evaluations -= other.evaluations;
        self.go -= other.go;
        self.undetermined -= other.undetermined;
        self.reporting -= other.reporting;
        self.outages -= other.outages;
        self.timed -= other.timed;
        self.slow -= other.slow;
        self.carrying -= other.carrying;
        self.untimeable -= other.untimeable;
        self.unreportable -= other.unreportable;
    }

    /// Whether too few evaluations say how long they took.
    pub(in crate::calibration) fn latency_is_unknown(&self) -> bool {
        self.timed * 2 < self.timeable() || self.timed == 0
    }

    /// Whether too few evaluations would say so if the judge could not be asked.
    pub(in crate::calibration) fn outages_are_unknown(&self) -> bool {
        let reportable = self.evaluations - self.unreportable;
        self.reporting * 2 < reportable || (self.unreportable > 0 && reportable == 0)
    }

    /// Evaluations of a time when records may say how long they took.
    fn timeable(&self) -> u64 {
        self.evaluations - self.untimeable
    }

    /// Whether the latency rests on what the policy declares.
    pub(in crate::calibration) fn latency_is_declared(&self) -> bool {
        self.carrying * 2 < self.timeable() && !self.latency_is_unknown()
    }

    /// Calls without a latency that count as quick, since the policy declares the hook's timeout.
    pub(in crate::calibration) fn declared(&self) -> u64 {
        self.timed - self.carrying
    }

    /// How many count for a measure, and of how many; nothing of an error rate, which labels tell.
    pub(in crate::calibration) fn parts(&self, measure: Measure) -> (u64, u64) {
        match measure {
            Measure::GoRate => (self.go, self.evaluations),
            Measure::UndeterminedRate => (self.undetermined, self.evaluations),
            Measure::Availability => (self.reporting - self.outages, self.reporting),
            Measure::MedianLatency => (self.timed - self.slow, self.timed),
            Measure::FalsePositiveRate
            | Measure::FalseDiscoveryRate
            | Measure::FalseNegativeRate
            | Measure::FalseOmissionRate => (0, 0),
        }
    }

    /// The shares of errors that a measure keeps below their limits: two for a range, none for an
    /// error rate, whose errors only labels tell.
    pub(in crate::calibration) fn error_shares(
        &self,
        measure: Measure,
        policy: &Policy,
    ) -> Vec<ErrorShare> {
        let definition = measure.definition();
        if definition.needs_labels {
            return Vec::new();
        }
        let threshold = policy.threshold(measure);
        let (part, whole) = self.parts(measure);
        // At least 70 % GO is at most 30 % of the rest.
        let rest = |below| ErrorShare { errors: whole - part, of: whole, below };
        let same = |below| ErrorShare { errors: part, of: whole, below };
        match (definition.unit, definition.side) {
            // A median below a limit is a share of slow calls below a half.
            (Unit::Seconds, _) => vec![rest(0.5)],
            (_, Side::Below) => vec![same(threshold.value)],
            (_, Side::Above) => vec![rest(1.0 - threshold.value)],
            (_, Side::Between) => {
                vec![rest(1.0 - threshold.value), same(threshold.upper.unwrap_or(1.0))]
            }
        }
    }

    /// Whether exact bounds of a confidence put a measure on the right side.
    pub(super) fn is_met(&self, measure: Measure, policy: &Policy, confidence: f64) -> bool {
        let shares = self.error_shares(measure, policy);
        let below = |s: &ErrorShare| binomial::upper(s.errors, s.of, confidence) < s.below;
        !shares.is_empty() && shares.iter().all(below)
    }

    /// Whether they put it on the wrong side.
    pub(in crate::calibration) fn is_not_met(
        &self,
        measure: Measure,
        policy: &Policy,
        confidence: f64,
    ) -> bool {
        let shares = self.error_shares(measure, policy);
        shares.iter().any(|s| binomial::lower(s.errors, s.of, confidence) > s.below)
    }
}

/// A share of errors that is to stay below a limit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::calibration) struct ErrorShare {
    pub(in crate::calibration) errors: u64,
    /// What they are a share of.
    pub(in crate::calibration) of: u64,
    pub(in crate::calibration) below: f64,
}
