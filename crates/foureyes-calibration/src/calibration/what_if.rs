//! Other score rules, replayed over the labelled records.
//!
//! A rule flags a record where a score lies below the minimum of its dimension, or the mean of the
//! scores below the minimum average. Each record counts as many as its label stands for among closed
//! days, so a rule that flips nothing has the rates of the calibration. Bounds hold at every look, and for every rule tried: the allowed error is
//! shared among them, since the best of many looks better than it is.

use super::reading::{Reading, is_poor};
use super::{Content, Word};
use crate::domain::{Dimension, Scores};
use crate::stats::paired::Paired;
use crate::stats::sequential::error::{Group, Inclusion, bounds};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// A rule: minimum of each dimension (S, P, X) and of the mean; `None` asks for nothing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Candidate {
    /// Least score of each dimension, in the order of [`Dimension::ALL`].
    pub minimum: [Option<f32>; 3],
    /// Least mean of the scores that were given.
    pub average: Option<f32>,
}

impl Candidate {
    /// Whether it flags; `None` where a score it asks for was not given.
    pub fn flags(&self, scores: &Scores) -> Option<bool> {
        let mut below = false;
        for (dimension, minimum) in Dimension::ALL.into_iter().zip(self.minimum) {
            if let Some(minimum) = minimum {
                below |= scores.usable(dimension)? < minimum;
            }
        }
        let Some(least) = self.average else { return Some(below) };
        let given: Vec<f32> = Dimension::ALL.into_iter().filter_map(|d| scores.usable(d)).collect();
        let mean = given.iter().sum::<f32>() / given.len() as f32;
        (!given.is_empty()).then_some(below || mean < least)
    }
}

/// A labelled record of the sample, of a closed day.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Replay {
    /// Whether the judge flagged it.
    pub flagged: bool,
    /// What its labels say.
    pub word: Word,
    /// Probability with which it was chosen, in (0, 1].
    pub pi: f64,
    /// The smallest probability in force when it was judged, for anything: under another rule errors may
    /// lie anywhere.
    pub smallest: f64,
    /// Whether what passed was looked at when it was judged: else it says nothing on either rate.
    pub covered: bool,
    /// How many contents its label stands for in estimates; 0 where it is of doubt.
    pub weight: f64,
    /// Scores of the judge.
    pub scores: Scores,
}

impl Replay {
    /// A labelled content of the sample, of the run of closed days, with the judge's scores; `None` for any other.
    pub fn new(content: &Content, scores: Scores) -> Option<Self> {
        let Content { flagged, covered, weight, .. } = *content;
        let (word, pi) = content.word.zip(content.pi).filter(|_| content.closed)?;
        let smallest = content.judged.smallest.min(content.judged.stopped);
        Some(Self { flagged, word, pi, smallest, covered, weight, scores })
    }
}

/// An error rate under a rule.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReplayedRate {
    /// The estimate; `null` where it is not estimable: no record to take it over, or nothing
    /// labelled of what the judge let pass.
    pub estimate: Option<f64>,
    /// Lower bound, which holds for all rules tried at once.
    pub lower: f64,
    /// Upper bound, which holds for all rules tried at once.
    pub upper: f64,
}

/// What a rule would have done.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Replayed {
    /// The rule.
    pub candidate: Candidate,
    /// Of acceptable content, the share it flags.
    pub false_positive: ReplayedRate,
    /// Of poor content, the share that passes it.
    pub false_negative: ReplayedRate,
    /// Records it newly flags, and newly lets pass.
    pub flips: [u64; 2],
    /// How likely so uneven flips are by chance, mid-p of McNemar.
    pub flips_p: f64,
    /// Records that lack a score the rule asks for; they keep their verdict.
    pub unscored: u64,
    /// Confidence of each bound: the allowed error over the number of rules tried.
    pub confidence: f64,
}

/// Replays each rule over the same records.
pub fn what_if(records: &[Replay], candidates: &[Candidate], confidence: f64) -> Vec<Replayed> {
    let each = 1.0 - (1.0 - confidence) / candidates.len().max(1) as f64;
    candidates.iter().map(|c| replay(records, *c, each)).collect()
}

fn replay(records: &[Replay], candidate: Candidate, confidence: f64) -> Replayed {
    let usable = |r: &&Replay| r.pi > 0.0 && r.pi <= 1.0;
    let replayed: Vec<(bool, &Replay)> = records
        .iter()
        .filter(usable)
        .map(|r| (candidate.flags(&r.scores).unwrap_or(r.flagged), r))
        .collect();
    let newly = |flagged: bool| {
        replayed.iter().filter(|(now, r)| *now == flagged && r.flagged != flagged).count() as u64
    };
    let (flagged, passed) = (newly(true), newly(false));
    let paired = Paired { first_only: passed, second_only: flagged, items: replayed.len() as u64 };
    let unscored = |r: &&Replay| candidate.flags(&r.scores).is_none();
    Replayed {
        candidate,
        false_positive: rate(&replayed, false, confidence),
        false_negative: rate(&replayed, true, confidence),
        flips: [flagged, passed],
        flips_p: paired.mid(),
        unscored: records.iter().filter(unscored).count() as u64,
        confidence,
    }
}

