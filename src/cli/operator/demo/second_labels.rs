//! The second and third labels that are asked for on the made-up data.

use super::labels::{Planting, blind_label};
use crate::cli::Failure;
use crate::domain::review::{Label, Requested, Word};
use crate::domain::{RecordId, Timestamp};
use std::collections::HashMap;

impl Planting<'_> {
    /// Gives the labels that are asked for on labelled records; `reads` tells what this reviewer finds where
    /// the content was planted as such.
    pub(super) fn further(
        &mut self,
        by: &str,
        at: Timestamp,
        reads: impl Fn(&RecordId, Word) -> Word,
    ) -> Result<(), Failure> {
        let waiting = self.readiness().reviewer_error.second_words.waiting;
        let why: HashMap<RecordId, Requested> =
            waiting.iter().map(|second| (second.record, second.requested)).collect();
        let records: Vec<RecordId> = waiting.iter().map(|second| second.record).collect();
        let label = |(record, word)| {
            let requested = why.get(&record).copied();
            Label { requested, ..blind_label((record, reads(&record, word))) }
        };
        let labels = self.words(&records)?.into_iter().map(label).collect();
        self.label(by, at, labels)
    }
}
