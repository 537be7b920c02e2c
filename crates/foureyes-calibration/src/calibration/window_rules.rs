//! Under which rules a window was begun, and as which release to answer.

use super::label::Labelled;

/// The rules that a window was begun under: a ledger keeps its meaning for ever. In the order in which
/// they came.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WindowRules {
    /// No window was started.
    NotStarted,
    /// Those before windows shared the allowed error: what they did not know of is a caveat and blocks
    /// nothing, and nobody asks for second labels.
    Earlier,
    /// Those of 0.2: windows share the allowed error, and labels have rules.
    Shared,
    /// Those of 0.3, this version's: one table of factors for all rates and plans, words that were seen
    /// and words that were stated.
    Current,
}

impl WindowRules {
    /// Whether a window runs in which labels have rules: double labels, blind shares, changed words.
    pub fn has_label_rules(self) -> bool {
        self >= Self::Shared
    }

    /// Whether a label counts as blind: what was typed where its content was shown without the verdict.
    /// In an older window it counts as it says of itself.
    pub fn is_blind(self, label: &Labelled) -> bool {
        label.blind && (label.seen || self < Self::Current)
    }
}

/// The release as which a report answers. What can only take READY away holds for windows of every
/// version from 0.3 on; a report of 0.2 is computed again without it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Release {
    /// 0.2 and before.
    V02,
    /// This one.
    #[default]
    V03,
}
