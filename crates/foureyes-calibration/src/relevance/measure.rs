//! What picks and their labels come to.

use super::{Labelled, Pick, Source};
use crate::domain::Timestamp;
use crate::stats::order::{Median, median};
use crate::stats::sequential::error::{Above, Below};
use crate::stats::sequential::sign;
use crate::stats::{CONFIDENCE, Interval, binomial};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// Relevant candidates among those that a chooser kept, and among all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Choice {
    /// Candidates that it kept.
    pub kept: u64,
    /// Of these, those that help.
    pub hits: u64,
    /// All candidates that help, kept or not.
    pub relevant: u64,
}

impl Choice {
    /// Share of what it keeps that helps, with its exact interval; `None` where it kept nothing.
    pub fn precision(&self) -> Option<(f64, Interval)> {
        binomial::share(self.hits, self.kept)
    }

    /// Share of what helps that it keeps, with its exact interval; `None` where nothing helps.
    pub fn recall(&self) -> Option<(f64, Interval)> {
        binomial::share(self.hits, self.relevant)
    }

    fn add(&mut self, keeps: impl Iterator<Item = (bool, bool)>) -> i64 {
        let mut gain = 0;
        for (kept, relevant) in keeps {
            self.kept += u64::from(kept);
            self.hits += u64::from(kept && relevant);
            self.relevant += u64::from(relevant);
            gain += match (kept, relevant) {
                (true, true) => 1,
                (true, false) => -1,
                (false, _) => 0,
            };
        }
        gain
    }
}

/// The judge and search on the same prompts. What a choice is worth is the number of memories in it that
/// help, less those that do not.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Comparison {
    /// Prompts for which the judge's choice is worth more.
    pub better: u64,
    /// Prompts for which it is worth less.
    pub worse: u64,
    /// Prompts for which both are worth the same.
    pub same: u64,
    /// Evidence that it is better more often than worse: at 1/α the error is α, however often one looks.
    pub evidence_better: f64,
    /// Evidence of the opposite.
    pub evidence_worse: f64,
}

/// What picks and labels come to.
#[derive(Debug, Clone, PartialEq)]
pub struct Measured {
    /// Picks.
    pub picks: u64,
    /// Of these, picks by a judge.
    pub judged: u64,
    /// Picks for which the judge kept nothing.
    pub kept_none: u64,
    /// Picks for which a judge was to be asked and did not choose, by the reason. Raw texts.
    pub fallbacks: BTreeMap<String, u64>,
    /// Picks for which no judge was to be asked.
    pub unjudged: u64,
    /// Picks of a file of answers in place of a judge.
    pub scripted: u64,
    /// Judged picks that were drawn and all of whose candidates are labelled: the evidence.
    pub labelled: u64,
    /// Judged picks with a label that are no evidence, since they were not drawn.
    pub not_drawn: u64,
    /// Judged picks with labels of which some are missing, or on which reviewers differ.
    pub incomplete: u64,
    /// Candidates on which reviewers differ.
    pub conflicts: u64,
    /// The judge's choices.
    pub judge: Choice,
    /// What search alone would have chosen for the same prompts.
    pub search: Choice,
    /// Both, by prompts.
    pub comparison: Comparison,
    /// Evidence that of the memories it keeps for a prompt a larger share helps than the target.
    pub evidence_precise: f64,
    /// Evidence of the opposite.
    pub evidence_imprecise: f64,
    /// Time of the judge's calls in milliseconds, where it chose.
    pub latency: Option<Median>,
    /// What all picks cost, as far as that is known.
    pub cost: f64,
    /// Picks by a judge of which the cost is not known.
    pub without_cost: u64,
    /// Most that a UTC day cost.
    pub dearest_day: f64,
}

impl Measured {
    /// Picks for which a judge was to be asked and did not choose.
    pub fn fallen_back(&self) -> u64 {
        self.fallbacks.values().sum()
    }

    /// Share of the picks for which a judge was to be asked, and did not choose.
    pub fn fallback_rate(&self) -> Option<(f64, Interval)> {
        binomial::share(self.fallen_back(), self.judged + self.fallen_back())
    }
}

/// Measures picks with what was said of each, in the order in which they were made. Precision is compared
/// with `target`, in (0, 1).
pub fn measure<'a>(
    picks: impl Iterator<Item = (&'a Pick, Option<Labelled>)>,
    target: f64,
) -> Measured {
    let mut fold = Fold::new(target);
    picks.for_each(|(pick, labelled)| fold.add(pick, labelled));
    fold.finish()
}

