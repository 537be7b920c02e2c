//! What errors of the reviewers would do to the rates, and what they seem to be.
//!
//! Nothing of it decides: the gate takes a label for the truth.

use super::{KpiRow, Labelled, Measure, SecondWords, StratumRow, Word};
use crate::domain::{Outcome, RecordId};
use crate::stats::agreement::{Ratings, dawid_skene};
use crate::stats::tipping::{Tipping, tipping};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Errors of reviewers: how large they would have to be, and how large they seem. For display only,
/// but for what is said of double labels and confirmations in [`SecondWords`].
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewerError {
    /// Of each error rate that decides and has an estimate, the error that would turn it.
    pub tipping: Vec<TippingPoint>,
    /// The errors of each reviewer by the estimate of Dawid and Skene: of what was flagged, and of
    /// what passed. Empty where no two reviewers labelled the same record.
    pub estimates: Vec<ReviewersRow>,
    /// Second words: double labels, comparisons, confirmations.
    #[serde(default)]
    pub second_words: SecondWords,
}

/// The reviewer's error that would put the estimate of a rate at its threshold, all other labels
/// right. Chance is not in it: the estimate is taken as it is.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TippingPoint {
    /// Which rate.
    pub kpi: Measure,
    /// Its estimate.
    pub estimate: f64,
    /// Its threshold.
    pub threshold: f64,
    /// Labels of which verdict would be wrong: `go` or `no_go`.
    #[schemars(with = "String")]
    pub outcome: Outcome,
    /// What the content of those labels truly would be, `acceptable` or `poor`; they call it the
    /// other.
    #[schemars(with = "String")]
    pub truly: Word,
    /// The share of such content that would be called the other, from 0 to 1; `null` with a `reason`.
    pub error: Option<f64>,
    /// The fewest labels that would have to be wrong; `null` where all of them would not do.
    pub labels: Option<u64>,
    /// Why there is no share.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<TippingReason>,
}

/// Why no share of wrong labels turns a rate.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TippingReason {
    /// No label shows such an error, so no share of them can be hidden.
    NoneSeen,
    /// Were all content of that verdict an error, the rate would still be below.
    OutOfReach,
    /// No label of the other kind is there to weigh them by.
    NothingElse,
}

/// The reviewers of one stratum, by the estimate of Dawid and Skene.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewersRow {
    /// Labels on content with this verdict: `go` or `no_go`.
    #[schemars(with = "String")]
    pub outcome: Outcome,
    /// Records with a label that is not unsure.
    pub records: u64,
    /// Those of them that two or more reviewers labelled.
    pub shared: u64,
    /// Estimated share of poor content among the labelled records.
    pub poor: f64,
    /// Whether three reviewers labelled the same record: two do not determine the estimate.
    pub determined: bool,
    /// Whether the computation came to rest.
    pub converged: bool,
    /// Each reviewer, in the order of their names.
    pub reviewers: Vec<ReviewerRow>,
}

/// The estimated errors of one reviewer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct ReviewerRow {
    /// Whose. Raw text.
    pub name: String,
    /// Records that they labelled.
    pub labels: u64,
    /// Share of poor content that they call acceptable; `null` where none of it seems to be poor.
    pub overlooked: Option<f64>,
    /// Share of acceptable content that they call poor; `null` where none of it seems acceptable.
    pub imagined: Option<f64>,
}

/// The errors that would turn rates, and those that the reviewers seem to make; `said` are the
/// labelled contents, each with its first verdict.
pub(super) fn reviewer_error<'a>(
    rows: impl Iterator<Item = &'a KpiRow>,
    labels: &[Labelled],
    verdicts: &[(RecordId, Outcome)],
    second_words: SecondWords,
) -> ReviewerError {
    ReviewerError {
        tipping: rows.filter(|row| row.gated).filter_map(point).collect(),
        estimates: [Outcome::NoGo, Outcome::Go]
            .into_iter()
            .filter_map(|outcome| estimate(labels, verdicts, outcome))
            .collect(),
        second_words,
    }
}

