//! What people say of records, in the form that filters ask for.

use super::{OverrideWord, PeerOpinion, Word};
use crate::domain::RecordId;
use std::collections::HashMap;
use std::sync::LazyLock;

/// What was said of one record.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Review {
    /// What its labels say together.
    pub label: Option<Word>,
    /// Reviewers differ, and nobody settled it.
    pub conflict: bool,
    /// The latest override.
    pub decision: Option<OverrideWord>,
    /// Whether its boxes hold its overrides: `Some(false)` where one is unconfirmed, `None` where
    /// nobody here knows.
    pub held: Option<bool>,
    /// Who labelled it.
    pub labelled_by: Vec<String>,
    /// Who labelled or overrode it.
    pub reviewers: Vec<String>,
    /// Who holds its claim.
    pub claimed_by: Option<String>,
    /// To whom it is assigned, while it waits for their labels.
    pub assigned_to: Vec<String>,
    /// What a judge of another family found when it reviewed the verdict.
    pub peer: Option<PeerOpinion>,
}

impl Review {
    /// Whether all who labelled it are unsure, so that a further look would settle it.
    pub fn is_in_doubt(&self) -> bool {
        self.label == Some(Word::Unsure) && !self.conflict
    }

    /// Whether it waits for a second look by somebody who has not labelled it.
    pub fn waits_for_second_look(&self, reviewer: &str) -> bool {
        self.is_in_doubt() && !self.labelled_by.iter().any(|name| name == reviewer)
    }
}

/// What was said of records; of all others nothing was.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Reviews {
    records: HashMap<RecordId, Review>,
    /// Who reads them.
    reader: Option<String>,
    /// How far the reader saw each log on the last visit; `None` before the first one.
    reached: Option<Vec<u64>>,
}

impl Reviews {
    /// What was said of these.
    pub fn new(records: HashMap<RecordId, Review>) -> Self {
        Self { records, ..Self::default() }
    }

    /// The same as a reviewer reads them, whom `me` in a filter means; nobody where the name is not known.
    #[must_use]
    pub fn read_by(self, reader: Option<String>) -> Self {
        Self { reader, ..self }
    }

    /// The same where the last visit reached so many bytes of each log, in the order of the archive's files: what
    /// stands beyond is new.
    #[must_use]
    pub fn read_until(self, reached: Vec<u64>) -> Self {
        Self { reached: Some(reached), ..self }
    }

    /// Whether a record that begins at a byte of a log came after the last visit; before the first visit
    /// everything did.
    pub fn is_new(&self, file: usize, byte: u64) -> bool {
        let end = self.reached.as_ref().and_then(|reached| reached.get(file));
        end.is_none_or(|end| byte >= *end)
    }

    /// Name of the reviewer who reads them.
    pub fn reader(&self) -> Option<&str> {
        self.reader.as_deref()
    }

    /// Nothing was said of any record.
    pub fn none() -> &'static Self {
        static NONE: LazyLock<Reviews> = LazyLock::new(Reviews::default);
        &NONE
    }

    /// Notes whether a box holds what was last decided of a record, its taking back as well; one
    /// that does not tells.
    pub fn hold(&mut self, record: RecordId, held: bool) {
        let known = self.records.contains_key(&record);
        if known || !held {
            let review = self.records.entry(record).or_default();
            review.held = Some(held && review.held.unwrap_or(true));
        }
    }

    /// What was said of a record.
    pub fn get(&self, record: RecordId) -> Option<&Review> {
        self.records.get(&record)
    }

    /// Records of which anything was said, in no order.
    pub fn iter(&self) -> impl Iterator<Item = (RecordId, &Review)> {
        self.records.iter().map(|(record, review)| (*record, review))
    }

    /// How many records anything was said of.
    pub fn len(&self) -> usize {
        self.records.len()
    }

    /// Whether nothing was said of any record.
    pub fn is_empty(&self) -> bool {
        self.records.is_empty()
    }
}
