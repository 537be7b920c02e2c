//! What judging to a depth takes, by past runs of that depth.

use super::{Evidence, Figure, PastRun, Spent};
use crate::config::TaskConfig;
use crate::engine::panel::Depth;
use crate::stats::mean::{Seen, sum};

/// Fewer runs tell nothing.
pub const FEW: u64 = 10;

/// What past runs of each depth took.
#[derive(Debug, Clone, Default)]
pub struct Evidences {
    all: Vec<OfDepth>,
    bounds: Bounds,
}

/// What runs of a depth took.
#[derive(Debug, Clone)]
struct OfDepth {
    depth: Depth,
    runs: u64,
    /// Calls, tokens, cost, seconds.
    seen: [Seen; 4],
}

/// What one run may take, whatever was seen.
#[derive(Debug, Clone, Default)]
struct Bounds {
    calls: u32,
    cost: Option<f64>,
    seconds: f64,
}

/// How many draws there are of each depth.
pub(super) type Draws = [(Depth, u64); 3];

impl Evidences {
    /// Those of runs, under the limits of a configuration.
    pub fn new(runs: &[PastRun], task: &TaskConfig, cap: Option<f64>) -> Self {
        let of = |depth| {
            let own: Vec<_> =
                runs.iter().filter(|run| run.depth == depth).map(|r| r.spent).collect();
            let seen = |of: fn(&Spent) -> Option<f64>| own.iter().filter_map(of).collect();
            OfDepth { depth, runs: own.len() as u64, seen: PARTS.map(seen) }
        };
        let bounds =
            Bounds { calls: task.max_calls, cost: cap, seconds: task.budget.as_secs_f64() };
        Self { all: [Depth::Quick, Depth::Sequential, Depth::Panel].map(of).into(), bounds }
    }

    /// What they come to, a depth each.
    pub fn rows(&self) -> Vec<Evidence> {
        let row = |of: &OfDepth| {
            let mean = |seen: &Seen| (seen.count() > 0).then(|| seen.mean());
            let [calls, tokens, cost, seconds] = &of.seen;
            Evidence {
                depth: of.depth,
                runs: of.runs,
                calls: mean(calls),
                tokens: mean(tokens),
                cost: mean(cost),
                seconds: mean(seconds),
            }
        };
        self.all.iter().map(row).collect()
    }

    /// Calls, tokens, cost and seconds of so many runs at least and at most, less what was spent before in
    /// their place.
    pub(super) fn figures(
        &self,
        [least, most]: [Draws; 2],
        before: [Option<f64>; 4],
        confidence: f64,
    ) -> [Figure; 4] {
        let mut figures = [0, 1, 2, 3].map(|part: usize| {
            let groups =
                |draws: &Draws| draws.map(|(depth, count)| (self.seen(depth, part), count));
            let enough = most
                .iter()
                .all(|(depth, count)| *count == 0 || self.seen(*depth, part).count() >= FEW);
            let low = sum(&groups(&least), confidence);
            let high = sum(&groups(&most), confidence);
            let low_high = low.zip(high).filter(|_| enough);
            match (low_high, before[part]) {
                (Some(((estimate, low), (_, high))), Some(before)) => Figure {
                    estimate: (least == most).then_some(estimate - before),
                    low: Some(low.lower - before),
                    high: Some(high.upper - before),
                    has_evidence: true,
                },
                _ => self.bound(part, [least, most], before[part]),
            }
        });
        // Nothing is drawn, and nothing replaced: nothing changes.
        if most.iter().all(|(_, count)| *count == 0) {
            let none =
                Figure { estimate: Some(0.0), low: Some(0.0), high: Some(0.0), has_evidence: true };
            figures = [(); 4].map(|()| none.clone());
        }
        figures
    }

    fn seen(&self, depth: Depth, part: usize) -> Seen {
        let of = self.all.iter().find(|of| of.depth == depth);
        of.and_then(|of| of.seen.get(part)).copied().unwrap_or_default()
    }

    /// What the protocol and its limits allow.
    fn bound(&self, part: usize, [least, most]: [Draws; 2], before: Option<f64>) -> Figure {
        let runs = |draws: &Draws| draws.iter().map(|(_, count)| *count as f64).sum::<f64>();
        let first = |(depth, count): &(Depth, u64)| {
            let calls = if *depth == Depth::Panel { 2.0 } else { 1.0 };
            calls * *count as f64
        };
        let (low, high) = match part {
            0 => (
                least.iter().map(first).sum::<f64>(),
                Some(runs(&most) * f64::from(self.bounds.calls)),
            ),
            1 => (0.0, None),
            2 => (0.0, self.bounds.cost.map(|cap| cap * runs(&most))),
            _ => (0.0, Some(runs(&most) * self.bounds.seconds)),
        };
        let before = before.unwrap_or(0.0);
        Figure {
            estimate: None,
            low: Some(low - before),
            high: high.map(|high| high - before),
            has_evidence: false,
        }
    }
}

/// The parts of what is spent, in order: calls, tokens, cost, seconds.
pub(super) const PARTS: [fn(&Spent) -> Option<f64>; 4] = [
    |spent| Some(spent.calls as f64),
    |spent| spent.tokens.map(|tokens| tokens as f64),
    |spent| spent.cost,
    |spent| spent.seconds,
];
