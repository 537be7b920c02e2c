//! What would decide a KPI, and at which price.

use crate::calibration::Measure;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What would decide a KPI.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Needed {
    /// Which KPI.
    pub kpi: Measure,
    /// Where they come from: `no_go`, `go`, or `all` for evaluations that need no label.
    pub stratum: String,
    /// Further records of the kind that counts, where errors come at the rate seen so far: poor ones
    /// for misses, acceptable ones for wrong blocks; `null` where no number would do.
    pub records: Option<u64>,
    /// As many as decide in 95 of 100 cases, by chance some more errors among them than that rate
    /// brings. What follows is of these.
    #[serde(default)]
    pub records_safe: Option<u64>,
    /// Further labels in all, at the present mixture; at least `records_safe`. `null` also where errors were
    /// seen and the rate may be above `limit`: then `range` has the least.
    pub labels: Option<u64>,
    /// Evaluations that bring so many at the present mixture; `null` where it is not known.
    #[serde(default)]
    pub evaluations: Option<u64>,
    /// Days at the present traffic.
    pub days: Option<u64>,
    /// The same in words.
    pub text: String,
    /// What it would cost at other rates of the audit sample.
    pub prices: Vec<Price>,
    /// Whether any number of labels will do; missing where nothing is known yet.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub outlook: Option<Outlook>,
    /// The largest rate of errors that the gate can show to be below the threshold: a larger one by no
    /// number of labels.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub limit: Option<f64>,
    /// `labels` where the rate is at either end of its interval for one look.
    #[serde(skip_serializing_if = "Option::is_none", default)]
    pub range: Option<LabelRange>,
}

impl Needed {
    /// Further labels in all or, where there is no such price, the least by its range.
    pub fn least_labels(&self) -> Option<u64> {
        self.labels.or_else(|| self.range?.least)
    }

    /// Whether some number of labels or evaluations may decide it.
    pub fn is_decidable(&self) -> bool {
        ![Some(Outlook::TooClose), Some(Outlook::Hopeless)].contains(&self.outlook)
    }
}

/// Whether more labels can decide a KPI.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Outlook {
    /// They can; at a price, unless the rate may be one that cannot be shown.
    Priced,
    /// The rate is so close to the threshold that no number may do: nobody should label for it.
    TooClose,
    /// The whole interval of the rate lies beyond what can be shown.
    Hopeless,
}

/// Labels until a KPI is decided, by its interval for one look.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct LabelRange {
    /// Where the rate is at the lower end.
    pub least: Option<u64>,
    /// Where it is at the upper end; `null` where no number would do there.
    pub most: Option<u64>,
}

/// The price of a decision at one rate of the audit sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Price {
    /// The rate.
    pub pi: f64,
    /// Labels.
    pub labels: u64,
    /// Days.
    pub days: u64,
}
