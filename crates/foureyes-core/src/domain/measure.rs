//! The measures of a judge: one table, from which every listing, report and screen takes what it
//! says of a measure.
//!
//! A threshold is no part of it: thresholds belong to the policy.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One rate with one definition.
#[derive(
    Debug,
    Clone,
    Copy,
    PartialEq,
    Eq,
    Hash,
    PartialOrd,
    Ord,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::VariantArray,
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

/// Unit of a measure's values, its thresholds and its scale.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// From 0 to 1.
    Share,
    /// Seconds.
    Seconds,
}

impl Unit {
    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Share => "share",
            Self::Seconds => "seconds",
        }
    }
}

/// On which side of its threshold a measure is met.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Side {
    /// Strictly below.
    Below,
    /// Strictly above.
    Above,
    /// Between two thresholds, both included.
    Between,
}

/// What a measure is.
#[derive(Debug, Clone, Copy)]
pub struct Definition {
    /// Name in JSON, in policies and in waivers.
    pub name: &'static str,
    /// Name for people.
    pub title: &'static str,
    /// Short name of the definition: `fpr`, `fdr`, `fnr`, `for`, `share` or `median`.
    pub symbol: &'static str,
    /// What it measures, as a phrase.
    pub meaning: &'static str,
    /// What its numerator counts, to follow `3 of 10 `.
    pub counted: &'static str,
    /// Unit of its values.
    pub unit: Unit,
    /// Where it is met.
    pub side: Side,
    /// Whether labels decide it, not verdicts alone.
    pub needs_labels: bool,
    /// Whether it is one of the six KPIs, which are always shown.
    pub is_kpi: bool,
    /// The least span of a scale that it is drawn on, in its unit.
    pub scale: (f64, f64),
}

impl Measure {
    /// All, in the order in which they are shown.
    pub const ALL: [Self; 8] = crate::domain::variants();

    /// The six KPIs, in the order of [`Self::ALL`].
    pub fn kpis() -> impl Iterator<Item = Self> {
        Self::ALL.into_iter().filter(|m| m.definition().is_kpi)
    }

    /// What it is.
    pub const fn definition(self) -> Definition {
        match self {
            Self::GoRate => Definition {
                name: "go_rate",
                title: "GO rate",
                meaning: "GO among evaluations",
                counted: "GO",
                side: Side::Between,
                scale: (0.4, 1.0),
                ..SHARE
            },
            Self::UndeterminedRate => Definition {
                name: "undetermined_rate",
                title: "UNDETERMINED rate",
                meaning: "UNDETERMINED among evaluations",
                counted: "UNDETERMINED",
                scale: (0.0, 0.3),
                ..SHARE
            },
            Self::Availability => Definition {
                name: "availability",
                title: "availability",
                meaning: "share of evaluations in which the judge could be reached",
                counted: "answered",
                side: Side::Above,
                scale: (0.9, 1.0),
                ..SHARE
            },
            Self::MedianLatency => Definition {
                name: "median_latency",
                title: "median latency",
                symbol: "median",
                meaning: "half of the calls are faster",
                counted: "quicker than the threshold",
                unit: Unit::Seconds,
                scale: (0.0, 60.0),
                ..SHARE
            },
            Self::FalsePositiveRate => Definition {
                name: "false_positive_rate",
                title: "false positive rate",
                symbol: "fpr",
                meaning: "share of acceptable content that is flagged",
                scale: (0.0, 0.2),
                ..ERROR
            },
            Self::FalseDiscoveryRate => Definition {
                name: "false_discovery_rate",
                title: "false discovery rate",
                symbol: "fdr",
                meaning: "share of flagged content that is acceptable",
                counted: "labelled NO-GO are acceptable",
                scale: (0.0, 0.2),
                is_kpi: false,
                ..ERROR
            },
            Self::FalseNegativeRate => Definition {
                name: "false_negative_rate",
                title: "false negative rate",
                symbol: "fnr",
                meaning: "share of poor content that passes",
                scale: (0.0, 0.1),
                ..ERROR
            },
            Self::FalseOmissionRate => Definition {
                name: "false_omission_rate",
                title: "false omission rate",
                symbol: "for",
                meaning: "share of passed content that is poor",
                counted: "labelled GO are poor",
                scale: (0.0, 0.1),
                is_kpi: false,
                ..ERROR
            },
        }
    }

    /// The name in JSON.
    pub const fn as_str(self) -> &'static str {
        self.definition().name
    }

    /// The name for people.
    pub const fn title(self) -> &'static str {
        self.definition().title
    }

    /// The name as a sentence has it: `the GO rate`, `availability`.
    pub fn in_sentence(self) -> String {
        match self {
            Self::Availability => self.title().to_owned(),
            Self::GoRate
            | Self::UndeterminedRate
            | Self::MedianLatency
            | Self::FalsePositiveRate
            | Self::FalseDiscoveryRate
            | Self::FalseNegativeRate
            | Self::FalseOmissionRate => format!("the {}", self.title()),
        }
    }

    /// Whether labels decide it.
    pub const fn needs_labels(self) -> bool {
        self.definition().needs_labels
    }
}

/// A share of evaluations, which a row of the table completes.
const SHARE: Definition = Definition {
    name: "",
    title: "",
    symbol: "share",
    meaning: "",
    counted: "",
    unit: Unit::Share,
    side: Side::Below,
    needs_labels: false,
    is_kpi: true,
    scale: (0.0, 1.0),
};

/// An error rate, which a row of the table completes.
const ERROR: Definition = Definition { needs_labels: true, counted: "labelled", ..SHARE };

/// The threshold of a measure, in its unit.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threshold {
    /// Whose it is.
    pub measure: Measure,
    /// The threshold, or the lower of two.
    pub value: f64,
    /// The upper of two.
    pub upper: Option<f64>,
}

impl Threshold {
    /// Whether a value is on the right side.
    pub fn is_met_by(&self, value: f64) -> bool {
        match self.measure.definition().side {
            Side::Below => value < self.value,
            Side::Above => value > self.value,
            Side::Between => value >= self.value && self.upper.is_none_or(|upper| value <= upper),
        }
    }

    /// One threshold, or two.
    pub fn values(&self) -> impl Iterator<Item = f64> {
        [self.value].into_iter().chain(self.upper)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_name_of_a_measure_is_the_one_that_serde_writes() {
        for m in Measure::ALL {
            let json = serde_json::to_string(&m).unwrap_or_default();
            assert_eq!(json, format!("\"{}\"", m.as_str()));
            let d = m.definition();
            assert!(![d.title, d.meaning, d.counted].contains(&""), "{}", d.name);
        }
        assert_eq!(Measure::kpis().count(), 6);
    }

    #[test]
    fn value_at_threshold_is_not_met_and_ranges_are_inclusive() {
        let one = |measure| Threshold { measure, value: 0.1, upper: None };
        assert!(!one(Measure::FalsePositiveRate).is_met_by(0.1));
        assert!(!one(Measure::Availability).is_met_by(0.1));
        let range = Threshold { upper: Some(0.9), ..one(Measure::GoRate) };
        assert!(range.is_met_by(0.1) && range.is_met_by(0.9));
        assert!(!range.is_met_by(0.91) && !range.is_met_by(0.09));
        assert_eq!(range.values().collect::<Vec<_>>(), [0.1, 0.9]);
    }
}
