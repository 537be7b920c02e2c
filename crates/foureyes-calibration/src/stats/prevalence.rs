//! True share of poor content from what an imperfect judge flags.
//!
//! Estimate: Rogan and Gladen, American Journal of Epidemiology 107, 1978. Interval: Lang and
//! Reiczigel, Preventive Veterinary Medicine 113, 2014; it lets for not knowing sensitivity and
//! specificity exactly, and covers well even where few were examined.

use super::{Interval, normal};

/// Successes of a number of trials; fractions where they stand for a sample that was not drawn at
/// one rate.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Counted {
    /// Successes, at most `trials`.
    pub successes: f64,
    /// Trials.
    pub trials: f64,
}

impl Counted {
    /// The share of successes; `None` without trials.
    pub fn share(self) -> Option<f64> {
        let whole = self.trials > 0.0 && (0.0..=self.trials).contains(&self.successes);
        whole.then(|| self.successes / self.trials)
    }

    /// The share with `add` successes and as many failures put in.
    fn padded(self, add: f64) -> (f64, f64) {
        let trials = self.trials + 2.0 * add;
        ((self.successes + add) / trials, trials)
    }
}

/// A corrected share and its interval.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Corrected {
    /// The share, in [0, 1].
    pub estimate: f64,
    /// Its two-sided interval, in [0, 1].
    pub interval: Interval,
}

/// Why there is no corrected share.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Refused {
    /// Nothing was judged.
    #[error("nothing was judged")]
    NothingJudged,
    /// No label says that content is poor, so how much of it is flagged is unknown.
    #[error("no labelled content is poor")]
    NoPoor,
    /// No label says that content is acceptable, so how much of it passes is unknown.
    #[error("no labelled content is acceptable")]
    NoAcceptable,
    /// Sensitivity and specificity add up to 1 or less.
    #[error("the judge flags poor content no more often than acceptable content")]
    NoBetterThanChance,
}

/// The share of poor content, from what was flagged of all, of poor and passed of acceptable.
///
/// # Errors
///
/// [`Refused`] where the numbers do not carry an answer.
pub fn corrected(
    flagged: Counted,
    sensitivity: Counted,
    specificity: Counted,
    confidence: f64,
) -> Result<Corrected, Refused> {
    let p = flagged.share().ok_or(Refused::NothingJudged)?;
    let se = sensitivity.share().ok_or(Refused::NoPoor)?;
    let sp = specificity.share().ok_or(Refused::NoAcceptable)?;
    if se + sp <= 1.0 {
        return Err(Refused::NoBetterThanChance);
    }
    let estimate = rogan_gladen(p, se, sp).clamp(0.0, 1.0);
    let Interval { lower, upper } = lang_reiczigel(flagged, sensitivity, specificity, confidence)
        .ok_or(Refused::NoBetterThanChance)?;
    // The interval is centred on a smoothed estimate; it must hold the one that is shown.
    let interval = Interval {
        lower: lower.clamp(0.0, 1.0).min(estimate),
        upper: upper.clamp(0.0, 1.0).max(estimate),
    };
    Ok(Corrected { estimate, interval })
}

/// (p + Sp - 1) / (Se + Sp - 1), which may lie outside [0, 1].
fn rogan_gladen(p: f64, se: f64, sp: f64) -> f64 {
    (p + sp - 1.0) / (se + sp - 1.0)
}

/// The interval of the paper, before it is cut to [0, 1].
fn lang_reiczigel(
    flagged: Counted,
    sensitivity: Counted,
    specificity: Counted,
    confidence: f64,
) -> Option<Interval> {
    let z = normal::reach(confidence);
    let (p, n) = flagged.padded(z * z * 0.5);
    let (se, n_se) = sensitivity.padded(1.0);
    let (sp, n_sp) = specificity.padded(1.0);
    let youden = se + sp - 1.0;
    if youden <= 0.0 {
        return None;
    }
    let share = rogan_gladen(p, se, sp);
    let of_se = se * (1.0 - se) / n_se;
    let of_sp = sp * (1.0 - sp) / n_sp;
    let shift = 2.0 * z * z * (share * of_se - (1.0 - share) * of_sp);
    let variance = p * (1.0 - p) / n + share.powi(2) * of_se + (1.0 - share).powi(2) * of_sp;
    let half = z * variance.sqrt() / youden;
    Some(Interval { lower: share + shift - half, upper: share + shift + half })
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    fn of(successes: u64, trials: u64) -> Counted {
        Counted { successes: successes as f64, trials: trials as f64 }
    }

    #[test]
    fn rogan_gladen_of_23_in_150() {
        near(rogan_gladen(23.0 / 150.0, 0.96, 0.89), 0.050_980_4, 5e-8);
    }

    #[test]
    fn lang_reiczigel_2014_example() {
        let c = corrected(of(4060, 11_284), of(178, 179), of(358, 359), 0.95).unwrap();
        near(c.estimate, 0.3600, 5e-5);
        near(c.interval.lower, 0.3487, 5e-5);
        near(c.interval.upper, 0.3721, 5e-5);
    }

    #[test]
    fn forty_percent_flagged_by_a_middling_judge() {
        let c = corrected(of(400, 1000), of(180, 200), of(140, 200), 0.95).unwrap();
        near(c.estimate, 0.166_667, 5e-7);
        near(c.interval.lower, 0.056_351, 5e-7);
        near(c.interval.upper, 0.262_733, 5e-7);
    }

    #[test]
    fn pass_rate_of_120_labels_and_400_judged() {
        // Of 40 poor 30 are flagged, of 80 fine 78 pass; here a pass is what is counted.
        let c = corrected(of(320, 400), of(78, 80), of(30, 40), 0.95).unwrap();
        near(c.estimate, 0.759, 5e-4);
        near(c.interval.lower, 0.673, 5e-4);
        near(c.interval.upper, 0.841, 5e-4);
        let tpr = crate::stats::wilson::two_sided(30, 40, 0.95).unwrap();
        let tnr = crate::stats::wilson::two_sided(78, 80, 0.95).unwrap();
        near(tpr.lower, 0.598, 5e-4);
        near(tpr.upper, 0.858, 5e-4);
        near(tnr.lower, 0.913, 5e-4);
        near(tnr.upper, 0.993, 5e-4);
    }

    #[test]
    fn samples_without_information_are_rejected() {
        let (all, some) = (of(5, 10), of(8, 10));
        assert_eq!(corrected(of(0, 0), some, some, 0.95), Err(Refused::NothingJudged));
        assert_eq!(corrected(all, of(0, 0), some, 0.95), Err(Refused::NoPoor));
        assert_eq!(corrected(all, some, of(0, 0), 0.95), Err(Refused::NoAcceptable));
        assert_eq!(corrected(all, all, all, 0.95), Err(Refused::NoBetterThanChance));
        // Exactly on the border: Se + Sp = 1.
        assert_eq!(corrected(all, of(9, 10), of(1, 10), 0.95), Err(Refused::NoBetterThanChance));
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_estimate(
            x in 0_u64..400, more in 0_u64..400, se in 0_u64..60, miss in 0_u64..60,
            sp in 0_u64..60, wrong in 0_u64..60,
        ) {
            let c = corrected(of(x, x + more), of(se, se + miss), of(sp, sp + wrong), 0.95);
            if let Ok(c) = c {
                let i = c.interval;
                prop_assert!(0.0 <= i.lower && i.lower <= c.estimate);
                prop_assert!(c.estimate <= i.upper && i.upper <= 1.0);
            }
        }
    }
}
