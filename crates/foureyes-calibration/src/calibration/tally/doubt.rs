//! What labels of doubt could make of an estimate.

use super::{Judged, Measure, Reading, Tally, Word};
use crate::calibration::Range;
use crate::stats::Interval;

impl Tally {
    /// Exact bounds for one look that decide, each of that confidence: the upper one on the worst reading of
    /// unsure labels and of what waits for a second word, the lower one on the best.
    pub(in crate::calibration) fn bounds(&self, measure: Measure, confidence: f64) -> Interval {
        let smallest = self.smallest();
        let of = |reading| {
            let word = move |j: &Judged, _| j.deciding_word(reading);
            self.thinned_by(measure, Some(reading), smallest, word)
        };
        let lower = of(Reading::Best).lower(confidence);
        let upper = of(Reading::Worst).upper(confidence);
        Interval { lower: lower.min(upper), upper }
    }

    /// The estimate with every unsure label read for the judge, and with every one against it;
    /// `None` where there is none, or of a measure without labels.
    pub(in crate::calibration) fn unsure(&self, measure: Measure) -> Option<Range> {
        let doubted = |(j, word): &(Judged, Word)| *word == Word::Unsure && counts(measure, j);
        if !self.items.iter().any(doubted) {
            return None;
        }
        let of = |reading| self.rates_read(Some(reading)).of(measure);
        Some(Range { from: of(Reading::Best)?, to: of(Reading::Worst)? })
    }
}

/// Whether a measure counts a label of this content.
fn counts(measure: Measure, j: &Judged) -> bool {
    match measure {
        Measure::FalseDiscoveryRate => j.flagged,
        Measure::FalseOmissionRate => !j.flagged && j.covered,
        _ => j.covered,
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::add;
    use super::*;
    use crate::stats::near;

    #[test]
    fn a_gap_by_unsure_widens_the_bounds_to_both_sides() {
        let (mut sure, mut doubt) = (Tally::default(), Tally::default());
        for tally in [&mut sure, &mut doubt] {
            add(tally, 50, true, Some(Word::Poor), 1.0);
            add(tally, 50, false, Some(Word::Acceptable), 1.0);
            add(tally, 5, false, Some(Word::Poor), 1.0);
        }
        add(&mut doubt, 4, false, Some(Word::Unsure), 1.0);
        let (a, b) = (
            sure.bounds(Measure::FalseNegativeRate, 0.95),
            doubt.bounds(Measure::FalseNegativeRate, 0.95),
        );
        assert!(b.upper > a.upper && b.lower <= a.lower);
        assert_eq!(doubt.seen(Measure::FalseNegativeRate, Reading::Worst), (9, 50));
        assert_eq!(doubt.seen(Measure::FalseNegativeRate, Reading::Best), (5, 50));
        assert_eq!(doubt.sure(Measure::FalseNegativeRate), (5, 50));
        assert_eq!(doubt.sure(Measure::FalseOmissionRate), (5, 50));
    }

    #[test]
    fn unsure_labels_widen_estimate_but_not_bounds() {
        let mut tally = Tally::default();
        add(&mut tally, 50, true, Some(Word::Poor), 1.0);
        add(&mut tally, 10, true, Some(Word::Acceptable), 1.0);
        add(&mut tally, 90, false, Some(Word::Acceptable), 1.0);
        add(&mut tally, 5, false, Some(Word::Poor), 1.0);
        let before = tally.sampled(Measure::FalseNegativeRate).bounds(0.95);
        assert_eq!(tally.unsure(Measure::FalseNegativeRate), None);
        add(&mut tally, 2, true, Some(Word::Unsure), 1.0);
        add(&mut tally, 4, false, Some(Word::Unsure), 1.0);
        assert_eq!(tally.sampled(Measure::FalseNegativeRate).bounds(0.95), before);
        let range = |m| tally.unsure(m).map_or([f64::NAN; 2], |r| [r.from, r.to]);
        // For the judge 52 are caught and 5 missed, against it 50 and 9.
        let expected = [
            (Measure::FalseNegativeRate, [5.0 / 57.0, 9.0 / 59.0]),
            (Measure::FalsePositiveRate, [10.0 / 104.0, 12.0 / 102.0]),
            (Measure::FalseDiscoveryRate, [10.0 / 62.0, 12.0 / 62.0]),
            (Measure::FalseOmissionRate, [5.0 / 99.0, 9.0 / 99.0]),
        ];
        for (measure, [from, to]) in expected {
            near(range(measure)[0], from, 1e-12);
            near(range(measure)[1], to, 1e-12);
        }
        assert_eq!(tally.unsure(Measure::GoRate), None);
    }
}
