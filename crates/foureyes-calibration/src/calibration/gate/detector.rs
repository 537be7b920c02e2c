//! Whether a measure that was on the right side has left it, day by day.

use super::Counts;
use crate::calibration::days::Judged;
use crate::calibration::reading::{Reading, is_poor};
use crate::calibration::{Measure, Policy};
use crate::stats::sequential::Detector;
use crate::stats::sequential::error::mirror_factors;
use crate::stats::sequential::share::Share;

/// The detectors of one measure: two where it must stay within a range.
#[derive(Debug, Clone)]
pub(in crate::calibration) struct Detectors {
    all: Vec<Detector>,
    /// Whether the day under way said anything: others are no days of evidence.
    has_evidence: bool,
}

impl Detectors {
    /// Nothing seen yet.
    pub(super) fn new(measure: Measure, policy: &Policy) -> Self {
        let tests = match measure.needs_labels() {
            true => 1,
            false => Counts::default().error_shares(measure, policy).len(),
        };
        Self { all: vec![Detector::default(); tests], has_evidence: false }
    }

    /// Takes a content of a closed day, with labels of doubt, and of words that wait for others since few
    /// days, for the judge; without a label that was drawn it changes nothing.
    pub(super) fn judged(&mut self, measure: Measure, policy: &Policy, j: &Judged) {
        let Some((word, pi)) = j.deciding_word(Reading::Best).zip(j.pi) else { return };
        let how = j.inclusion(measure, pi);
        let is_error = j.is_error(measure, is_poor(j.flagged, word, Reading::Best));
        let Some(is_error) = is_error.filter(|_| how.errors > 0.0 && how.right > 0.0) else {
            return;
        };
        let factors = mirror_factors(policy.threshold(measure).value, is_error, how);
        self.all.iter_mut().for_each(|detector| detector.take(factors));
        self.has_evidence = true;
    }

    /// Takes the evaluations of a day that count, and ends it.
    pub(super) fn evaluations(&mut self, measure: Measure, policy: &Policy, counts: &Counts) {
        for (detector, share) in self.all.iter_mut().zip(counts.error_shares(measure, policy)) {
            let (errors, others) = (share.errors as f64, (share.of - share.errors) as f64);
            detector.take_ln(Share::above(share.below).ln_factors(errors, others));
            self.has_evidence |= share.of > 0;
        }
        self.end_day();
    }

    /// Ends a day.
    pub(super) fn end_day(&mut self) {
        if std::mem::take(&mut self.has_evidence) {
            self.all.iter_mut().for_each(Detector::end_day);
        }
    }

