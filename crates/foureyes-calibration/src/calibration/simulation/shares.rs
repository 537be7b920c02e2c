//! The rates that need no labels, planted at their thresholds and far from them, through the gate.

use super::tests::plant;
use super::*;
use crate::calibration::gate::{self, DayCounts, Gate};
use crate::calibration::point_estimate::Pooled;
use crate::domain::{Cause, Outcome};

/// What is planted of the rates that need no labels. The judge never errs, and all is labelled: so
/// whether it is READY depends on these rates alone.
#[derive(Clone, Copy)]
struct Shares {
    /// GO among what has a verdict.
    go: f64,
    /// UNDETERMINED, outages left out.
    undetermined: f64,
    /// Calls that did not reach the judge.
    outages: f64,
    /// Calls that take as long as they may not.
    slow: f64,
}

/// Well inside every threshold.
const GOOD: Shares = Shares { go: 0.8, undetermined: 0.01, outages: 0.005, slow: 0.2 };

const RUNS: u32 = 200;

/// How often READY and NOT READY were ever said, and the measure found met.
#[derive(Debug, Default)]
struct Ever {
    ready: u32,
    not_ready: u32,
    met: u32,
    not_met: u32,
}

fn planted(shares: Shares, measure: Measure) -> Ever {
    let policy = Policy::default();
    let run = |number| run_of(shares, &policy, measure, &mut numbers(11, number));
    let all: Vec<[bool; 4]> = (0..RUNS).into_par_iter().map(run).collect();
    let count = |i: usize| all.iter().filter(|found| found[i]).count() as u32;
    Ever { ready: count(0), not_ready: count(1), met: count(2), not_met: count(3) }
}

fn run_of(shares: Shares, policy: &Policy, measure: Measure, draw: &mut Stream) -> [bool; 4] {
    let (mut gate, mut pooled) = (Gate::new(policy), Pooled::default());
    let lost = shares.outages + shares.undetermined;
    let truth = Truth {
        poor: 1.0 - shares.go,
        false_positive: 0.0,
        false_negative: 0.0,
        undetermined: lost,
        ..Truth::default()
    };
    let planter = Planter::new(&truth, &Policy::default());
    let mut found = [false; 4];
    for number in 1..=90 {
        let day = 20_000 + number;
        let mut planted = plant(&planter, day, &mut gate, &mut pooled, draw);
        for e in &mut planted {
            let (cause, slow) = (draw.unit(), draw.unit());
            if e.outcome == Outcome::Undetermined && cause * lost < shares.outages {
                e.cause = Some(Cause::Unavailable);
            }
            // As quick as it may be at the most, or as slow as it must not be at the least.
            e.latency_ms = Some(if slow < shares.slow { 30_000 } else { 29_999 }).into();
        }
        let counts = DayCounts::new(&planted, day, day + 1, policy);
        gate.evaluations(&counts.known, &counts.last);
        gate.end_of_day(day, true);
        let met = |t: &gate::Track| t.met.is_some() && t.not_met.is_none();
        let mut gated = gate.tracks.iter().filter(|t| policy.gates(t.measure));
        let track = gate.track(measure);
        found[1] |= gated.clone().any(|t| t.not_met.is_some());
        found[2] |= track.is_some_and(met);
        found[3] |= track.is_some_and(|t| t.not_met.is_some());
        found[0] |= number >= 14 && gated.all(met);
        if found[3] {
            // It stays so.
            break;
        }
    }
    found
}

/// Fails where more than 5 % of the runs found it met, or said READY.
#[track_caller]
fn seldom_met(shares: Shares, measure: Measure) {
    let ever = planted(shares, measure);
    assert!(ever.met.max(ever.ready) <= RUNS / 20, "{measure:?}: {ever:?} of {RUNS}");
    // The others were met: only the rate at its threshold stands against READY.
    assert_eq!(ever.met, ever.ready, "{measure:?}: {ever:?} of {RUNS}");
}

#[track_caller]
fn never_met(shares: Shares, measure: Measure) {
    let ever = planted(shares, measure);
    assert!(ever.not_met >= 190 && ever.not_ready >= 190, "{measure:?}: {ever:?} of {RUNS}");
    assert_eq!(ever.ready, 0, "{measure:?}: {ever:?}");
}

#[test]
fn go_rate_at_threshold_is_rarely_met() {
    let go = |go: f64| Shares { go, undetermined: 0.0, outages: 0.0, ..GOOD };
    seldom_met(go(0.70), Measure::GoRate);
    seldom_met(go(0.90), Measure::GoRate);
    never_met(go(0.50), Measure::GoRate);
    never_met(go(0.98), Measure::GoRate);
}

#[test]
fn undetermined_rate_at_threshold_is_rarely_met() {
    let all = |undetermined| Shares { go: 0.92, undetermined, outages: 0.0, ..GOOD };
    seldom_met(all(0.15), Measure::UndeterminedRate);
    never_met(all(0.30), Measure::UndeterminedRate);
}

#[test]
fn availability_at_threshold_is_rarely_met() {
    let out = |outages| Shares { outages, undetermined: 0.0, ..GOOD };
    seldom_met(out(0.05), Measure::Availability);
    never_met(out(0.12), Measure::Availability);
}

#[test]
fn median_latency_at_threshold_is_rarely_met() {
    let slow = |slow| Shares { slow, ..GOOD };
    seldom_met(slow(0.50), Measure::MedianLatency);
    never_met(slow(0.70), Measure::MedianLatency);
}

#[test]
fn judge_within_all_thresholds_is_ready() {
    let ever = planted(GOOD, Measure::GoRate);
    assert!(ever.ready >= 190 && ever.not_ready <= 10, "{ever:?} of {RUNS}");
}
