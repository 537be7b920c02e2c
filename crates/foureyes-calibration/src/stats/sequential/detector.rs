//! Whether a rate that was on the right side has left it.
//!
//! Every good day lowers a wealth on "the rate is above", so after many of them it needs many bad ones.
//! A detector starts anew on each day: it is the sum, over the days, of the evidence since that day
//! (Shiryaev and Roberts; as an e-detector Shin, Ramdas and Rinaldo 2023, "E-detectors: a nonparametric
//! framework for sequential change detection"). Where the rate is on the right side, given the past, its
//! mean grows by at most 1 a day, so the mean time until it reaches A is at least A days.

use super::CELLS;

/// What one day may multiply the evidence by. It keeps the guarantee, since less evidence raises no
/// false alarm, and three bad days in a row are the least that reach 1,000: one outage does not.
const MOST_OF_A_DAY: f64 = 10.0;

/// The evidence of a change, day by day.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Detector {
    /// The evidence against each alternative since each day so far, added up.
    sums: [f64; CELLS],
    /// Logarithms of the factors of the day under way.
    day: [f64; CELLS],
}

impl Detector {
    /// Takes records of the day under way, by their factors in the bets on a rate above the threshold.
    pub fn take(&mut self, factors: [f64; CELLS]) {
        self.take_ln(factors.map(f64::ln));
    }

    /// The same with factors given as logarithms.
    pub fn take_ln(&mut self, ln_factors: [f64; CELLS]) {
        self.day.iter_mut().zip(ln_factors).for_each(|(day, f)| *day += f);
    }

    /// Ends the day under way.
    pub fn end_day(&mut self) {
        for (sum, day) in self.sums.iter_mut().zip(&mut self.day) {
            *sum = (day.exp().min(MOST_OF_A_DAY) * (*sum + 1.0)).min(f64::MAX);
            *day = 0.0;
        }
    }

    /// The mean over the alternatives, at the end of the last day that was ended.
    pub fn value(&self) -> f64 {
        self.sums.iter().map(|sum| sum / CELLS as f64).sum()
    }
}

#[cfg(test)]
mod tests {
    use super::super::error::{Inclusion, mirror_factors};
    use super::super::share::Share;
    use super::*;
    use crate::stats::near;

    /// The values after days of errors and of what is right.
    fn after(t: f64, errors: Inclusion, right: Inclusion, days: &[(u32, u32)]) -> Vec<f64> {
        let mut detector = Detector::default();
        let value = |(wrong, correct): &(u32, u32)| {
            (0..*wrong).for_each(|_| detector.take(mirror_factors(t, true, errors)));
            (0..*correct).for_each(|_| detector.take(mirror_factors(t, false, right)));
            detector.end_day();
            detector.value()
        };
        days.iter().map(value).collect()
    }

    #[track_caller]
    fn all_near(got: &[f64], expected: &[f64]) {
        assert_eq!(got.len(), expected.len());
        got.iter().zip(expected).for_each(|(got, expected)| near(*got, *expected, 6e-7));
    }

    #[test]
    fn misses_of_a_whole_sample_as_in_the_reference() {
        let days = [[(0, 6); 3].as_slice(), &[(2, 4); 4]].concat();
        let expected = [0.687212, 1.205750, 1.620497, 8.506017, 44.226505, 275.853599, 1966.457695];
        all_near(&after(0.05, Inclusion::WHOLE, Inclusion::WHOLE, &days), &expected);
    }

    #[test]
    fn misses_of_a_sample_as_in_the_reference() {
        let errors = Inclusion { record: 0.3, errors: 0.3, right: 1.0 };
        let right = Inclusion { record: 1.0, ..errors };
        let days = [[(0, 6); 2].as_slice(), &[(1, 4); 3]].concat();
        let expected = [0.874350, 1.649204, 5.474704, 15.426256, 44.584361];
        all_near(&after(0.05, errors, right, &days), &expected);
    }

    #[test]
    fn wrong_blocks_as_in_the_reference() {
        let errors = Inclusion { record: 1.0, errors: 1.0, right: 0.3 };
        let right = Inclusion { record: 0.3, ..errors };
        all_near(&after(0.10, errors, right, &[(6, 8); 3]), &[1.594349, 4.467770, 9.939645]);
    }

    #[test]
    fn outages_as_in_the_reference() {
        let (mut detector, share) = (Detector::default(), Share::above(0.05));
        let value = |errors: &f64| {
            detector.take_ln(share.ln_factors(*errors, 40.0 - errors));
            detector.end_day();
            detector.value()
        };
        let got: Vec<f64> = [40.0, 2.0, 40.0, 40.0].iter().map(value).collect();
        all_near(&got, &[10.0, 5.659855, 66.598548, 675.985479]);
    }

    #[test]
    fn two_bad_days_reach_no_thousand_and_a_value_stays_a_number() {
        let mut detector = Detector::default();
        let value = |_| {
            detector.take([1e9; CELLS]);
            detector.end_day();
            detector.value()
        };
        let got: Vec<f64> = (0..2000).map(value).collect();
        all_near(&got[..3], &[10.0, 110.0, 1110.0]);
        assert!(got.iter().all(|value| value.is_finite()));
    }

    #[test]
    fn a_day_without_evidence_adds_one_to_each_alternative() {
        let mut detector = Detector::default();
        (0..7).for_each(|_| detector.end_day());
        near(detector.value(), 7.0, 1e-12);
    }
}
