//! How much of the content is poor, by what the judge flagged and how often it errs.

use super::Measure;
use super::tally::Tally;
use crate::stats::binomial;
use crate::stats::prevalence::{Counted, Refused, corrected};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The share of what was flagged, and the share of poor content that follows from it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Prevalence {
    /// Contents of whole days of the window that were flagged, of open days too.
    pub flagged: u64,
    /// Contents of those days with a verdict.
    pub contents: u64,
    /// The share that was flagged; `null` without contents.
    pub raw: Option<f64>,
    /// Lower end of its exact two-sided interval.
    pub raw_lower: Option<f64>,
    /// Upper end of it.
    pub raw_upper: Option<f64>,
    /// The share that is poor, by Rogan and Gladen; `null` with a `reason`.
    pub estimate: Option<f64>,
    /// Lower end of its two-sided interval, by Lang and Reiczigel.
    pub lower: Option<f64>,
    /// Upper end of it.
    pub upper: Option<f64>,
    /// Confidence of both intervals.
    pub confidence: f64,
    /// Of poor content, the share that is flagged: 1 - FNR, on closed days.
    pub sensitivity: Accuracy,
    /// Of acceptable content, the share that passes: 1 - FPR, on closed days.
    pub specificity: Accuracy,
    /// Why there is no estimate.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub reason: Option<String>,
}

/// How often the judge is right about one kind of content.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Accuracy {
    /// The share, weighted by stratum size; `null` where it is not estimable.
    pub estimate: Option<f64>,
    /// Labels on which the judge was right.
    pub right: u64,
    /// Labels of that kind; those of doubt are left out.
    pub labels: u64,
    /// As many labels, drawn at one rate, as would tell it as well: what the interval rests on.
    pub plain_labels: f64,
}

impl Accuracy {
    fn new(tally: &Tally, errs: Measure, rate: Option<f64>) -> Self {
        let (errors, right) = tally.sure(errs);
        let plain_labels = tally.sampled(errs).plain();
        Self { estimate: rate.map(|r| 1.0 - r), right, labels: errors + right, plain_labels }
    }

    fn counted(self) -> Counted {
        let trials = self.estimate.map_or(0.0, |_| self.plain_labels);
        Counted { successes: self.estimate.unwrap_or(0.0) * trials, trials }
    }
}

/// The share of poor content among all of the window, from what its closed days tell of the judge.
///
/// `contents` are those that were flagged and those that passed. Days that overlap make the interval
/// wider than it need be, never too narrow. `unlooked` says why neither rate is told where the labels
/// on what passed do not tell of all of it.
pub(super) fn prevalence(
    tally: &Tally,
    [flagged, passed]: [u64; 2],
    confidence: f64,
    unlooked: &str,
) -> Prevalence {
    let contents = flagged + passed;
    let rates = tally.rates();
    // Labels on what was flagged alone, or on part of what passed, tell neither rate.
    let looked = tally.is_covered();
    let rate = |rate: Option<f64>| rate.filter(|_| looked);
    let sensitivity = Accuracy::new(tally, Measure::FalseNegativeRate, rate(rates.false_negative));
    let specificity = Accuracy::new(tally, Measure::FalsePositiveRate, rate(rates.false_positive));
    let judged = Counted { successes: flagged as f64, trials: contents as f64 };
    let found = corrected(judged, sensitivity.counted(), specificity.counted(), confidence);
    let raw = binomial::two_sided(flagged, contents, confidence);
    Prevalence {
        flagged,
        contents,
        raw: judged.share(),
        raw_lower: raw.map(|r| r.lower),
        raw_upper: raw.map(|r| r.upper),
        estimate: found.ok().map(|c| c.estimate),
        lower: found.ok().map(|c| c.interval.lower),
        upper: found.ok().map(|c| c.interval.upper),
        confidence,
        sensitivity,
        specificity,
        reason: found.err().map(|why| match why {
            Refused::NoPoor | Refused::NoAcceptable if !looked => {
                format!("not estimable: {unlooked}")
            }
            _ => reason(why, &sensitivity, &specificity),
        }),
    }
}

fn reason(why: Refused, poor: &Accuracy, acceptable: &Accuracy) -> String {
    let why = match why {
        Refused::NoPoor if poor.labels > 0 => too_few(poor, "poor"),
        Refused::NoAcceptable if acceptable.labels > 0 => too_few(acceptable, "acceptable"),
        Refused::NoBetterThanChance => {
            format!("sensitivity and specificity add up to 1 or less: {why}")
        }
        _ => why.to_string(),
    };
    format!("not estimable: {why}")
}

