//! The rates of authors, from the labels of the window.

use crate::assess::{Ask, AssessError, Breakdown, Evaluations, breakdown};
use crate::calibration::{Measure, Part};
use crate::config::Config;
use crate::domain::review::Present;
use crate::engine::risk::{AuthorRate, Rate};
use crate::store::cache::Archive;
use std::collections::BTreeMap;

/// The rates of all authors of the window, each with the overrides that rejected its content.
///
/// # Errors
/// A cache that cannot be read.
pub fn author_rates(
    archive: &Archive,
    all: &Evaluations,
    present: &Present,
    ask: &Ask<'_>,
    overrides: &BTreeMap<String, u64>,
) -> Result<Vec<AuthorRate>, AssessError> {
    let parts = breakdown(archive, all, present, ask, Breakdown::Agent, &Config::default())?;
    let of = |part: Part| {
        let [flagged, passed] = part.contents;
        AuthorRate {
            family: all.kind(),
            judged: flagged + passed,
            flagged,
            labelled: part
                .rates
                .iter()
                .filter(|rate| is_share(rate.id))
                .map(|rate| rate.labels)
                .sum(),
            poor: poor(&part),
            overrides: overrides.get(&part.name).copied().unwrap_or(0),
            author: part.name,
        }
    };
    Ok(parts.into_iter().map(of).collect())
}

fn is_share(id: Measure) -> bool {
    matches!(id, Measure::FalseDiscoveryRate | Measure::FalseOmissionRate)
}

/// The share of poor content: of what was flagged all but the false alarms, and of what passed the misses.
/// Without labels on either it is not known. Each bound is as sure as both of its parts together.
fn poor(part: &Part) -> Option<Rate> {
    let [flagged, passed] = part.contents.map(|count| count as f64);
    let rate = |id| part.rates.iter().find(|rate| rate.id == id);
    let of_flagged = match rate(Measure::FalseDiscoveryRate) {
        Some(wrong) => [1.0 - wrong.estimate, 1.0 - wrong.upper, 1.0 - wrong.lower],
        None if flagged == 0.0 => [0.0; 3],
        None => return None,
    };
    let of_passed = match rate(Measure::FalseOmissionRate) {
        Some(missed) => [missed.estimate, missed.lower, missed.upper],
        None if passed == 0.0 => [0.0; 3],
        None => return None,
    };
    let all = flagged + passed;
    let [estimate, low, high] = [0, 1, 2].map(|at: usize| {
        let share = (flagged * of_flagged[at] + passed * of_passed[at]) / all;
        share.clamp(0.0, 1.0)
    });
    (all > 0.0).then_some(Rate { estimate, low, high })
}
