//! The rates of parts: by judge, agent, team, repository, path, box or week.

use super::differences::{Comparison, FEW, comparisons};
use super::tally::Tally;
use super::{Content, Measure, Policy};
use crate::stats::binomial;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// One part, with its plain rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Part {
    /// Its name, raw: escape it before it is shown.
    pub name: String,
    /// Contents that were flagged, and that passed.
    pub contents: [u64; 2],
    /// The share of the flagged ones.
    pub flag_rate: FlagRate,
    /// Each error rate of which the part has a denominator.
    pub rates: Vec<PartRate>,
    /// Whether a denominator is below ten: nothing should be read off such a part.
    pub few: bool,
    /// Each rate compared with that of all other parts together, adjusted for all comparisons.
    #[serde(default)]
    pub comparisons: Vec<Comparison>,
}

/// The share of a part's contents that was flagged.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct FlagRate {
    /// The share.
    pub estimate: f64,
    /// Lower end of its exact two-sided 95 % interval.
    pub lower: f64,
    /// Upper end.
    pub upper: f64,
}

impl FlagRate {
    /// Of so many flagged and passed contents, of which there is one at least.
    fn new([flagged, passed]: [u64; 2]) -> Self {
        let share = binomial::share(flagged, flagged + passed);
        share.map_or(Self { estimate: 0.0, lower: 0.0, upper: 1.0 }, |(estimate, ends)| Self {
            estimate,
            lower: ends.lower,
            upper: ends.upper,
        })
    }
}

/// One rate of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PartRate {
    /// Which.
    pub id: Measure,
    /// The estimate.
    pub estimate: f64,
    /// Lower bound, one-sided, for one look at this part alone.
    pub lower: f64,
    /// Upper bound, one-sided, for one look at this part alone.
    pub upper: f64,
    /// Labels it is taken over.
    pub labels: u64,
}

/// Rates of each part, in the order of their names; each content comes with that of its part. They
/// decide nothing.
///
/// A part is estimated as the whole is: by strata, with the probabilities of the sample. A rate that
/// its labels cannot tell is left out, never 0.
pub fn breakdown<'a>(
    items: impl IntoIterator<Item = (&'a str, &'a Content)>,
    policy: &Policy,
) -> Vec<Part> {
    let mut parts: BTreeMap<&str, (Tally, [u64; 2])> = BTreeMap::new();
    for (name, content) in items {
        let (tally, contents) = parts.entry(name).or_default();
        contents[usize::from(!content.flagged)] += 1;
        tally.add(&content.judged);
    }
    let counted: Vec<_> = parts.values().map(|(tally, contents)| (tally, *contents)).collect();
    let compared = comparisons(&counted);
    let of = |((name, (tally, contents)), comparisons): ((&&str, &(Tally, [u64; 2])), _)| {
        let rates = rates(tally, policy.confidence);
        let few = rates.is_empty() || rates.iter().any(|r| r.labels < FEW);
        let (name, contents) = ((*name).to_owned(), *contents);
        Part { name, contents, flag_rate: FlagRate::new(contents), rates, few, comparisons }
    };
    parts.iter().zip(compared).map(of).collect()
}

/// The error rates of parts, with one-sided bounds of a confidence; each content comes with its part. They decide
/// nothing.
pub fn error_rates<'a, K: Ord>(
    items: impl IntoIterator<Item = (K, &'a Content)>,
    confidence: f64,
) -> BTreeMap<K, Vec<PartRate>> {
    let mut parts: BTreeMap<K, Tally> = BTreeMap::new();
    for (part, content) in items {
        parts.entry(part).or_default().add(&content.judged);
    }
    parts.into_iter().map(|(part, tally)| (part, rates(&tally, confidence))).collect()
}

