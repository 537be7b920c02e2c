//! The form in which an override is typed: bound to the selected record, or to those that were marked,
//! whatever comes into the logs.

use super::{Gate, ListId, ShownRecord};
use crate::domain::RecordId;
use crate::domain::review::{EntryId, OverrideWord};
use crate::tui::session::OverrideDraft;
use std::sync::Arc;
use tui_input::Input;

/// What is known of verdicts on the same content that came after the record.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Newer {
    /// It is not known yet.
    #[default]
    Unknown,
    /// No later evaluation of the same content is in the logs.
    None,
    /// There is one, and it is asked which of the two is meant.
    Undecided(Arc<ShownRecord>),
    /// There is one, and the older one is meant all the same.
    OlderChosen(Arc<ShownRecord>),
    /// The record itself is no longer in the logs.
    Gone,
}

/// Where the records of a form are marked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Marked {
    /// The list that has the marks.
    pub list: ListId,
    /// So many others are marked behind the filter, and not touched.
    pub away: usize,
}

/// The form.
#[derive(Debug, Clone)]
pub struct OverrideForm {
    /// The records that it is of, at least one, as they were when the form was opened. Their ids are
    /// hashes of their contents.
    pub records: Vec<Arc<ShownRecord>>,
    /// Where they are marked; `None` for the one that was selected.
    pub marked: Option<Marked>,
    /// What came after the selected one.
    pub newer: Newer,
    /// The archive that was asked for that.
    pub asked: Option<u64>,
    /// What is to be done.
    pub word: Option<OverrideWord>,
    /// Free text; empty where nothing was typed.
    pub reason: Input,
}

impl OverrideForm {
    /// A form on records, with nothing typed.
    pub fn new(records: Vec<Arc<ShownRecord>>, marked: Option<Marked>) -> Self {
        let (newer, reason) = (Newer::Unknown, Input::default());
        Self { records, marked, newer, asked: None, word: None, reason }
    }

    /// The same with what was typed before.
    pub fn with_draft(self, typed: OverrideDraft) -> Self {
        Self { word: typed.word, reason: Input::new(typed.reason), ..self }
    }

    /// The record that it is of, where that is the selected one.
    pub fn single(&self) -> Option<&Arc<ShownRecord>> {
        self.records.first().filter(|_| self.marked.is_none())
    }

    /// The name under which is kept what is typed.
    pub fn name(&self) -> RecordId {
        name_of(self.records.iter().map(|shown| shown.row.id))
    }

    /// The newest verdict on the content, where that is not the record's.
    pub fn newest(&self) -> Option<&Arc<ShownRecord>> {
        match &self.newer {
            Newer::Undecided(shown) | Newer::OlderChosen(shown) => Some(shown),
            Newer::Unknown | Newer::None | Newer::Gone => None,
        }
    }

    /// The same by its name: the person knows that it is there, though it may be hidden.
    pub fn seen(&self) -> Option<RecordId> {
        self.newest().map(|shown| shown.row.id)
    }

    /// Takes what is known now. What was answered stays answered, unless another one came.
    pub fn set_newest(&mut self, is_there: bool, newest: Option<Arc<ShownRecord>>) {
        let chosen = matches!(&self.newer, Newer::OlderChosen(_)).then(|| self.seen()).flatten();
        self.newer = match newest {
            _ if !is_there => Newer::Gone,
            None => Newer::None,
            Some(shown) if chosen == Some(shown.row.id) => Newer::OlderChosen(shown),
            Some(shown) => Newer::Undecided(shown),
        };
    }

    /// Lets its records through the gate again, as it is another one.
    pub fn pass_again(&mut self, gate: &mut Gate) {
        self.records.iter_mut().for_each(|shown| *shown = gate.pass(shown));
        if let Newer::Undecided(shown) | Newer::OlderChosen(shown) = &mut self.newer {
            *shown = gate.pass(shown);
        }
    }

    /// The form as a draft.
    pub fn draft(&self) -> OverrideDraft {
        OverrideDraft { word: self.word, reason: self.reason.value().to_owned() }
    }
}

/// The name under which is kept what is typed for records: that of the one, or of several a name that
/// the same ones always have.
pub fn name_of(records: impl IntoIterator<Item = RecordId>) -> RecordId {
    let mut sorted: Vec<RecordId> = records.into_iter().collect();
    if let [one] = sorted[..] {
        return one;
    }
    sorted.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"foureyes 2026 several records");
    sorted.iter().for_each(|record| {
        hasher.update(&record.0);
    });
    RecordId(*hasher.finalize().as_bytes())
}

/// Overrides that were given, until they are on the disk and their boxes answered.
#[derive(Debug, Clone)]
pub struct PendingOverrides {
    /// The name of the first of their entries.
    pub name: EntryId,
    /// The form in which they were given.
    pub form: OverrideForm,
    /// Those that are kept, once that is known, each with its entry.
    pub kept: Vec<(EntryId, RecordId)>,
}
