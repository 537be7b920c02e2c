//! What a reader finds, until it is written as a segment.

use super::job::Job;
use super::no_records::{FiledReject, NoRecords};
use crate::domain::{RecordId, Reject};
use crate::frame::Columns;
use crate::jsonl::{Draft, Sink, Span};
use std::collections::HashMap;

/// Collects what a reader finds.
pub(super) struct Collector {
    pub(super) columns: Columns,
    pub(super) others: NoRecords,
    /// Rejects of its file so far, those that an earlier run found among them.
    pub(super) rejected: u64,
    pub(super) file: u32,
    pub(super) box_index: u32,
    /// How often each of the last records stands in a compressed log.
    pub(super) recent: Option<HashMap<RecordId, u8>>,
    /// Records without a row, since enough equal ones stand before them.
    pub(super) repeated: u64,
}

/// So many places of equal records that follow each other in a compressed log are kept: a small one may
/// unpack to millions.
const PLACES: u8 = 64;
/// So many different records are remembered for it.
const RECENT: usize = 4096;

impl Collector {
    /// Whether enough records equal to this one stand shortly before it.
    fn repeats(&mut self, draft: &Draft<'_>) -> bool {
        let Some(recent) = &mut self.recent else { return false };
        let id = draft.id();
        if recent.len() >= RECENT && !recent.contains_key(&id) {
            recent.clear();
        }
        let known = recent.entry(id).or_default();
        let repeats = *known >= PLACES;
        *known = known.saturating_add(1);
        self.repeated += u64::from(repeats);
        repeats
    }
}

impl Sink for Collector {
    fn record(&mut self, draft: &Draft<'_>, span: Span) {
        if self.repeats(draft) {
            return;
        }
        self.columns.push(draft, span, self.file, self.box_index);
    }

    fn reject(&mut self, reject: Reject) {
        self.others.reject(self.rejected, FiledReject { file: self.file, reject });
        self.rejected += 1;
    }

    fn foreign(&mut self, id: Option<RecordId>) {
        self.others.foreign(id);
    }
}

impl Collector {
    /// One that fills these columns.
    pub(super) fn new(columns: Columns) -> Self {
        Self {
            columns,
            others: NoRecords::default(),
            rejected: 0,
            file: 0,
            box_index: 0,
            recent: None,
            repeated: 0,
        }
    }

    /// Goes on with a log.
    pub(super) fn begin(&mut self, job: &Job<'_>) {
        (self.file, self.box_index) = (job.index, job.box_index);
        self.rejected = job.from.accounting.rejected;
        (self.recent, self.repeated) = (job.file.gzip.then(HashMap::new), 0);
    }
}
