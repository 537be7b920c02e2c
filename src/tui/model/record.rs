//! The record that is shown: its tabs and what they need.

use super::{Loadable, ShownRecord, Tab, TextSearch};
use crate::content::highlight;
use crate::content::{Content, Nowhere};
use crate::domain::RecordId;
use crate::engine::task_question::KnownQuestion;
use crate::tui::page::sheet::Sheet;
use std::sync::Arc;

/// The record that is shown.
#[derive(Debug, Clone)]
pub struct RecordModel {
    /// Content hash of the record; `None` where none is selected.
    pub id: Option<RecordId>,
    /// Which side of it.
    pub tab: Tab,
    /// The side where verdicts are hidden or, while they are, the one where they are not.
    pub other_tab: Tab,
    /// Whether it is shown where verdicts, authors and dates are hidden.
    pub hides: bool,
    /// Lines scrolled past; the view stops at the end.
    pub scroll: usize,
    /// The search in its text.
    pub search: Option<TextSearch>,
    /// Which of [`Sheet::stops`] was gone to.
    pub part: Option<usize>,
    /// What takes another look into the log.
    pub details: Loadable<Arc<RecordDetails>>,
    /// Whether the gate kept its verdict back when they came.
    pub is_kept: bool,
    /// Whether its history was asked for with them.
    pub asks_history: bool,
    /// What takes a look into git.
    pub content: Loadable<Arc<HighlightedContent>>,
    /// Whether secrets are shown instead of masked.
    pub reveal: bool,
    /// The lines of the tab.
    pub sheet: Sheet,
    /// Goes up with everything that the lines are made of.
    pub revision: u64,
}

impl Default for RecordModel {
    fn default() -> Self {
        Self {
            id: None,
            tab: Tab::Verdict,
            // Where the verdict is hidden its side is empty.
            other_tab: Tab::Content,
            hides: false,
            scroll: 0,
            search: None,
            part: None,
            details: Loadable::default(),
            is_kept: false,
            asks_history: false,
            content: Loadable::default(),
            reveal: false,
            sheet: Sheet::default(),
            revision: 0,
        }
    }
}

impl RecordModel {
    /// Turns to the side that was chosen where verdicts are hidden, or where they are not.
    pub fn hide(&mut self, hides: bool) {
        if self.hides != hides {
            self.hides = hides;
            std::mem::swap(&mut self.tab, &mut self.other_tab);
            (self.scroll, self.revision) = (0, self.revision + 1);
        }
    }

    /// The side where verdicts are not hidden: that is what is kept.
    pub fn open_tab(&self) -> Tab {
        if self.hides { self.other_tab } else { self.tab }
    }

    /// Turns to another record; the side stays.
    pub fn turn(&mut self, id: Option<RecordId>) {
        if self.id != id {
            let revision = self.revision + 1;
            let Self { tab, other_tab, hides, .. } = *self;
            *self = Self { id, tab, other_tab, hides, revision, ..Self::default() };
        }
    }
}

/// What the log says of a record beyond its row.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordDetails {
    /// Its bytes as text, secrets masked unless they are to be shown.
    pub raw: String,
    /// The whole record: without masks where they are to be shown, or as it is where the list
    /// keeps only the beginning of its texts.
    pub bare: Option<ShownRecord>,
    /// Whether the history is in it.
    pub has_history: bool,
    /// Evaluations of the same file, the newest first.
    pub file: Vec<ShownRecord>,
    /// How many there are in all.
    pub file_total: usize,
    /// Records of the same task, the oldest first.
    pub rounds: Vec<ShownRecord>,
    /// How many there are in all.
    pub rounds_total: usize,
    /// What is known of the question of its task; `None` where it is of none.
    pub question: Option<KnownQuestion>,
    /// Why the history is not there.
    pub history_problem: Option<String>,
}

/// What was judged, with its colours.
#[derive(Debug, Clone)]
pub struct HighlightedContent {
    /// What was judged, or why it was found nowhere.
    pub content: Result<Content, Nowhere>,
    /// For each file the kinds of the parts of each line, by byte.
    pub kinds: Vec<Vec<highlight::Line>>,
}
