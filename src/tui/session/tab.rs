//! The sides of a record.

use serde::{Deserialize, Serialize};

/// A side of a record.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize, strum::VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Tab {
    /// The verdict.
    #[default]
    Verdict,
    /// What was judged.
    Content,
    /// What the commit changed.
    Diff,
    /// The same file, and the same task's rounds.
    History,
    /// The bytes in the log, and where they are.
    Raw,
}

impl Tab {
    /// All tabs, in their order.
    pub const ALL: [Self; 5] = crate::domain::variants();

    /// As it is written in headings.
    pub fn title(self) -> &'static str {
        match self {
            Self::Verdict => "Verdict",
            Self::Content => "Content",
            Self::Diff => "Diff",
            Self::History => "History",
            Self::Raw => "Raw",
        }
    }

    /// The tab so many to the right; the ends hold.
    pub fn step(self, by: isize) -> Self {
        let at = Self::ALL.iter().position(|t| *t == self).unwrap_or(0);
        let to = at.saturating_add_signed(by).min(Self::ALL.len() - 1);
        Self::ALL.get(to).copied().unwrap_or_default()
    }
}
