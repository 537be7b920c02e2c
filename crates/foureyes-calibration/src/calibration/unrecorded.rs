//! What no record before a window's entry can carry: it decides nothing there.

use super::{Input, Measure};
use crate::domain::Timestamp;

/// Until when records say nothing of latencies and of outages; `None` where they do, or could.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Unrecorded {
    /// Before that none says how long it took.
    pub(super) latency: Option<Timestamp>,
    /// Before that none would say that the judge could not be asked.
    pub(super) outages: Option<Timestamp>,
}

impl Unrecorded {
    /// What the records before the entry of a window lack, each and every one of them. A timeout of the
    /// hook that the policy declares, and that is quick, says how long the others took at most.
    pub(super) fn new(input: &Input<'_>) -> Self {
        let Some(natural) = input.natural else { return Self::default() };
        let rows = input.in_window();
        let before =
            &rows.get(..rows.partition_point(|e| e.at < natural.entered)).unwrap_or_default();
        let limit = input.policy.median_latency_below_s;
        let declared = input.policy.hook_timeout_s.is_some_and(|timeout| timeout < limit);
        let times = declared || before.iter().any(|e| e.latency_ms.get().is_some());
        let tells = before.iter().any(|e| e.reports_outages);
        let until = |recorded: bool| (!recorded && !before.is_empty()).then_some(natural.entered);
        Self { latency: until(times), outages: until(tells) }
    }

    /// Whether a measure is not recorded before the entry.
    pub(super) fn has(&self, measure: Measure) -> bool {
        match measure {
            Measure::MedianLatency => self.latency.is_some(),
            Measure::Availability => self.outages.is_some(),
            _ => false,
        }
    }
}
