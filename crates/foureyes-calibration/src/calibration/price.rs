//! What an answer from the logs that are there costs, before the first label: labels, minutes, and the
//! chance that a good judge is READY by it.

use super::allowance::reaches;
use super::backlog::backlog_rate;
use super::number_text::{labelling_minutes, labelling_time, roughly, share};
use super::{Allowance, Measure, Policy};
use crate::stats::sample::Stream;
use crate::stats::sequential::error::{Below, Inclusion};
use rayon::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Error rates of the judges of whom the chance is told: FNR, FPR.
const JUDGES: [[f64; 2]; 2] = [[0.004, 0.01], [0.01, 0.04]];

/// Runs of a simulation: a chance of one half is then known to ±1.6 points (95 %).
const RUNS: u32 = 4_000;

/// Errors and poor contents that all runs together draw, at most some: large backlogs get fewer runs,
/// and their chances are near 1.
const MOST_DRAWN: f64 = 1_000_000.0;

/// What was judged on a whole day that nobody has labelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct BacklogDay {
    /// GO and NO-GO together.
    pub judged: u64,
    /// NO-GO among them.
    pub no_go: u64,
}

/// What a plan costs.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PlanPrice {
    /// Probability with which each GO and each NO-GO is drawn: 1 where all are.
    pub rate: f64,
    /// First words: contents that are drawn, on average.
    pub labels: u64,
    /// Minutes for them, at half a minute each.
    pub minutes: u64,
    /// The chance of READY by the last label, for each of two good judges.
    pub chances: Vec<ReadyChance>,
}

/// The chance of READY for one judge, as far as the error rates decide it.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReadyChance {
    /// Its false negative rate, from 0 to 1.
    pub false_negative: f64,
    /// Its false positive rate, from 0 to 1.
    pub false_positive: f64,
    /// Probability of READY, from 0 to 1; simulated.
    pub ready: f64,
}

impl PlanPrice {
    /// What the plan costs, in a sentence.
    pub fn sentence(&self) -> String {
        let draw = if self.rate < 1.0 { "thin" } else { "all" };
        let chance = |c: &ReadyChance| {
            let rates = [c.false_negative, c.false_positive].map(share);
            format!(
                "{:.0} % for a judge with FNR {} and FPR {}",
                c.ready * 100.0,
                rates[0],
                rates[1]
            )
        };
        let chances: Vec<String> = self.chances.iter().map(chance).collect();
        format!(
            "Draw `{draw}`: {}, {}. From these logs alone, the chance of READY is {}.",
            roughly(self.labels, ("label", "labels")),
            labelling_time(self.labels),
            chances.join(", ")
        )
    }
}

/// The prices of labelling all and, where that is less, of a thinned plan.
///
/// The share of poor content is what the NO-GOs of the backlog say under each judge's rates (Rogan and
/// Gladen 1978). It takes a few hundredths of a second; the same input gives the same answer.
pub fn prices(days: &[BacklogDay], policy: &Policy, allowance: &Allowance) -> Vec<PlanPrice> {
    let no_go: u64 = days.iter().map(|day| day.no_go).sum();
    let threshold = policy.threshold(Measure::FalseNegativeRate).value;
    let thin = backlog_rate(no_go, threshold, allowance.bar(policy));
    let rates = [Some(1.0), Some(thin).filter(|rate| *rate < 1.0)];
    rates.into_iter().flatten().map(|rate| price(days, policy, allowance, rate)).collect()
}

fn price(days: &[BacklogDay], policy: &Policy, allowance: &Allowance, rate: f64) -> PlanPrice {
    let judged: u64 = days.iter().map(|day| day.judged).sum();
    let labels = (judged as f64 * rate).round();
    let chance = |[false_negative, false_positive]: [f64; 2]| {
        let poor = implied_poor(days, false_negative, false_positive);
        let judge = Judge { false_negative, false_positive, poor };
        let ready = ready_chance(days, policy, allowance, rate, judge);
        ReadyChance { false_negative, false_positive, ready }
    };
    PlanPrice {
        rate,
        labels: labels as u64,
        minutes: labelling_minutes(labels as u64),
        chances: JUDGES.map(chance).to_vec(),
    }
}

#[derive(Clone, Copy)]
struct Judge {
    false_negative: f64,
    false_positive: f64,
    /// Share of content that is poor.
    poor: f64,
}

/// The share of poor content at which a judge of such rates would flag as often as it did on these days, in
/// [0, 1].
pub(super) fn implied_poor(days: &[BacklogDay], false_negative: f64, false_positive: f64) -> f64 {
    let (no_go, judged) = days.iter().fold((0, 0), |(n, j), day| (n + day.no_go, j + day.judged));
    let flagged = no_go as f64 / judged.max(1) as f64;
    let informedness = 1.0 - false_negative - false_positive;
    ((flagged - false_positive) / informedness).clamp(0.0, 1.0)
}

fn ready_chance(
    days: &[BacklogDay],
    policy: &Policy,
    allowance: &Allowance,
    rate: f64,
    judge: Judge,
) -> f64 {
    let judged: u64 = days.iter().map(|day| day.judged).sum();
    let drawn = judged as f64 * rate * (judge.poor + judge.false_positive);
    let runs = ((MOST_DRAWN / drawn.max(1.0)) as u32).clamp(400, RUNS);
    let bar = allowance.bar(policy);
    let is_ready = |run: &u32| {
        let mut draw = Stream::new(&blake3::derive_key(PURPOSE, &run.to_be_bytes()));
        is_ready(days, policy, bar, rate, judge, &mut draw)
    };
    let ready = (0..runs).into_par_iter().filter(is_ready).count();
    ready as f64 / f64::from(runs)
}

