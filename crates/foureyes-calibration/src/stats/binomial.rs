//! Exact bounds of a share (Clopper and Pearson, Biometrika 26, 1934).
//!
//! The lower bound is the share under which as many successes or more would be seen with just
//! the allowed probability of error; the upper one the share under which as few or fewer would.
//! Both are therefore never too narrow, whatever the true share.

use super::Interval;
use super::tail::UpperTail;

/// Two-sided bounds of a share, each side with half the error.
///
/// `confidence` lies in (0, 1). `None` where there are no trials, more successes than trials,
/// or a confidence outside its range: no data, no claim.
pub fn two_sided(successes: u64, trials: u64, confidence: f64) -> Option<Interval> {
    if trials == 0 || successes > trials || !(confidence > 0.0 && confidence < 1.0) {
        return None;
    }
    let error = (1.0 - confidence) * 0.5;
    let upper = 1.0 - bound_below(trials - successes, trials, error);
    Some(Interval { lower: bound_below(successes, trials, error), upper })
}

/// A share and its two-sided bounds, as they are shown: [`super::CONFIDENCE`].
///
/// `None` where [`two_sided`] is.
pub fn share(successes: u64, trials: u64) -> Option<(f64, Interval)> {
    let interval = two_sided(successes, trials, super::CONFIDENCE)?;
    Some((successes as f64 / trials as f64, interval))
}

/// One-sided upper bound of a share; 1 where there is nothing to go by.
///
/// `confidence` lies in [0.5, 1).
pub fn upper(successes: u64, trials: u64, confidence: f64) -> f64 {
    1.0 - bound_below(trials.saturating_sub(successes), trials, 1.0 - confidence)
}

/// One-sided lower bound of a share; 0 where there is nothing to go by.
///
/// `confidence` lies in [0.5, 1).
pub fn lower(successes: u64, trials: u64, confidence: f64) -> f64 {
    bound_below(successes.min(trials), trials, 1.0 - confidence)
}

