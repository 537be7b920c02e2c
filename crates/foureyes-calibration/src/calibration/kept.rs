//! The labelled records of a day that stand evenly for all of it: what tells of a whole cluster.
//!
//! What was flagged is labelled whole and what passed is drawn, so a share of errors among all labels
//! of a day would weigh the two differently. Kept is what a draw at the smallest rate in force would
//! have chosen, of what was flagged too.

use super::days::Judged;
use super::reading::{Reading, is_poor};
use super::tally::Tally;
use super::{Measure, Word};

/// The draws below which records are kept: the smallest probabilities in force.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Limits {
    /// For what passes; 0 where part of it was not drawn by the plan.
    pub(super) passed: f64,
    /// For what is stopped.
    pub(super) stopped: f64,
}

impl Limits {
    /// All of it was labelled.
    pub(super) const WHOLE: Self = Self { passed: 1.0, stopped: 1.0 };

    /// The smaller ones of both.
    pub(super) fn join(self, other: Self) -> Self {
        Self { passed: self.passed.min(other.passed), stopped: self.stopped.min(other.stopped) }
    }

    /// Those of a day as its contents tell them; windows of earlier versions have them so.
    ///
    /// `tally` is of all its contents, `labelled` of those with a label.
    pub(super) fn seen(tally: &Tally, labelled: &[Judged]) -> Self {
        let start = Self { passed: tally.least_rate(), stopped: 1.0 };
        labelled.iter().map(Self::in_force).fold(start, Self::join)
    }

    /// What was in force for one content.
    pub(super) fn in_force(j: &Judged) -> Self {
        Self { passed: j.smallest, stopped: j.stopped }
    }

    /// Whether a record of a day is kept: as it would have been drawn at the smallest rate of all.
    fn keeps(self, measure: Measure, draw: f64) -> bool {
        match measure {
            // Nothing that passed is among them: there is less to even out.
            Measure::FalseDiscoveryRate => draw < self.stopped,
            _ => draw < self.passed.min(self.stopped),
        }
    }
}

/// Whether the judge erred on a record, as a measure counts it; `None` where the record is not kept,
/// or the measure does not count it. Without a reading labels of doubt are left out.
pub(super) fn error(
    measure: Measure,
    j: &Judged,
    limits: Limits,
    reading: Option<Reading>,
) -> Option<bool> {
    let word = reading.map_or(j.word, |reading| j.deciding_word(reading))?;
    let reading = match (word, reading) {
        (Word::Unsure, None) => return None,
        (_, reading) => reading.unwrap_or(Reading::Worst),
    };
    let is_error = j.is_error(measure, is_poor(j.flagged, word, reading))?;
    limits.keeps(measure, j.draw).then_some(is_error)
}

/// Errors among what is kept of a cluster, and how many are kept.
pub(super) fn sums<'a>(
    measure: Measure,
    cluster: impl Iterator<Item = &'a Judged>,
    limits: Limits,
    reading: Reading,
) -> (u64, u64) {
    let kept = cluster.filter_map(|j| error(measure, j, limits, Some(reading)));
    kept.fold((0, 0), |(errors, all), is_error| (errors + u64::from(is_error), all + 1))
}
