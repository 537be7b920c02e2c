//! One run: a judge, window after window, until one is READY.

use super::Planter;
use super::plant::{Content, Planted, Rates};
use crate::calibration::backlog::backlog_rate;
use crate::calibration::gate::{self, DayCounts, Gate, Tests, Track};
use crate::calibration::kept::Limits;
use crate::calibration::needed::{Traffic, outlook};
use crate::calibration::point_estimate::{Pooled, literal};
use crate::calibration::reading::Reading;
use crate::calibration::{Allowance, Measure, Outlook, Policy};
use crate::domain::Outcome;
use crate::stats::sample::Stream;
use crate::stats::sampled::Sampled;
use std::collections::BTreeMap;

/// Days in which a judge must not be given up by chance.
const FIRST_DAYS: u32 = 21;

/// What came of one rate in one run: days, from 1.
#[derive(Debug, Clone, Default)]
pub(super) struct Seen {
    pub(super) met: Option<u32>,
    pub(super) not_met: bool,
    pub(super) literal: bool,
    pub(super) literal_first: bool,
    pub(super) one_look: bool,
    /// When it was first said that more labels cannot make it pass, within the first days.
    pub(super) hopeless: Option<u32>,
}

/// What came of one run.
#[derive(Debug, Clone, Default)]
pub(super) struct Run {
    /// Day and labels of READY.
    pub(super) ready: Option<(u32, u64)>,
    pub(super) not_ready: bool,
    pub(super) literal: bool,
    pub(super) measures: Vec<Seen>,
    /// The day on which a KPI was withdrawn: 1 on the first day of the judge after it changed, and 0 or less
    /// before.
    pub(super) withdrawn: Option<i64>,
    /// Whether it was READY on an earlier day.
    pub(super) ready_withdrawn: bool,
}

impl Run {
    /// Runs windows of so many days, each of which the gate looks at with these error rates.
    pub(super) fn new(
        planter: &Planter,
        policy: &Policy,
        gated: &[Measure],
        days: u32,
        draw: &mut Stream,
    ) -> Self {
        let mut run = Self { measures: vec![Seen::default(); gated.len()], ..Self::default() };
        let mut labels = 0;
        for window in 0..planter.truth.windows {
            let begun = Begun { window, days: window * days, labels };
            labels += Window::new(planter, policy, gated, begun).run(days, &mut run, draw);
            // Whoever is READY starts no other window.
            if run.ready.is_some() {
                break;
            }
        }
        run
    }
}

/// What came before a window.
#[derive(Clone, Copy)]
struct Begun {
    /// Windows.
    window: u32,
    /// Days.
    days: u32,
    /// Labels.
    labels: u64,
}

/// A window under way.
struct Window<'a> {
    planter: &'a Planter,
    policy: &'a Policy,
    gated: &'a [Measure],
    begun: Begun,
    gate: Gate<'a>,
    pooled: Pooled,
    /// How often each latency is, in milliseconds.
    latencies: BTreeMap<u64, u64>,
    /// What a bound for one look rests on, of each gated error rate.
    one_look: Vec<Sampled>,
}

impl<'a> Window<'a> {
    fn new(planter: &'a Planter, policy: &'a Policy, gated: &'a [Measure], begun: Begun) -> Self {
        let allowance = Allowance::new(u64::from(begun.window) + 1, 1);
        let mut gate = Gate::of_window(policy, allowance, Tests::CURRENT);
        // What decides nothing need not be bet on.
        gate.tracks.retain(|track| policy.gates(track.measure));
        Self {
            planter,
            policy,
            gated,
            begun,
            gate,
            pooled: Pooled::default(),
            latencies: BTreeMap::new(),
            one_look: vec![Sampled { errors: 0, correct: 0, ratio: 1.0 }; gated.len()],
        }
    }

    /// Runs it, and tells how many labels it took.
    fn run(mut self, days: u32, run: &mut Run, draw: &mut Stream) -> u64 {
        let (backlog, rates) = self.backlog(draw);
        let (planter, mut backlog) = (self.planter, backlog.into_iter());
        let limits = match backlog.len() {
            0 => planter.live.limits,
            all if all < days as usize => planter.live.limits.join(rates.limits),
            _ => rates.limits,
        };
        for (number, day) in (1..=days).zip(planter.first..) {
            let (contents, rates) = match backlog.next() {
                Some(contents) => (contents, &rates),
                None => (planter.contents(day, draw), &planter.live),
            };
            let planted = planter.labelled(day, &contents, rates, &mut self.pooled, draw);
            self.take(day, planted, rates, limits);
            self.observe(number, run);
            if run.ready.is_some() && self.begun.window > 0 {
                break;
            }
        }
        let (flagged, passed) = self.gate.tally.labels();
        flagged + passed
    }

