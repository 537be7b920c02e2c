//! The days of the window as they were at their ends.

use super::day_text;
use crate::calibration::days::Judged;
use crate::calibration::gate::{Counts, Gate};
use crate::calibration::reading::{Reading, is_poor};
use crate::calibration::{DayHistory, Measure, Policy, RateAt};
use crate::domain::Unit;
use crate::stats::Interval;
use crate::stats::sequential::error::{self, Group, Inclusion};
use crate::stats::sequential::share;
use crate::stats::strata::Rates;
use rayon::prelude::*;
use std::collections::BTreeMap;

/// So many days have rates at most: each costs a hundred replays of its labels.
const POINTS: usize = 60;

/// The error rates.
const LABELLED: [Measure; 4] = [
    Measure::FalsePositiveRate,
    Measure::FalseDiscoveryRate,
    Measure::FalseNegativeRate,
    Measure::FalseOmissionRate,
];

/// The shares of all evaluations.
fn shares() -> impl Iterator<Item = Measure> {
    Measure::ALL.into_iter().filter(|m| !m.needs_labels() && m.definition().unit == Unit::Share)
}

/// The probabilities by which labels were chosen, as bits: each label's own and, in a window of this
/// version, the smallest ones of errors and of what is right.
type Chosen = [u64; 3];

/// Labels so far, by how each was chosen: errors and what is right.
type Groups = BTreeMap<Chosen, (u64, u64)>;

/// Labels so far: for each error rate, doubts read against the judge and for it.
type Labels = [[Groups; 2]; 4];

/// A day as it was at its end.
struct Snapshot {
    day: i32,
    last: Counts,
    /// Counts up to then.
    known: Counts,
    /// Labels and estimates up to then, where all days up to it are closed.
    labels: Option<(Labels, Rates)>,
}

/// All days so far.
pub(super) struct History {
    days: Vec<Snapshot>,
    labels: Labels,
    /// Whether the plan says how small probabilities can be; in windows of earlier versions it is what came.
    is_current: bool,
}

impl History {
    /// None yet.
    pub(super) fn new(is_current: bool) -> Self {
        Self { days: Vec::new(), labels: Labels::default(), is_current }
    }

    /// Takes a day that the gate has taken: its evaluations and, where it is closed, its labels.
    pub(super) fn take(
        &mut self,
        day: i32,
        last: Counts,
        gate: &Gate<'_>,
        labelled: Option<&[Judged]>,
    ) {
        let labels = labelled.map(|labelled| {
            labelled.iter().for_each(|j| add(&mut self.labels, j, self.is_current));
            (self.labels.clone(), gate.tally.rates())
        });
        self.days.push(Snapshot { day, last, known: gate.counts, labels });
    }

    /// The rows of the document.
    pub(super) fn rows(&self, policy: &Policy) -> Vec<DayHistory> {
        let all = self.days.len();
        let every = all.div_ceil(POINTS).max(1);
        // Those that are left out are not the last.
        let has = |at: usize| (all - 1 - at).is_multiple_of(every);
        let row = |(at, s): (usize, &Snapshot)| DayHistory {
            day: day_text(s.day),
            go: s.last.go,
            no_go: s.last.evaluations.saturating_sub(s.last.go + s.last.undetermined),
            undetermined: s.last.undetermined,
            rates: if has(at) { self.rates(s, policy) } else { Vec::new() },
        };
        self.days.par_iter().enumerate().map(row).collect()
    }
}

/// Adds a label to each rate that it counts for, as the gate does.
fn add(labels: &mut Labels, j: &Judged, is_current: bool) {
    for (measure, readings) in LABELLED.into_iter().zip(labels.iter_mut()) {
        for (reading, groups) in [Reading::Worst, Reading::Best].into_iter().zip(readings) {
            let Some((word, pi)) = j.deciding_word(reading).zip(j.pi) else { return };
            let is_error = j.is_error(measure, is_poor(j.flagged, word, reading));
            let is_drawn = measure != Measure::FalseNegativeRate || j.smallest > 0.0;
            let Some(is_error) = is_error.filter(|_| is_drawn) else { continue };
            let (errors, correct) = groups.entry(chosen(measure, j, pi, is_current)).or_default();
            *if is_error { errors } else { correct } += 1;
        }
    }
}

