//! What evaluations that were folded into others leave behind.

use crate::stats::drift::Stretch;
use std::collections::BTreeMap;

/// What the rows that are left do not tell of those that were folded into them.
#[derive(Debug, Clone, Default)]
pub struct Folded {
    /// The hash of the window's evaluations so far.
    pub(super) evaluations: blake3::Hasher,
    /// How often each latency is among those that count at the window's end.
    pub(super) latencies_ms: BTreeMap<u64, u64>,
    /// Outages of the days that have any evaluation.
    pub(super) outages: BTreeMap<i32, Stretch>,
}

impl Folded {
    pub(super) fn outages(&self, day: i32) -> Stretch {
        self.outages.get(&day).copied().unwrap_or_default()
    }
}
