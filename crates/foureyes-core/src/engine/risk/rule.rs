//! A rule, as the operator writes it.

use super::ChangeKind;
use crate::engine::panel::Depth;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How deep a change is judged, from the shallowest.
#[derive(
    Debug,
    Clone,
    Copy,
    Default,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    Serialize,
    Deserialize,
    JsonSchema,
    strum::VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum RiskDepth {
    /// One judge.
    #[default]
    Quick,
    /// Quick decides where it can, else deep.
    Sequential,
    /// Quick and deep both judge, and the tiebreaker where they differ.
    Panel,
    /// A panel, and whatever it would accept a person accepts.
    Person,
}

impl RiskDepth {
    /// All of them, from the shallowest.
    pub const ALL: [Self; 4] = crate::domain::variants();

    /// Its name in the configuration and in records.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Sequential => "sequential",
            Self::Panel => "panel",
            Self::Person => "person",
        }
    }

    /// Which judges of tasks are asked.
    pub const fn judges(self) -> Depth {
        match self {
            Self::Quick => Depth::Quick,
            Self::Sequential => Depth::Sequential,
            Self::Panel | Self::Person => Depth::Panel,
        }
    }
}

impl From<Depth> for RiskDepth {
    fn from(depth: Depth) -> Self {
        match depth {
            Depth::Quick => Self::Quick,
            Depth::Sequential => Self::Sequential,
            Depth::Panel => Self::Panel,
        }
    }
}

/// One rule: where all of its conditions hold, a change is judged at least so deep.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RiskRule {
    /// Its name, in records and reports.
    #[schemars(extend("x-text" = "Named"))]
    pub name: String,
    /// How deep a change is judged at least: `quick`, `sequential`, `panel` or `person`.
    #[schemars(with = "String", extend("x-text" = "RiskDepth"))]
    pub depth: RiskDepth,
    /// Patterns of paths, one of which the change touches.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-text" = "PathGlob"))]
    pub paths: Vec<String>,
    /// Kinds of change, one of which a file of these paths has: `added`, `deleted`, `modified`, `renamed`,
    /// `binary`, `mode` or `link`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(with = "Vec<String>", extend("x-text" = "ChangeKind"))]
    pub changes: Vec<ChangeKind>,
    /// Least lines that are added or removed in these files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub lines: Option<u64>,
    /// Least number of these files.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 100_000_000))]
    pub files: Option<u64>,
    /// Whether the change is sensitive by `sensitive_words` and `sensitive_paths` of `[task]`.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub sensitive: bool,
    /// Share of poor content that the author's may reach: the upper bound of its rate counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 0.0, max = 1.0))]
    pub author_error: Option<f64>,
    /// Least number of recent overrides that made an accept of the author's content a rejection.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 1_000_000))]
    pub author_overrides: Option<u64>,
}

impl RiskRule {
    /// Whether it has any condition. One without would be another way to write the floor.
    pub fn has_condition(&self) -> bool {
        let sizes = self.lines.is_some() || self.files.is_some();
        self.names_paths() || sizes || self.sensitive || self.is_about_author()
    }

    /// Whether it is about some paths only.
    pub fn names_paths(&self) -> bool {
        !self.paths.is_empty() || !self.changes.is_empty()
    }

    /// Whether it is about the author's record.
    pub fn is_about_author(&self) -> bool {
        self.author_error.is_some() || self.author_overrides.is_some()
    }
}
