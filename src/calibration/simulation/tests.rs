//! A wrong READY is rare, a good judge gets one, and few labels get nothing.

use super::*;
use crate::calibration::FalsePositive;

/// A seeded generator: 64 bits of a counter, mixed (Steele, Lea and Flood, SplitMix, 2014).
fn seeded(mut state: u64) -> impl FnMut() -> f64 {
    move || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = state;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }
}

fn of(truth: Truth, policy: &Policy, days: u32, runs: u32) -> Characteristic {
    simulate(&truth, policy, days, runs, &mut seeded(7))
}

fn plain() -> Policy {
    Policy { false_positive: FalsePositive::Fpr, ..Policy::default() }
}

fn row(c: &Characteristic, id: Measure) -> &MeasureRow {
    c.measures.iter().find(|m| m.id == id).unwrap_or_else(|| unreachable!("{id:?} is gated"))
}

#[test]
fn misses_at_the_threshold_are_seldom_called_met_and_point_estimates_often_do() {
    let truth = Truth { false_negative: 0.05, ..Truth::default() };
    let c = simulate(&truth, &plain(), 90, 80, &mut seeded(1_000_003));
    let fnr = row(&c, Measure::FalseNegativeRate);
    // Of 80 runs with a chance of 4 % each, more than eight are wrong once in a thousand times.
    assert!(fnr.met <= 0.10, "{fnr:?}");
    assert!(c.ready <= 0.10, "{c:?}");
    assert!(fnr.literal > 0.70 && fnr.one_look > fnr.met, "{fnr:?}");
}

#[test]
fn wrong_blocks_at_the_threshold_are_seldom_called_met() {
    let truth = Truth { false_positive: 0.10, pi: 0.3, ..Truth::default() };
    let c = of(truth, &plain(), 60, 60);
    assert!(row(&c, Measure::FalsePositiveRate).met <= 0.10, "{c:?}");
}

#[test]
fn a_good_judge_is_ready_and_a_bad_one_is_not() {
    let good = of(Truth::default(), &plain(), 90, 30);
    assert!(good.ready >= 0.90, "{good:?}");
    assert!(good.ready_day.is_some_and(|d| d > 14) && good.ready_labels > Some(64));
    let bad = Truth { false_negative: 0.40, false_positive: 0.30, ..Truth::default() };
    let bad = of(bad, &plain(), 40, 20);
    assert!(bad.not_ready >= 0.95 && bad.ready == 0.0, "{bad:?}");
}

#[test]
fn ten_labels_decide_nothing() {
    let few = Truth { per_day: 1, ..Truth::default() };
    let c = of(few, &Policy { days: 1, ..plain() }, 10, 50);
    assert_eq!((c.ready, c.not_ready), (0.0, 0.0), "{c:?}");
}

#[test]
fn a_clean_stream_costs_at_most_a_seventh_more_than_the_exact_floor() {
    // Everything is poor and caught: 59 labels are the exact floor, and 64 are 1.09 times that.
    let clean = Truth { poor: 1.0, false_negative: 0.0, per_day: 1, ..Truth::default() };
    let c = of(clean, &Policy { days: 1, ..plain() }, 90, 1);
    let after = row(&c, Measure::FalseNegativeRate).met_after;
    assert_eq!(after, Some(64));
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let (a, b) = (of(Truth::default(), &plain(), 20, 5), of(Truth::default(), &plain(), 20, 5));
    assert_eq!(a, b);
}