    /// Whether one of them says that the measure left its side: by false alarm once in so many days of
    /// evidence, in the mean and at most.
    pub(super) fn is_alarmed(&self, false_alarm_days: u32) -> bool {
        self.all.iter().any(|detector| detector.value() >= f64::from(false_alarm_days))
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{CAUGHT, MISSED, PASSED, WRONG, of};
    use super::super::{Gate, LaidOut, Tests};
    use super::*;
    use crate::calibration::kept::Limits;
    use crate::calibration::tally::Tally;
    use crate::calibration::{Allowance, Word};

    /// Days of so many labels of some kinds.
    type Days = Vec<Vec<(u32, Judged)>>;

    fn take(gate: &mut Gate<'_>, from: i32, days: &Days) {
        for (number, day) in (from..).zip(days) {
            let all = day.iter().flat_map(|(times, j)| (0..*times).map(|_| *j));
            let labelled: Vec<Judged> = all.collect();
            let mut tally = Tally::default();
            labelled.iter().for_each(|j| tally.add(j));
            gate.day(tally, &labelled, Limits::WHOLE);
            gate.end_of_day(number, true);
        }
    }

    /// The day on which a measure is withdrawn.
    fn withdrawn(measure: Measure, tests: Tests, days: &Days) -> Option<i32> {
        let policy = Policy::default();
        let mut gate = Gate::of_window(&policy, Allowance::FIRST, tests);
        take(&mut gate, 0, days);
        gate.track(measure).and_then(|track| track.withdrawn)
    }

    fn misses(pi: f64, days: &[(u32, u32)]) -> Days {
        let day = |(missed, caught): &(u32, u32)| {
            vec![(*missed, of(MISSED, pi)), (*caught, of(CAUGHT, pi))]
        };
        days.iter().map(day).collect()
    }

    #[test]
    fn three_bad_days_after_good_ones_withdraw_as_in_the_reference() {
        let fnr = Measure::FalseNegativeRate;
        let days = [[(0, 6); 3].as_slice(), &[(2, 4); 4]].concat();
        assert_eq!(withdrawn(fnr, Tests::CURRENT, &misses(1.0, &days)), Some(6));
        assert_eq!(withdrawn(fnr, Tests::CURRENT, &misses(1.0, &days[..6])), None);
        // However many good days came before.
        let days = [[(0, 6); 200].as_slice(), &[(4, 2); 3]].concat();
        assert_eq!(withdrawn(fnr, Tests::CURRENT, &misses(1.0, &days)), Some(202));
    }

    #[test]
    fn withdrawal_beats_met_whichever_came_first_and_stays() {
        let policy = Policy::default();
        let mut gate = Gate::new(&policy);
        let good = misses(1.0, &[(0, 6); 20]);
        take(&mut gate, 0, &good);
        let fnr = |gate: &Gate<'_>| gate.track(Measure::FalseNegativeRate).cloned();
        assert!(fnr(&gate).is_some_and(|t| t.is_met() && t.withdrawn.is_none()));
        take(&mut gate, 20, &misses(1.0, &[(6, 0); 3]));
        take(&mut gate, 23, &misses(1.0, &[(0, 6); 300]));
        let after = fnr(&gate).map(|t| (t.met, t.withdrawn, t.is_met(), t.is_not_met()));
        assert_eq!(after, Some((Some(11), Some(22), false, true)));
        // Bad days first: it may be met by its wealth later, and stays withdrawn.
        let mut gate = Gate::new(&policy);
        take(&mut gate, 0, &misses(1.0, &[(3, 3); 4]));
        assert!(fnr(&gate).is_some_and(|t| t.withdrawn == Some(3) && !t.is_met()));
    }

    #[test]
    fn an_answer_of_an_earlier_version_withdraws_nothing_and_one_of_this_does_in_every_window() {
        let days = misses(0.3, &[(4, 2); 6]);
        let fnr = Measure::FalseNegativeRate;
        let never = Tests { expires: false, ..Tests::CURRENT };
        assert_eq!(withdrawn(fnr, never, &days), None);
        let earlier = Tests { laid_out: LaidOut::AsMisses, ..Tests::CURRENT };
        let at = withdrawn(fnr, earlier, &days);
        assert_eq!((at.is_some(), at), (true, withdrawn(fnr, Tests::CURRENT, &days)));
        // Wrong blocks with the ratio that the plan has, though the test on *not met* keeps another.
        let blocks: Days =
            (0..40).map(|_| vec![(6, of(WRONG, 0.3)), (8, of(PASSED, 0.3))]).collect();
        let fpr = Measure::FalsePositiveRate;
        let at = withdrawn(fpr, earlier, &blocks);
        assert_eq!((at.is_some(), at), (true, withdrawn(fpr, Tests::CURRENT, &blocks)));
    }

    #[test]
    fn days_that_say_nothing_are_no_days_of_evidence() {
        let policy = Policy { false_alarm_days: 100, ..Policy::default() };
        let mut gate = Gate::new(&policy);
        // Acceptable content that passes says nothing of misses.
        let days: Days = (0..300).map(|_| vec![(1, of(PASSED, 1.0))]).collect();
        take(&mut gate, 0, &days);
        let unsure = Judged { word: Some(Word::Unsure), ..of(PASSED, 1.0) };
        take(&mut gate, 300, &vec![vec![(2, unsure)]; 50]);
        let withdrawn = |m| gate.track(m).and_then(|t| t.withdrawn);
        assert_eq!(withdrawn(Measure::FalseNegativeRate), None);
        assert_eq!(withdrawn(Measure::FalsePositiveRate), None);
    }

    #[test]
    fn outages_of_three_days_withdraw_availability_and_go_has_both_sides() {
        let policy = Policy::default();
        let day = |go, outages| Counts {
            evaluations: 40,
            go,
            reporting: 40,
            outages,
            timed: 40,
            carrying: 40,
            ..Counts::default()
        };
        let after = |measure, days: &[Counts]| {
            let mut gate = Gate::new(&policy);
            for (number, counts) in (0..).zip(days) {
                gate.evaluations(counts, counts);
                gate.end_of_day(number, false);
            }
            gate.track(measure).and_then(|t| t.withdrawn)
        };
        let (quiet, out) = (day(32, 0), day(32, 40));
        let days = [[quiet; 30].as_slice(), &[out; 3]].concat();
        assert_eq!(after(Measure::Availability, &days), Some(32));
        assert_eq!(after(Measure::Availability, &days[..32]), None);
        for go in [0, 40] {
            let days = [[quiet; 30].as_slice(), &[day(go, 0); 40]].concat();
            let at = after(Measure::GoRate, &days);
            assert!(at.is_some_and(|at| at >= 32), "{go}: {at:?}");
        }
    }
}
