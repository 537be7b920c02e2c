//! How often the gate is right: a planted truth through the very functions that decide.
//!
//! Beside it stand the two rules that others use: point estimates against thresholds, and an exact
//! bound made for one look that is looked at every day.

mod plant;
mod truth;

pub use truth::Truth;

use super::gate::{self, DayCounts, Gate, Tests};
use super::kept::Limits;
use super::point_estimate::{Pooled, literal};
use super::{Allowance, Evaluation, Measure, Policy};
use crate::stats::sample::Stream;
use plant::Planter;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What came of many runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Characteristic {
    /// Runs.
    pub runs: u32,
    /// Days of each window.
    pub days: u32,
    /// Share of runs that ever said READY.
    pub ready: f64,
    /// Share of runs that ever said NOT READY.
    pub not_ready: f64,
    /// Median day of READY, from 1, of the runs that said it.
    pub ready_day: Option<u32>,
    /// Median number of labels by then.
    pub ready_labels: Option<u64>,
    /// Days until READY, from the start of the first window, over all runs.
    pub days_until_ready: Spread,
    /// Labels until READY, those of earlier windows among them, over all runs.
    pub labels_until_ready: Spread,
    /// Share of runs in which point estimates alone ever said yes.
    pub literal_ready: f64,
    /// Each error rate that the policy gates on.
    pub measures: Vec<MeasureRow>,
}

/// Numbers that this share of all runs needs at most; `null` where fewer runs ever get there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Spread {
    /// 5 % of the runs.
    pub p5: Option<u64>,
    /// 50 % of the runs.
    pub p50: Option<u64>,
    /// 95 % of the runs.
    pub p95: Option<u64>,
}

impl Spread {
    /// Of the runs that got there, among so many.
    fn new(mut reached: Vec<u64>, runs: u32) -> Self {
        reached.sort_unstable();
        let at = |percent: u64| {
            let needed = (u64::from(runs) * percent).div_ceil(100).max(1);
            reached.get(usize::try_from(needed - 1).ok()?).copied()
        };
        Self { p5: at(5), p50: at(50), p95: at(95) }
    }
}

/// What came of one rate.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct MeasureRow {
    /// Which.
    pub id: Measure,
    /// Share of runs that ever found it met.
    pub met: f64,
    /// Share of runs that ever found it not met.
    pub not_met: f64,
    /// Median number of evaluations until it was met.
    pub met_after: Option<u64>,
    /// Share of runs in which its point estimate was ever below the threshold.
    pub literal: f64,
    /// Share of runs in which it was at the first look.
    pub literal_first: f64,
    /// Share of runs in which its exact bound for one look, looked at daily, ever was.
    pub one_look: f64,
}

/// What came of one rate in one run: days, from 1.
#[derive(Debug, Clone, Default)]
struct Seen {
    met: Option<u32>,
    not_met: bool,
    literal: bool,
    literal_first: bool,
    one_look: bool,
}

/// One run.
#[derive(Debug, Clone, Default)]
struct Run {
    /// Day and labels of READY.
    ready: Option<(u32, u64)>,
    not_ready: bool,
    literal: bool,
    measures: Vec<Seen>,
}

/// Runs the gate over planted truths, looking at the end of every day from the least window on.
///
/// The same seed gives the same result, on every machine and whatever the number of threads.
pub fn simulate(truth: &Truth, policy: &Policy, days: u32, runs: u32, seed: u64) -> Characteristic {
    let gated: Vec<Measure> =
        Measure::ALL.into_iter().filter(|m| m.needs_labels() && policy.gates(*m)).collect();
    let planter = Planter::new(truth, policy);
    let one = |number: u32| {
        let mut draw = numbers(seed, number);
        let mut run = Run { measures: vec![Seen::default(); gated.len()], ..Run::default() };
        let mut labels = 0;
        for window in 0..truth.windows {
            let begun = Begun { window, days: window * days, labels };
            labels += one_window(&planter, policy, days, &gated, begun, &mut run, &mut draw);
            // Whoever is READY starts no other window.
            if run.ready.is_some() {
                break;
            }
        }
        run
    };
    let all: Vec<Run> = (0..runs).into_par_iter().map(one).collect();
    let share = |of: &dyn Fn(&Run) -> bool| {
        all.iter().filter(|r| of(r)).count() as f64 / f64::from(runs.max(1))
    };
    let row = |(i, id): (usize, &Measure)| {
        let of = |f: fn(&Seen) -> bool| share(&|r: &Run| r.measures.get(i).is_some_and(f));
        let after = all.iter().filter_map(|r| r.measures.get(i)?.met);
        MeasureRow {
            id: *id,
            met: of(|s| s.met.is_some()),
            not_met: of(|s| s.not_met),
            met_after: median(after.map(|d| u64::from(d) * u64::from(truth.per_day)).collect()),
            literal: of(|s| s.literal),
            literal_first: of(|s| s.literal_first),
            one_look: of(|s| s.one_look),
        }
    };
    let reached =
        |of: fn((u32, u64)) -> u64| all.iter().filter_map(|r| r.ready.map(of)).collect::<Vec<_>>();
    let (day, labels) = (reached(|(day, _)| day.into()), reached(|(_, labels)| labels));
    Characteristic {
        runs,
        days,
        ready: share(&|r| r.ready.is_some()),
        not_ready: share(&|r| r.not_ready),
        ready_day: median(day.clone()).and_then(|d| u32::try_from(d).ok()),
        ready_labels: median(labels.clone()),
        days_until_ready: Spread::new(day, runs),
        labels_until_ready: Spread::new(labels, runs),
        literal_ready: share(&|r| r.literal),
        measures: gated.iter().enumerate().map(row).collect(),
    }
}