fn rates(tally: &Tally, confidence: f64) -> Vec<PartRate> {
    let r = tally.rates();
    // What passed and was never looked at leaves nothing to tell misses by.
    let (_, passed) = tally.labels();
    let [_, strata] = tally.sizes();
    let looked = passed > 0 || strata.is_empty();
    let pairs = Measure::ALL.into_iter().filter(|id| id.needs_labels()).map(|id| (id, r.of(id)));
    let of = |(id, estimate): (Measure, Option<f64>)| {
        let estimate = estimate.filter(|_| looked || id == Measure::FalseDiscoveryRate)?;
        let (errors, correct) = tally.sure(id);
        let b = tally.sampled(id).bounds(confidence);
        let (lower, upper) = (b.lower.min(estimate), b.upper.max(estimate));
        Some(PartRate { id, estimate, lower, upper, labels: errors + correct })
    };
    pairs.filter_map(of).collect()
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
pub(super) mod tests {
    use super::*;
    use crate::calibration::days::Judged;
    use crate::calibration::evaluation::tests::evaluation;
    use crate::calibration::label::Unconfirmed;
    use crate::calibration::label::tests::label;
    use crate::calibration::readiness::tests::{input, plan};
    use crate::calibration::{Drawn, Input, Labelled, Plan, Word, contents};
    use crate::domain::{Outcome, RecordId};

    fn content(flagged: bool, word: Word) -> Content {
        judged(flagged, Some(word), 1.0, 0.5)
    }

    /// A content of which what passed was drawn with a probability.
    pub(in crate::calibration) fn judged(
        flagged: bool,
        word: Option<Word>,
        pi: f64,
        draw: f64,
    ) -> Content {
        Content::new(Judged {
            id: RecordId([0; 32]),
            flagged,
            undetermined: false,
            agent: 0,
            judge: 0,
            stratum: 0,
            word,
            pi: (flagged || draw < pi).then_some(if flagged { 1.0 } else { pi }),
            rate: if flagged { 1.0 } else { pi },
            draw,
            smallest: pi,
            stopped: 1.0,
            covered: pi > 0.0,
            planned: true,
            double: false,
            unconfirmed: Unconfirmed::No,
            times: 1,
        })
    }

    /// The estimates of one part: wrong blocks, wrong among blocks, misses, misses among passes.
    fn estimates(input: &Input<'_>) -> [Option<f64>; 4] {
        let all = contents(input);
        let parts = breakdown(all.each().map(|c| ("all", c)), &Policy::default());
        let of = |id| parts[0].rates.iter().find(|r| r.id == id).map(|r| r.estimate);
        [
            of(Measure::FalsePositiveRate),
            of(Measure::FalseDiscoveryRate),
            of(Measure::FalseNegativeRate),
            of(Measure::FalseOmissionRate),
        ]
    }

    #[test]
    fn parts_are_separate_and_small_ones_marked() {
        let mut items = vec![("small", content(true, Word::Poor))];
        for n in 0..40 {
            let word = if n < 20 { Word::Poor } else { Word::Acceptable };
            items.push(("large", content(n % 2 == 0, word)));
        }
        let parts = breakdown(items.iter().map(|(part, c)| (*part, c)), &Policy::default());
        assert_eq!(parts.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["large", "small"]);
        assert_eq!((parts[0].contents, parts[0].few), ([20, 20], false));
        assert!(parts[1].few);
        for rate in &parts[0].rates {
            assert_eq!((rate.estimate, rate.labels), (0.5, 20));
            assert!(rate.lower < 0.5 && rate.upper > 0.5);
        }
    }

    #[test]
    fn flagged_only_labels_give_no_miss_rate_per_part() {
        // Forty of a hundred are flagged and labelled; of what passed nobody looked at anything.
        let outcome = |n| if n < 40 { Outcome::NoGo } else { Outcome::Go };
        let rows: Vec<_> = (0..100).map(|n| evaluation(n, 1, outcome(n))).collect();
        let labels: Vec<_> = rows[..40].iter().map(|e| label(e.id, "a", 1, Word::Poor)).collect();
        for plan in [Plan::default(), plan(0.0)] {
            assert_eq!(estimates(&input(&rows, &labels, &plan)), [None, Some(0.0), None, None]);
        }
        // Nor where a sample is drawn that has no label yet.
        let plan = plan(0.5);
        assert_eq!(estimates(&input(&rows, &labels, &plan)), [None, Some(0.0), None, None]);
    }

    #[test]
    fn passed_records_are_weighted_by_selection() {
        let outcome = |n| if n < 40 { Outcome::NoGo } else { Outcome::Go };
        let rows: Vec<_> = (0..200).map(|n| evaluation(n, 1, outcome(n))).collect();
        let mut labels: Vec<_> =
            rows[..40].iter().map(|e| label(e.id, "a", 1, Word::Poor)).collect();
        // A file states that a quarter of what passed was drawn: ten of its forty were poor.
        labels.extend(rows[40..80].iter().enumerate().map(|(n, e)| Labelled {
            stated: Some(Drawn::Audit(0.25)),
            ..label(e.id, "a", 1, if n < 10 { Word::Poor } else { Word::Acceptable })
        }));
        let none = Plan::default();
        let [fpr, _, fnr, omitted] = estimates(&input(&rows, &labels, &none));
        // A quarter of 160 that passed are poor: 40 beside the 40 that were caught.
        assert_eq!((fpr, fnr, omitted), (Some(0.0), Some(0.5), Some(0.25)));
    }
}
