//! The numbers of the reference, and that no bet grows on average on the wrong side.

use super::*;
use crate::stats::near;
use proptest::prelude::*;

fn misses(t: f64, inclusion: f64, missed: f64, caught: f64) -> f64 {
    let mut test = Below::new(t);
    test.errors(1.0, missed);
    test.correct(inclusion, caught);
    test.wealth().value()
}

#[test]
fn false_negatives_below_five_percent_with_everything_labelled() {
    near(misses(0.05, 1.0, 0.0, 59.0), 15.844_428, 5e-7);
    near(misses(0.05, 1.0, 0.0, 63.0), 19.207_149, 1e-6);
    near(misses(0.05, 1.0, 0.0, 64.0), 20.155_490, 5e-7);
    near(misses(0.05, 1.0, 1.0, 130.0), 17.262_184, 5e-7);
    near(misses(0.05, 1.0, 1.0, 150.0), 39.772_329, 5e-7);
}

#[test]
fn false_negatives_below_five_percent_with_three_tenths_audited() {
    near(misses(0.05, 0.3, 0.0, 200.0), 17.469_982, 5e-7);
}

#[test]
fn false_negatives_with_two_audit_rates() {
    let mut test = Below::new(0.05);
    test.errors(0.1 / 0.6, 1.0);
    test.correct(0.1, 700.0);
    near(test.wealth().value(), 24.480_445, 5e-7);
}

#[test]
fn false_positives_below_ten_percent_with_three_tenths_audited() {
    let mut test = Below::new(0.10);
    test.correct(1.0 / 0.3, 11.0);
    near(test.wealth().value(), 24.413_251, 5e-7);
}

#[test]
fn false_discoveries_below_ten_percent() {
    let after = |caught: f64| {
        let mut test = Below::new(0.10);
        test.correct(1.0, caught);
        test.wealth().value()
    };
    near(after(31.0), 19.921_915, 5e-7);
    near(after(32.0), 21.997_909, 5e-7);
}

#[test]
fn false_negatives_above_five_percent() {
    let mut test = Above::new(0.05);
    test.errors(1.0, 1.0, 10.0);
    test.correct(1.0, 1.0, 50.0);
    near(test.wealth().value(), 87.917_997, 5e-7);
}

#[test]
fn a_clean_stream_costs_a_tenth_more_than_the_exact_floor() {
    let cost = |t: f64| {
        (1..500)
            .find(|n| {
                let mut test = Below::new(t);
                test.correct(1.0, f64::from(*n));
                test.wealth().value() >= 20.0
            })
            .unwrap_or(0)
    };
    assert_eq!((cost(0.05), cost(0.10)), (64, 32));
}

#[test]
fn bounds_without_labels_claim_nothing() {
    let none = bounds(&[], 0.95);
    assert_eq!((none.lower, none.upper), (0.0, 1.0));
    let clean = bounds(&[Group { inclusion: 1.0, errors: 0, correct: 64 }], 0.95);
    assert!(clean.lower < 1e-9 && clean.upper < 0.05, "{clean:?}");
    let bad = bounds(&[Group { inclusion: 1.0, errors: 50, correct: 0 }], 0.95);
    assert!(bad.lower > 0.5 && bad.upper == 1.0, "{bad:?}");
}

/// The mean of the wealth after one record, of an error with that probability.
fn mean_below(rate: f64, t: f64, p_error: f64, p_right: f64, scale: f64) -> f64 {
    let after = |error: bool| {
        let mut test = Below::new(t);
        if error {
            test.errors(scale / p_error, 1.0);
        } else {
            test.correct(scale / p_right, 1.0);
        }
        test.wealth().value()
    };
    rate * (p_error * after(true) + 1.0 - p_error)
        + (1.0 - rate) * (p_right * after(false) + 1.0 - p_right)
}

fn mean_above(rate: f64, t: f64, p_error: f64, p_right: f64, scale: f64) -> f64 {
    let after = |error: bool| {
        let mut test = Above::new(t);
        if error {
            test.errors(scale / p_error, scale, 1.0);
        } else {
            test.correct(scale / p_right, scale, 1.0);
        }
        test.wealth().value()
    };
    rate * (p_error * after(true) + 1.0 - p_error)
        + (1.0 - rate) * (p_right * after(false) + 1.0 - p_right)
}

proptest! {
    #[test]
    fn wealth_is_a_supermartingale_under_null(
        t in 0.01..0.5_f64, beyond in 0.0..0.4_f64, pi in 0.05..=1.0_f64, less in 0.05..=1.0_f64,
    ) {
        let (worse, better) = (t + beyond, t * (1.0 - beyond));
        // Misses: what is caught is labelled whole, what passes with π; the scale may be smaller.
        prop_assert!(mean_below(worse, t, pi, 1.0, pi * less) <= 1.0 + 1e-12);
        prop_assert!(mean_above(better, t, pi, 1.0, 1.0) <= 1.0 + 1e-12);
        // Wrong blocks: the other way round.
        prop_assert!(mean_below(worse, t, 1.0, pi, 1.0) <= 1.0 + 1e-12);
        prop_assert!(mean_above(better, t, 1.0, pi, pi * less) <= 1.0 + 1e-12);
    }

    #[test]
    fn bounds_hold_the_weighted_rate_and_stay_in_zero_to_one(
        errors in 0_u64..60, correct in 0_u64..600, pi in 0.1..=1.0_f64,
    ) {
        let got = bounds(&[Group { inclusion: pi, errors, correct }], 0.95);
        prop_assert!(0.0 <= got.lower && got.lower <= got.upper && got.upper <= 1.0);
        if errors + correct > 0 {
            let rate = errors as f64 / (errors + correct) as f64;
            prop_assert!(got.lower <= rate + 1e-9 && rate <= got.upper + 1e-9, "{got:?} {rate}");
        }
    }
}

#[test]
fn whole_clusters_as_in_the_reference() {
    let below = |t: f64, clusters: &[(f64, f64)]| {
        let mut test = Below::new(t);
        clusters.iter().for_each(|(times, share)| test.clusters(*share, *times));
        test.wealth().value()
    };
    near(below(0.05, &[(69.0, 0.0)]), 25.659_076, 5e-7);
    near(below(0.05, &[(30.0, 0.0), (1.0, 0.5), (60.0, 0.0)]), 39.114_672, 5e-7);
    near(below(0.10, &[(34.0, 0.0)]), 26.831_255, 5e-7);
    let mut above = Above::new(0.05);
    above.clusters(0.5, 10.0);
    above.clusters(0.0, 10.0);
    near(above.wealth().value(), 344.479_643, 5e-7);
}

proptest! {
    #[test]
    fn cluster_wealth_is_a_supermartingale_under_null(
        t in 0.01..0.5_f64, beyond in 0.0..0.4_f64, spread in 0.0..=1.0_f64,
    ) {
        // Clusters without any error, and others with so many that the mean share is what it is.
        let mean = |rate: f64, after: &dyn Fn(f64) -> f64| {
            let bad = rate + (1.0 - rate) * spread;
            let part = rate / bad;
            part * after(bad) + (1.0 - part) * after(0.0)
        };
        let below = |share: f64| {
            let mut test = Below::new(t);
            test.clusters(share, 1.0);
            test.wealth().value()
        };
        let above = |share: f64| {
            let mut test = Above::new(t);
            test.clusters(share, 1.0);
            test.wealth().value()
        };
        prop_assert!(mean(t + beyond, &below) <= 1.0 + 1e-12);
        prop_assert!(mean(t * (1.0 - beyond), &above) <= 1.0 + 1e-12);
    }
}
