//! How often the gate is right: a planted truth through the very functions that decide.
//!
//! Beside it stand the two rules that others use: point estimates against thresholds, and an exact
//! bound made for one look that is looked at every day.

use super::days::Judged;
use super::gate::{self, DayCounts, Gate};
use super::literal::{Pooled, literal};
use super::{Evaluation, Measure, Policy, Word};
use crate::domain::{Outcome, RecordId, Timestamp};
use crate::stats::sample;
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What is planted.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Truth {
    /// Share of content that is poor.
    pub poor: f64,
    /// Of acceptable content, how much is flagged.
    pub false_positive: f64,
    /// Of poor content, how much passes.
    pub false_negative: f64,
    /// Share of evaluations that are UNDETERMINED.
    pub undetermined: f64,
    /// Evaluations a day.
    pub per_day: u32,
    /// Rate of the audit sample.
    pub pi: f64,
}

impl Default for Truth {
    /// What the reference table has: 15 % poor, 30 evaluations a day, everything audited.
    fn default() -> Self {
        Self {
            poor: 0.15,
            false_positive: 0.04,
            false_negative: 0.01,
            undetermined: 0.0,
            per_day: 30,
            pi: 1.0,
        }
    }
}

/// What came of many runs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Characteristic {
    /// Runs.
    pub runs: u32,
    /// Days of each.
    pub days: u32,
    /// Share of runs that ever said READY.
    pub ready: f64,
    /// Share of runs that ever said NOT READY.
    pub not_ready: f64,
    /// Median day of READY, from 1, of the runs that said it.
    pub ready_day: Option<u32>,
    /// Median number of labels by then.
    pub ready_labels: Option<u64>,
    /// Share of runs in which point estimates alone ever said yes.
    pub literal_ready: f64,
    /// Each error rate that the policy gates on.
    pub measures: Vec<MeasureRow>,
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
    let one = |number: u32| run(truth, policy, days, &gated, &mut numbers(seed, number));
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
    let ready =
        |of: fn((u32, u64)) -> u64| median(all.iter().filter_map(|r| r.ready.map(of)).collect());
    Characteristic {
        runs,
        days,
        ready: share(&|r| r.ready.is_some()),
        not_ready: share(&|r| r.not_ready),
        ready_day: ready(|(day, _)| u64::from(day)).and_then(|d| u32::try_from(d).ok()),
        ready_labels: ready(|(_, labels)| labels),
        literal_ready: share(&|r| r.literal),
        measures: gated.iter().enumerate().map(row).collect(),
    }
}

/// Numbers in [0, 1) without end, other ones for each run.
fn numbers(seed: u64, run: u32) -> impl FnMut() -> f64 {
    let of = [seed.to_be_bytes(), u64::from(run).to_be_bytes()].concat();
    let key = blake3::derive_key("foureyes 2026 simulation of the gate", &of);
    let mut count = 0_u64;
    move || {
        count += 1;
        sample::draw(&key, &count.to_be_bytes())
    }
}

fn median(mut values: Vec<u64>) -> Option<u64> {
    values.sort_unstable();
    values.get(values.len() / 2).copied()
}

fn run(
    truth: &Truth,
    policy: &Policy,
    days: u32,
    gated: &[Measure],
    draw: &mut dyn FnMut() -> f64,
) -> Run {
    let mut gate = Gate::new(policy);
    let mut pooled = Pooled::default();
    let mut latencies = Vec::new();
    let mut run = Run { measures: vec![Seen::default(); gated.len()], ..Run::default() };
    // Declared looks are dates: begin so that the least window ends at the first of them.
    let least = i32::try_from(policy.days).unwrap_or(i32::MAX);
    let first = policy.look_days().first().map_or(20_000, |d| d.saturating_sub(least));
    for number in 1..=days {
        let day = first + i32::try_from(number).unwrap_or(i32::MAX) - 1;
        let said: Vec<Evaluation> =
            (0..truth.per_day).map(|_| one(truth, day, &mut gate, &mut pooled, draw)).collect();
        let counts = DayCounts::of(&said, day, day + 1, policy);
        gate.evaluations(&counts.known, &counts.last);
        latencies.extend(counts.latencies_ms);
        gate.end_of_day(day, true);
        look(&gate, policy, gated, pooled, number, &mut run);
        if number >= policy.days {
            let median = gate::median(&mut latencies, policy);
            run.literal |= literal(&gate.counts, median, pooled, policy).passes == Some(true);
        }
    }
    run
}

/// Plants one evaluation and its label.
fn one(
    truth: &Truth,
    day: i32,
    gate: &mut Gate<'_>,
    pooled: &mut Pooled,
    draw: &mut dyn FnMut() -> f64,
) -> Evaluation {
    let poor = draw() < truth.poor;
    let wrong = draw() < if poor { truth.false_negative } else { truth.false_positive };
    let flagged = poor != wrong;
    let undetermined = draw() < truth.undetermined;
    let outcome = match flagged {
        _ if undetermined => Outcome::Undetermined,
        true => Outcome::NoGo,
        false => Outcome::Go,
    };
    let said = Evaluation {
        id: RecordId([0; 32]),
        at: Timestamp::of_day(day),
        outcome,
        cause: None,
        latency_ms: Some(5_000),
        stratum: 0,
        fingerprint: 0,
        repeated: None,
        first: true,
    };
    if undetermined {
        return said;
    }
    let chance = draw();
    let chosen = flagged || chance < truth.pi;
    let word = if poor { Word::Poor } else { Word::Acceptable };
    if chosen {
        pooled.add(flagged, word);
    }
    gate.judged(&Judged {
        id: RecordId([0; 32]),
        flagged,
        stratum: 0,
        word: chosen.then_some(word),
        pi: chosen.then_some(if flagged { 1.0 } else { truth.pi }),
        rate: truth.pi,
        draw: chance,
        smallest: truth.pi,
        covered: truth.pi > 0.0,
        planned: true,
    });
    said
}

/// Looks at a day's end, as the gate and as the two other rules do.
fn look(
    gate: &Gate<'_>,
    policy: &Policy,
    gated: &[Measure],
    pooled: Pooled,
    number: u32,
    run: &mut Run,
) {
    run.not_ready |= gate.tracks.iter().any(|t| policy.gates(t.measure) && t.not_met.is_some());
    let in_time = number >= policy.days;
    for (measure, seen) in gated.iter().zip(&mut run.measures) {
        let Some(track) = gate.track(*measure) else { continue };
        seen.not_met |= track.not_met.is_some();
        if !in_time {
            continue;
        }
        let (t, _) = policy.threshold(*measure);
        if track.met.is_some() && track.not_met.is_none() {
            seen.met.get_or_insert(number);
        }
        let below = pooled.rate(*measure).is_some_and(|r| r < t);
        seen.literal |= below;
        seen.literal_first |= below && number == policy.days;
        if !seen.one_look {
            seen.one_look = gate.tally.bounds(*measure, policy.confidence).upper < t;
        }
    }
    if in_time {
        let met = |t: &super::gate::Track| t.met.is_some() && t.not_met.is_none();
        if gate.tracks.iter().filter(|t| policy.gates(t.measure)).all(met) {
            let (flagged, passed) = gate.tally.labels();
            run.ready.get_or_insert((number, flagged + passed));
        }
    }
}

#[cfg(test)]
mod shares;
#[cfg(test)]
mod tests;
