//! What is counted of a row of the table.

use super::axis::Latency;
use super::row::{AllFamilies, Estimate, MeanScores, Rate, TrendRow};
use crate::frame::fold::{Row, Scored, Sums};
use crate::stats::{CONFIDENCE, order};

/// The counts of some records, and the latencies of the units among them.
#[derive(Debug, Default)]
pub(super) struct Counted {
    sums: Sums,
    latencies_ms: Vec<u64>,
}

impl Counted {
    pub(super) fn add(&mut self, row: &Row, (latency_ms, times): Latency) {
        self.sums.add(row);
        if row.is_unit {
            let times = usize::try_from(times).unwrap_or(usize::MAX);
            let all = latency_ms.into_iter().flat_map(|ms| std::iter::repeat_n(ms, times));
            self.latencies_ms.extend(all);
        }
    }

    /// The row without its key.
    pub(super) fn row(mut self) -> TrendRow {
        let Sums { units, reporting, outages, .. } = self.sums;
        let [semantic, pragmatic, syntactic] = self.sums.scores.map(mean);
        let median = order::median(&mut self.latencies_ms, CONFIDENCE);
        TrendRow {
            key: None,
            evaluations: units,
            go: self.sums.unit_go,
            no_go: self.sums.unit_no_go,
            undetermined: self.sums.unit_undetermined,
            go_rate: Rate::new(self.sums.unit_go, units),
            undetermined_rate: Rate::new(self.sums.unit_undetermined, units),
            availability: Rate::new(reporting - outages, reporting),
            median_latency: Estimate {
                estimate: median.map(|m| m.estimate / 1_000.0),
                n: self.latencies_ms.len() as u64,
            },
            scores: MeanScores { semantic, pragmatic, syntactic },
            all: self.all(),
        }
    }

    fn all(&self) -> AllFamilies {
        let Sums { records, go, no_go, undetermined, overrides, bypassed, repeats, .. } = self.sums;
        let earlier_rounds = self.sums.earlier_rounds;
        AllFamilies {
            records,
            go,
            no_go,
            undetermined,
            overrides,
            bypassed,
            repeats,
            earlier_rounds,
        }
    }
}

fn mean(scored: Scored) -> Estimate {
    Estimate { estimate: scored.mean(), n: scored.n }
}