/// Labels of a kind, and no answer from them.
fn too_few(labelled: &Accuracy, kind: &str) -> String {
    let count = labelled.labels;
    if labelled.estimate.is_none() {
        return format!("the labels on {kind} content ({count}) do not cover all that passed");
    }
    format!(
        "the labels on {kind} content ({count}) are too few: at the smallest rate of the sample, \
         none would have been drawn"
    )
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::calibration::Word;
    use crate::calibration::days::Judged;
    use crate::calibration::label::Unconfirmed;
    use crate::calibration::tally::tests::add;
    use crate::domain::RecordId;
    use crate::stats::{near, sample};
    use proptest::prelude::*;

    fn prevalence(tally: &Tally, contents: [u64; 2], confidence: f64) -> Prevalence {
        super::prevalence(tally, contents, confidence, "nobody looked")
    }

    /// Flagged ones that are poor and acceptable, and of so many that passed a part with labels.
    fn tally(flagged: [u64; 2], looked: [u64; 2], unseen: u64, pi: f64) -> Tally {
        let mut tally = Tally::default();
        add(&mut tally, flagged[0], true, Some(Word::Poor), pi);
        add(&mut tally, flagged[1], true, Some(Word::Acceptable), pi);
        add(&mut tally, looked[0], false, Some(Word::Poor), pi);
        add(&mut tally, looked[1], false, Some(Word::Acceptable), pi);
        add(&mut tally, unseen, false, None, pi);
        tally
    }

    #[test]
    fn closed_days_alone_give_back_the_weighted_share() {
        // Of 100 that passed a quarter was looked at: 5 of 25 are poor, so 20 beside the 36.
        let p = prevalence(&tally([36, 4], [5, 20], 75, 0.25), [40, 100], 0.95);
        near(p.raw.unwrap(), 40.0 / 140.0, 1e-12);
        near(p.estimate.unwrap(), 56.0 / 140.0, 1e-12);
        near(p.sensitivity.estimate.unwrap(), 36.0 / 56.0, 1e-12);
        near(p.specificity.estimate.unwrap(), 80.0 / 84.0, 1e-12);
        assert_eq!((p.sensitivity.right, p.sensitivity.labels), (36, 41));
        assert_eq!((p.specificity.right, p.specificity.labels), (20, 24));
        assert!(p.lower.unwrap() < 0.4 && p.upper.unwrap() > 0.4 && p.reason.is_none());
    }

    #[test]
    fn a_whole_sample_has_the_interval_of_the_published_formula() {
        // 178 of 179 poor ones flagged, 358 of 359 acceptable ones passed; 4060 of 11284 flagged.
        let p = prevalence(&tally([178, 1], [1, 358], 0, 1.0), [4060, 7224], 0.95);
        near(p.estimate.unwrap(), 0.3600, 5e-5);
        near(p.lower.unwrap(), 0.3487, 5e-5);
        near(p.upper.unwrap(), 0.3721, 5e-5);
        near(p.sensitivity.plain_labels, 179.0, 1e-9);
    }

    #[test]
    fn partial_audit_is_wider_than_census() {
        let whole = prevalence(&tally([60, 6], [8, 120], 0, 1.0), [66, 128], 0.95);
        let part = prevalence(&tally([60, 6], [2, 30], 96, 0.25), [66, 128], 0.95);
        near(whole.estimate.unwrap(), part.estimate.unwrap(), 1e-12);
        let width = |p: &Prevalence| p.upper.unwrap() - p.lower.unwrap();
        assert!(width(&part) > 1.1 * width(&whole), "{part:?} {whole:?}");
    }

    #[test]
    fn unidentifiable_prevalence_is_reported_without_number() {
        let none = |p: &Prevalence, why: &str| {
            assert_eq!((p.estimate, p.lower, p.upper), (None, None, None));
            let reason = p.reason.as_deref().unwrap();
            assert!(reason.starts_with("not estimable: ") && reason.contains(why), "{reason}");
        };
        // Labels on what was flagged alone.
        let p = prevalence(&tally([20, 5], [0, 0], 100, 0.0), [25, 100], 0.95);
        none(&p, "nobody looked");
        assert_eq!((p.raw, p.sensitivity.estimate), (Some(0.2), None));
        none(&prevalence(&Tally::default(), [0, 0], 0.95), "nothing was judged");
        none(&prevalence(&tally([0, 9], [0, 9], 0, 1.0), [9, 9], 0.95), "is poor");
        none(&prevalence(&tally([9, 0], [9, 0], 0, 1.0), [9, 9], 0.95), "is acceptable");
        // Poor content is flagged as often as acceptable content.
        none(&prevalence(&tally([10, 20], [10, 20], 0, 1.0), [30, 30], 0.95), "add up to 1");
    }

    #[test]
    fn labels_below_smallest_rate_are_reported_as_too_few() {
        // One miss, drawn at a half with a draw of .3; where it is smallest a tenth is drawn.
        let mut tally = tally([0, 0], [0, 0], 40, 0.1);
        let one = |draw: f64, rate: f64, word| Judged {
            id: RecordId([0; 32]),
            flagged: false,
            undetermined: false,
            agent: 0,
            judge: 0,
            stratum: 0,
            word: Some(word),
            pi: Some(rate),
            rate,
            draw,
            smallest: 0.1,
            stopped: 1.0,
            covered: true,
            planned: true,
            double: false,
            unconfirmed: Unconfirmed::No,
            times: 1,
        };
        tally.add(&one(0.3, 0.5, Word::Poor));
        (0..5).for_each(|_| tally.add(&one(0.05, 0.1, Word::Acceptable)));
        let p = prevalence(&tally, [0, 46], 0.95);
        assert_eq!((p.sensitivity.labels, p.sensitivity.plain_labels), (1, 0.0));
        assert_eq!(p.estimate, None);
        let reason = p.reason.unwrap();
        assert!(reason.contains("labels on poor content (1) are too few"), "{reason}");
    }

    #[test]
    fn labels_of_doubt_are_left_out() {
        let mut with = tally([36, 4], [5, 20], 75, 0.25);
        let without = prevalence(&with, [40, 100], 0.95);
        add(&mut with, 3, true, Some(Word::Unsure), 0.25);
        let p = prevalence(&with, [43, 100], 0.95);
        assert_eq!(p.sensitivity.labels, without.sensitivity.labels);
        assert_eq!(p.sensitivity.plain_labels, without.sensitivity.plain_labels);
        assert_eq!(p.specificity.labels, without.specificity.labels);
    }

    #[test]
    fn planted_prevalence_is_covered_at_nominal_rate() {
        // 15 % poor, 5 % of it missed, 4 % of the rest flagged; three tenths of what passes drawn.
        let (runs, mut held) = (200_u32, 0);
        for run in 0..runs {
            let draw = |n: u32, what: u8| {
                let bytes = [&run.to_be_bytes()[..], &n.to_be_bytes(), &[what]].concat();
                sample::public_draw("planted", &bytes)
            };
            let (mut flagged, mut looked, mut unseen) = ([0; 2], [0; 2], 0);
            for n in 0..400 {
                let poor = draw(n, 0) < 0.15;
                let stopped = draw(n, 1) < if poor { 0.95 } else { 0.04 };
                let kind = usize::from(!poor);
                match (stopped, draw(n, 2) < 0.3) {
                    (true, _) => flagged[kind] += 1,
                    (_, true) => looked[kind] += 1,
                    _ => unseen += 1,
                }
            }
            let passed = looked[0] + looked[1] + unseen;
            let all = [flagged[0] + flagged[1], passed];
            let p = prevalence(&tally(flagged, looked, unseen, 0.3), all, 0.95);
            held += u32::from(p.lower.unwrap() <= 0.15 && 0.15 <= p.upper.unwrap());
        }
        assert!(held >= runs * 95 / 100, "{held} of {runs}");
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_estimate(
            tp in 0_u64..60, fp in 0_u64..60, missed in 0_u64..20, tn in 0_u64..60, more in 0_u64..99,
        ) {
            let p = prevalence(&tally([tp, fp], [missed, tn], more, 0.5), [tp + fp, 200], 0.95);
            if let (Some(e), Some(l), Some(u)) = (p.estimate, p.lower, p.upper) {
                prop_assert!(0.0 <= l && l <= e && e <= u && u <= 1.0);
            } else {
                prop_assert!(p.reason.is_some() && p.lower.is_none());
            }
        }
    }
}
