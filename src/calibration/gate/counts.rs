//! Counts over all evaluations, and exact bounds of their shares.

use crate::calibration::{Evaluation, Measure, Policy};
use crate::domain::{Cause, Outcome};
use crate::stats::binomial;
use crate::stats::order::{self, Median};

/// What is counted of all evaluations of the window, the latest of each unit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(in crate::calibration) struct Counts {
    pub(in crate::calibration) evaluations: u64,
    pub(in crate::calibration) go: u64,
    pub(in crate::calibration) undetermined: u64,
    pub(in crate::calibration) outages: u64,
    /// Evaluations of which it is known whether they were slow.
    pub(in crate::calibration) timed: u64,
    /// Those that were.
    pub(in crate::calibration) slow: u64,
    /// Evaluations that carry a latency of their own, or timed out.
    pub(in crate::calibration) carrying: u64,
    /// Latencies, milliseconds.
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
    match e.latency_ms {
        Some(ms) => Some(ms as f64 >= limit * 1000.0),
        None => policy.hook_timeout_s.filter(|s| *s < limit).map(|_| false),
    }
}

/// Whether a day says how long calls took: half of its calls that were answered carry a latency.
///
/// Where they do not, timeouts alone would be known, and every one of them is slow.
fn is_timed<'a>(rows: impl Iterator<Item = &'a Evaluation>) -> bool {
    let (mut carrying, mut answered) = (0_u64, 0_u64);
    for e in rows.filter(|e| !e.is_outage()) {
        answered += 1;
        carrying += u64::from(e.latency_ms.is_some());
    }
    carrying * 2 >= answered
}

impl Counts {
    /// Counts the evaluations of a day, each the latest of its unit before the day `end`.
    pub(in crate::calibration) fn of_day(rows: &[Evaluation], end: i32, policy: &Policy) -> Self {
        let latest = || rows.iter().filter(|e| e.is_latest_before(end));
        let told = policy.hook_timeout_s.is_some() || is_timed(latest());
        let mut counts = Self::default();
        latest().for_each(|e| counts.add(e, is_slow(e, policy).filter(|_| told)));
        counts
    }

    /// Adds other counts.
    pub(super) fn join(&mut self, other: &Self) {
        self.evaluations += other.evaluations;
        self.go += other.go;
        self.undetermined += other.undetermined;
        self.outages += other.outages;
        self.timed += other.timed;
        self.slow += other.slow;
        self.carrying += other.carrying;
        self.latencies_ms.extend(&other.latencies_ms);
    }

    /// Takes an evaluation, and whether it was slow.
    pub(in crate::calibration) fn add(&mut self, e: &Evaluation, slow: Option<bool>) {
        self.evaluations += 1;
        self.go += u64::from(e.outcome == Outcome::Go);
        self.undetermined += u64::from(e.outcome == Outcome::Undetermined);
        self.outages += u64::from(e.is_outage());
        self.timed += u64::from(slow.is_some());
        self.slow += u64::from(slow == Some(true));
        let timeout = e.cause == Some(Cause::Timeout);
        self.carrying += u64::from(slow.is_some() && (e.latency_ms.is_some() || timeout));
        self.latencies_ms.extend(e.latency_ms);
    }

    /// Tells whether too few evaluations say how long they took.
    pub(in crate::calibration) fn latency_is_unknown(&self) -> bool {
        self.timed * 2 < self.evaluations || self.timed == 0
    }

    /// Tells whether the latency rests on what the policy declares.
    pub(in crate::calibration) fn latency_is_declared(&self) -> bool {
        self.carrying * 2 < self.evaluations && !self.latency_is_unknown()
    }

    /// Calls without a latency that count as quick, since the policy declares the hook's timeout.
    pub(in crate::calibration) fn declared(&self) -> u64 {
        self.timed - self.carrying
    }

    /// The median of the latencies in milliseconds, with its interval.
    pub(in crate::calibration) fn median(&self, policy: &Policy) -> Option<Median> {
        // One-sided bounds of a confidence are the ends of a two-sided interval of less.
        order::median(&mut self.latencies_ms.clone(), 1.0 - 2.0 * policy.alpha())
    }

    /// How many count for a measure, and of how many.
    pub(in crate::calibration) fn parts(&self, measure: Measure) -> (u64, u64) {
        match measure {
            Measure::GoRate => (self.go, self.evaluations),
            Measure::UndeterminedRate => (self.undetermined, self.evaluations),
            Measure::Availability => (self.evaluations - self.outages, self.evaluations),
            Measure::MedianLatency => (self.timed - self.slow, self.timed),
            _ => (0, 0),
        }
    }

    /// Whether exact bounds of two confidences put a measure on the right and on the wrong side.
    pub(super) fn sides(
        &self,
        measure: Measure,
        policy: &Policy,
        met: f64,
        not_met: f64,
    ) -> (bool, bool) {
        let (part, whole) = self.parts(measure);
        let lower = |c| binomial::lower(part, whole, c);
        let upper = |c| binomial::upper(part, whole, c);
        let (t, high) = policy.threshold(measure);
        match (measure, high) {
            (Measure::GoRate, Some(high)) => {
                (lower(met) > t && upper(met) < high, upper(not_met) < t || lower(not_met) > high)
            }
            (Measure::UndeterminedRate, _) => (upper(met) < t, lower(not_met) > t),
            (Measure::Availability, _) => (lower(met) > t, upper(not_met) < t),
            (Measure::MedianLatency, _) => (lower(met) > 0.5, upper(not_met) < 0.5),
            _ => (false, false),
        }
    }
}
