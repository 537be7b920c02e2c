//! The kinds of the queue.

use serde::{Deserialize, Serialize};

/// What a queue is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum QueueKind {
    /// To find out how often the judge errs: NO-GOs, the audit sample and repeats, mixed.
    Calibration,
    /// To look at what was flagged.
    #[default]
    Triage,
    /// To settle where reviewers differ.
    Conflicts,
    /// To look once more at what others are unsure of.
    SecondLook,
}

impl QueueKind {
    /// Its name on the screen.
    pub fn title(self) -> &'static str {
        match self {
            Self::Calibration => "calibration",
            Self::Triage => "triage",
            Self::Conflicts => "conflicts",
            Self::SecondLook => "second look",
        }
    }

    /// The queue of a title; the one for calibration where there is none.
    pub fn from_title(title: &str) -> Self {
        let all = [Self::Triage, Self::Conflicts, Self::SecondLook];
        all.into_iter().find(|kind| kind.title() == title).unwrap_or(Self::Calibration)
    }

    /// The other one of the two that one works in: calibration or triage.
    pub fn other(self) -> Self {
        match self {
            Self::Calibration => Self::Triage,
            Self::Triage | Self::Conflicts | Self::SecondLook => Self::Calibration,
        }
    }

    /// Whether it begins blind in each run, apart from other lists: its labels are for calibration.
    pub fn is_for_calibration(self) -> bool {
        matches!(self, Self::Calibration | Self::SecondLook)
    }

    /// Whether its items are settled one by one, the newest first: none is put off.
    pub fn is_settled(self) -> bool {
        matches!(self, Self::Conflicts | Self::SecondLook)
    }
}
