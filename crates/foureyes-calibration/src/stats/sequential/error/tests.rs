//! The numbers of the reference, and that no bet grows on average on the wrong side.

use super::*;
use crate::stats::near;
use proptest::prelude::*;

/// Where errors and what is right are drawn with these probabilities: how a record of one is.
fn drawn(record: f64, errors: f64, right: f64) -> Inclusion {
    Inclusion { record, errors, right }
}

/// The wealth after errors and what is right, each at the smallest probability of its kind.
fn below(t: f64, errors: f64, right: f64, [wrong, correct]: [f64; 2]) -> f64 {
    let mut test = Below::new(t);
    test.take(true, drawn(errors, errors, right), wrong);
    test.take(false, drawn(right, errors, right), correct);
    test.wealth().value()
}

/// The mirror of it.
fn above(t: f64, errors: f64, right: f64, [wrong, correct]: [f64; 2]) -> f64 {
    let mut test = Above::new(t);
    test.take(true, drawn(errors, errors, right), wrong);
    test.take(false, drawn(right, errors, right), correct);
    test.wealth().value()
}

fn misses(t: f64, inclusion: f64, missed: f64, caught: f64) -> f64 {
    below(t, inclusion, 1.0, [missed, caught])
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
    test.take(true, drawn(0.6, 0.1, 1.0), 1.0);
    test.take(false, drawn(1.0, 0.1, 1.0), 700.0);
    near(test.wealth().value(), 24.480_445, 5e-7);
}

#[test]
fn false_positives_below_ten_percent_with_three_tenths_audited() {
    near(below(0.10, 1.0, 0.3, [0.0, 11.0]), 24.413_251, 5e-7);
}

#[test]
fn false_discoveries_below_ten_percent() {
    let after = |caught: f64| below(0.10, 1.0, 1.0, [0.0, caught]);
    near(after(31.0), 19.921_915, 5e-7);
    near(after(32.0), 21.997_909, 5e-7);
}

#[test]
fn false_negatives_above_five_percent() {
    near(above(0.05, 1.0, 1.0, [10.0, 50.0]), 87.917_997, 5e-7);
}

#[test]
fn one_table_below_the_threshold_as_in_the_reference() {
    let misses = |wrong, caught| below(0.05, 0.3, 0.3, [wrong, caught]);
    near(misses(0.0, 60.0), 16.624_649, 5e-7);
    near(misses(1.0, 60.0), 1.059_872, 5e-7);
    near(misses(1.0, 100.0), 5.078_846, 5e-7);
    // What is stopped is drawn more often than what passes.
    near(below(0.05, 0.3, 0.5, [0.0, 90.0]), 12.781_957, 5e-7);
    near(below(0.05, 0.3, 0.5, [1.0, 90.0]), 0.857_519, 5e-7);
    // Wrong blocks, of which three tenths are drawn.
    near(below(0.10, 0.3, 0.5, [0.0, 30.0]), 5.756_058, 5e-7);
    near(below(0.10, 0.3, 0.5, [1.0, 30.0]), 0.460_873, 5e-7);
}

#[test]
fn one_table_above_the_threshold_as_in_the_reference() {
    near(above(0.05, 0.3, 1.0, [5.0, 50.0]), 35.898_649, 5e-7);
    near(above(0.05, 0.3, 0.3, [5.0, 15.0]), 27.341_635, 5e-7);
    // Wrong blocks are all seen, what passes rightly three times in ten: the ratio is 1 / 0.3.
    near(above(0.10, 1.0, 0.3, [20.0, 30.0]), 3.465_787, 5e-7);
}

#[test]
fn a_stratum_that_is_labelled_whole_costs_less_when_it_errs() {
    let after = |retried: f64, main: f64| {
        let mut test = Below::new(0.05);
        test.take(false, drawn(1.0, 0.3, 1.0), 250.0);
        test.take(true, drawn(1.0, 0.3, 1.0), retried);
        test.take(true, drawn(0.3, 0.3, 1.0), main);
        test.wealth().value()
    };
    near(after(1.0, 0.0), 26.171_828, 5e-7);
    near(after(2.0, 0.0), 18.776_965, 5e-7);
    near(after(0.0, 1.0), 1.969_440, 5e-7);
}

#[test]
fn a_miss_of_another_judge_weighs_by_the_smallest_rate_of_the_whole_plan() {
    // Labels drawn for one judge, read for another whose errors may lie anywhere.
    let mut test = Below::new(0.05);
    test.take(false, drawn(1.0, 0.3, 0.3), 200.0);
    test.take(false, drawn(0.3, 0.3, 0.3), 6.0);
    test.take(true, drawn(1.0, 0.3, 0.3), 1.0);
    near(test.wealth().value(), 16.746_594, 5e-7);
}

