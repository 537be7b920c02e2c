//! Bounds and estimates of labels that were drawn in various ways.

use super::*;
use crate::calibration::label::Unconfirmed;
use crate::domain::RecordId;
use crate::stats::near;
use proptest::prelude::*;

pub(in crate::calibration) fn add(
    tally: &mut Tally,
    times: u64,
    flagged: bool,
    word: Option<Word>,
    pi: f64,
) {
    for n in 0..times {
        let chosen = flagged || word.is_some();
        let j = Judged {
            id: RecordId([0; 32]),
            flagged,
            undetermined: false,
            agent: 0,
            judge: 0,
            stratum: 0,
            word,
            pi: chosen.then_some(if flagged { 1.0 } else { pi }),
            rate: if flagged { 1.0 } else { pi },
            draw: if flagged { 0.0 } else { pi * n as f64 / times as f64 },
            smallest: pi,
            stopped: 1.0,
            covered: pi > 0.0,
            planned: true,
            double: false,
            unconfirmed: Unconfirmed::No,
            times: 1,
        };
        tally.add(&j);
    }
}

#[test]
fn unsure_is_read_both_ways() {
    assert!(is_poor(false, Word::Unsure, Reading::Worst));
    assert!(!is_poor(true, Word::Unsure, Reading::Worst));
    assert!(!is_poor(false, Word::Unsure, Reading::Best));
    assert!(is_poor(true, Word::Unsure, Reading::Best));
}

#[test]
fn a_clean_audit_of_three_tenths_has_the_published_bound() {
    let mut tally = Tally::default();
    add(&mut tally, 60, true, Some(Word::Poor), 0.3);
    add(&mut tally, 30, false, Some(Word::Acceptable), 0.3);
    add(&mut tally, 70, false, None, 0.3);
    let bounds = tally.bounds(Measure::FalseNegativeRate, 0.95);
    near(bounds.upper, 0.145_776_934, 5e-9);
    assert_eq!(tally.rates().false_negative, Some(0.0));
    assert_eq!(tally.sizes()[1][&0].population, 100);
    assert_eq!(tally.rates_with(60, 0, Measure::FalseNegativeRate), Some(0.5));
}

#[test]
fn labels_on_flagged_content_alone_estimate_no_misses() {
    let mut tally = Tally::default();
    add(&mut tally, 20, true, Some(Word::Poor), 0.0);
    add(&mut tally, 5, true, Some(Word::Acceptable), 0.0);
    add(&mut tally, 100, false, None, 0.0);
    let rates = tally.rates();
    assert_eq!((rates.false_negative, rates.false_positive), (None, None));
    near(rates.false_discovery.unwrap(), 0.2, 1e-12);
    assert_eq!(tally.bounds(Measure::FalseNegativeRate, 0.95).upper, 1.0);
}

#[test]
fn a_raised_rate_starts_a_cell_of_its_own() {
    let mut tally = Tally::default();
    add(&mut tally, 10, true, Some(Word::Poor), 0.1);
    add(&mut tally, 10, false, Some(Word::Poor), 0.1);
    add(&mut tally, 90, false, None, 0.1);
    add(&mut tally, 50, false, Some(Word::Acceptable), 0.5);
    add(&mut tally, 50, false, None, 0.5);
    // 100 poor of the first hundred, none of the second: not 10 of 60 of two hundred.
    near(tally.rates().false_negative.unwrap(), 100.0 / 110.0, 1e-12);
    assert_eq!(tally.rates().false_omission, Some(0.5));
}

proptest! {
    #[test]
    fn bounds_hold_the_estimate_of_a_whole_sample(
        tp in 0_u64..60, fp in 0_u64..60, missed in 0_u64..20, tn in 0_u64..60,
    ) {
        let mut tally = Tally::default();
        add(&mut tally, tp, true, Some(Word::Poor), 1.0);
        add(&mut tally, fp, true, Some(Word::Acceptable), 1.0);
        add(&mut tally, missed, false, Some(Word::Poor), 1.0);
        add(&mut tally, tn, false, Some(Word::Acceptable), 1.0);
        let rates = tally.rates();
        let pairs = [
            (Measure::FalsePositiveRate, rates.false_positive),
            (Measure::FalseDiscoveryRate, rates.false_discovery),
            (Measure::FalseNegativeRate, rates.false_negative),
            (Measure::FalseOmissionRate, rates.false_omission),
        ];
        for (measure, rate) in pairs {
            let b = tally.bounds(measure, 0.95);
            prop_assert!(0.0 <= b.lower && b.lower <= b.upper && b.upper <= 1.0);
            if let Some(rate) = rate {
                prop_assert!(b.lower <= rate && rate <= b.upper, "{measure:?} {rate} {b:?}");
            }
        }
    }
}
