//! Plants the evaluations and labels of a day.

use super::Truth;
use super::truth::Sizes;
use crate::calibration::audit::InForce;
use crate::calibration::days::{Judged, RETRIED, UNDETERMINED, UNDIVIDED};
use crate::calibration::kept::Limits;
use crate::calibration::label::Unconfirmed;
use crate::calibration::point_estimate::Pooled;
use crate::calibration::tally::Tally;
use crate::calibration::{
    Confirm, Draws, Evaluation, Plan, Policy, Rate, Stratum, Undetermined, WindowRules, Word,
};
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

/// A content with its verdict, before anybody looked at it.
#[derive(Debug, Clone, Copy)]
pub(super) struct Content {
    poor: bool,
    pub(super) outcome: Outcome,
    /// Whether it was stopped shortly before.
    retried: bool,
    /// What was drawn: chosen at any rate above it.
    draw: f64,
}

/// With which probabilities contents are labelled: what a plan has in force.
#[derive(Debug, Clone)]
pub(super) struct Rates {
    force: InForce,
    /// The smallest of what passes, 0 where none of it is drawn, and of what is stopped.
    pub(super) limits: Limits,
}

impl Rates {
    /// Those of GO, of NO-GO and of what was retried.
    fn new([go, no_go, retried]: [f64; 3], policy: &Policy) -> Self {
        let from = Timestamp(i64::MIN);
        let rate = |stratum, pi| Rate { from, stratum, pi, key: [0; 32] };
        let all = [(Stratum::Go, go), (Stratum::NoGo, no_go), (Stratum::Retried, retried)];
        let plan = Plan { rates: all.map(|(stratum, pi)| rate(stratum, pi)).to_vec() };
        let draws = Draws::under(WindowRules::Current, policy);
        let force = plan.in_force(Timestamp(0), 1, draws);
        let passed = if force.draws() { force.smallest() } else { 0.0 };
        let limits = Limits { passed, stopped: force.stopped() };
        Self { force, limits }
    }

    /// That of a part; 0 where nothing of it is drawn.
    fn probability(&self, stratum: Stratum) -> f64 {
        self.force.rate(stratum).map_or(0.0, |rate| rate.pi)
    }
}

/// A truth that holds on some days, and what follows from it.
#[derive(Debug)]
struct Phase {
    truth: Truth,
    burst_rates: (f64, f64),
    /// The mean over days of the share of misses.
    mean: f64,
}

impl Phase {
    fn new(truth: Truth) -> Self {
        Self { burst_rates: truth.burst_rates(), mean: truth.mean_of_days(), truth }
    }
}

/// Plants days of one truth.
#[derive(Debug)]
pub(super) struct Planter {
    pub(super) truth: Truth,
    sizes: Sizes,
    /// Before the judge changes, and from then on.
    phases: [Phase; 2],
    /// First day of each window.
    pub(super) first: i32,
    /// What is labelled of each day that is judged after the window was begun.
    pub(super) live: Rates,
    undetermined: Undetermined,
    /// Which labels count only with others.
    confirm: Confirm,
    /// Share of labels that are double labels.
    doubles: f64,
}

impl Planter {
    pub(super) fn new(truth: &Truth, policy: &Policy) -> Self {
        // Declared looks are dates: begin so that the least window ends at the first of them.
        let least = i32::try_from(policy.days).unwrap_or(i32::MAX);
        Self {
            confirm: policy.confirm_under(WindowRules::Current),
            doubles: policy.double_labels,
            undetermined: policy.undetermined,
            truth: *truth,
            sizes: truth.sizes(),
            phases: [Phase::new(*truth), Phase::new(truth.changed())],
            first: policy.look_days().first().map_or(20_000, |d| d.saturating_sub(least)),
            live: Rates::new([truth.pi, truth.no_go_rate, truth.retried_rate], policy),
        }
    }

    /// What is labelled of a backlog, of GO and NO-GO with one probability, and of the rest whole.
    pub(super) fn backlog(&self, rate: f64, policy: &Policy) -> Rates {
        Rates::new([rate, rate, 1.0], policy)
    }

    /// What the judge said on a day.
    pub(super) fn contents(&self, day: i32, draw: &mut Stream) -> Vec<Content> {
        let [before, after] = &self.phases;
        let number = i64::from(day) - i64::from(self.first) + 1;
        let changed = self.truth.changes_on.is_some_and(|on| number >= i64::from(on));
        let (rates, size) = self.rates(if changed { after } else { before }, draw);
        let mut contents = Vec::new();
        for _ in 0..size {
            let content = self.judged_content(rates, draw);
            contents.push(content);
            let with = |chance: f64, draw: &mut Stream| chance > 0.0 && draw.unit() < chance;
            if content.outcome == Outcome::NoGo && with(self.truth.retried, draw) {
                let (outcome, retried) = (Outcome::Go, true);
                contents.push(Content { outcome, retried, draw: draw.unit(), ..content });
            }
        }
        contents
    }

