//! The wealths of one measure.

use super::Counts;
use crate::calibration::days::Judged;
use crate::calibration::reading::{Reading, is_poor};
use crate::calibration::{Measure, Policy};
use crate::stats::sequential::error::{Above, Below, Inclusion};
use crate::stats::sequential::share::Share;

/// Evidence that a measure is met, and that it is not.
#[derive(Debug, Clone)]
pub(in crate::calibration) enum Evidence {
    /// Of an error rate.
    Error(Below, Above),
    /// Of a share over all evaluations: each test with what speaks against it.
    Shares(Vec<(Share, Share)>),
}

impl Evidence {
    /// A wealth of 1 in every test.
    pub(super) fn new(measure: Measure, policy: &Policy) -> Self {
        if measure.needs_labels() {
            let t = policy.threshold(measure).value;
            return Self::Error(Below::new(t), Above::new(t));
        }
        let limits = Counts::default().error_shares(measure, policy).into_iter().map(|s| s.below);
        Self::Shares(limits.map(|limit| (Share::below(limit), Share::above(limit))).collect())
    }

    /// Logarithm of the wealth on *met*: where two tests are needed, the smaller.
    pub(in crate::calibration) fn ln_met(&self) -> f64 {
        match self {
            Self::Error(below, _) => below.wealth().ln(),
            Self::Shares(tests) => {
                tests.iter().map(|(b, _)| b.wealth().ln()).fold(f64::INFINITY, f64::min)
            }
        }
    }

    /// Logarithm of the wealth on *not met*: of two tests the larger.
    pub(in crate::calibration) fn ln_not_met(&self) -> f64 {
        match self {
            Self::Error(_, above) => above.wealth().ln(),
            Self::Shares(tests) => {
                tests.iter().map(|(_, a)| a.wealth().ln()).fold(f64::NEG_INFINITY, f64::max)
            }
        }
    }

    /// Takes evaluations into what is known: the side of *met*.
    pub(super) fn known(&mut self, measure: Measure, policy: &Policy, counts: &Counts) {
        self.each(measure, policy, counts, |(below, _), errors, others| below.take(errors, others));
    }

    /// Takes evaluations that last: the side of *not met*.
    pub(super) fn lasting(&mut self, measure: Measure, policy: &Policy, counts: &Counts) {
        self.each(measure, policy, counts, |(_, above), errors, others| above.take(errors, others));
    }

    /// Puts other evaluations in place of all that were known.
    ///
    /// What an error took from a wealth does not come back: it is made of the counts anew.
    pub(super) fn known_instead(&mut self, measure: Measure, policy: &Policy, counts: &Counts) {
        let (Self::Shares(tests), Self::Shares(fresh)) = (&mut *self, Self::new(measure, policy))
        else {
            return;
        };
        for ((below, _), (anew, _)) in tests.iter_mut().zip(fresh) {
            *below = anew;
        }
        self.known(measure, policy, counts);
    }

    /// Gives each test its errors and the others.
    fn each(
        &mut self,
        measure: Measure,
        policy: &Policy,
        counts: &Counts,
        take: impl Fn(&mut (Share, Share), f64, f64),
    ) {
        let Self::Shares(tests) = self else { return };
        for (test, share) in tests.iter_mut().zip(counts.error_shares(measure, policy)) {
            take(test, share.errors as f64, (share.of - share.errors) as f64);
        }
    }

    /// Takes a content; without a label that was drawn it changes nothing.
    pub(super) fn judged(&mut self, measure: Measure, laid_out: LaidOut, j: &Judged) {
        let Self::Error(below, above) = self else { return };
        let Some(pi) = j.pi else { return };
        let how = j.inclusion(measure, pi);
        let is_error = |reading| {
            let word = j.deciding_word(reading)?;
            j.is_error(measure, is_poor(j.flagged, word, reading))
        };
        if let Some(is_error) = is_error(Reading::Worst) {
            below.take(is_error, how, 1.0);
        }
        // Where one of the two is never seen, nothing speaks against the judge.
        let both_drawn = how.errors > 0.0 && how.right > 0.0;
        if let Some(is_error) = is_error(Reading::Best).filter(|_| both_drawn) {
            above.take_laid_out(is_error, how, laid_out.ratio(measure, how), 1.0);
        }
    }
}

/// What the alternatives of the evidence on *not met* are laid out for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::calibration) enum LaidOut {
    /// The ratio at which errors and what is right are labelled.
    ByProbabilities,
    /// That of misses for wrong blocks too, which finds them late. Windows of earlier versions.
    AsMisses,
}

impl LaidOut {
    fn ratio(self, measure: Measure, how: Inclusion) -> f64 {
        match (self, measure) {
            (Self::AsMisses, Measure::FalsePositiveRate) => how.right,
            _ => how.ratio(),
        }
    }
}
