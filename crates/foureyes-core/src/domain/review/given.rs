//! A label that counts, and whose it is.

use super::{Act, Ballot, Entry, EntryId, Label, LabelVote, Requested};
use crate::domain::Timestamp;

/// A label that counts, and where it comes from.
#[derive(Debug, Clone, PartialEq)]
pub struct Given {
    /// The entry that holds it.
    pub entry: EntryId,
    /// When it was given.
    pub time: Timestamp,
    /// Whose word it is. Raw text.
    pub reviewer: String,
    /// The label.
    pub label: Label,
    /// The file it was taken from. Raw text.
    pub import: Option<String>,
}

impl Given {
    /// Whether it was typed in this program where its content was shown; what a file says of that is not
    /// believed.
    pub fn is_seen(&self) -> bool {
        self.import.is_none() && self.label.is_seen()
    }

    /// What of it decides what counts.
    pub fn vote(&self) -> LabelVote<'_> {
        let Label { label: word, adjudicates, requested, .. } = self.label;
        LabelVote { reviewer: &self.reviewer, word, adjudicates, requested }
    }
}

impl Given {
    /// Its part in two of three; `None` of a word that is compared only.
    pub fn ballot(&self) -> Option<Ballot<'_>> {
        let Label { label: word, requested, blind, .. } = self.label;
        (requested != Some(Requested::Compare)).then_some(Ballot {
            reviewer: &self.reviewer,
            word,
            at: self.time,
            asked: requested.is_some(),
            seen: self.is_seen(),
            blind,
            among_others: true,
        })
    }
}

/// Whose word a label is.
pub(super) fn whose<'a>(entry: &'a Entry, label: &'a Label) -> &'a str {
    label.reviewer.as_deref().unwrap_or(&entry.reviewer)
}

/// A label of an entry that counts from a time on.
pub(super) fn given(entry: &Entry, time: Timestamp, label: &Label) -> Given {
    let import = match &entry.act {
        Act::Labels { import: Some(import), .. } => Some(import.name.clone()),
        _ => None,
    };
    Given {
        entry: entry.id,
        time: label.time.map_or(time, |own| own.min(time)),
        reviewer: whose(entry, label).to_owned(),
        label: label.clone(),
        import,
    }
}