/// Keeps these random numbers apart from every other use.
const PURPOSE: &str = "foureyes 2026-11 price of an answer";

/// Labels the days one after the other, and tells whether both error rates were ever met at a day's
/// end. All are drawn with one probability, so each factor is that of a whole sample.
fn is_ready(
    days: &[BacklogDay],
    policy: &Policy,
    bar: f64,
    rate: f64,
    judge: Judge,
    draw: &mut Stream,
) -> bool {
    let threshold = |measure| policy.threshold(measure).value;
    let (misses, blocks) = (Measure::FalseNegativeRate, Measure::FalsePositiveRate);
    let mut tests = [Below::new(threshold(misses)), Below::new(threshold(blocks))];
    let mut met = [!policy.gates(misses), !policy.gates(blocks)];
    for (number, day) in (1_u64..).zip(days) {
        let (poor, acceptable) = (rate * judge.poor, rate * (1.0 - judge.poor));
        let poor = binomial(day.judged, poor, draw);
        let missed = binomial(poor, judge.false_negative, draw);
        let wrong = binomial(day.judged, acceptable * judge.false_positive, draw);
        let right = day.judged as f64 * acceptable * (1.0 - judge.false_positive);
        let [below_misses, below_blocks] = &mut tests;
        below_misses.take(true, Inclusion::WHOLE, missed as f64);
        below_misses.take(false, Inclusion::WHOLE, (poor - missed) as f64);
        below_blocks.take(true, Inclusion::WHOLE, wrong as f64);
        below_blocks.take(false, Inclusion::WHOLE, right.round());
        for (met, test) in met.iter_mut().zip(&tests) {
            *met |= reaches(test.wealth().ln(), bar);
        }
        if met == [true; 2] && number >= u64::from(policy.days) {
            return true;
        }
    }
    false
}

/// How many of so many things happen that each happen with some probability.
///
/// It jumps from one to the next, so it takes as long as many happen.
fn binomial(of: u64, probability: f64, draw: &mut Stream) -> u64 {
    if probability <= 0.0 {
        return 0;
    }
    if probability >= 1.0 {
        return of;
    }
    let ln_not = (-probability).ln_1p();
    let (mut at, mut count) = (0.0, 0);
    loop {
        at += ((1.0 - draw.unit()).ln() / ln_not).floor() + 1.0;
        if at > of as f64 {
            return count;
        }
        count += 1;
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;

    /// So many days of a judge at 15 % poor content.
    fn backlog(days: usize, per_day: u64, [misses, wrong_blocks]: [f64; 2]) -> Vec<BacklogDay> {
        let flagged = 0.15 * (1.0 - misses) + 0.85 * wrong_blocks;
        // Rounded over all days, so that the share is right.
        let until = |day: usize| (day as f64 * per_day as f64 * flagged).round() as u64;
        let day = |n| BacklogDay { judged: per_day, no_go: until(n + 1) - until(n) };
        (0..days).map(day).collect()
    }

    /// Labels, and the chances in percent, of each plan; each judge has its own blocks.
    fn table(per_day: u64) -> Vec<(u64, [f64; 2])> {
        let of = |i: usize| {
            let days = backlog(40, per_day, JUDGES[i]);
            prices(&days, &Policy::default(), &Allowance::FIRST)
        };
        let row = |(a, b): (&PlanPrice, &PlanPrice)| {
            (a.labels, [a.chances[0].ready * 100.0, b.chances[1].ready * 100.0])
        };
        of(0).iter().zip(&of(1)).map(row).collect()
    }

    #[test]
    fn prices_of_forty_days_are_those_of_the_reference() {
        let expected = [
            (20, vec![(800, [75.0, 52.0])]),
            (40, vec![(1_600, [99.0, 87.0]), (800, [77.0, 51.0])]),
            (100, vec![(4_000, [100.0, 100.0]), (800, [78.0, 51.0])]),
            (250, vec![(10_000, [100.0, 100.0]), (1_000, [89.0, 61.0])]),
        ];
        for (per_day, plans) in expected {
            let found = table(per_day);
            assert_eq!(found.len(), plans.len(), "{per_day}: {found:?}");
            for ((labels, chances), (expected_labels, expected)) in found.iter().zip(&plans) {
                assert_eq!(labels, expected_labels);
                for (chance, expected) in chances.iter().zip(expected) {
                    assert!((chance - expected).abs() <= 3.0, "{per_day}: {found:?}");
                }
            }
        }
    }

    #[test]
    fn too_short_a_backlog_has_no_chance() {
        let all = prices(&backlog(13, 400, JUDGES[0]), &Policy::default(), &Allowance::FIRST);
        assert!(all.iter().flat_map(|p| &p.chances).all(|c| c.ready == 0.0), "{all:?}");
        assert!(prices(&[], &Policy::default(), &Allowance::FIRST)[0].labels == 0);
    }

    #[test]
    fn binomial_counts_have_their_mean_and_spread() {
        let mut draw = Stream::new(&[3; 32]);
        let counts: Vec<f64> = (0..20_000).map(|_| binomial(50, 0.1, &mut draw) as f64).collect();
        let mean = counts.iter().sum::<f64>() / 20_000.0;
        near(mean, 5.0, 0.06);
        let variance = counts.iter().map(|c| (c - mean).powi(2)).sum::<f64>() / 20_000.0;
        near(variance, 4.5, 0.2);
        assert_eq!((binomial(7, 1.0, &mut draw), binomial(7, 0.0, &mut draw)), (7, 0));
    }
}
