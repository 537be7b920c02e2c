//! How many contents one label stands for in estimates.

use super::Word;
use super::days::Judged;
use std::collections::BTreeMap;

/// What was chosen alike: flagged or not, the stratum, and the bits of the plan's probability. Without
/// the last, or both, parts of it are joined.
type Cell = (bool, Option<u16>, Option<u64>);

/// Contents, and the units of the labels that decide.
type Sums = BTreeMap<Cell, (f64, f64)>;

/// The weight of each content's label, in their order, by the sizes of what was chosen alike (Begg and
/// Greenes); 0 where none decides. Each comes with how many are alike, which is one where there is a label.
/// Weights of all labels add up to the contents, so that rates made of them are those of the whole tally. What of a part has no label is joined as there.
pub(super) fn weights(contents: &[(Judged, u64)]) -> Vec<f64> {
    let sums = |key: &dyn Fn(&Judged) -> Cell| {
        let mut sums = Sums::new();
        for (j, count) in contents.iter().filter(|(j, _)| j.covered) {
            let (population, units) = sums.entry(key(j)).or_default();
            *population += (j.times * count) as f64;
            *units += unit(j).unwrap_or_default();
        }
        sums
    };
    let alike = sums(&cell);
    let unweighted = |sums: &Sums, within: Cell| {
        let (flagged, stratum, _) = within;
        let of = |key: &Cell| key.0 == flagged && (stratum.is_none() || key.1 == stratum);
        sums.iter().any(|(key, (_, units))| of(key) && *units == 0.0)
    };
    let by_stratum = |j: &Judged| {
        let (flagged, stratum, pi) = cell(j);
        let joined = unweighted(&alike, (flagged, stratum, None));
        (flagged, stratum, pi.filter(|_| !joined))
    };
    let parts = sums(&by_stratum);
    let joined = |j: &Judged| match unweighted(&parts, (j.flagged, None, None)) {
        true => (j.flagged, None, None),
        false => by_stratum(j),
    };
    let whole = sums(&joined);
    let weight = |j: &Judged| {
        let (population, units) = whole.get(&joined(j))?;
        Some(population * unit(j)? / units)
    };
    contents.iter().map(|(j, _)| weight(j).unwrap_or_default()).collect()
}

fn cell(j: &Judged) -> Cell {
    let pi = if j.planned { j.rate.to_bits() } else { 0 };
    (j.flagged, Some(j.stratum), Some(pi))
}

/// What a label stands for by how it was chosen; `None` where it is not of the sample, or of doubt.
fn unit(j: &Judged) -> Option<f64> {
    let decides = matches!(j.word, Some(Word::Poor | Word::Acceptable)) && j.covered;
    let drawn = j.pi.filter(|_| decides)?;
    Some(if j.planned { 1.0 / j.rate } else { 1.0 / drawn })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::calibration::label::Unconfirmed;
    use crate::calibration::tally::Tally;
    use crate::domain::RecordId;
    use crate::stats::near;
    use proptest::prelude::*;

    fn judged((flagged, stratum, word, planned, thin): (bool, u16, u8, bool, bool)) -> Judged {
        let words = [None, Some(Word::Poor), Some(Word::Acceptable), Some(Word::Unsure)];
        let word = words[usize::from(word)];
        let rate = if thin { 0.25 } else { 0.5 };
        let pi = if flagged { 1.0 } else { rate };
        Judged {
            id: RecordId([0; 32]),
            flagged,
            undetermined: false,
            agent: 0,
            judge: 0,
            stratum,
            word,
            pi: (flagged || word.is_some()).then_some(pi),
            rate: if flagged {
                1.0
            } else if planned {
                rate
            } else {
                0.0
            },
            draw: 0.0,
            smallest: 0.25,
            stopped: 1.0,
            covered: true,
            planned: flagged || planned,
            double: false,
            unconfirmed: Unconfirmed::No,
            times: 1,
        }
    }

    proptest! {
        #[test]
        fn rates_of_weighted_labels_are_those_of_the_tally(
            all in prop::collection::vec(
                (any::<bool>(), 0_u16..2, 0_u8..4, any::<bool>(), any::<bool>()), 1..60),
        ) {
            let all: Vec<Judged> = all.into_iter().map(judged).collect();
            let mut tally = Tally::default();
            all.iter().for_each(|j| tally.add(j));
            let weights = weights(&all.iter().map(|j| (*j, 1)).collect::<Vec<_>>());
            let sum = |flagged, word| {
                let of = all.iter().zip(&weights).filter(|(j, _)| j.flagged == flagged);
                of.filter(|(j, _)| j.word == Some(word)).map(|(_, w)| w).sum::<f64>()
            };
            let rates = tally.rates();
            let pairs = [
                (rates.false_positive, sum(true, Word::Acceptable), sum(false, Word::Acceptable)),
                (rates.false_negative, sum(false, Word::Poor), sum(true, Word::Poor)),
            ];
            for (rate, wrong, right) in pairs {
                if let Some(rate) = rate {
                    near(wrong / (wrong + right), rate, 1e-9);
                }
            }
        }
    }
}