/// The rate of errors among poor content, or among acceptable content.
///
/// Labels on what was flagged alone say nothing of what passed, whatever the rule.
fn rate(replayed: &[(bool, &Replay)], poor: bool, confidence: f64) -> ReplayedRate {
    let replayed: Vec<_> = replayed.iter().filter(|(_, r)| r.covered).collect();
    if replayed.iter().all(|(_, r)| r.flagged) {
        return ReplayedRate { estimate: None, lower: 0.0, upper: 1.0 };
    }
    let groups = |reading: Reading| {
        let mut groups: BTreeMap<[u64; 2], Group> = BTreeMap::new();
        for (flagged, r) in replayed.iter().filter(|(f, r)| is_poor(*f, r.word, reading) == poor) {
            let s = r.smallest;
            let group = groups.entry([r.pi, s].map(f64::to_bits)).or_insert(Group {
                inclusion: Inclusion { record: r.pi, errors: s, right: s },
                errors: 0,
                correct: 0,
            });
            let wrong = *flagged != poor;
            group.errors += u64::from(wrong);
            group.correct += u64::from(!wrong);
        }
        groups.into_values().collect::<Vec<_>>()
    };
    let decided = replayed.iter().filter(|(_, r)| r.word != Word::Unsure);
    let (mut errors, mut correct) = (0.0, 0.0);
    for (flagged, r) in decided.filter(|(_, r)| (r.word == Word::Poor) == poor) {
        let to = if *flagged == poor { &mut correct } else { &mut errors };
        *to += r.weight;
    }
    let estimate = (errors + correct > 0.0).then(|| errors / (errors + correct));
    let lower = bounds(&groups(Reading::Best), confidence).lower;
    let upper = bounds(&groups(Reading::Worst), confidence).upper;
    ReplayedRate {
        estimate,
        lower: estimate.map_or(lower, |e| e.min(lower)),
        upper: estimate.map_or(upper, |e| e.max(upper)),
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn record(flagged: bool, word: Word, semantic: f32, pi: f64) -> Replay {
        let scores = Scores { semantic: Some(semantic), pragmatic: Some(4.0), syntactic: None };
        Replay { flagged, word, pi, smallest: 0.25, covered: true, weight: 1.0 / pi, scores }
    }

    fn least(semantic: f32) -> Candidate {
        Candidate { minimum: [Some(semantic), None, None], average: None }
    }

    #[test]
    fn a_rule_flags_below_its_minimum_or_its_average() {
        let scores = record(true, Word::Poor, 3.0, 1.0).scores;
        assert_eq!(least(3.0).flags(&scores), Some(false));
        assert_eq!(least(3.5).flags(&scores), Some(true));
        let average = Candidate { average: Some(3.6), ..Candidate::default() };
        assert_eq!(average.flags(&scores), Some(true));
        let syntactic = Candidate { minimum: [None, None, Some(2.0)], average: None };
        assert_eq!(syntactic.flags(&scores), None);
        assert_eq!(average.flags(&Scores::default()), None);
    }

    fn records() -> Vec<Replay> {
        let mut all = vec![record(true, Word::Poor, 2.0, 1.0); 40];
        all.extend(vec![record(true, Word::Acceptable, 3.0, 1.0); 10]);
        all.extend(vec![record(false, Word::Acceptable, 5.0, 0.25); 50]);
        all.extend(vec![record(false, Word::Poor, 4.0, 0.25); 5]);
        all
    }

    #[test]
    fn records_weigh_by_how_they_were_chosen() {
        let got = &what_if(&records(), &[least(3.5)], 0.95)[0];
        // As the judge did: 5 of 45 labelled poor ones pass, which stand for 20 of 60.
        assert_eq!(got.false_negative.estimate, Some(20.0 / 60.0));
        assert_eq!(got.false_positive.estimate, Some(10.0 / 210.0));
        assert_eq!((got.flips, got.flips_p, got.unscored), ([0, 0], 1.0, 0));
        let strict = &what_if(&records(), &[least(4.5)], 0.95)[0];
        assert_eq!(strict.false_negative.estimate, Some(0.0));
        assert_eq!(strict.flips, [5, 0]);
    }

    #[test]
    fn flagged_only_labels_say_nothing_about_rules() {
        let mut records = vec![record(true, Word::Poor, 2.0, 1.0); 60];
        let none = ReplayedRate { estimate: None, lower: 0.0, upper: 1.0 };
        let of = |records: &[Replay]| what_if(records, &[least(3.5)], 0.95).remove(0);
        assert_eq!((of(&records).false_negative, of(&records).false_positive), (none, none));
        // Nor those of a day on which nothing that passed was looked at.
        let seen = of(&[&records[..], &self::records()].concat());
        records.iter_mut().for_each(|r| r.covered = false);
        let unseen = of(&[&records[..], &self::records()].concat());
        assert_eq!(unseen.false_negative, of(&self::records()).false_negative);
        assert!(seen.false_negative.estimate < unseen.false_negative.estimate);
    }

    #[test]
    fn more_rules_share_the_error_and_widen_every_bound() {
        let one = &what_if(&records(), &[least(3.5)], 0.95)[0];
        let many = &what_if(&records(), &[least(3.5), least(4.5), least(2.5)], 0.95)[0];
        assert!((many.confidence - (1.0 - 0.05 / 3.0)).abs() < 1e-12);
        assert!(many.false_negative.upper > one.false_negative.upper);
        assert!(many.false_negative.lower < one.false_negative.lower);
        let e = one.false_negative.estimate.unwrap();
        assert!(one.false_negative.lower < e && e < one.false_negative.upper);
        assert!(what_if(&records(), &[], 0.95).is_empty());
    }
}
