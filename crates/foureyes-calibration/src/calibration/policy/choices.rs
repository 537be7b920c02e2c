//! What the keys of the policy may say, where there are a few words to choose from.

use crate::calibration::WindowRules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Which definition of wrong blocks is held to the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FalsePositive {
    /// Of acceptable content, how much is flagged.
    Fpr,
    /// Of flagged content, how much is acceptable.
    Fdr,
    /// Both.
    Both,
}

/// Which definition of misses is held to the threshold.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum FalseNegative {
    /// Of poor content, how much passes.
    Fnr,
    /// Of passed content, how much is poor.
    For,
    /// Both.
    Both,
}

/// When a decision may be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    /// At every day's end, by an e-process.
    Anytime,
    /// On declared days only, by exact bounds that share the allowed error.
    Fixed,
}

/// Which evaluations may err together.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Cluster {
    /// None: each errs by itself.
    #[default]
    None,
    /// Those of a day.
    Day,
    /// Those of an agent on a day; the agents of a day err independently of each other.
    AgentDay,
}

impl Cluster {
    /// Its name in the policy.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::None => "none",
            Self::Day => "day",
            Self::AgentDay => "agent_day",
        }
    }

    /// Whether each evaluation errs by itself.
    pub fn is_none(&self) -> bool {
        *self == Self::None
    }
}

/// Which labels count only with a second word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Confirm {
    /// None.
    None,
    /// Those that say poor, and the day stays open until then.
    Poor,
    /// Those that say poor, and a third word decides where the two differ. No day waits for them.
    TwoOfThree,
}

impl Confirm {
    /// What holds in windows begun under some rules where the policy names nothing.
    pub fn default_under(rules: WindowRules) -> Self {
        match rules {
            WindowRules::NotStarted | WindowRules::Current => Self::TwoOfThree,
            WindowRules::Earlier | WindowRules::Shared => Self::None,
        }
    }
}

/// What UNDETERMINED verdicts count as in the rates of wrong blocks and of misses.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Undetermined {
    /// Nothing: they are in neither rate.
    #[default]
    Apart,
    /// Content that passes.
    Passes,
    /// Content that is blocked.
    Blocks,
}

/// What happens to boxes that block when READY is withdrawn.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum OnWithdrawn {
    /// Every screen says so.
    #[default]
    Notify,
    /// They are set back to advisory at the next pull too.
    Advisory,
}