struct Fold {
    measured: Measured,
    latencies: Vec<u64>,
    days: BTreeMap<i32, f64>,
    precise: Below,
    imprecise: Above,
}

impl Fold {
    fn new(target: f64) -> Self {
        let comparison =
            Comparison { better: 0, worse: 0, same: 0, evidence_better: 1.0, evidence_worse: 1.0 };
        let measured = Measured {
            picks: 0,
            judged: 0,
            kept_none: 0,
            fallbacks: BTreeMap::new(),
            unjudged: 0,
            scripted: 0,
            labelled: 0,
            not_drawn: 0,
            incomplete: 0,
            conflicts: 0,
            judge: Choice::default(),
            search: Choice::default(),
            comparison,
            evidence_precise: 1.0,
            evidence_imprecise: 1.0,
            latency: None,
            cost: 0.0,
            without_cost: 0,
            dearest_day: 0.0,
        };
        Self {
            measured,
            latencies: Vec::new(),
            days: BTreeMap::new(),
            precise: Below::new(1.0 - target),
            imprecise: Above::new(1.0 - target),
        }
    }

    fn add(&mut self, pick: &Pick, labelled: Option<Labelled>) {
        let measured = &mut self.measured;
        measured.picks += 1;
        measured.cost += pick.cost.unwrap_or(0.0);
        let day = pick.at.map_or(i32::MIN, Timestamp::day);
        *self.days.entry(day).or_default() += pick.cost.unwrap_or(0.0);
        match pick.source {
            Source::Search => measured.unjudged += 1,
            Source::Script => measured.scripted += 1,
            Source::Fallback => {
                let why = pick.fallback.clone().unwrap_or_else(|| "unknown".to_owned());
                *measured.fallbacks.entry(why).or_default() += 1;
            }
            Source::Judge => {
                measured.judged += 1;
                measured.kept_none += u64::from(!pick.candidates.iter().any(|one| one.kept));
                measured.without_cost += u64::from(pick.cost.is_none());
                self.latencies.extend(pick.latency_ms);
                if let Some(labelled) = labelled {
                    self.label(pick, &labelled);
                }
            }
        }
    }

    fn label(&mut self, pick: &Pick, labelled: &Labelled) {
        let measured = &mut self.measured;
        measured.conflicts += labelled.conflicts as u64;
        let relevant: Option<Vec<bool>> = labelled.relevant.iter().copied().collect();
        let relevant = match (relevant, labelled.is_drawn) {
            (Some(relevant), true) => relevant,
            (None, _) => return measured.incomplete += 1,
            (Some(_), false) => return measured.not_drawn += 1,
        };
        measured.labelled += 1;
        let both = || pick.candidates.iter().zip(&relevant);
        let before = measured.judge;
        let judge = measured.judge.add(both().map(|(one, relevant)| (one.kept, *relevant)));
        let first = |rank: usize| (1..=pick.most()).contains(&rank);
        let search = measured.search.add(both().map(|(one, r)| (first(one.rank), *r)));
        match judge.cmp(&search) {
            std::cmp::Ordering::Greater => measured.comparison.better += 1,
            std::cmp::Ordering::Less => measured.comparison.worse += 1,
            std::cmp::Ordering::Equal => measured.comparison.same += 1,
        }
        let kept = measured.judge.kept - before.kept;
        if kept > 0 {
            let wrong = 1.0 - (measured.judge.hits - before.hits) as f64 / kept as f64;
            self.precise.clusters(wrong, 1.0);
            self.imprecise.clusters(wrong, 1.0);
        }
    }

    fn finish(mut self) -> Measured {
        let measured = &mut self.measured;
        let Comparison { better, worse, .. } = measured.comparison;
        measured.comparison.evidence_better = sign::evidence(better, worse);
        measured.comparison.evidence_worse = sign::evidence(worse, better);
        measured.evidence_precise = self.precise.wealth().value();
        measured.evidence_imprecise = self.imprecise.wealth().value();
        measured.latency = median(&mut self.latencies, CONFIDENCE);
        measured.dearest_day = self.days.values().copied().fold(0.0, f64::max);
        self.measured
    }
}