/// The fewest successes that are not exceeded with a probability of `confidence` at least.
///
/// `share` is that of successes, `confidence` lies in [0.5, 1).
pub fn quantile(share: f64, trials: u64, confidence: f64) -> u64 {
    if share <= 0.0 || trials == 0 {
        return 0;
    }
    if share >= 1.0 {
        return trials;
    }
    let exceeded = |most: u64| UpperTail::new(most + 1, trials).at(share) > 1.0 - confidence;
    // No fewer than the mean without its fraction: the median is not below it.
    let (mut low, mut high) = ((share * trials as f64).floor() as u64, trials);
    while low < high {
        let middle = low + (high - low) / 2;
        if exceeded(middle) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    low.min(trials)
}

/// The share under which at least that many successes have probability `error`.
fn bound_below(successes: u64, trials: u64, error: f64) -> f64 {
    if successes == 0 || trials == 0 {
        return 0.0;
    }
    if successes == trials {
        return (error.ln() / trials as f64).exp();
    }
    UpperTail::new(successes, trials).share_at(error)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, clippy::excessive_precision)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn both(successes: u64, trials: u64) -> (f64, f64) {
        let i = two_sided(successes, trials, 0.95).unwrap();
        (i.lower, i.upper)
    }

    fn close(got: (f64, f64), expected: (f64, f64), tolerance: f64) {
        let near =
            (got.0 - expected.0).abs() <= tolerance && (got.1 - expected.1).abs() <= tolerance;
        assert!(near, "{got:?} is not {expected:?}");
    }

    /// The fewest trials whose one-sided 95 % upper bound is at most `share`.
    fn fewest(errors: u64, share: f64) -> u64 {
        (errors + 1..).find(|n| upper(errors, *n, 0.95) <= share).unwrap()
    }

    #[test]
    fn a_quantile_is_the_first_number_that_is_seldom_exceeded() {
        // Term by term: with 20 trials of 0.1 four are not exceeded in 0.957 of cases, three in 0.867.
        assert_eq!(quantile(0.1, 20, 0.95), 4);
        assert_eq!(quantile(0.01, 134, 0.95), 3);
        assert_eq!((quantile(0.0, 9, 0.95), quantile(1.0, 9, 0.95)), (0, 9));
        for (share, trials) in [(0.005, 64), (0.3, 7), (0.98, 50), (0.5, 1), (0.02, 100_000)] {
            let q = quantile(share, trials, 0.95);
            let exceeds = |most: u64| {
                if most >= trials { 0.0 } else { UpperTail::new(most + 1, trials).at(share) }
            };
            assert!(exceeds(q) <= 0.05, "{share} of {trials}: {q}");
            assert!(q == 0 || exceeds(q - 1) > 0.05, "{share} of {trials}: {q}");
        }
    }

    #[test]
    fn newcombe_1998_table_of_81_in_263() {
        close(both(81, 263), (0.2527, 0.3676), 5e-5);
    }

    #[test]
    fn newcombe_1998_table_of_none_in_20() {
        close(both(0, 20), (0.0, 0.1684), 5e-5);
        assert_eq!(both(0, 20).0, 0.0);
        assert_eq!(both(20, 20).1, 1.0);
    }

    #[test]
    fn wilks_sample_sizes_for_0_1_2_errors() {
        assert_eq!([0, 1, 2].map(|e| fewest(e, 0.05)), [59, 93, 124]);
        assert_eq!([0, 1, 2].map(|e| fewest(e, 0.10)), [29, 46, 61]);
    }

    #[test]
    fn zero_errors_need_the_logarithm_of_the_error_in_trials() {
        assert_eq!([0.005, 0.015, 0.002].map(|a| fewest(0, a)), [598, 199, 1497]);
    }

    #[test]
    fn no_data_gives_full_interval() {
        assert_eq!(two_sided(0, 0, 0.95), None);
        assert_eq!((lower(0, 0, 0.95), upper(0, 0, 0.95)), (0.0, 1.0));
        assert_eq!(upper(5, 5, 0.95), 1.0);
        assert!((upper(0, 59, 0.95) - (1.0 - 0.05_f64.powf(1.0 / 59.0))).abs() < 1e-12);
        assert_eq!(two_sided(3, 2, 0.95), None);
        assert_eq!(two_sided(1, 2, 1.0), None);
        assert_eq!(two_sided(1, 2, f64::NAN), None);
    }

    /// Computed with 40 digits by summing the tail in mpmath.
    const MANY: [(u64, u64, f64, f64); 10] = [
        (81, 263, 0.252_736_745_585_271_16, 0.367_621_922_601_351_36),
        (1, 20, 0.001_265_089_497_949_803_7, 0.248_732_762_772_027_78),
        (90, 1000, 0.072_990_466_456_622_855, 0.109_466_573_138_339_13),
        (1, 1_000_000, 2.531_780_766_379_417_8e-8, 5.571_630_655_172_244_3e-6),
        (820_000, 1_000_000, 0.819_245_580_007_629_66, 0.820_752_566_007_340_7),
        (1, 10_000_000, 2.531_780_795_224_030_5e-9, 5.571_642_117_360_731_2e-7),
        (5_000_000, 10_000_000, 0.499_690_052_521_371_09, 0.500_309_947_478_628_91),
        (9_999_999, 10_000_000, 0.999_999_442_835_788_26, 0.999_999_997_468_219_2),
        (8_200_000, 10_000_000, 0.819_761_739_898_913_61, 0.820_238_074_813_918_03),
        (300_000, 10_000_000, 0.029_894_356_966_228_832, 0.030_105_915_269_206_2),
    ];

    #[test]
    fn ten_million_trials_are_good_to_a_billionth() {
        for (successes, trials, low, high) in MANY {
            // Shares of a few in ten millions keep their digits too.
            close(both(successes, trials), (low, high), (low * 1e-6).min(1e-10));
        }
    }

    #[test]
    fn bounds_match_statrs_inverse_beta() {
        use statrs::function::beta::inv_beta_reg;
        for trials in [2_u64, 7, 30, 263, 1000] {
            for successes in 1..trials.min(40) {
                let (k, n) = (successes as f64, trials as f64);
                let expected =
                    (inv_beta_reg(k, n - k + 1.0, 0.025), inv_beta_reg(k + 1.0, n - k, 0.975));
                close(both(successes, trials), expected, 1e-9);
            }
        }
    }

    proptest! {
        #[test]
        fn an_interval_holds_its_estimate(trials in 1_u64..100_000, part in 0.0..=1.0_f64) {
            let successes = (part * trials as f64) as u64;
            let estimate = successes as f64 / trials as f64;
            let (low, high) = both(successes, trials);
            prop_assert!(0.0 <= low && low <= estimate && estimate <= high && high <= 1.0);
        }

        #[test]
        fn more_data_of_the_same_rate_never_widens(
            trials in 1_u64..5_000, part in 0.0..=1.0_f64, times in 2_u64..50,
        ) {
            let successes = (part * trials as f64) as u64;
            let few = both(successes, trials);
            let many = both(successes * times, trials * times);
            prop_assert!(few.0 <= many.0 + 1e-12 && many.1 <= few.1 + 1e-12, "{few:?} {many:?}");
        }
    }
}
