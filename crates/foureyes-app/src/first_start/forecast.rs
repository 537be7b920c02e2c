//! How soon a good judge is READY where nothing was judged yet.

use super::Sampled;
use crate::calibration::Policy;
use crate::calibration::simulation::{Truth, simulate};

/// Days that are looked ahead.
pub const DAYS: u32 = 120;
/// Runs: the day of the median is then known well enough for a choice.
const RUNS: u32 = 200;
const SEED: u64 = 1;

/// The day by which a share of good judges is READY, from 1; `None` where it takes longer than is looked ahead.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Forecast {
    /// Of half of them.
    pub half: Option<u64>,
    /// Of 95 %.
    pub most: Option<u64>,
}

/// Evaluations a day that forecasts assume.
pub fn assumed_per_day() -> u32 {
    Truth::default().per_day
}

/// A forecast for each rate, in the order of [`Sampled::ALL`]; nothing is ever READY without a sample.
pub fn forecasts(policy: &Policy) -> [Forecast; 4] {
    Sampled::ALL.map(|sampled| {
        if sampled == Sampled::Nothing {
            return Forecast::default();
        }
        let truth = Truth { pi: sampled.rate(), ..Truth::default() };
        let days = simulate(&truth, policy, DAYS, RUNS, SEED).days_until_ready;
        Forecast { half: days.p50, most: days.p95 }
    })
}