/// What labels of a rate's strata show.
struct Seen {
    /// Contents of the stratum that errors are in.
    contents: f64,
    /// Share of them that labels show to be errors.
    share: f64,
    /// The share that would put the rate at its threshold.
    at: f64,
    /// The most contents that one label stands for.
    weight: f64,
}

fn point(row: &KpiRow) -> Option<TippingPoint> {
    let estimate = row.estimate.filter(|_| row.id.needs_labels())?;
    let (outcome, truth) = match row.id {
        Measure::FalseNegativeRate | Measure::FalseOmissionRate => (Outcome::Go, Word::Poor),
        _ => (Outcome::NoGo, Word::Acceptable),
    };
    let seen = seen(row, outcome, truth)?;
    let other = if truth == Word::Poor { Word::Acceptable } else { Word::Poor };
    let (truly, error, reason) = match tipping(seen.share, seen.at) {
        _ if seen.at <= 0.0 => (other, None, Some(TippingReason::NothingElse)),
        Tipping::Hidden(error) => (truth, Some(error), None),
        Tipping::Invented(error) => (other, Some(error), None),
        Tipping::NoneSeen => (truth, None, Some(TippingReason::NoneSeen)),
        Tipping::OutOfReach => (truth, None, Some(TippingReason::OutOfReach)),
    };
    let reachable = !matches!(reason, Some(TippingReason::OutOfReach | TippingReason::NothingElse));
    let threshold = row.threshold;
    let labels = reachable.then(|| seen.labels());
    Some(TippingPoint { kpi: row.id, estimate, threshold, outcome, truly, error, labels, reason })
}

impl Seen {
    /// The fewest labels that put the rate at the threshold from below, or below it.
    fn labels(&self) -> u64 {
        let exact = (self.at - self.share) * self.contents / self.weight;
        // A rate at its threshold is not below it: there one label less is needed.
        let count = if exact > 0.0 { (exact - 1e-9).ceil() } else { (1e-9 - exact).floor() + 1.0 };
        count.max(0.0) as u64
    }
}

fn seen(row: &KpiRow, outcome: Outcome, truth: Word) -> Option<Seen> {
    let sure = |s: &StratumRow| s.labelled.saturating_sub(s.unsure);
    let of = |s: &StratumRow, word: Word| {
        let count = if word == Word::Poor { s.poor } else { s.acceptable() };
        let weight = s.population as f64 / sure(s) as f64;
        (count as f64 * weight, weight)
    };
    let here = |s: &&StratumRow| (s.name == "no_go") == (outcome == Outcome::NoGo);
    let known = |s: &&StratumRow| sure(s) > 0;
    let (errors, rest): (Vec<&StratumRow>, Vec<&StratumRow>) =
        row.strata.iter().filter(known).partition(here);
    let contents: f64 = errors.iter().map(|s| s.population as f64).sum();
    if contents <= 0.0 {
        return None;
    }
    let share = errors.iter().map(|s| of(s, truth).0).sum::<f64>() / contents;
    let at = match row.id {
        Measure::FalseNegativeRate | Measure::FalsePositiveRate => {
            let right: f64 = rest.iter().map(|s| of(s, truth).0).sum();
            row.threshold / (1.0 - row.threshold) * right / contents
        }
        _ => row.threshold,
    };
    let weight = errors.iter().map(|s| of(s, truth).1).fold(0.0, f64::max);
    Some(Seen { contents, share, at, weight })
}