#[test]
fn alternatives_laid_out_for_the_wrong_ratio_find_wrong_blocks_later() {
    let how = [drawn(1.0, 1.0, 0.1), drawn(0.1, 1.0, 0.1)];
    let days = |ratio: f64| {
        let mut test = Above::new(0.10);
        (1..2000).find(|_| {
            test.take_laid_out(true, how[0], ratio, 8.0);
            test.take_laid_out(false, how[1], ratio, 2.4);
            test.wealth().value() >= 140.0
        })
    };
    let (right, wrong) = (days(10.0).unwrap_or_default(), days(0.1).unwrap_or_default());
    assert!(right > 0 && wrong > 4 * right, "{right} {wrong}");
}

#[test]
fn largest_provable_rate_as_in_the_reference() {
    near(largest_provable(0.05, 1.0, 1.0), 0.036121, 6e-7);
    near(largest_provable(0.05, 0.3, 1.0), 0.036439, 6e-7);
    near(largest_provable(0.10, 1.0, 1.0), 0.072358, 6e-7);
    near(largest_provable(0.10, 1.0, 0.3), 0.068497, 6e-7);
    near(largest_provable(0.10, 1.0, 0.1), 0.059923, 6e-7);
}

#[test]
fn beyond_the_largest_provable_rate_the_wealth_ends_below_one() {
    for (t, errors, right) in [(0.05, 1.0, 1.0), (0.05, 0.3, 0.5), (0.10, 1.0, 0.2)] {
        let ln = |rate: f64| {
            let mut test = Below::new(t);
            test.take(true, drawn(errors, errors, right), 1e6 * rate * errors);
            test.take(false, drawn(right, errors, right), 1e6 * (1.0 - rate) * right);
            test.wealth().ln()
        };
        let most = largest_provable(t, errors, right);
        assert!(ln(most - 5e-4) > 0.0 && ln(most + 5e-4) < 0.0, "{t} {errors} {right}");
    }
}

#[test]
fn a_clean_stream_costs_a_tenth_more_than_the_exact_floor() {
    let cost =
        |t: f64| (1..500).find(|n| below(t, 1.0, 1.0, [0.0, f64::from(*n)]) >= 20.0).unwrap_or(0);
    assert_eq!((cost(0.05), cost(0.10)), (64, 32));
}

#[test]
fn bounds_without_labels_claim_nothing() {
    let none = bounds(&[], 0.95);
    assert_eq!((none.lower, none.upper), (0.0, 1.0));
    let clean = bounds(&[Group { inclusion: Inclusion::WHOLE, errors: 0, correct: 64 }], 0.95);
    assert!(clean.lower < 1e-9 && clean.upper < 0.05, "{clean:?}");
    let bad = bounds(&[Group { inclusion: Inclusion::WHOLE, errors: 50, correct: 0 }], 0.95);
    assert!(bad.lower > 0.5 && bad.upper == 1.0, "{bad:?}");
}

/// The mean of the wealth after one record, of an error with that probability, where errors and what
/// is right are labelled with some probabilities, and others may be smaller.
fn mean(
    rate: f64,
    [p_error, p_right]: [f64; 2],
    [errors, right]: [f64; 2],
    after: impl Fn(bool, Inclusion) -> f64,
) -> f64 {
    let of = |is_error, p| p * after(is_error, drawn(p, errors, right)) + 1.0 - p;
    rate * of(true, p_error) + (1.0 - rate) * of(false, p_right)
}

proptest! {
    #[test]
    fn wealth_is_a_supermartingale_under_null(
        t in 0.01..0.5_f64, beyond in 0.0..0.4_f64, p in prop::array::uniform2(0.05..=1.0_f64),
        less in prop::array::uniform2(0.05..=1.0_f64), laid_out in 0.05..20.0_f64,
    ) {
        let (worse, better) = (t + beyond, t * (1.0 - beyond));
        let smallest = [p[0] * less[0], p[1] * less[1]];
        let below = |is_error, how| {
            let mut test = Below::new(t);
            test.take(is_error, how, 1.0);
            test.wealth().value()
        };
        prop_assert!(mean(worse, p, smallest, below) <= 1.0 + 1e-12);
        for ratio in [None, Some(laid_out)] {
            let above = |is_error, how: Inclusion| {
                let mut test = Above::new(t);
                test.take_laid_out(is_error, how, ratio.unwrap_or(how.ratio()), 1.0);
                test.wealth().value()
            };
            prop_assert!(mean(better, p, smallest, above) <= 1.0 + 1e-12);
        }
    }

    #[test]
    fn bounds_hold_the_weighted_rate_and_stay_in_zero_to_one(
        errors in 0_u64..60, correct in 0_u64..600, pi in 0.1..=1.0_f64,
    ) {
        let got = bounds(&[Group { inclusion: drawn(pi, pi, pi), errors, correct }], 0.95);
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
