//! The forms in which an override is typed: bound to one record or to those that were marked, whatever
//! comes into the logs.

use super::{ListId, Shown};
use crate::domain::review::{EntryId, OverrideWord};
use crate::domain::{Outcome, RecordId};
use crate::tui::session::Typed;
use std::sync::Arc;
use tui_input::Input;

/// What is known of verdicts on the same content that came after the record.
#[derive(Debug, Clone, Default, PartialEq)]
pub enum Newer {
    /// It is not known yet.
    #[default]
    Unknown,
    /// There is none.
    None,
    /// There is one, and it is asked which of the two is meant.
    Asked(Arc<Shown>),
    /// There is one, and the older one is meant all the same.
    Kept(Arc<Shown>),
    /// The record itself is no longer in the logs.
    Gone,
}

/// The form.
#[derive(Debug, Clone)]
pub struct OverrideForm {
    /// The record that it is of, as it was when the form was opened. Its id is a hash of its content.
    pub of: Arc<Shown>,
    /// What came after it.
    pub newer: Newer,
    /// The archive that was asked for that.
    pub asked: Option<u64>,
    /// What is to be done.
    pub word: Option<OverrideWord>,
    /// Why.
    pub reason: Input,
}

impl OverrideForm {
    /// A form on a record, with what was typed before.
    pub fn new(of: Arc<Shown>, typed: Typed) -> Self {
        let reason = Input::new(typed.reason);
        Self { of, newer: Newer::Unknown, asked: None, word: typed.word, reason }
    }

    /// The record that it is of.
    pub fn record(&self) -> RecordId {
        self.of.row.id
    }

    /// The newest verdict on the content, where that is not the record's.
    pub fn newest(&self) -> Option<&Arc<Shown>> {
        match &self.newer {
            Newer::Asked(shown) | Newer::Kept(shown) => Some(shown),
            Newer::Unknown | Newer::None | Newer::Gone => None,
        }
    }

    /// The same by its name: the person knows that it is there, though it may be hidden.
    pub fn seen(&self) -> Option<RecordId> {
        self.newest().map(|shown| shown.row.id)
    }

    /// Takes what is known now. What was answered stays answered, unless another one came.
    pub fn hear(&mut self, is_there: bool, newest: Option<Arc<Shown>>) {
        let kept = matches!(&self.newer, Newer::Kept(_)).then(|| self.seen()).flatten();
        self.newer = match newest {
            _ if !is_there => Newer::Gone,
            None => Newer::None,
            Some(shown) if kept == Some(shown.row.id) => Newer::Kept(shown),
            Some(shown) => Newer::Asked(shown),
        };
    }

    /// What is typed.
    pub fn typed(&self) -> Typed {
        Typed { word: self.word, reason: self.reason.value().to_owned() }
    }
}

/// The form for records that are marked.
#[derive(Debug, Clone)]
pub struct BulkForm {
    /// The records, as they were marked when the form was opened.
    pub of: Vec<RecordId>,
    /// Where they are marked.
    pub list: ListId,
    /// So many others are marked behind the filter, and not touched.
    pub away: usize,
    /// How many of them each box has, the most first. Raw names.
    pub boxes: Vec<(String, usize)>,
    /// What the judge said of so many of them.
    pub judged: Vec<(Outcome, usize)>,
    /// What is to be done.
    pub word: Option<OverrideWord>,
    /// Why.
    pub reason: Input,
}

impl BulkForm {
    /// What is typed.
    pub fn typed(&self) -> Typed {
        Typed { word: self.word, reason: self.reason.value().to_owned() }
    }
}

/// The name under which is kept what is typed for several records: the same ones, the same name.
pub fn name_of(records: &[RecordId]) -> RecordId {
    let mut sorted = records.to_vec();
    sorted.sort_unstable();
    let mut hasher = blake3::Hasher::new();
    hasher.update(b"foureyes 2026 several records");
    sorted.iter().for_each(|record| {
        hasher.update(&record.0);
    });
    RecordId(*hasher.finalize().as_bytes())
}

/// Overrides that were given at once, until their boxes answered.
#[derive(Debug, Clone, PartialEq)]
pub struct Bulk {
    /// The name of the first of their entries.
    pub name: EntryId,
    /// Where they were marked.
    pub list: ListId,
    /// All records that were marked.
    pub records: Vec<RecordId>,
    /// What was typed.
    pub typed: Typed,
    /// Those that are kept, once that is known, each with its entry.
    pub kept: Vec<(EntryId, RecordId)>,
}
