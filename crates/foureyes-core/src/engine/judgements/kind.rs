//! What a service is asked for.

use crate::domain::JudgementKind;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What a service is asked for. Verdicts are measured by [`JudgementKind`]; a choice of memories is none.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema, strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// A verdict on what is pushed.
    Push,
    /// A verdict on the result of a task.
    Task,
    /// Which memories help.
    Relevance,
}

impl RequestKind {
    /// All of them.
    pub const ALL: [Self; 3] = crate::domain::variants();

    /// Its word in documents and on the command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Push => JudgementKind::Push.as_str(),
            Self::Task => JudgementKind::Task.as_str(),
            Self::Relevance => "relevance",
        }
    }

    /// Finds one by its word.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.as_str() == name)
    }

    /// What is judged, in the plural.
    pub const fn plural(self) -> &'static str {
        match self {
            Self::Push => JudgementKind::Push.plural(),
            Self::Task => JudgementKind::Task.plural(),
            Self::Relevance => "memories",
        }
    }

    /// The kind of its verdicts; none of a choice.
    pub const fn verdicts(self) -> Option<JudgementKind> {
        match self {
            Self::Push => Some(JudgementKind::Push),
            Self::Task => Some(JudgementKind::Task),
            Self::Relevance => None,
        }
    }
}

impl From<JudgementKind> for RequestKind {
    fn from(kind: JudgementKind) -> Self {
        match kind {
            JudgementKind::Push => Self::Push,
            JudgementKind::Task => Self::Task,
        }
    }
}
