//! Which parts differ from all others together.
//!
//! Each rate of each part is compared with that of the rest by Fisher's exact test. Labels that a larger
//! rate of the sample drew are left out, so that both sides were drawn alike. The p-values of all parts and
//! rates are adjusted together after Holm: where no part differs, the chance that any is named is at most
//! [`ALPHA`].

use super::Measure;
use super::kept::Limits;
use super::tally::Tally;
use crate::stats::{CONFIDENCE, multiple, two_shares};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The chance that a part is named where none differs, at most.
pub const ALPHA: f64 = 1.0 - CONFIDENCE;

/// What of a part is compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Compared {
    /// NO-GO among the contents with a verdict.
    FlagRate,
    /// Of acceptable content, how much is flagged.
    FalsePositiveRate,
    /// Of flagged content, how much is acceptable.
    FalseDiscoveryRate,
    /// Of poor content, how much passes.
    FalseNegativeRate,
    /// Of passed content, how much is poor.
    FalseOmissionRate,
    /// Of the semantic scores, how many mark content down.
    SemanticMarkedDown,
    /// Of the pragmatic scores, how many do.
    PragmaticMarkedDown,
    /// Of the syntactic scores, how many do.
    SyntacticMarkedDown,
    /// Of the contents whose version before was flagged, how many are flagged as well.
    FlaggedAgain,
}

impl Compared {
    /// What is compared of labelled contents.
    const OF_LABELS: [(Self, Option<Measure>); 5] = [
        (Self::FlagRate, None),
        (Self::FalsePositiveRate, Some(Measure::FalsePositiveRate)),
        (Self::FalseDiscoveryRate, Some(Measure::FalseDiscoveryRate)),
        (Self::FalseNegativeRate, Some(Measure::FalseNegativeRate)),
        (Self::FalseOmissionRate, Some(Measure::FalseOmissionRate)),
    ];

    /// The error rate, where it is one.
    pub fn measure(self) -> Option<Measure> {
        Self::OF_LABELS.into_iter().find(|(compared, _)| *compared == self)?.1
    }
}

/// A rate of a part, compared with that of all others.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Comparison {
    /// Which rate.
    pub id: Compared,
    /// Cases and contents of the part. Of an error rate: errors and labels that the smallest rate of the
    /// sample would have drawn, so their share is no estimate of the rate itself.
    pub part: [u64; 2],
    /// The same of the other parts together, without those that were found to differ before.
    pub rest: [u64; 2],
    /// Two-sided p-value, for this comparison alone.
    pub p: f64,
    /// The same, adjusted for all comparisons that were made with it.
    pub adjusted: f64,
    /// Whether the part differs: the adjusted value is below 0.05.
    pub differs: bool,
}

/// Below so many, nothing should be read off a part, and no rate of it is compared: of a single label, the
/// exact test can say something true that helps nobody.
pub(super) const FEW: u64 = 10;

/// Parts that are taken out of the rest one after the other, at most: each costs another round.
const ROUNDS: usize = 32;

/// Cases and contents of a part, for each rate that is compared: the same rates in the same order for each part.
pub(super) type Counts = Vec<(Compared, [u64; 2])>;

/// The comparisons of each part, in the order of the parts; none where there is one part alone.
pub(super) fn comparisons(parts: &[(&Tally, [u64; 2])]) -> Vec<Vec<Comparison>> {
    let smallest =
        parts.iter().map(|(tally, _)| tally.smallest()).fold(Limits::WHOLE, Limits::join);
    compared(&parts.iter().map(|part| counts(part, smallest)).collect::<Vec<_>>())
}

/// The same of any rates.
///
/// The part with the least p-value that differs is taken out of the rest, and the others are compared anew:
/// one bad part must not make good ones differ.
pub(super) fn compared(parts: &[Counts]) -> Vec<Vec<Comparison>> {
    let mut done: Vec<Option<Vec<Comparison>>> = parts.iter().map(|_| None).collect();
    loop {
        let left: Vec<usize> =
            (0..parts.len()).filter(|at| matches!(done.get(*at), Some(None))).collect();
        let round = round(&left, parts);
        let least = |of: &Vec<Comparison>| of.iter().map(|one| one.adjusted).fold(1.0, f64::min);
        let named = left.iter().zip(&round).min_by(|(_, a), (_, b)| least(a).total_cmp(&least(b)));
        let named = named.filter(|(_, of)| least(of) < ALPHA).map(|(at, of)| (*at, of.clone()));
        match named.filter(|_| parts.len() - left.len() < ROUNDS) {
            Some((at, of)) => done[at] = Some(of),
            None => {
                for (at, of) in left.iter().zip(round) {
                    done[*at] = Some(of);
                }
                return done.into_iter().flatten().collect();
            }
        }
    }
}

fn counts((tally, [flagged, passed]): &(&Tally, [u64; 2]), smallest: Limits) -> Counts {
    let of = |(id, measure)| match measure {
        None => (id, [*flagged, flagged + passed]),
        Some(measure) => {
            let sampled = tally.sampled_at(measure, smallest);
            (id, [sampled.errors, sampled.errors + sampled.correct])
        }
    };
    Compared::OF_LABELS.into_iter().map(of).collect()
}

