//! The labelled records of a day that stand evenly for all of it: what tells of a whole cluster.
//!
//! What was flagged is labelled whole and what passed is drawn, so a share of errors among all labels
//! of a day would weigh the two differently. Kept is what a draw at the smallest rate in force would
//! have chosen, of what was flagged too.

use super::days::Judged;
use super::tally::{Reading, Tally, is_poor};
use super::{Measure, Word};

/// The smallest rate in force for what passed on a day; 0 where part of it was not drawn by the plan.
///
/// `tally` is of all its contents, `labelled` of those with a label.
pub(super) fn smallest(tally: &Tally, labelled: &[Judged]) -> f64 {
    labelled.iter().map(|j| j.smallest).fold(tally.least_rate(), f64::min)
}

/// Whether the judge erred on a record, as a measure counts it; `None` where the record is not kept,
/// or the measure does not count it. Without a reading labels of doubt are left out.
pub(super) fn error(
    measure: Measure,
    j: &Judged,
    smallest: f64,
    reading: Option<Reading>,
) -> Option<bool> {
    let word = j.word?;
    let reading = match (word, reading) {
        (Word::Unsure, None) => return None,
        (_, reading) => reading.unwrap_or(Reading::Worst),
    };
    let poor = is_poor(j.flagged, word, reading);
    let counts = match measure {
        // What was flagged is labelled whole: there is nothing to even out.
        Measure::FalseDiscoveryRate => return j.flagged.then_some(!poor),
        Measure::FalseNegativeRate => poor,
        Measure::FalsePositiveRate => !poor,
        Measure::FalseOmissionRate => !j.flagged,
        _ => false,
    };
    (counts && j.draw < smallest).then_some(j.flagged != poor)
}

/// The share of errors among what is kept of a cluster; `None` where nothing is.
pub(super) fn share<'a>(
    measure: Measure,
    cluster: impl Iterator<Item = &'a Judged>,
    smallest: f64,
    reading: Reading,
) -> Option<f64> {
    let (mut errors, mut all) = (0_u64, 0_u64);
    for is_error in cluster.filter_map(|j| error(measure, j, smallest, Some(reading))) {
        errors += u64::from(is_error);
        all += 1;
    }
    (all > 0).then(|| errors as f64 / all as f64)
}
