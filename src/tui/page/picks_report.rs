//! Picks of memories, and what they come to.

use crate::domain::RecordId;
use crate::pick_labels::Picks;
use crate::relevance::Pick;
use crate::report::picks::{self, Document};
use std::sync::Arc;

/// Which picks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PickMode {
    /// Put into a context without being asked for.
    Strict,
    /// The answers of searches.
    Lenient,
}

impl PickMode {
    /// Its name on the screen.
    pub fn title(self) -> &'static str {
        picks::mode(self == Self::Lenient)
    }
}

/// The picks of the logs, and what they come to.
#[derive(Debug, Clone, PartialEq)]
pub struct PicksReport {
    /// All of them, with the texts of their prompts.
    pub picks: Arc<Picks>,
    /// Those of prompts.
    pub strict: PickAssessment,
    /// Those of searches.
    pub lenient: PickAssessment,
}

/// What the picks of a mode come to.
#[derive(Debug, Clone, PartialEq)]
pub struct PickAssessment {
    /// Whether the judge is worth being on.
    pub document: Document,
    /// What the reviewer is to label, as it was drawn.
    pub due: Vec<RecordId>,
    /// Picks that cannot be labelled, since their prompt was not kept.
    pub without_text: usize,
}

impl PicksReport {
    /// Those of a mode.
    pub fn assessment(&self, mode: PickMode) -> &PickAssessment {
        match mode {
            PickMode::Strict => &self.strict,
            PickMode::Lenient => &self.lenient,
        }
    }

    /// Whether there is any pick of a mode.
    pub fn has(&self, mode: PickMode) -> bool {
        self.assessment(mode).document.measured.picks.picks > 0
    }

    /// A pick by its record.
    pub fn pick(&self, record: RecordId) -> Option<&Pick> {
        self.picks.all().iter().find(|pick| pick.record == record)
    }
}