/// The estimate of a stratum; `None` where no two reviewers labelled the same record.
///
/// What one reviewer alone labelled is in it too: which records come to a second one may depend on the
/// first word, and does not bend the estimate as long as that word is in it.
fn estimate(
    labels: &[Labelled],
    verdicts: &[(RecordId, Outcome)],
    outcome: Outcome,
) -> Option<ReviewersRow> {
    let here: BTreeMap<RecordId, ()> =
        verdicts.iter().filter(|(_, o)| *o == outcome).map(|(id, _)| (*id, ())).collect();
    let own = |l: &&Labelled| {
        !l.repeat && !l.adjudicates && l.word != Word::Unsure && here.contains_key(&l.record)
    };
    let labels: Vec<&Labelled> = labels.iter().filter(own).collect();
    let mut names: Vec<&str> = labels.iter().map(|l| l.reviewer.as_ref()).collect();
    names.sort_unstable();
    names.dedup();
    let mut records: BTreeMap<RecordId, BTreeMap<usize, usize>> = BTreeMap::new();
    for label in &labels {
        let rater = names.binary_search(&label.reviewer.as_ref()).ok()?;
        records
            .entry(label.record)
            .or_default()
            .insert(rater, usize::from(label.word == Word::Poor));
    }
    let most = records.values().map(BTreeMap::len).max()?;
    if most < 2 {
        return None;
    }
    let mut items: BTreeMap<Ratings, u64> = BTreeMap::new();
    for ratings in records.values() {
        *items.entry(ratings.iter().map(|(r, w)| (*r, *w)).collect()).or_default() += 1;
    }
    let items: Vec<(Ratings, u64)> = items.into_iter().collect();
    let latent = dawid_skene(&items, names.len(), 2)?;
    let rate = |rater: usize, truth: usize| {
        let row = latent.errors.get(rater)?.get(truth)?;
        row.get(1 - truth).copied().filter(|_| row.iter().sum::<f64>() > 0.0)
    };
    let reviewer = |(rater, name): (usize, &&str)| ReviewerRow {
        name: (*name).to_owned(),
        labels: records.values().filter(|ratings| ratings.contains_key(&rater)).count() as u64,
        overlooked: rate(rater, 1),
        imagined: rate(rater, 0),
    };
    Some(ReviewersRow {
        outcome,
        records: records.len() as u64,
        shared: records.values().filter(|ratings| ratings.len() > 1).count() as u64,
        poor: latent.shares.get(1).copied().unwrap_or_default(),
        determined: most > 2,
        converged: latent.converged,
        reviewers: names.iter().enumerate().map(reviewer).collect(),
    })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::label::tests::label;
    use crate::calibration::readiness::tests::{agreed, input, plan, planted};
    use crate::calibration::{Policy, Readiness, readiness};
    use crate::stats::near;

    /// Twenty days of 4 NO-GO and 16 GO, all audited; so many NO-GO are acceptable, so many GO poor.
    fn answer(acceptable: usize, poor: usize, policy: &Policy) -> Readiness {
        let (plan, rows) = (plan(1.0), planted(20, 4));
        let mut labels = agreed(&rows);
        let flagged: Vec<RecordId> =
            rows.iter().filter(|e| e.outcome == Outcome::NoGo).map(|e| e.id).collect();
        let turn = |labels: &mut Vec<Labelled>, on: bool, word, count| {
            let of = labels.iter_mut().filter(|l| flagged.contains(&l.record) == on);
            of.take(count).for_each(|l| l.word = word);
        };
        turn(&mut labels, true, Word::Acceptable, acceptable);
        turn(&mut labels, false, Word::Poor, poor);
        readiness(&super::super::Input { policy, ..input(&rows, &labels, &plan) })
    }

    fn of(r: &Readiness, kpi: Measure) -> &TippingPoint {
        r.reviewer_error.tipping.iter().find(|t| t.kpi == kpi).unwrap()
    }

    #[test]
    fn tipping_error_matches_hand_calculation() {
        let policy =
            Policy { false_positive: super::super::FalsePositive::Both, ..Policy::default() };
        // 80 NO-GO, 4 acceptable; 320 GO, 2 poor: FNR 2/78, threshold 5 %: 4 misses are at it.
        let r = answer(4, 2, &policy);
        let misses = of(&r, Measure::FalseNegativeRate);
        near(misses.estimate, 2.0 / 78.0, 1e-12);
        assert_eq!((misses.outcome, misses.truly), (Outcome::Go, Word::Poor));
        // 76 caught: 76 / 19 = 4 misses in truth, of which 2 are seen.
        near(misses.error.unwrap(), 0.5, 1e-12);
        assert_eq!(misses.labels, Some(2));
        // FDR 5 %, threshold 10 %: 8 of 80.
        let blocked = of(&r, Measure::FalseDiscoveryRate);
        near(blocked.error.unwrap(), 0.5, 1e-12);
        assert_eq!((blocked.truly, blocked.labels), (Word::Acceptable, Some(4)));
        // FPR 4 / 322: 318 passed rightly, so 318 / 9 of 80 would be at it.
        let alarms = of(&r, Measure::FalsePositiveRate);
        near(alarms.error.unwrap(), 1.0 - 4.0 / (318.0 / 9.0), 1e-12);
        assert_eq!(alarms.labels, Some(32));
        // 12 misses beside 76 caught: 8 of them would have to be none, and one more to be below.
        let r = answer(4, 12, &policy);
        let misses = of(&r, Measure::FalseNegativeRate);
        assert_eq!((misses.truly, misses.labels), (Word::Acceptable, Some(9)));
        near(misses.error.unwrap(), 8.0 / 316.0, 1e-12);
    }

    #[test]
    fn absent_tipping_share_has_a_reason() {
        let r = answer(0, 0, &Policy::default());
        let misses = of(&r, Measure::FalseNegativeRate);
        assert_eq!((misses.error, misses.reason), (None, Some(TippingReason::NoneSeen)));
        assert_eq!(misses.labels, Some(5), "5 misses beside 80 caught are 5.9 %");
        // 320 acceptable GO: were all 80 NO-GO acceptable, FPR would be 20 %, and this asks for 50.
        let policy = Policy { false_positive_below: 0.5, ..Policy::default() };
        let alarms = answer(2, 0, &policy);
        let alarms = of(&alarms, Measure::FalsePositiveRate);
        let none = (alarms.error, alarms.labels, alarms.reason);
        assert_eq!(none, (None, None, Some(TippingReason::OutOfReach)));
        // Nothing flagged is poor: no number of caught ones to weigh misses by.
        let r = answer(80, 3, &Policy::default());
        let misses = of(&r, Measure::FalseNegativeRate);
        assert_eq!((misses.labels, misses.reason), (None, Some(TippingReason::NothingElse)));
    }

    #[test]
    fn strata_are_estimated_separately_and_two_reviewers_are_not_enough() {
        let id = |n: u8| RecordId([n; 32]);
        let verdicts: Vec<(RecordId, Outcome)> =
            (0..40).map(|n| (id(n), if n < 20 { Outcome::NoGo } else { Outcome::Go })).collect();
        let word = |n: u8| if n.is_multiple_of(4) { Word::Acceptable } else { Word::Poor };
        let mut labels: Vec<Labelled> = (0..40).map(|n| label(id(n), "anna", 1, word(n))).collect();
        assert_eq!(
            estimate(&labels, &verdicts, Outcome::NoGo),
            None,
            "one reviewer agrees with nobody"
        );
        labels.extend((0..20).map(|n| label(id(n), "bert", 2, word(n))));
        let got = estimate(&labels, &verdicts, Outcome::NoGo).unwrap();
        assert_eq!((got.records, got.shared, got.determined), (20, 20, false));
        near(got.poor, 0.75, 1e-6);
        assert_eq!(estimate(&labels, &verdicts, Outcome::Go), None);
        // A third who calls every second poor one acceptable.
        let third = |n: u8| if n % 2 == 1 { Word::Poor } else { Word::Acceptable };
        labels.extend((0..20).map(|n| label(id(n), "cleo", 3, third(n))));
        let got = estimate(&labels, &verdicts, Outcome::NoGo).unwrap();
        assert!(got.determined && got.converged);
        let names: Vec<&str> = got.reviewers.iter().map(|r| r.name.as_str()).collect();
        assert_eq!(names, ["anna", "bert", "cleo"]);
        near(got.reviewers[2].overlooked.unwrap(), 1.0 / 3.0, 1e-6);
        near(got.reviewers[2].imagined.unwrap(), 0.0, 1e-6);
        assert_eq!(got.reviewers[0].labels, 20);
        // A repeat and what settles a difference are no words of their own, doubt is no word.
        let mut more = labels.clone();
        more.push(Labelled { repeat: true, ..label(id(1), "anna", 9, Word::Acceptable) });
        more.push(Labelled { adjudicates: true, ..label(id(1), "dora", 9, Word::Acceptable) });
        more.push(label(id(1), "emil", 9, Word::Unsure));
        assert_eq!(estimate(&more, &verdicts, Outcome::NoGo).unwrap(), got);
    }
}
