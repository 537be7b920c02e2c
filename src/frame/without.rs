//! What is counted without a part of the rows.

use super::Tally;
use std::collections::HashMap;

impl Tally {
    /// The units of the KPIs without those of a part of the rows; the other counts stay.
    pub fn without(mut self, part: &Self) -> Self {
        self.evaluations = self.evaluations.saturating_sub(part.evaluations);
        self.go = self.go.saturating_sub(part.go);
        self.undetermined = self.undetermined.saturating_sub(part.undetermined);
        self.outages = self.outages.saturating_sub(part.outages);
        let mut gone = HashMap::<u64, u64>::new();
        for latency in &part.latencies {
            *gone.entry(*latency).or_default() += 1;
        }
        self.latencies.retain(|latency| match gone.get_mut(latency) {
            Some(left) if *left > 0 => {
                *left -= 1;
                false
            }
            _ => true,
        });
        self
    }
}
