//! Plants the evaluations and labels of a day.

use super::Truth;
use super::truth::Sizes;
use crate::calibration::days::Judged;
use crate::calibration::label::Unconfirmed;
use crate::calibration::point_estimate::Pooled;
use crate::calibration::tally::Tally;
use crate::calibration::{Confirm, Evaluation, Policy, WindowRules, Word};
use crate::domain::{Outcome, RecordId, Timestamp};
use crate::stats::sample::Stream;
use std::f64::consts::TAU;

/// A day.
#[derive(Debug, Default)]
pub(super) struct Planted {
    pub(super) evaluations: Vec<Evaluation>,
    pub(super) tally: Tally,
    /// Contents with a label.
    pub(super) labelled: Vec<Judged>,
}

/// Plants days of one truth.
#[derive(Debug)]
pub(super) struct Planter {
    pub(super) truth: Truth,
    sizes: Sizes,
    burst_rates: (f64, f64),
    /// The mean over days of the share of misses.
    mean: f64,
    /// Which labels count only with others.
    confirm: Confirm,
    /// Share of labels that are double labels.
    doubles: f64,
}

impl Planter {
    pub(super) fn new(truth: &Truth, policy: &Policy) -> Self {
        Self {
            confirm: policy.confirm_under(WindowRules::Current),
            doubles: policy.double_labels,
            truth: *truth,
            sizes: truth.sizes(),
            burst_rates: truth.burst_rates(),
            mean: truth.mean_of_days(),
        }
    }

    /// A day with its labels.
    pub(super) fn day(&self, day: i32, pooled: &mut Pooled, draw: &mut Stream) -> Planted {
        let (rates, size) = self.rates(draw);
        let mut planted = Planted::default();
        for _ in 0..size {
            self.one(day, rates, &mut planted, pooled, draw);
        }
        planted
    }

    /// What the judge misses on a day and flags without cause, and the day's size.
    fn rates(&self, draw: &mut Stream) -> ([f64; 2], u32) {
        let Truth { false_negative, false_positive, per_day, .. } = self.truth;
        if self.truth.bursts > 0.0 {
            let is_bad = draw.unit() < self.truth.bursts;
            let (bad, good) = self.burst_rates;
            return match is_bad {
                true => ([bad, false_positive], self.sizes.bad),
                false => ([good, false_positive], self.sizes.good),
            };
        }
        if self.truth.correlation > 0.0 {
            let misses = self.beta(self.mean, draw);
            let size = if misses > self.mean { self.sizes.bad } else { self.sizes.good };
            return ([misses, self.beta(false_positive, draw)], size);
        }
        ([false_negative, false_positive], per_day)
    }

    /// A rate of a day, around a mean.
    fn beta(&self, mean: f64, draw: &mut Stream) -> f64 {
        if mean <= 0.0 || mean >= 1.0 {
            return mean;
        }
        let (a, b) = self.truth.beta(mean);
        let (x, y) = (gamma(a, draw), gamma(b, draw));
        if x + y > 0.0 { x / (x + y) } else { mean }
    }

    /// Plants one evaluation and its label.
    fn one(
        &self,
        day: i32,
        [misses, wrong_blocks]: [f64; 2],
        planted: &mut Planted,
        pooled: &mut Pooled,
        draw: &mut Stream,
    ) {
        let truth = &self.truth;
        let poor = draw.unit() < truth.poor;
        let wrong = draw.unit() < if poor { misses } else { wrong_blocks };
        let flagged = poor != wrong;
        let undetermined = truth.undetermined > 0.0 && draw.unit() < truth.undetermined;
        let outcome = match flagged {
            _ if undetermined => Outcome::Undetermined,
            true => Outcome::NoGo,
            false => Outcome::Go,
        };
        planted.evaluations.push(Evaluation {
            id: RecordId([0; 32]),
            at: Timestamp::of_day(day),
            outcome,
            cause: None,
            reports_outages: true,
            latency_ms: Some(5_000).into(),
            stratum: 0,
            fingerprint: 0,
            agent: 0,
            repeated: None.into(),
            first: true,
            first_seen: true,
            retried_after: None.into(),
            times: 1,
        });
        if undetermined {
            return;
        }
        let chance = draw.unit();
        let chosen = flagged || chance < truth.pi;
        let word = chosen.then(|| self.settled(poor, draw));
        word.into_iter().for_each(|word| pooled.add(flagged, word));
        let judged = self.judged(flagged, chance, word);
        planted.tally.add(&judged);
        if chosen {
            planted.labelled.push(judged);
        }
    }

    /// A content whose draw came out so, with its word where it was chosen.
    fn judged(&self, flagged: bool, chance: f64, word: Option<Word>) -> Judged {
        let pi = if flagged { 1.0 } else { self.truth.pi };
        Judged {
            id: RecordId([0; 32]),
            flagged,
            undetermined: false,
            agent: 0,
            judge: 0,
            stratum: 0,
            word,
            pi: word.map(|_| pi),
            rate: pi,
            draw: chance,
            smallest: self.truth.pi,
            stopped: 1.0,
            covered: self.truth.pi > 0.0,
            planned: true,
            double: false,
            unconfirmed: Unconfirmed::No,
            times: 1,
        }
    }