fn chosen(measure: Measure, j: &Judged, pi: f64, is_current: bool) -> Chosen {
    match is_current {
        true => {
            let Inclusion { record, errors, right } = j.inclusion(measure, pi);
            [record, errors, right].map(f64::to_bits)
        }
        false => [pi.to_bits(), 0, 0],
    }
}

impl History {
    fn rates(&self, s: &Snapshot, policy: &Policy) -> Vec<RateAt> {
        let of_all = shares().filter_map(|id| {
            let (part, whole) = s.known.parts(id);
            let Interval { lower, upper } = share::bounds(part, whole, policy.confidence);
            let estimate = Some(part as f64 / whole as f64);
            (whole > 0).then_some(RateAt { id, estimate, lower, upper })
        });
        let bounds = |groups| self.bounds(groups, policy.confidence);
        let labels = s.labels.iter().flat_map(|(labels, rates)| {
            LABELLED.into_iter().zip(labels).filter_map(|(id, [worst, best])| {
                let estimate = rates.of(id);
                let upper = bounds(worst)?.upper;
                let lower = bounds(best).map_or(0.0, |b| b.lower).min(upper);
                Some(RateAt { id, estimate, lower, upper })
            })
        });
        of_all.chain(labels).collect()
    }

    /// Bounds that hold at every look; `None` without a label.
    fn bounds(&self, groups: &Groups, confidence: f64) -> Option<Interval> {
        let came = groups.keys().map(|[pi, ..]| f64::from_bits(*pi)).fold(1.0, f64::min);
        let group = |(chosen, (errors, correct)): (&Chosen, &(u64, u64))| {
            let [record, least_error, least_right] = chosen.map(f64::from_bits);
            let inclusion = match self.is_current {
                true => Inclusion { record, errors: least_error, right: least_right },
                false => Inclusion { record, errors: came, right: came },
            };
            Group { inclusion, errors: *errors, correct: *correct }
        };
        let all: Vec<Group> = groups.iter().map(group).collect();
        (!all.is_empty()).then(|| error::bounds(&all, confidence))
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::super::readiness;
    use super::super::tests::{agreed, input, plan, planted};
    use crate::calibration::{DayState, KpiResult, Measure};

    #[test]
    fn last_history_point_equals_kpi_and_open_days_have_no_error_rate() {
        let (rows, plan) = (planted(20, 4), plan(1.0));
        let mut labels = agreed(&rows);
        labels.truncate(18 * 20);
        let r = readiness(&input(&rows, &labels, &plan));
        assert_eq!(r.history.len(), 20);
        let at = |day: usize, id| r.history[day].rates.iter().find(|p| p.id == id).copied();
        for kpi in r.kpis.iter().filter(|k| k.id.needs_labels()) {
            let point = at(17, kpi.id).unwrap();
            assert_eq!((point.estimate, kpi.result), (kpi.estimate, KpiResult::Met));
            // It holds at every look, so it is no narrower than what holds for one.
            assert!(point.upper >= kpi.upper.unwrap() - 1e-9, "{point:?} {kpi:?}");
            // Where the gate found the rate below its threshold, so does the sequence.
            assert!(point.upper < kpi.threshold, "{point:?} {kpi:?}");
            assert_eq!(at(18, kpi.id), None);
            let widths: Vec<f64> = (0..18).map(|d| at(d, kpi.id).unwrap().upper).collect();
            assert!(widths.is_sorted_by(|a, b| a >= b), "{widths:?}");
        }
        assert_eq!(r.days[18].state, DayState::Open);
        let go = at(19, Measure::GoRate).unwrap();
        assert_eq!(go.estimate, Some(0.8));
        assert!(go.lower > 0.7 && go.upper < 0.9, "{go:?}");
        let day = &r.history[3];
        assert_eq!((day.go, day.no_go, day.undetermined), (16, 4, 0));
    }

    #[test]
    fn long_window_is_reduced_to_chart_points() {
        let (rows, plan) = (planted(200, 1), plan(1.0));
        let r = readiness(&input(&rows, &agreed(&rows), &plan));
        let points = r.history.iter().filter(|d| !d.rates.is_empty()).count();
        assert_eq!((r.history.len(), points), (200, 50));
        assert!(!r.history[199].rates.is_empty(), "the last day is one of them");
    }
}
