//! What the gate may ask for, by name.

use crate::domain::KpiId;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One rate with one definition.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum Measure {
    /// GO among evaluations.
    GoRate,
    /// UNDETERMINED among evaluations.
    UndeterminedRate,
    /// Evaluations in which the judge could be asked.
    Availability,
    /// Median of the whole call's duration.
    MedianLatency,
    /// Of acceptable content, how much is flagged.
    FalsePositiveRate,
    /// Of flagged content, how much is acceptable.
    FalseDiscoveryRate,
    /// Of poor content, how much passes.
    FalseNegativeRate,
    /// Of passed content, how much is poor.
    FalseOmissionRate,
}

impl Measure {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 8] = [
        Self::GoRate,
        Self::UndeterminedRate,
        Self::Availability,
        Self::MedianLatency,
        Self::FalsePositiveRate,
        Self::FalseDiscoveryRate,
        Self::FalseNegativeRate,
        Self::FalseOmissionRate,
    ];

    /// The name in JSON.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::FalseDiscoveryRate => "false_discovery_rate",
            Self::FalseOmissionRate => "false_omission_rate",
            other => other.kpi().map_or("", KpiId::as_str),
        }
    }

    /// The name for people.
    pub fn title(self) -> &'static str {
        match self {
            Self::FalseDiscoveryRate => "false discovery rate",
            Self::FalseOmissionRate => "false omission rate",
            other => other.kpi().map_or("", KpiId::title),
        }
    }

    /// The KPI of that name; `None` for the two that are no KPI of their own.
    pub fn kpi(self) -> Option<KpiId> {
        Some(match self {
            Self::GoRate => KpiId::GoRate,
            Self::UndeterminedRate => KpiId::UndeterminedRate,
            Self::Availability => KpiId::Availability,
            Self::MedianLatency => KpiId::MedianLatency,
            Self::FalsePositiveRate => KpiId::FalsePositiveRate,
            Self::FalseNegativeRate => KpiId::FalseNegativeRate,
            Self::FalseDiscoveryRate | Self::FalseOmissionRate => return None,
        })
    }

    /// The short name of its definition: `fpr`, `fdr`, `fnr`, `for`, `share` or `median`.
    pub fn definition(self) -> &'static str {
        match self {
            Self::FalsePositiveRate => "fpr",
            Self::FalseDiscoveryRate => "fdr",
            Self::FalseNegativeRate => "fnr",
            Self::FalseOmissionRate => "for",
            Self::MedianLatency => "median",
            Self::GoRate | Self::UndeterminedRate | Self::Availability => "share",
        }
    }

    /// Tells whether it needs labels.
    pub fn needs_labels(self) -> bool {
        !matches!(self.definition(), "share" | "median")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_measure_has_a_name_of_its_own_in_json() {
        for m in Measure::ALL {
            let json = serde_json::to_string(&m).unwrap_or_default();
            assert_eq!(json, format!("\"{}\"", m.as_str()));
            assert!(!m.title().is_empty());
        }
    }
}
