//! What a judge wants changed.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// One thing that a judge wants changed. Its texts may be hostile.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Improvement {
    /// Dimension, as written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dimension: Option<String>,
    /// Where in the content.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub location: Option<String>,
    /// What is wrong; a plain text in a log or an answer stands here.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub issue: Option<String>,
    /// What to do.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<String>,
}

impl Improvement {
    /// One of which no more is known than a text.
    pub fn text(text: impl Into<String>) -> Self {
        Self { issue: Some(text.into()), ..Self::default() }
    }

    /// Whether nothing stands in it.
    pub fn is_empty(&self) -> bool {
        let parts = [&self.dimension, &self.location, &self.issue, &self.suggestion];
        parts.into_iter().flatten().all(|part| part.trim().is_empty())
    }

    /// The words of the judge in it: all but the place, which may be a name.
    pub fn words(&self) -> impl Iterator<Item = &str> {
        let parts = [&self.dimension, &self.issue, &self.suggestion];
        parts.into_iter().flatten().map(String::as_str)
    }

    /// It with each of its texts changed.
    #[must_use]
    pub fn map(&self, change: impl Fn(&str) -> String) -> Self {
        let of = |part: &Option<String>| part.as_deref().map(&change);
        Self {
            dimension: of(&self.dimension),
            location: of(&self.location),
            issue: of(&self.issue),
            suggestion: of(&self.suggestion),
        }
    }
}

impl std::fmt::Display for Improvement {
    /// Where it is and what is wrong, then what to do, in one line.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let wrong = [&self.location, &self.issue].into_iter().flatten().map(String::as_str);
        let wrong = wrong.collect::<Vec<_>>().join(": ");
        let parts = [wrong.as_str(), self.suggestion.as_deref().unwrap_or_default()];
        let parts = parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>();
        f.write_str(&parts.join(" -> "))?;
        match &self.dimension {
            Some(dimension) => write!(f, " ({dimension})"),
            None => Ok(()),
        }
    }
}
