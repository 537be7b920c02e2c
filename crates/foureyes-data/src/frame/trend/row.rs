//! The trend table as a document.

use crate::domain::{JudgementKind, Timestamp, Window};
pub use crate::stats::CONFIDENCE;
pub use crate::stats::rate::Rate;
use serde::{Deserialize, Serialize};

/// Value of `schema` in the trend document.
pub const TREND_SCHEMA: &str = "foureyes/trend/1";

/// How the judge did, a row for each day, week, box, model, agent, team or path prefix.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Trend {
    /// [`TREND_SCHEMA`].
    pub schema: String,
    /// When the document was made.
    pub generated: Timestamp,
    /// What a row is: `day`, `week`, `box`, `model`, `agent` or `path`.
    pub by: String,
    /// Whose evaluations are counted; absent for those of pushes.
    #[serde(skip_serializing_if = "JudgementKind::is_default", default)]
    pub family: JudgementKind,
    /// The span of record time it speaks of; open ends are `null`.
    pub window: Window,
    /// Coverage of the intervals, [`CONFIDENCE`].
    pub confidence: f64,
    /// The rows. Days and weeks in order, boxes by name, others by evaluations.
    pub rows: Vec<TrendRow>,
    /// What a reader of the rows must know, one sentence each.
    pub notes: Vec<String>,
}

/// One row: what its evaluations said.
///
/// All numbers but those in `all` are over the units of the KPIs: of pushes the last evaluation of a
/// commit on a box with the same asked model and prompt, of tasks the last round of a run, without
/// bypasses.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct TrendRow {
    /// What it is a row of: `2026-02-15`, `2026-W07`, a name, a prefix. `null` where the records
    /// have no time, no model, no author or no such file. Hostile: escape it on output.
    pub key: Option<String>,
    /// Units of the KPIs: `go + no_go + undetermined`.
    pub evaluations: u64,
    /// Those that said GO.
    pub go: u64,
    /// Those that said NO-GO.
    pub no_go: u64,
    /// Those that are UNDETERMINED.
    pub undetermined: u64,
    /// GO among the evaluations.
    pub go_rate: Rate,
    /// UNDETERMINED among the evaluations.
    pub undetermined_rate: Rate,
    /// Evaluations in which the judge could be asked.
    pub availability: Rate,
    /// Median duration of the whole call in seconds, over those that carry one.
    pub median_latency: Estimate,
    /// Mean scores, over those that are 1 to 5.
    pub scores: MeanScores,
    /// Every record of the row, whatever its family.
    pub all: AllFamilies,
}

/// A mean or a median, and of how many.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// Its value; `null` over nothing.
    pub estimate: Option<f64>,
    /// Evaluations it is taken over.
    pub n: u64,
}

/// The mean score of each dimension.
#[derive(Debug, Clone, Copy, Default, PartialEq, Serialize, Deserialize)]
pub struct MeanScores {
    /// Semantic quality.
    pub semantic: Estimate,
    /// Pragmatic quality.
    pub pragmatic: Estimate,
    /// Syntactic quality.
    pub syntactic: Estimate,
}

/// Every record of a row: `records = go + no_go + undetermined + overrides`.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct AllFamilies {
    /// Distinct records.
    pub records: u64,
    /// Verdicts that are GO.
    pub go: u64,
    /// Verdicts that are NO-GO.
    pub no_go: u64,
    /// Verdicts that are UNDETERMINED, bypasses among them.
    pub undetermined: u64,
    /// Overrides. Never evaluations.
    pub overrides: u64,
    /// Bypasses.
    pub bypassed: u64,
    /// Push evaluations that a later one of the same unit replaces.
    pub repeats: u64,
    /// Task and ladder verdicts that a later round of the same run follows.
    pub earlier_rounds: u64,
}

impl TrendRow {
    /// A row without records.
    pub fn empty(key: Option<String>) -> Self {
        let none = Rate::new(0, 0);
        Self {
            key,
            evaluations: 0,
            go: 0,
            no_go: 0,
            undetermined: 0,
            go_rate: none,
            undetermined_rate: none,
            availability: none,
            median_latency: Estimate::default(),
            scores: MeanScores::default(),
            all: AllFamilies::default(),
        }
    }
}
