//! Bets on the share of a count over all evaluations, which needs no labels.
//!
//! A mixture of likelihood ratios against the threshold (Robbins, Annals of Mathematical
//! Statistics 41, 1970), with alternatives at fixed multiples of its odds.

use super::error::{ODDS_ABOVE, edge};
use super::{CELLS, Wealth};

/// How many times the threshold's odds the alternatives are, on a share below the threshold.
const ODDS_BELOW: [f64; CELLS] = [0.0, 0.25, 0.5, 0.65, 0.8];

/// Evidence that a share is on one side of a threshold.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Share {
    /// Logarithms of the factors.
    counts: [f64; CELLS],
    rest: [f64; CELLS],
    wealth: Wealth,
}

impl Share {
    /// Evidence that the share is below the threshold, which lies in (0, 1).
    pub fn below(threshold: f64) -> Self {
        Self::against(threshold, ODDS_BELOW)
    }

    /// Evidence that the share is above the threshold, which lies in (0, 1).
    pub fn above(threshold: f64) -> Self {
        Self::against(threshold, ODDS_ABOVE)
    }

    fn against(threshold: f64, odds: [f64; CELLS]) -> Self {
        let alternatives = odds.map(|r| r * threshold / (r * threshold + 1.0 - threshold));
        Self {
            counts: alternatives.map(|a| (a / threshold).ln()),
            rest: alternatives.map(|a| ((1.0 - a) / (1.0 - threshold)).ln()),
            wealth: Wealth::new([0.2; CELLS]),
        }
    }

    /// Takes evaluations that count, and evaluations that do not.
    pub fn take(&mut self, counting: f64, others: f64) {
        self.wealth.take_ln(self.counts, counting);
        self.wealth.take_ln(self.rest, others);
    }

    /// Logarithms of the factors that so many evaluations have, which [`Detector`] takes too.
    ///
    /// [`Detector`]: super::Detector
    pub fn ln_factors(&self, counting: f64, others: f64) -> [f64; CELLS] {
        std::array::from_fn(|i| part(self.counts[i], counting) + part(self.rest[i], others))
    }

    /// What the wealth is.
    pub fn wealth(&self) -> Wealth {
        self.wealth
    }
}

/// A factor's logarithm so many times; nothing of what did not come, even where a factor is 0.
fn part(ln: f64, times: f64) -> f64 {
    if times > 0.0 { ln * times } else { 0.0 }
}

/// The largest share at which a bet of the grid on "below the threshold" still grows: a larger one is
/// shown to be below by no number of evaluations. `threshold` lies in (0, 1).
pub fn largest_provable(threshold: f64) -> f64 {
    let turn = |r: f64| {
        let a = r * threshold / (r * threshold + 1.0 - threshold);
        let (gain, loss) = (((1.0 - a) / (1.0 - threshold)).ln(), (a / threshold).ln());
        gain / (gain - loss)
    };
    ODDS_BELOW.into_iter().filter(|r| *r > 0.0).map(turn).fold(0.0, f64::max)
}

/// Bounds of a share that hold at every look, each with that confidence, in [0.5, 1).
///
/// The upper one is the smallest threshold that the evidence puts the share below, the lower one the
/// same of what does not count: 0 and 1 without evaluations.
pub fn bounds(part: u64, whole: u64, confidence: f64) -> crate::stats::Interval {
    let needed = -(1.0 - confidence).ln();
    let upper = |part: u64| {
        let is_below = |t: f64| {
            let mut test = Share::below(t);
            test.take(part as f64, whole.saturating_sub(part) as f64);
            test.wealth().ln() >= needed
        };
        if is_below(1.0 - 1e-9) { edge(|t| !is_below(t)) } else { 1.0 }
    };
    let lower = 1.0 - upper(whole.saturating_sub(part));
    crate::stats::Interval { lower, upper: upper(part).max(lower) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::near;
    use proptest::prelude::*;

    #[test]
    fn go_rate_of_240_in_300() {
        // Of 300 evaluations 240 say GO: at least 70 % means that fewer than 30 % do not.
        let mut lower = Share::below(0.30);
        lower.take(60.0, 240.0);
        near(lower.wealth().value(), 632.478_492, 5e-7);
        let mut upper = Share::below(0.90);
        upper.take(240.0, 60.0);
        near(upper.wealth().value(), 93_138.857_710, 5e-6);
    }

    #[test]
    fn shares_of_picks_have_the_wealth_of_the_reference() {
        let below = |threshold, part, others, expected: f64| {
            let mut test = Share::below(threshold);
            test.take(part, others);
            near(test.wealth().value(), expected, 5e-7);
        };
        // Nothing kept for 20 of 40 prompts, where it may be for less than 75 %.
        below(0.75, 20.0, 20.0, 78.225_932);
        // Fallbacks below 10 %, and slow calls below half.
        below(0.10, 0.0, 60.0, 139.509_556);
        below(0.10, 3.0, 117.0, 53.012_435);
        below(0.5, 20.0, 60.0, 5_956.814_133);
    }

    #[test]
    fn largest_provable_share_as_in_the_reference() {
        let golden =
            [(0.30, 0.27729), (0.90, 0.88934), (0.15, 0.13650), (0.05, 0.04504), (0.5, 0.47216)];
        golden.iter().for_each(|(t, share)| near(largest_provable(*t), *share, 6e-6));
    }

    #[test]
    fn beyond_the_largest_provable_share_the_wealth_ends_below_one() {
        for t in [0.05, 0.3, 0.5] {
            let ln = |share: f64| {
                let mut test = Share::below(t);
                test.take(share * 1e6, (1.0 - share) * 1e6);
                test.wealth().ln()
            };
            let most = largest_provable(t);
            assert!(ln(most - 0.002) > 0.0 && ln(most + 0.002) < 0.0, "{t}");
        }
    }

    #[test]
    fn bounds_are_where_the_evidence_turns() {
        let b = bounds(240, 300, 0.95);
        assert!(0.7 < b.lower && b.lower < 0.8 && 0.8 < b.upper && b.upper < 0.9, "{b:?}");
        let enough = |t: f64| {
            let mut test = Share::below(t);
            test.take(240.0, 60.0);
            test.wealth().value() >= 20.0
        };
        assert!(enough(b.upper + 1e-6) && !enough(b.upper - 1e-6));
        let none = bounds(0, 0, 0.95);
        assert_eq!((none.lower, none.upper), (0.0, 1.0));
        let (clean, all) = (bounds(0, 100, 0.95), bounds(100, 100, 0.95));
        assert!(clean.lower == 0.0 && clean.upper < 0.1, "{clean:?}");
        near(all.lower, 1.0 - clean.upper, 1e-12);
    }

    proptest! {
        #[test]
        fn wealth_is_a_supermartingale_under_null(
            t in 0.01..0.99_f64, part in 0.0..=1.0_f64,
        ) {
            let mean = |start: Share, rate: f64| {
                let (mut yes, mut no) = (start, start);
                yes.take(1.0, 0.0);
                no.take(0.0, 1.0);
                rate * yes.wealth().value() + (1.0 - rate) * no.wealth().value()
            };
            prop_assert!(mean(Share::below(t), t + (1.0 - t) * part) <= 1.0 + 1e-9);
            prop_assert!(mean(Share::above(t), t * part) <= 1.0 + 1e-9);
        }
    }
}
