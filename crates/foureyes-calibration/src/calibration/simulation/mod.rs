//! How often the gate is right: a planted truth through the very functions that decide.
//!
//! Beside it stand the two rules that others use: point estimates against thresholds, and an exact
//! bound made for one look that is looked at every day.

mod plant;
mod run;
mod truth;

pub use truth::Truth;

use super::{Measure, Policy};
use crate::stats::sample::Stream;
use plant::Planter;
use rayon::prelude::*;
use run::{Run, Seen};
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
    /// Whether READY lasts.
    #[serde(default)]
    pub withdrawal: Withdrawal,
}

/// What left its side after it was met, or before.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Withdrawal {
    /// Share of runs in which a KPI was ever withdrawn.
    pub ever: f64,
    /// Share of runs in which one was before the judge changed.
    pub before_change: f64,
    /// Share of runs that were READY on an earlier day than that.
    pub from_ready: f64,
    /// Days from the change until then, the first one 1, over all runs; from the first day of the window where
    /// the judge never changes.
    pub days: Spread,
}

/// Numbers that this share of all runs needs at most; `null` where fewer runs ever get there.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
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
    /// Share of runs that say within the first 21 days that more labels cannot make it pass.
    #[serde(default)]
    pub hopeless: f64,
    /// The day by which half of all runs say so; `null` where fewer do within these days.
    #[serde(default)]
    pub hopeless_day: Option<u64>,
}

/// Runs the gate over planted truths, looking at the end of every day from the least window on.
///
/// A window has so many days; the first has its backlog among them, and is as long as that at least. The same
/// seed gives the same result, on every machine and whatever the number of threads.
pub fn simulate(truth: &Truth, policy: &Policy, days: u32, runs: u32, seed: u64) -> Characteristic {
    let gated: Vec<Measure> =
        Measure::ALL.into_iter().filter(|m| m.needs_labels() && policy.gates(*m)).collect();
    let planter = Planter::new(truth, policy);
    let days = days.max(truth.backlog_days);
    let one = |number: u32| Run::new(&planter, policy, &gated, days, &mut numbers(seed, number));
    let all: Vec<Run> = (0..runs).into_par_iter().map(one).collect();
    let share = |of: &dyn Fn(&Run) -> bool| {
        all.iter().filter(|r| of(r)).count() as f64 / f64::from(runs.max(1))
    };
    let reached =
        |of: fn((u32, u64)) -> u64| all.iter().filter_map(|r| r.ready.map(of)).collect::<Vec<_>>();
    let (day, labels) = (reached(|(day, _)| day.into()), reached(|(_, labels)| labels));
    let withdrawn = all.iter().filter_map(|r| u64::try_from(r.withdrawn?).ok());
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
        measures: (0..).zip(&gated).map(|(i, id)| row(*id, i, &all, truth.per_day)).collect(),
        withdrawal: Withdrawal {
            ever: share(&|r| r.withdrawn.is_some()),
            before_change: share(&|r| r.withdrawn.is_some_and(|day| day <= 0)),
            from_ready: share(&|r| r.ready_withdrawn),
            days: Spread::new(withdrawn.filter(|day| *day > 0).collect(), runs),
        },
    }
}

/// What came of the measure at a place of each run.
fn row(id: Measure, at: usize, all: &[Run], per_day: u32) -> MeasureRow {
    let seen = || all.iter().filter_map(|r| r.measures.get(at));
    let share =
        |of: fn(&Seen) -> bool| seen().filter(|s| of(s)).count() as f64 / all.len().max(1) as f64;
    let met = seen().filter_map(|s| s.met).map(|day| u64::from(day) * u64::from(per_day));
    let hopeless = seen().filter_map(|s| s.hopeless).map(u64::from).collect();
    MeasureRow {
        id,
        met: share(|s| s.met.is_some()),
        not_met: share(|s| s.not_met),
        met_after: median(met.collect()),
        literal: share(|s| s.literal),
        literal_first: share(|s| s.literal_first),
        one_look: share(|s| s.one_look),
        hopeless: share(|s| s.hopeless.is_some()),
        hopeless_day: Spread::new(hopeless, u32::try_from(all.len()).unwrap_or(u32::MAX)).p50,
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

#[cfg(test)]
mod documented;
#[cfg(test)]
mod shares;
#[cfg(test)]
mod tests;
