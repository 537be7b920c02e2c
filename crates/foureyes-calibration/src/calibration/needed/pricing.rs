//! What labels of an error rate cost, at the present traffic and at others.

use super::outlook::Prospect;
use super::{
    ASSUMED, Kind, More, Traffic, WELL_BELOW, at_rate, enough, least, probabilities, ratio,
    sentence, whole_days,
};
use crate::calibration::gate::{Evidence, Gate, Track};
use crate::calibration::reading::Reading;
use crate::calibration::{LabelRange, Measure, Method, Policy, Price};
use crate::stats::sampled::Sampled;
use crate::stats::sequential::error::Inclusion;
use crate::stats::spending;

/// What a price rests on.
pub(super) struct Pricing<'a> {
    gate: &'a Gate<'a>,
    policy: &'a Policy,
    track: &'a Track,
    traffic: Traffic,
    pub(super) kind: Kind,
    /// Errors and what is right among the labels, doubts read against the judge.
    pub(super) seen: (u64, u64),
    /// Days that must still come where whole days have to show it too.
    pub(super) whole_days: f64,
}

impl<'a> Pricing<'a> {
    pub(super) fn new(
        gate: &'a Gate<'a>,
        policy: &'a Policy,
        track: &'a Track,
        traffic: Traffic,
    ) -> Self {
        Self {
            gate,
            policy,
            track,
            traffic,
            kind: Kind::from_measure(track.measure),
            seen: gate.tally.seen(track.measure, Reading::Worst),
            whole_days: whole_days::needed(gate, policy, track, traffic.days),
        }
    }

    /// The same traffic, and the evidence of another window.
    pub(super) fn with_evidence(self, gate: &'a Gate<'a>, track: &'a Track) -> Self {
        let whole_days = whole_days::needed(gate, self.policy, track, self.traffic.days);
        Self { gate, track, whole_days, ..self }
    }

    /// Whether both sides of the rate are drawn.
    pub(super) fn is_drawn(&self) -> bool {
        self.traffic.stopped > 0.0 && (!self.kind.needs_audit || self.traffic.pi > 0.0)
    }

    /// Further records at a rate of what passes, where errors come as they came.
    pub(super) fn more(&self, pi: f64) -> Option<More> {
        let (wrong, right) = self.mix(pi)?;
        let part = if self.seen.0 == 0 { 0.0 } else { wrong / (wrong + right) };
        self.further(part, pi)
    }

    fn mix(&self, pi: f64) -> Option<(f64, f64)> {
        at_rate(self.track.measure, self.seen, self.traffic.pi, pi)
    }

    fn per_day(&self, count: u64) -> f64 {
        count as f64 / self.traffic.days.max(1) as f64
    }

    /// Evaluations of a day. All evaluations of the closed days may have been made anew later, and count there.
    fn traffic_a_day(&self) -> Option<f64> {
        Some(self.per_day(self.traffic.evaluations)).filter(|per_day| *per_day > 0.0)
    }

    /// Records that count so far; `None` where nobody knows how often they come.
    pub(super) fn seen_records(&self) -> Option<f64> {
        self.traffic_a_day().map(|_| (self.seen.0 + self.seen.1) as f64)
    }

    /// Evaluations that bring so many records nearly surely, where so many came: by chance fewer of them come
    /// than the mixture has.
    pub(super) fn come(&self, records: u64, seen: f64) -> Option<u64> {
        let share = seen / self.traffic.evaluations.max(1) as f64;
        (share > 0.0).then(|| enough::evaluations(records, share.min(1.0)))
    }

    /// Days that bring so many evaluations, and are enough for whole days too.
    pub(super) fn in_days(&self, evaluations: u64) -> Option<f64> {
        let days = (evaluations as f64 / self.traffic_a_day()?).ceil().max(self.whole_days);
        days.is_finite().then_some(days)
    }

    /// Labels of so many days at a rate of what passes, at least those that count.
    pub(super) fn labels(&self, days: f64, pi: f64, records: u64) -> u64 {
        let passed =
            if self.kind.needs_audit { self.per_day(self.traffic.passed) * pi } else { 0.0 };
        let each = self.per_day(self.traffic.flagged) * self.traffic.stopped + passed;
        ((days * each).ceil() as u64).max(records)
    }

    /// The price at a rate of what passes.
    pub(super) fn price(&self, pi: f64) -> Option<Price> {
        let (wrong, right) = self.mix(pi)?;
        let records = self.more(pi)?.safe;
        let days = self.in_days(self.come(records, wrong + right)?)?;
        Some(Price { pi, labels: self.labels(days, pi, records), days: days as u64 })
    }

    /// Labels where the rate is at either end of its interval.
    pub(super) fn range(&self, prospect: &Prospect) -> LabelRange {
        let is_closed = prospect.upper < prospect.limit;
        let most = if is_closed { self.labels_at(prospect.upper) } else { None };
        LabelRange { least: self.labels_at(prospect.lower), most }
    }

