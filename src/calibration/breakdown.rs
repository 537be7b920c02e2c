//! The rates of parts: by judge, agent, path, box or week.

use super::gate::Gate;
use super::tally::{self, Reading};
use super::{Measure, Policy, Word};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Labels of a part below this number are too few to read anything off.
const FEW: u64 = 10;

/// One part, with its plain rates.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Its name, raw: escape it before it is shown.
    pub name: String,
    /// Contents that were flagged, and that passed.
    pub contents: [u64; 2],
    /// Each error rate of which the part has a denominator.
    pub rates: Vec<PartRate>,
    /// Whether a denominator is below ten: nothing should be read off such a part.
    pub few: bool,
}

/// One rate of a part.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
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

/// One content for a breakdown.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Item<'a> {
    /// The part it belongs to.
    pub part: &'a str,
    /// Whether it was flagged.
    pub flagged: bool,
    /// What its labels say, where it was chosen by the sample.
    pub word: Option<Word>,
    /// Probability with which contents like it are chosen; 1 for what was flagged, 0 for none.
    pub pi: f64,
}

/// Rates of each part, in the order of their names. They decide nothing.
pub fn breakdown<'a>(items: impl IntoIterator<Item = Item<'a>>, policy: &Policy) -> Vec<Part> {
    let mut parts: BTreeMap<&str, (Gate<'_>, [u64; 2])> = BTreeMap::new();
    for item in items {
        let part = parts.entry(item.part).or_insert_with(|| (Gate::new(policy), [0; 2]));
        part.1[usize::from(!item.flagged)] += 1;
        part.0.tally.add(&judged(&item, part.1[1]));
    }
    let of = |(name, (gate, contents)): (&str, (Gate<'_>, [u64; 2]))| {
        let rates = rates(&gate.tally, policy.confidence);
        let few = rates.is_empty() || rates.iter().any(|r| r.labels < FEW);
        Part { name: name.to_owned(), contents, rates, few }
    };
    parts.into_iter().map(of).collect()
}

fn judged(item: &Item<'_>, place: u64) -> super::days::Judged {
    let chosen = item.flagged || item.word.is_some();
    super::days::Judged {
        id: crate::domain::RecordId([0; 32]),
        flagged: item.flagged,
        stratum: 0,
        word: item.word,
        pi: chosen.then_some(if item.flagged { 1.0 } else { item.pi }),
        rate: item.pi,
        // Any number below the rate will do where all are kept; spread evenly for thinning.
        draw: if item.flagged { 0.0 } else { item.pi * (place as f64 * 0.618_033_988_75).fract() },
        smallest: item.pi,
        covered: item.pi > 0.0,
        planned: true,
    }
}

fn rates(tally: &tally::Tally, confidence: f64) -> Vec<PartRate> {
    let r = tally.rates();
    let pairs = [
        (Measure::FalsePositiveRate, r.false_positive),
        (Measure::FalseDiscoveryRate, r.false_discovery),
        (Measure::FalseNegativeRate, r.false_negative),
        (Measure::FalseOmissionRate, r.false_omission),
    ];
    let of = |(id, estimate): (Measure, Option<f64>)| {
        let estimate = estimate?;
        let (errors, correct) = tally.seen(id, Reading::Worst);
        let b = tally.bounds(id, confidence);
        let (lower, upper) = (b.lower.min(estimate), b.upper.max(estimate));
        Some(PartRate { id, estimate, lower, upper, labels: errors + correct })
    };
    pairs.into_iter().filter_map(of).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_stand_apart_and_small_ones_are_marked() {
        let item = |part, flagged, word| Item { part, flagged, word: Some(word), pi: 1.0 };
        let mut items = vec![item("small", true, Word::Poor)];
        for n in 0..40 {
            items.push(item(
                "large",
                n % 2 == 0,
                if n < 20 { Word::Poor } else { Word::Acceptable },
            ));
        }
        let parts = breakdown(items, &Policy::default());
        assert_eq!(parts.iter().map(|p| p.name.as_str()).collect::<Vec<_>>(), ["large", "small"]);
        assert_eq!((parts[0].contents, parts[0].few), ([20, 20], false));
        assert!(parts[1].few);
        for rate in &parts[0].rates {
            assert_eq!((rate.estimate, rate.labels), (0.5, 20));
            assert!(rate.lower < 0.5 && rate.upper > 0.5);
        }
    }
}