    /// A day with its labels.
    #[cfg(test)]
    pub(super) fn day(&self, day: i32, pooled: &mut Pooled, draw: &mut Stream) -> Planted {
        let contents = self.contents(day, draw);
        self.labelled(day, &contents, &self.live, pooled, draw)
    }

    /// What the judge said on a day, labelled as a plan has it.
    pub(super) fn labelled(
        &self,
        day: i32,
        contents: &[Content],
        rates: &Rates,
        pooled: &mut Pooled,
        draw: &mut Stream,
    ) -> Planted {
        let mut planted = Planted::default();
        for content in contents {
            planted.evaluations.push(evaluation(day, content));
            let undetermined = content.outcome == Outcome::Undetermined;
            if undetermined && self.undetermined == Undetermined::Apart {
                continue;
            }
            let mut judged = self.judged(content, rates);
            if judged.draw < judged.rate {
                let word = self.settled(content.poor, draw);
                (judged.word, judged.pi) = (Some(word), Some(judged.rate));
                pooled.add(judged.flagged, word);
                planted.labelled.push(judged);
            }
            planted.tally.add(&judged);
        }
        planted
    }

    /// What the judge misses on a day and flags without cause, and the day's size.
    fn rates(&self, phase: &Phase, draw: &mut Stream) -> ([f64; 2], u32) {
        let Truth { false_negative, false_positive, per_day, .. } = phase.truth;
        if self.truth.bursts > 0.0 {
            let is_bad = draw.unit() < self.truth.bursts;
            let (bad, good) = phase.burst_rates;
            return match is_bad {
                true => ([bad, false_positive], self.sizes.bad),
                false => ([good, false_positive], self.sizes.good),
            };
        }
        if self.truth.correlation > 0.0 {
            let misses = self.beta(phase.mean, draw);
            let size = if misses > phase.mean { self.sizes.bad } else { self.sizes.good };
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

    /// A content with its verdict.
    fn judged_content(&self, [misses, wrong_blocks]: [f64; 2], draw: &mut Stream) -> Content {
        let truth = &self.truth;
        let poor = draw.unit() < truth.poor;
        let wrong = draw.unit() < if poor { misses } else { wrong_blocks };
        let silent = if poor { truth.undetermined_of_poor() } else { truth.undetermined };
        let outcome = match poor != wrong {
            _ if silent > 0.0 && draw.unit() < silent => Outcome::Undetermined,
            true => Outcome::NoGo,
            false => Outcome::Go,
        };
        Content { poor, outcome, retried: false, draw: draw.unit() }
    }

    /// A content without a label.
    fn judged(&self, content: &Content, rates: &Rates) -> Judged {
        let undetermined = content.outcome == Outcome::Undetermined;
        let (part, stratum) = match content.outcome {
            Outcome::NoGo => (Stratum::NoGo, UNDIVIDED),
            Outcome::Undetermined => (Stratum::Undetermined, UNDETERMINED),
            Outcome::Go if content.retried => (Stratum::Retried, RETRIED),
            Outcome::Go => (Stratum::Go, UNDIVIDED),
        };
        let Limits { passed, stopped } = rates.limits;
        Judged {
            id: RecordId([0; 32]),
            flagged: content.outcome == Outcome::NoGo
                || undetermined && self.undetermined == Undetermined::Blocks,
            undetermined,
            agent: 0,
            judge: 0,
            stratum,
            word: None,
            pi: None,
            rate: rates.probability(part),
            draw: content.draw,
            smallest: passed,
            stopped,
            covered: passed > 0.0,
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

fn evaluation(day: i32, content: &Content) -> Evaluation {
    Evaluation {
        id: RecordId([0; 32]),
        at: Timestamp::of_day(day),
        outcome: content.outcome,
        cause: None,
        reports_outages: true,
        latency_ms: Some(5_000).into(),
        stratum: 0,
        fingerprint: 0,
        agent: 0,
        repeated: None.into(),
        first: true,
        first_seen: true,
        retried_after: content.retried.then_some(0).into(),
        times: 1,
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
        let rates: Vec<f64> =
            (0..20_000).map(|_| planter.rates(&planter.phases[0], &mut draw).0[0]).collect();
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
