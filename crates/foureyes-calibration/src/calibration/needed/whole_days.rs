//! Days that must still come where whole days have to show it too.

use super::{MOST, least};
use crate::calibration::Policy;
use crate::calibration::gate::{Gate, Track};

/// Further days until the evidence by whole clusters is at the bar, where days come as they came; 0
/// where clusters do not count, infinite where no number of days would do.
pub(super) fn needed(gate: &Gate<'_>, policy: &Policy, track: &Track, days: u64) -> f64 {
    let Some(clusters) = &track.clusters else { return 0.0 };
    if gate.allowance.is_met(policy, clusters.ln_met()) {
        return 0.0;
    }
    let more = least(|more| gate.allowance.is_met(policy, clusters.ln_met_after(more)));
    // Days without anything that counts say nothing.
    let telling =
        if clusters.count() == 0 { 1.0 } else { clusters.count() as f64 / days.max(1) as f64 };
    more.filter(|more| *more < MOST).map_or(f64::INFINITY, |more| (more as f64 / telling).ceil())
}