/// Compares each of some parts with the others of them.
fn round(parts: &[usize], counts: &[Counts]) -> Vec<Vec<Comparison>> {
    let of = |at: usize, rate: usize| {
        counts.get(at).and_then(|counts| counts.get(rate)).map_or([0, 0], |(_, counts)| *counts)
    };
    let ids = counts.first().into_iter().flatten().map(|(id, _)| *id);
    let mut all: Vec<Vec<Comparison>> = parts.iter().map(|_| Vec::new()).collect();
    for (rate, id) in ids.enumerate() {
        let sum = |to: [u64; 2], [hits, of]: [u64; 2]| [to[0] + hits, to[1] + of];
        let whole = parts.iter().map(|at| of(*at, rate)).fold([0, 0], sum);
        for (own, at) in all.iter_mut().zip(parts) {
            let part = of(*at, rate);
            let rest = [whole[0] - part[0], whole[1] - part[1]];
            if part[1] >= FEW && rest[1] >= FEW {
                let p = two_shares::exact(part, rest);
                own.push(Comparison { id, part, rest, p, adjusted: p, differs: false });
            }
        }
    }
    let p: Vec<f64> = all.iter().flatten().map(|one| one.p).collect();
    for (one, adjusted) in all.iter_mut().flatten().zip(multiple::holm(&p)) {
        (one.adjusted, one.differs) = (adjusted, adjusted < ALPHA);
    }
    all
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::breakdown::breakdown;
    use crate::calibration::breakdown::tests::judged;
    use crate::calibration::{Content, Part, Policy, Word};
    use crate::stats::sample::Stream;

    /// How a box is: how much of its content is poor, and how often its judge errs on poor and on acceptable
    /// content.
    type Truth = [f64; 3];

    /// Boxes of 150 to 350 contents each; what passed is labelled with a probability of its own box.
    fn boxes(truths: &[Truth], seed: u8) -> Vec<Part> {
        let mut random = Stream::new(&[seed; 32]);
        let mut contents: Vec<(String, Content)> = Vec::new();
        for (at, [poor, missed, wrong]) in truths.iter().enumerate() {
            let pi = if at % 2 == 0 { 1.0 } else { 0.5 };
            for _ in 0..150 + random.below(200) {
                let is_poor = random.unit() < *poor;
                let errs = random.unit() < if is_poor { *missed } else { *wrong };
                let (flagged, draw) = (is_poor != errs, random.unit());
                let word = if is_poor { Word::Poor } else { Word::Acceptable };
                let labelled = flagged || draw < pi;
                let content = judged(flagged, labelled.then_some(word), pi, draw);
                contents.push((format!("box {at:02}"), content));
            }
        }
        breakdown(contents.iter().map(|(name, c)| (name.as_str(), c)), &Policy::default())
    }

    fn named(parts: &[Part]) -> Vec<&str> {
        let differs = |part: &&Part| part.comparisons.iter().any(|one| one.differs);
        parts.iter().filter(differs).map(|part| part.name.as_str()).collect()
    }

    const ALIKE: [Truth; 10] = [[0.3, 0.1, 0.1]; 10];

    #[test]
    fn where_no_box_differs_at_most_five_of_a_hundred_looks_name_one() {
        let wrong = (0..100).filter(|seed| !named(&boxes(&ALIKE, *seed)).is_empty()).count();
        assert!(wrong <= 5, "{wrong} of 100");
    }

    #[test]
    fn box_that_differs_is_named_and_no_other() {
        for (planted, id) in [
            ([0.6, 0.1, 0.1], Compared::FlagRate),
            ([0.3, 0.1, 0.35], Compared::FalsePositiveRate),
            ([0.3, 0.5, 0.1], Compared::FalseNegativeRate),
        ] {
            let mut truths = ALIKE;
            truths[4] = planted;
            let (mut found, mut others) = (0, 0);
            for seed in 0..100 {
                let parts = boxes(&truths, seed);
                let part = parts.iter().find(|part| part.name == "box 04").unwrap();
                found +=
                    usize::from(part.comparisons.iter().any(|one| one.id == id && one.differs));
                others += usize::from(named(&parts).iter().any(|name| *name != "box 04"));
            }
            assert!(found >= 95, "{id:?}: found in {found} of 100");
            assert!(others <= 5, "{id:?}: others named in {others} of 100");
        }
    }

    #[test]
    fn one_part_alone_is_compared_with_nothing() {
        let parts = boxes(&ALIKE[..1], 1);
        assert_eq!((parts.len(), parts[0].comparisons.len()), (1, 0));
        // What nobody labelled has no error rate to compare, and one content is too little of anything.
        let word = |n: usize| (n < 20).then_some(Word::Poor);
        let mut all: Vec<_> = (0..40).map(|n| judged(n < 20, word(n), 0.0, 0.9)).collect();
        all.push(judged(true, Some(Word::Acceptable), 1.0, 0.0));
        let box_name = |n: usize| ["a", "b", "c"][if n < 40 { n % 2 } else { 2 }];
        let contents = all.iter().enumerate().map(|(n, content)| (box_name(n), content));
        let parts = breakdown(contents, &Policy::default());
        assert!(parts.iter().any(|part| part.name == "c" && part.comparisons.is_empty()));
        let part = parts.iter().find(|part| part.name == "a").unwrap();
        let ids: Vec<_> = part.comparisons.iter().map(|one| one.id).collect();
        assert_eq!(ids, [Compared::FlagRate, Compared::FalseDiscoveryRate]);
    }
}
