//! A record as it is shown: masked, shortened for a list, or sealed by the gate.

use super::sealed_row::sealed_row;
use crate::answers::texts::{Ready, Texts, ready};
use crate::domain::{Outcome, Record};
use crate::report::Masking;
use std::sync::Arc;

/// So many bytes of a text are kept for a list: more than any screen shows at once.
const TEXT: usize = 16 << 10;

/// A record ready to be shown: its secrets masked, its hidden characters counted.
#[derive(Debug, Clone, PartialEq)]
pub struct ShownRecord {
    /// The record, with masks where they were asked for.
    pub row: Record,
    /// Secrets that were masked.
    pub masked: usize,
    /// Fields that hold hidden characters.
    pub hidden: Vec<&'static str>,
    /// Bytes of its texts.
    pub bytes: usize,
    /// Whether it came since the last visit.
    pub is_new: bool,
    /// The record as a whole, where [`ShownRecord::row`] has only what the gate lets through.
    kept: Option<Arc<Self>>,
}

impl ShownRecord {
    /// A record as a whole.
    pub fn new(row: &Record, masking: Masking) -> Self {
        let Ready { mut row, masked, hidden } = ready(row, masking.is_on());
        let mut bytes = 0;
        row.each(&mut |_, text| bytes += text.len());
        Self { row, masked, hidden, bytes, is_new: false, kept: None }
    }

    /// A record of which only what was judged is left; the whole stays with it.
    pub(super) fn sealed(whole: Arc<Self>) -> Self {
        let row = sealed_row(&whole.row);
        let (bytes, is_new) = (whole.bytes, whole.is_new);
        Self { row, masked: 0, hidden: Vec::new(), bytes, is_new, kept: Some(whole) }
    }

    /// The record before the gate: for the gate itself, and for tasks outside that look it up.
    pub(in crate::tui) fn whole(shown: &Arc<Self>) -> Arc<Self> {
        Arc::clone(shown.kept.as_ref().unwrap_or(shown))
    }

    /// What the judge said, whether it may be seen or not: to be compared with a label once that is given.
    pub(in crate::tui) fn judged(&self) -> Option<Outcome> {
        self.kept.as_ref().map_or(self.row.outcome, |whole| whole.row.outcome)
    }

    /// A record for a list: its secrets masked, of long texts the beginning.
    pub fn listed(row: &Record) -> Self {
        let mut shown = Self::new(row, Masking::On);
        if shown.is_long() {
            shown.bytes = 0;
            let bytes = &mut shown.bytes;
            shown.row.each(&mut |_, text| {
                if text.len() > TEXT {
                    text.truncate(text.floor_char_boundary(TEXT));
                    text.push('…');
                    text.shrink_to_fit();
                }
                *bytes += text.len();
            });
        }
        shown
    }

    /// Whether a list may keep only a part of it.
    pub fn is_long(&self) -> bool {
        self.bytes > TEXT
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;

    /// A record with a finding of so many bytes.
    pub(in crate::tui::model) fn record(bytes: usize) -> Record {
        let json = serde_json::json!({
            "id": "00".repeat(32), "box": "north", "timestamp": null, "family": "push",
            "outcome": "no_go", "verdict": "NO-GO", "commit": null, "task_id": null,
            "author": null, "model": null, "files": [], "scores": {},
            "findings": "word ".repeat(bytes / 5), "cause": null, "origins": []
        });
        serde_json::from_value(json).unwrap()
    }

    #[test]
    fn list_truncates_long_text_and_keeps_short_text() {
        let long = ShownRecord::listed(&record(1 << 20));
        assert!(long.bytes < TEXT + 100 && long.row.findings.as_ref().unwrap().ends_with('…'));
        let short = record(TEXT / 2);
        assert_eq!(ShownRecord::listed(&short).row, short);
    }
}
