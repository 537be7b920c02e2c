//! How much of the error that is allowed to a judge a window may spend.
//!
//! Whoever starts a window anew until it fits would take the whole α each time. So the windows of one
//! judge version share it: by Bonferroni's inequality the chance that any window wrongly finds a KPI
//! met is at most α, whatever made somebody start the next one.

use super::Policy;
use crate::stats::spending;

/// The part of α that a window may spend on finding KPIs met.
///
/// *Not met* is no matter of it: there every window has the whole α, shared among its tests.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Allowance {
    /// Which window of its judge version it is, from 1.
    pub window: u64,
    /// Its part of α, in (0, 1].
    pub part: f64,
    /// Judge versions that were tried at this gate, that of this window among them.
    pub judges: u64,
}

impl Allowance {
    /// The first window of the first judge.
    pub const FIRST: Self = Self { window: 1, part: 0.8, judges: 1 };

    /// That of a window, by its number and the judge versions tried so far.
    pub fn new(window: u64, judges: u64) -> Self {
        Self { window, part: spending::window(window), judges }
    }

    /// The chance of finding a KPI wrongly met that is left to this window, in (0, 0.5].
    pub fn alpha(&self, policy: &Policy) -> f64 {
        policy.alpha() * self.part
    }

    /// The wealth at which a KPI is met.
    pub fn bar(&self, policy: &Policy) -> f64 {
        1.0 / self.alpha(policy)
    }

    /// Whether a wealth, as its logarithm, finds a KPI met.
    pub(super) fn is_met(&self, policy: &Policy, ln_wealth: f64) -> bool {
        reaches(ln_wealth, self.bar(policy))
    }
}

/// Whether a wealth, as its logarithm, is at a bar: the last bits of 1 - 0.95 must not ask for
/// more than 1/α.
pub(super) fn reaches(ln_wealth: f64, bar: f64) -> bool {
    ln_wealth >= bar.ln() - 1e-12
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;

    #[test]
    fn bars_are_those_of_the_reference() {
        let policy = Policy::default();
        let bar = |window| Allowance::new(window, 1).bar(&policy);
        near(bar(1), 25.0, 1e-9);
        near(bar(2), 200.0, 1e-9);
        near(bar(3), 400.0, 1e-9);
        assert_eq!(Allowance::new(1, 1), Allowance::FIRST);
    }
}
