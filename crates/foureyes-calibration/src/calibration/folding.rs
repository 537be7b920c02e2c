//! Evaluations that come one by one in order of time, folded into as few as decide the same: what has a
//! label is kept, and of the rest those that are alike stand as one.

use super::audit::InForce;
use super::days::MISSING_WRITTEN;
use super::evidence::Hashing;
use super::folded::Folded;
use super::gate::is_slow;
use super::{Evaluation, Input};
use crate::domain::{Cause, Outcome, RecordId, Timestamp};
use std::collections::{HashMap, HashSet};

/// Where an evaluation went.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Place {
    /// It is a row, the last one so far.
    Row,
    /// Another row stands for it.
    Folded,
}

/// Whether an evaluation without a label must have one: the first of a day are named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
enum Due {
    No,
    Flagged,
    /// Drawn from a stratum.
    Drawn(u16),
    /// Of a stratum that the plan leaves aside, where labels state something.
    Aside(u16),
}

/// What is alike decides the same, whichever of its day it is.
#[derive(Debug, PartialEq, Eq, Hash)]
struct Key {
    /// How many instants at which something changes are past.
    past: usize,
    outcome: Outcome,
    cause: Option<Cause>,
    reports_outages: bool,
    has_latency: bool,
    slow: Option<bool>,
    stratum: u16,
    fingerprint: u32,
    repeated: Option<i32>,
    first: bool,
    first_seen: bool,
    retried: bool,
    due: Due,
    apart: u8,
}

/// Folds evaluations.
#[derive(Debug)]
pub struct Folding<'a> {
    input: &'a Input<'a>,
    /// Records that stay rows.
    keep: &'a HashSet<RecordId>,
    /// Instants at which something changes, in order.
    cuts: Vec<Timestamp>,
    start: Timestamp,
    counted_from: Timestamp,
    /// The day after the window's last.
    end: i32,
    /// Whether labels state how their records were chosen.
    is_stated: bool,
    day: i32,
    force: InForce,
    /// The rows of the day that stand for others.
    groups: HashMap<Key, usize>,
    /// How many of each kind the day has named.
    named: HashMap<Due, usize>,
    hashing: Hashing,
    folded: Folded,
    rows: Vec<Evaluation>,
}

impl<'a> Folding<'a> {
    /// Nothing yet. Of the evaluations of `input` only the first of all and the last before today are
    /// looked at; `cuts` are instants that evaluations are compared with beside those of `input`.
    pub fn new(input: &'a Input<'a>, keep: &'a HashSet<RecordId>, cuts: &[Timestamp]) -> Self {
        let start = input.start().unwrap_or(Timestamp(i64::MAX));
        let own = [Some(start), Some(input.counted_from()), input.policy_since, input.window_start];
        let rates = input.plan.rates.iter().map(|rate| rate.from);
        let mut cuts: Vec<Timestamp> =
            own.into_iter().flatten().chain(rates).chain(cuts.iter().copied()).collect();
        cuts.sort_unstable();
        cuts.dedup();
        let mut labels = input.labels.iter().chain(input.first_labels.unwrap_or_default());
        Self {
            input,
            keep,
            cuts,
            start,
            counted_from: input.counted_from(),
            end: input.end_day(),
            is_stated: labels.any(|label| label.stated.is_some()),
            day: i32::MIN,
            force: InForce::default(),
            groups: HashMap::new(),
            named: HashMap::new(),
            hashing: Hashing::default(),
            folded: Folded::default(),
            rows: Vec::new(),
        }
    }

    /// Takes the next evaluation, in the order of time and, of equal times, of ids. What differs in `apart`
    /// is not folded together.
    pub fn take(&mut self, e: &Evaluation, apart: u8) -> Place {
        let day = e.at.day();
        if day != self.day {
            self.groups.clear();
            self.named.clear();
            self.day = day;
        }
        let is_inside = e.at >= self.start && day < self.end;
        if is_inside {
            self.note(e, day);
        }
        if self.keep.contains(&e.id) {
            self.rows.push(*e);
            return Place::Row;
        }
        let is_judged = is_inside && self.input.draws().counts(e);
        let due = if is_judged { self.due(e) } else { Due::No };
        if due != Due::No {
            let named = self.named.entry(due).or_default();
            *named += 1;
            if *named <= MISSING_WRITTEN {
                self.rows.push(*e);
                return Place::Row;
            }
        }
        let key = Key {
            past: self.cuts.partition_point(|cut| *cut <= e.at),
            outcome: e.outcome,
            cause: e.cause,
            reports_outages: e.reports_outages,
            has_latency: e.latency_ms.get().is_some(),
            slow: is_slow(e, self.input.policy),
            stratum: e.stratum,
            fingerprint: e.fingerprint,
            repeated: e.repeated.get(),
            first: e.first,
            first_seen: e.first_seen && !e.first,
            retried: e.is_retried(self.input.policy.retry_days),
            due,
            apart,
        };
        let next = self.rows.len();
        let at = *self.groups.entry(key).or_insert(next);
        match self.rows.get_mut(at) {
            Some(row) => {
                row.times += 1;
                Place::Folded
            }
            None => {
                self.rows.push(*e);
                Place::Row
            }
        }
    }

    /// The rows, and what they do not tell.
    pub fn end(self) -> (Vec<Evaluation>, Folded) {
        (self.rows, Folded { evaluations: self.hashing.end(), ..self.folded })
    }

    /// Notes what rows do not tell of an evaluation of the window.
    fn note(&mut self, e: &Evaluation, day: i32) {
        self.hashing.take(e, self.end, self.input.draws());
        let outages = self.folded.outages.entry(day).or_default();
        if e.at >= self.counted_from && e.is_latest_before(self.end) {
            outages.extend([e.is_outage()]);
            if let Some(ms) = e.latency_ms.get() {
                *self.folded.latencies_ms.entry(ms).or_default() += 1;
            }
        }
    }

    fn due(&mut self, e: &Evaluation) -> Due {
        if !self.force.holds(e.at) {
            self.force = self.input.in_force(e.at);
        }
        let stratum = if self.input.strata.is_empty() { 0 } else { e.stratum };
        let undetermined = e.outcome == Outcome::Undetermined;
        let is_flagged =
            e.outcome == Outcome::NoGo || undetermined && self.force.stops_undetermined();
        match self.force.rate(self.force.stratum(e, stratum)) {
            None if undetermined => Due::No,
            None if is_flagged => Due::Flagged,
            Some(rate) if rate.draws(&e.id) && is_flagged => Due::Flagged,
            Some(rate) if rate.draws(&e.id) => Due::Drawn(stratum),
            Some(_) => Due::No,
            None if self.is_stated => Due::Aside(stratum),
            None => Due::No,
        }
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests;
