//! Whether scores drift: each week against the first one, and weeks in which another judge came.

use super::Evaluations;
use crate::domain::{Dimension, Timestamp};
use crate::stats::drift::{Cusum, kolmogorov, stability_index};
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::HashSet;

/// So many weeks at most, the latest ones.
const WEEKS: usize = 26;

/// A week with fewer scores is no ground to compare with.
const ENOUGH: usize = 20;

/// Allowance and limit of the cumulative sums, in standard deviations of the first week.
pub const CUSUM: (f64, f64) = (0.25, 1.0);

/// Scores of one dimension in one week.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Point {
    /// Scores.
    pub scores: u64,
    /// Their mean.
    pub mean: f64,
    /// Population stability index against the first week with enough scores.
    pub stability: Option<f64>,
    /// p-value of Kolmogorov and Smirnov against that week.
    pub p: Option<f64>,
    /// Whether a cumulative sum of the means is beyond its limit.
    pub alarm: bool,
}

/// One week.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Week {
    /// Its Monday, `YYYY-MM-DD`.
    pub monday: String,
    /// Push evaluations.
    pub evaluations: u64,
    /// Semantic, pragmatic, syntactic; `null` where no score was given.
    pub points: [Option<Point>; 3],
    /// Judges that no week before it knew, as the logs name them. Empty in the first week.
    pub judges: Vec<String>,
}

/// The latest weeks in order, those without an evaluation left out.
pub fn drift(all: &Evaluations) -> Vec<Week> {
    let mut from = 0;
    let spans = all.all().chunk_by(|a, b| a.at.monday() == b.at.monday()).map(|chunk| {
        let span = from..from + chunk.len();
        from = span.end;
        span
    });
    let spans: Vec<_> = spans.collect();
    let mut known: HashSet<u32> = HashSet::new();
    let mut tracks = Dimension::ALL.map(Track::new);
    let mut weeks = Vec::new();
    let skipped = spans.len().saturating_sub(WEEKS);
    for (nth, span) in spans.into_iter().enumerate() {
        let rows = all.all().get(span.clone()).unwrap_or_default();
        let mut fresh: Vec<u32> =
            rows.iter().map(|e| e.fingerprint).filter(|f| known.insert(*f)).collect();
        if nth < skipped {
            continue;
        }
        if nth == 0 {
            fresh.clear();
        }
        let monday = rows.first().map_or(0, |e| e.at.monday());
        weeks.push(Week {
            monday: Timestamp::of_day(monday).day_text(),
            evaluations: rows.len() as u64,
            points: tracks.each_mut().map(|t| t.take(all, span.clone())),
            judges: fresh.into_iter().filter_map(|f| judge(all, f)).collect(),
        });
    }
    weeks
}

fn judge(all: &Evaluations, fingerprint: u32) -> Option<String> {
    let judge = all.fingerprints().get(usize::try_from(fingerprint).ok()?)?;
    let parts: Vec<&str> = judge.parts().into_iter().filter_map(|(_, p)| p).collect();
    Some(parts.join(" / "))
}

/// One dimension from week to week.
struct Track {
    dimension: Dimension,
    base: Option<Base>,
}

/// The first week with enough scores.
struct Base {
    values: Vec<f64>,
    bins: [u64; 9],
    mean: f64,
    deviation: f64,
    sums: Cusum,
}

impl Track {
    fn new(dimension: Dimension) -> Self {
        Self { dimension, base: None }
    }

    fn take(&mut self, all: &Evaluations, span: std::ops::Range<usize>) -> Option<Point> {
        let scores = span.filter_map(|at| all.scores(at)?.usable(self.dimension));
        let values: Vec<f64> = scores.map(f64::from).collect();
        self.add(values)
    }

    fn add(&mut self, values: Vec<f64>) -> Option<Point> {
        let scores = values.len() as u64;
        if values.is_empty() {
            return None;
        }
        let mean = values.iter().sum::<f64>() / values.len() as f64;
        let Some(base) = &mut self.base else {
            if values.len() >= ENOUGH {
                self.base = Some(Base::new(values, mean));
            }
            return Some(Point { scores, mean, stability: None, p: None, alarm: false });
        };
        let stability = stability_index(&base.bins, &bins(&values));
        let p = kolmogorov(&base.values, &values).map(|k| k.p);
        let alarm = base.sums.take((mean - base.mean) / base.deviation).alarm;
        Some(Point { scores, mean, stability, p, alarm })
    }
}

impl Base {
    fn new(values: Vec<f64>, mean: f64) -> Self {
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        // Scores that are all the same would make any change an endless one.
        let deviation = (squares / values.len() as f64).sqrt().max(0.1);
        let bins = bins(&values);
        Self { values, bins, mean, deviation, sums: Cusum::new(0.0, CUSUM.0, CUSUM.1) }
    }
}

/// Scores by halves from 1 to 5.
fn bins(values: &[f64]) -> [u64; 9] {
    let mut bins = [0; 9];
    for value in values {
        let place = ((value - 1.0) * 2.0).round() as usize;
        if let Some(bin) = bins.get_mut(place) {
            *bin += 1;
        }
    }
    bins
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    fn week(low: usize, high: usize) -> Vec<f64> {
        [vec![2.0; low], vec![4.0; high]].concat()
    }

    #[test]
    fn similar_week_is_no_drift_and_different_week_is_reported() {
        let mut track = Track::new(Dimension::Semantic);
        assert!(track.add(Vec::new()).is_none());
        assert!(track.add(week(1, 1)).unwrap().stability.is_none());
        assert!(track.add(week(10, 30)).unwrap().stability.is_none());
        let same = track.add(week(10, 30)).unwrap();
        assert_eq!((same.stability, same.alarm, same.scores), (Some(0.0), false, 40));
        assert!(same.p.unwrap() > 0.99);
        let mut last = same;
        for _ in 0..2 {
            last = track.add(week(35, 5)).unwrap();
        }
        assert!(last.stability.unwrap() > 0.25 && last.p.unwrap() < 1e-3 && last.alarm, "{last:?}");
    }
}
