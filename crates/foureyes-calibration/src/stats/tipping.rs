//! How far a reviewer's errors move an error rate, and how large they must be to move it across a
//! threshold.
//!
//! Of poor content a reviewer calls a share `overlooked` acceptable, of acceptable content a share
//! `imagined` poor; the two may differ between what was flagged and what passed. These are the false
//! negative and false positive rates of a diagnostic test, and the correction is that of Rogan and
//! Gladen, American Journal of Epidemiology 107, 1978, turned round.

/// A reviewer's errors on one stratum, each a share in [0, 1].
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct ReviewerErrors {
    /// Share of poor content that is called acceptable.
    pub overlooked: f64,
    /// Share of acceptable content that is called poor.
    pub imagined: f64,
}

/// The false negative rate as the labels show it: `poor` is the share of poor content, `missed` the
/// true false negative rate, `flagged` the true false positive rate. `None` where nothing is called
/// poor.
pub fn apparent_false_negatives(
    poor: f64,
    missed: f64,
    flagged: f64,
    on_go: ReviewerErrors,
    on_no_go: ReviewerErrors,
) -> Option<f64> {
    let called = |truly: f64, not: f64, errors: ReviewerErrors| {
        truly * (1.0 - errors.overlooked) + not * errors.imagined
    };
    let go = called(poor * missed, (1.0 - poor) * (1.0 - flagged), on_go);
    let no_go = called(poor * (1.0 - missed), (1.0 - poor) * flagged, on_no_go);
    (go + no_go > 0.0).then(|| go / (go + no_go))
}

/// The smallest error of a reviewer that puts a rate at its threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Tipping {
    /// The rate is below: so large a share of the judge's errors would have to be taken for none.
    Hidden(f64),
    /// The rate is at or above: so large a share of what the judge got right would have to be taken
    /// for its errors.
    Invented(f64),
    /// The rate is below, and no error was seen: a share of none hides nothing.
    NoneSeen,
    /// The rate is below, and would be if all content of the stratum were an error.
    OutOfReach,
}

/// The tipping point, given the share of errors that labels show in the stratum where errors are,
/// and the share that would put the rate at its threshold, were reviewers never wrong. Shares are in
/// [0, 1], `at` may be above.
///
/// A share `seen` of errors is what a true share `seen / (1 - hidden)` shows where a share `hidden` of
/// the errors is overlooked, and what `(seen - invented) / (1 - invented)` shows where a share
/// `invented` of the rest is taken for errors. Only one of the two is moved, and in no other
/// stratum.
pub fn tipping(seen: f64, at: f64) -> Tipping {
    if seen >= at {
        // Where everything seems to be an error, `at` may be 1 as well: then no error is needed.
        let rest = 1.0 - at;
        return Tipping::Invented(if rest > 0.0 { (seen - at) / rest } else { 0.0 });
    }
    if at > 1.0 {
        return Tipping::OutOfReach;
    }
    if seen <= 0.0 { Tipping::NoneSeen } else { Tipping::Hidden(1.0 - seen / at) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    fn apparent(poor: f64, missed: f64, flagged: f64, imagined: f64, overlooked: f64) -> f64 {
        let errors = ReviewerErrors { overlooked, imagined };
        apparent_false_negatives(poor, missed, flagged, errors, errors).unwrap_or(f64::NAN)
    }

    #[test]
    fn a_careful_reviewer_makes_a_good_judge_fail() {
        // 15 % poor, FNR 1 %, FPR 4 %.
        near(apparent(0.15, 0.01, 0.04, 0.0, 0.0), 0.010, 5e-4);
        near(apparent(0.15, 0.01, 0.04, 0.005, 0.02), 0.037, 5e-4);
        near(apparent(0.15, 0.01, 0.04, 0.01, 0.05), 0.063, 5e-4);
        near(apparent(0.15, 0.01, 0.04, 0.02, 0.05), 0.111, 5e-4);
        let none = ReviewerErrors::default();
        assert_eq!(apparent_false_negatives(0.0, 0.1, 0.1, none, none), None);
    }

    #[test]
    fn absent_tipping_point_is_reported() {
        assert_eq!(tipping(0.0, 0.01), Tipping::NoneSeen);
        assert_eq!(tipping(0.2, 1.2), Tipping::OutOfReach);
        assert_eq!(tipping(0.0, 0.0), Tipping::Invented(0.0));
        assert_eq!(tipping(1.0, 1.0), Tipping::Invented(0.0));
        assert_eq!(tipping(0.02, 0.0), Tipping::Invented(0.02));
        assert_eq!(tipping(0.01, 0.04), Tipping::Hidden(0.75));
    }

    proptest! {
        #[test]
        fn tipping_error_puts_judge_at_threshold(
            poor in 0.02..0.9_f64,
            seen in 0.002..0.6_f64,
            threshold in 0.01..0.4_f64,
            flagged in 0.0..0.5_f64,
        ) {
            // What a judge of this rate would show, were no label wrong, in shares of what passed.
            let (missed, caught) = (poor * seen, poor * (1.0 - seen));
            let passed = missed + (1.0 - poor) * (1.0 - flagged);
            let at = threshold / (1.0 - threshold) * caught / passed;
            let on_go = match tipping(missed / passed, at) {
                Tipping::Hidden(overlooked) => ReviewerErrors { overlooked, imagined: 0.0 },
                Tipping::Invented(imagined) => ReviewerErrors { overlooked: 0.0, imagined },
                Tipping::NoneSeen | Tipping::OutOfReach => return Ok(()),
            };
            // The true world: as many caught, and misses at the threshold.
            let truly = caught / (1.0 - threshold);
            let false_alarms = (1.0 - poor) * flagged / (1.0 - truly);
            let none = ReviewerErrors::default();
            let shown = apparent_false_negatives(truly, threshold, false_alarms, on_go, none);
            prop_assert!((shown.unwrap_or(f64::NAN) - seen).abs() < 1e-9, "{shown:?} {seen}");
        }
    }
}