    /// What was judged before the window was begun, day by day, and what is labelled of it.
    fn backlog(&self, draw: &mut Stream) -> (Vec<Vec<Content>>, Rates) {
        let truth = &self.planter.truth;
        let days = if self.begun.window == 0 { truth.backlog_days } else { 0 };
        let all = (self.planter.first..).take(days as usize);
        let all: Vec<Vec<Content>> = all.map(|day| self.planter.contents(day, draw)).collect();
        let no_go = all.iter().flatten().filter(|c| c.outcome == Outcome::NoGo).count();
        let rate = truth.backlog_rate.unwrap_or_else(|| {
            let below = self.policy.false_negative_below;
            backlog_rate(no_go as u64, below, self.gate.allowance.bar(self.policy))
        });
        (all, self.planter.backlog(rate, self.policy))
    }

    /// Gives a day to the gate. What is below the limits is drawn alike on every day of the window.
    fn take(&mut self, day: i32, planted: Planted, rates: &Rates, limits: Limits) {
        for (measure, all) in self.gated.iter().zip(&mut self.one_look) {
            let more = planted.tally.seen_at(*measure, Reading::Worst, limits);
            let (errors, correct) = (all.errors + more.errors, all.correct + more.correct);
            *all = Sampled { errors, correct, ..more };
        }
        self.gate.day(planted.tally, &planted.labelled, rates.limits);
        let counts = DayCounts::new(&planted.evaluations, day, day + 1, self.policy);
        self.gate.evaluations(&counts.known, &counts.last);
        for latency in counts.latencies_ms {
            *self.latencies.entry(latency).or_default() += 1;
        }
        self.gate.end_of_day(day, true);
    }

    /// Looks at a day's end, as the gate and as the two other rules do.
    fn observe(&self, number: u32, run: &mut Run) {
        let (policy, begun, in_time) = (self.policy, self.begun, number >= self.policy.days);
        let tracks = &self.gate.tracks;
        run.not_ready |= tracks.iter().any(|t| t.is_not_met());
        if run.withdrawn.is_none() && tracks.iter().any(|t| t.withdrawn.is_some()) {
            let change = self.planter.truth.changes_on.unwrap_or(1);
            run.withdrawn = Some(i64::from(number) + 1 - i64::from(change));
            run.ready_withdrawn = run.ready.is_some();
        }
        for (i, measure) in self.gated.iter().enumerate() {
            let seen = (run.measures.get_mut(i), self.gate.track(*measure), self.one_look.get(i));
            if let (Some(seen), Some(track), Some(sampled)) = seen {
                self.observe_rate(number, track, sampled, seen);
            }
        }
        if !in_time {
            return;
        }
        if !run.literal {
            let median = gate::median_of(&self.latencies, policy);
            let literal = literal(&self.gate.counts, median, self.pooled, policy);
            run.literal = literal.passes == Some(true);
        }
        if run.ready.is_none() && tracks.iter().all(|t| t.is_met()) {
            let (flagged, passed) = self.gate.tally.labels();
            run.ready = Some((begun.days + number, begun.labels + flagged + passed));
        }
    }

    /// The same for one error rate.
    fn observe_rate(&self, number: u32, track: &Track, sampled: &Sampled, seen: &mut Seen) {
        let (policy, first) = (self.policy, self.begun.window == 0);
        seen.not_met |= track.is_not_met();
        if first && number <= FIRST_DAYS && seen.hopeless.is_none() {
            let is_open = track.met.is_none() && !track.is_not_met();
            seen.hopeless = (is_open && self.is_hopeless(track)).then_some(number);
        }
        if number < policy.days {
            return;
        }
        if track.is_met() {
            seen.met.get_or_insert(self.begun.days + number);
        }
        let t = policy.threshold(track.measure).value;
        let below = self.pooled.rate(track.measure).is_some_and(|r| r < t);
        seen.literal |= below;
        seen.literal_first |= below && number == policy.days && first;
        // A bound is never below the estimate, which is quicker to have.
        let (errors, correct) = (sampled.errors as f64, sampled.correct as f64);
        if !seen.one_look && errors * (1.0 - t) < t * sampled.ratio * correct {
            seen.one_look = sampled.upper(policy.confidence) < t;
        }
    }

    /// Whether it is said that more labels cannot make it pass.
    fn is_hopeless(&self, track: &Track) -> bool {
        let Limits { passed: pi, stopped } = self.planter.live.limits;
        let traffic = Traffic { pi, stopped, has_outlook: true, ..Traffic::default() };
        outlook(&self.gate, self.policy, track, &traffic) == Some(Outlook::Hopeless)
    }
}