    /// What counts in the end of the words of reviewers.
    fn settled(&self, poor: bool, draw: &mut Stream) -> Word {
        let first = self.word(poor, draw);
        if self.confirm != Confirm::TwoOfThree || !self.truth.has_slips() || first == Word::Unsure {
            return first;
        }
        if first == Word::Acceptable && draw.unit() >= self.doubles {
            return first;
        }
        let second = self.word(poor, draw);
        match (first, second) {
            _ if first == second => first,
            // Doubt beside acceptable is doubt: nobody called it poor.
            (Word::Acceptable, Word::Unsure) => Word::Unsure,
            _ => {
                let third = self.word(poor, draw);
                if third == first || third == second { third } else { Word::Unsure }
            }
        }
    }

    /// What a reviewer says.
    fn word(&self, poor: bool, draw: &mut Stream) -> Word {
        let truth = &self.truth;
        let mut with = |chance: f64| chance > 0.0 && draw.unit() < chance;
        if with(truth.unsure) {
            return Word::Unsure;
        }
        let slip = if poor { truth.poor_as_acceptable } else { truth.acceptable_as_poor };
        if poor != with(slip) { Word::Poor } else { Word::Acceptable }
    }
}

/// A number by the gamma distribution of a shape above 0 and scale 1 (Marsaglia and Tsang, ACM
/// Transactions on Mathematical Software 26, 2000).
fn gamma(shape: f64, draw: &mut Stream) -> f64 {
    if shape < 1.0 {
        // The logarithm keeps a very small one from being nothing too early.
        return gamma(shape + 1.0, draw) * (1.0 - draw.unit()).powf(1.0 / shape);
    }
    let d = shape - 1.0 / 3.0;
    let c = 1.0 / (9.0 * d).sqrt();
    loop {
        let radius = (-2.0 * (1.0 - draw.unit()).ln()).sqrt();
        let normal = radius * (TAU * draw.unit()).cos();
        let v = (1.0 + c * normal).powi(3);
        let u = 1.0 - draw.unit();
        if v > 0.0 && u.ln() < 0.5 * normal * normal + d - d * v + d * v.ln() {
            return d * v;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::simulation::numbers;

    #[test]
    fn rates_of_days_have_the_mean_and_the_spread_that_were_planted() {
        let truth = Truth { false_negative: 0.05, correlation: 0.2, ..Truth::default() };
        let planter = Planter::new(&truth, &Policy::default());
        let mut draw = numbers(5, 0);
        let rates: Vec<f64> = (0..20_000).map(|_| planter.rates(&mut draw).0[0]).collect();
        let mean = rates.iter().sum::<f64>() / 20_000.0;
        let variance = rates.iter().map(|r| (r - mean).powi(2)).sum::<f64>() / 20_000.0;
        // Mean .05, variance .05·.95·.2; four standard errors of the mean.
        assert!((mean - 0.05).abs() < 4.0 * 0.0975 / 141.4, "{mean}");
        assert!((0.008..0.011).contains(&variance), "{variance}");
    }

    #[test]
    fn large_bad_days_keep_planted_overall_rate() {
        let truth = Truth { correlation: 0.2, size_by_rate: 0.5, ..Truth::default() };
        for truth in [truth, Truth { correlation: 0.0, bursts: 0.05, ..truth }] {
            let truth = Truth { false_negative: 0.05, poor: 1.0, ..truth };
            let (planter, mut draw) = (Planter::new(&truth, &Policy::default()), numbers(6, 0));
            let (mut missed, mut all) = (0, 0);
            for _ in 0..5_000 {
                let day = planter.day(1, &mut Pooled::default(), &mut draw);
                missed += day.labelled.iter().filter(|j| !j.flagged).count();
                all += day.labelled.len();
            }
            let rate = missed as f64 / all as f64;
            assert!((rate - 0.05).abs() < 0.008, "{rate} of {truth:?}");
        }
    }

    #[test]
    fn reviewers_err_and_doubt_as_often_as_planted() {
        let truth = Truth {
            poor: 0.5,
            poor_as_acceptable: 0.1,
            acceptable_as_poor: 0.2,
            unsure: 0.3,
            ..Truth::default()
        };
        let (planter, mut draw) = (Planter::new(&truth, &Policy::default()), numbers(7, 0));
        let mut share = |poor: bool, word: Word| {
            let given = (0..10_000).filter(|_| planter.word(poor, &mut draw) == word);
            given.count() as f64 / 10_000.0
        };
        // Four standard errors at most.
        let close = |share: f64, expected: f64| assert!((share - expected).abs() < 0.02, "{share}");
        close(share(true, Word::Acceptable), 0.07);
        close(share(false, Word::Poor), 0.14);
        close(share(true, Word::Unsure), 0.3);
    }
}
