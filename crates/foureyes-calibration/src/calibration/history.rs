//! How the window went, day by day: what a chart over time is made of.

use super::Measure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One day of the window.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct DayHistory {
    /// UTC day, `YYYY-MM-DD`.
    pub day: String,
    /// Evaluations of that day that said GO.
    pub go: u64,
    /// Those that said NO-GO.
    pub no_go: u64,
    /// Those that are UNDETERMINED.
    pub undetermined: u64,
    /// Rates over all days up to the end of this one; of a long window only every so many days have
    /// some. Error rates are there for closed days alone.
    #[serde(skip_serializing_if = "Vec::is_empty", default)]
    pub rates: Vec<RateAt>,
}

/// A rate at the end of a day.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RateAt {
    /// Which.
    pub id: Measure,
    /// The point estimate, a share.
    pub estimate: Option<f64>,
    /// Lower end of a confidence sequence: with the policy's confidence it holds at every day's end at
    /// once. Labels of doubt are read for the judge.
    pub lower: f64,
    /// Upper end of it. Labels of doubt are read against the judge.
    pub upper: f64,
}