/// Random numbers of a run.
fn numbers(seed: u64, run: u32) -> Stream {
    let of = [seed.to_be_bytes(), u64::from(run).to_be_bytes()].concat();
    Stream::new(&blake3::derive_key("foureyes 2026 simulation of the gate", &of))
}

fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
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

/// Runs one window, and tells how many labels it took.
fn one_window(
    planter: &Planter,
    policy: &Policy,
    days: u32,
    gated: &[Measure],
    begun: Begun,
    run: &mut Run,
    draw: &mut Stream,
) -> u64 {
    let allowance = Allowance::new(u64::from(begun.window) + 1, 1);
    let mut gate = Gate::of_window(policy, allowance, Tests::CURRENT);
    let mut pooled = Pooled::default();
    let mut latencies = Vec::new();
    // Declared looks are dates: begin so that the least window ends at the first of them.
    let least = i32::try_from(policy.days).unwrap_or(i32::MAX);
    let first = policy.look_days().first().map_or(20_000, |d| d.saturating_sub(least));
    for number in 1..=days {
        let day = first + i32::try_from(number).unwrap_or(i32::MAX) - 1;
        let planted = plant(planter, day, &mut gate, &mut pooled, draw);
        let counts = DayCounts::new(&planted, day, day + 1, policy);
        gate.evaluations(&counts.known, &counts.last);
        latencies.extend(counts.latencies_ms);
        gate.end_of_day(day, true);
        look(&gate, policy, gated, pooled, (number, begun), run);
        if number >= policy.days {
            let median = gate::median(&mut latencies, policy);
            run.literal |= literal(&gate.counts, median, pooled, policy).passes == Some(true);
        }
        if run.ready.is_some() && begun.window > 0 {
            break;
        }
    }
    let (flagged, passed) = gate.tally.labels();
    flagged + passed
}

/// Plants a day, gives its labels to the gate, and returns its evaluations.
fn plant(
    planter: &Planter,
    day: i32,
    gate: &mut Gate<'_>,
    pooled: &mut Pooled,
    draw: &mut Stream,
) -> Vec<Evaluation> {
    let planted = planter.day(day, pooled, draw);
    let limits = Limits { passed: planter.truth.pi, stopped: 1.0 };
    gate.day(planted.tally, &planted.labelled, limits);
    planted.evaluations
}

/// Looks at a day's end, as the gate and as the two other rules do.
fn look(
    gate: &Gate<'_>,
    policy: &Policy,
    gated: &[Measure],
    pooled: Pooled,
    (number, begun): (u32, Begun),
    run: &mut Run,
) {
    run.not_ready |= gate.tracks.iter().any(|t| policy.gates(t.measure) && t.is_not_met());
    let in_time = number >= policy.days;
    for (measure, seen) in gated.iter().zip(&mut run.measures) {
        let Some(track) = gate.track(*measure) else { continue };
        seen.not_met |= track.is_not_met();
        if !in_time {
            continue;
        }
        let t = policy.threshold(*measure).value;
        if track.is_met() {
            seen.met.get_or_insert(begun.days + number);
        }
        let below = pooled.rate(*measure).is_some_and(|r| r < t);
        seen.literal |= below;
        seen.literal_first |= below && number == policy.days && begun.window == 0;
        if !seen.one_look {
            seen.one_look = gate.tally.bounds(*measure, policy.confidence).upper < t;
        }
    }
    let mut gated = gate.tracks.iter().filter(|t| policy.gates(t.measure));
    if in_time && gated.all(gate::Track::is_met) {
        let (flagged, passed) = gate.tally.labels();
        let labels = begun.labels + flagged + passed;
        run.ready.get_or_insert((begun.days + number, labels));
    }
}

#[cfg(test)]
mod shares;
#[cfg(test)]
mod tests;