    fn labels_at(&self, rate: f64) -> Option<u64> {
        Some(self.cost_at(rate)?.labels)
    }

    /// Labels and days, where errors come at a rate.
    pub(super) fn cost_at(&self, rate: f64) -> Option<Price> {
        let pi = self.traffic.pi;
        let odds = rate / (1.0 - rate) * self.ratio(pi);
        let records = self.further(odds / (1.0 + odds), pi)?.likely;
        let days = self.in_days(self.come(records, self.seen_records()?)?)?;
        Some(Price { pi, labels: self.labels(days, pi, records), days: days as u64 })
    }

    fn ratio(&self, pi: f64) -> f64 {
        ratio(self.track.measure, pi, self.traffic.stopped)
    }

    /// The rate with doubts read against the judge and for it, beside its threshold; `None` without labels.
    pub(super) fn rates(&self) -> Option<sentence::Rate> {
        let ratio = self.ratio(self.traffic.pi);
        let rate = |(errors, correct): (u64, u64)| {
            let (errors, correct) = (errors as f64, correct as f64 * ratio);
            (errors + correct > 0.0).then(|| errors / (errors + correct))
        };
        let best = self.gate.tally.seen(self.track.measure, Reading::Best);
        let threshold = self.policy.threshold(self.track.measure).value;
        let (worst, best) = rate(self.seen).zip(rate(best))?;
        Some(sentence::Rate { worst, best, threshold })
    }

    /// Records until the gate would find the measure met, where of those that come a part are errors, at a
    /// rate of what passes.
    pub(super) fn further(&self, part: f64, pi: f64) -> Option<More> {
        let (policy, ratio) = (self.policy, self.ratio(pi));
        let t = policy.threshold(self.track.measure).value;
        let is_met = |wrong: u64, right: u64| self.is_met(wrong, right, pi);
        let likely = least(|m| {
            let wrong = (m as f64 * part).floor() as u64;
            is_met(wrong, m - wrong)
        })?;
        // Among labelled records errors are more or fewer than in the rate, by how both are chosen.
        let low = WELL_BELOW * t * ratio / (WELL_BELOW * t * ratio + 1.0 - WELL_BELOW * t);
        let safe = match policy.method {
            Method::Anytime => enough::at_any(part.max(low), &is_met),
            Method::Fixed => enough::at_last(part.max(low), &is_met),
        };
        Some(More { likely, safe: safe?.max(likely) })
    }

    /// Whether so many further errors and right ones would find it met, at a rate of what passes.
    fn is_met(&self, wrong: u64, right: u64, pi: f64) -> bool {
        let Evidence::Error(below, _) = &self.track.evidence else { return false };
        let (allowance, policy, ratio) = (self.gate.allowance, self.policy, self.ratio(pi));
        match policy.method {
            Method::Anytime => {
                let mut test = *below;
                let how = Inclusion { errors: ratio, ..Inclusion::WHOLE };
                test.take(true, Inclusion::WHOLE, wrong as f64);
                test.take(false, how, right as f64);
                allowance.is_met(policy, test.wealth().ln())
            }
            Method::Fixed => {
                let t = policy.threshold(self.track.measure).value;
                let each = spending::each(allowance.alpha(policy), policy.look_days().len());
                let (errors, correct) = (self.seen.0 + wrong, self.seen.1 + right);
                Sampled { errors, correct, ratio }.upper(1.0 - each) < t
            }
        }
    }

    /// Whole days until it is met if no further error comes, at a rate of what passes.
    pub(super) fn clean_days(&self, pi: f64) -> Option<u64> {
        let records = least(|m| self.is_met(0, m, pi))?;
        let days = (records as f64 / self.right_a_day(pi)?).ceil().max(self.whole_days);
        days.is_finite().then_some(days as u64)
    }

    /// Records that are right of a day, at a rate of what passes; where no label tells how many, by the
    /// share of poor content that plans assume. `None` where nothing comes.
    pub(super) fn right_a_day(&self, pi: f64) -> Option<f64> {
        let flagged = self.per_day(self.traffic.flagged) * self.traffic.stopped;
        let passed = self.per_day(self.traffic.passed) * pi;
        let poor = ASSUMED / 100.0;
        let all = self.per_day(self.traffic.flagged + self.traffic.passed);
        let (_, now) = probabilities(self.track.measure, self.traffic.pi, self.traffic.stopped);
        let (_, then) = probabilities(self.track.measure, pi, self.traffic.stopped);
        let right = match self.track.measure {
            _ if self.seen.1 > 0 && now > 0.0 => self.per_day(self.seen.1) * then / now,
            Measure::FalseNegativeRate => all * poor * self.traffic.stopped,
            Measure::FalsePositiveRate | Measure::FalseOmissionRate => passed * (1.0 - poor),
            _ => flagged,
        };
        (right > 0.0).then_some(right)
    }
}
