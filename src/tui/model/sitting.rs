//! What a reviewer labelled in the calibration queue since the console began.

use crate::domain::RecordId;
use std::collections::BTreeMap;

/// A label of the sitting.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SittingLabel {
    /// Content hash of the record.
    pub record: RecordId,
    /// Whether the judge agrees; `None` where one of them is undecided.
    pub agrees: Option<bool>,
    /// Seconds that it took; `None` for one of several at once.
    pub seconds: Option<u32>,
}

/// Labels that were held together until their end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct LabelSet {
    /// Number of labels in the set.
    pub labels: usize,
    /// On how many the judge agrees.
    pub agreed: usize,
    /// Out of how many.
    pub of: usize,
}

/// Labels of the calibration queue given in this run, the earliest first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sitting {
    given: Vec<SittingLabel>,
    /// The place of each record among them.
    places: BTreeMap<RecordId, usize>,
    /// Seconds of the labels of which they are known, and how many those are.
    timed: (u64, u64),
    taken: Vec<SittingLabel>,
    /// So many of the first belong to sets that are over.
    closed: usize,
}

impl Sitting {
    /// Takes a label; of a record that was labelled before, a correction.
    pub fn give(&mut self, label: SittingLabel) {
        let place = *self.places.entry(label.record).or_insert(self.given.len());
        match self.given.get_mut(place) {
            Some(known) => {
                let before = std::mem::replace(known, label);
                self.count_seconds(before, false);
            }
            None => self.given.push(label),
        }
        self.count_seconds(label, true);
    }

    fn count_seconds(&mut self, label: SittingLabel, is_given: bool) {
        let Some(seconds) = label.seconds.map(u64::from) else { return };
        let (sum, labels) = self.timed;
        self.timed = match is_given {
            true => (sum + seconds, labels + 1),
            false => (sum.saturating_sub(seconds), labels.saturating_sub(1)),
        };
    }

    /// Takes labels out again, as they were undone.
    pub fn take_back(&mut self, records: &[RecordId]) {
        for record in records {
            let Some(at) = self.places.get(record).copied() else { continue };
            self.closed -= usize::from(at < self.closed);
            let label = self.given.remove(at);
            self.count_seconds(label, false);
            self.taken.push(label);
            let records = self.given.iter().map(|label| label.record);
            self.places = records.zip(0..).collect();
        }
    }

    /// Puts undone labels back.
    pub fn bring_back(&mut self, records: &[RecordId]) {
        let (back, taken) = std::mem::take(&mut self.taken)
            .into_iter()
            .partition(|label| records.contains(&label.record));
        self.taken = taken;
        let back: Vec<SittingLabel> = back;
        back.into_iter().for_each(|label| self.give(label));
    }

    /// Number of labels of this run.
    pub fn count(&self) -> usize {
        self.given.len()
    }

    /// How many belong to the set that is not over.
    pub fn in_set(&self) -> usize {
        self.given.len() - self.closed
    }

    /// Records of the set that is not closed.
    pub fn set(&self) -> impl Iterator<Item = RecordId> + '_ {
        self.given.iter().skip(self.closed).map(|label| label.record)
    }

    /// Mean seconds a label took, where that is known of any.
    pub fn pace(&self) -> Option<u32> {
        let (sum, labels) = self.timed;
        u32::try_from(sum.checked_div(labels)?).ok()
    }

    /// Ends the present set where it has so many labels, or is the last one and has any.
    pub fn end_set(&mut self, size: usize, last: bool) -> Option<LabelSet> {
        let open = self.given.get(self.closed..).unwrap_or_default();
        if open.is_empty() || (open.len() < size && !last) {
            return None;
        }
        let agreements: Vec<bool> = open.iter().filter_map(|label| label.agrees).collect();
        let agreed = agreements.iter().filter(|agrees| **agrees).count();
        let set = LabelSet { labels: open.len(), agreed, of: agreements.len() };
        self.closed = self.given.len();
        Some(set)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(n: u8, agrees: Option<bool>) -> SittingLabel {
        SittingLabel { record: RecordId([n; 32]), agrees, seconds: Some(u32::from(n)) }
    }

    #[test]
    fn sitting_ends_with_last_label_and_excludes_undone_ones() {
        let mut sitting = Sitting::default();
        assert_eq!((sitting.pace(), sitting.end_set(3, true)), (None, None));
        sitting.give(label(2, Some(true)));
        sitting.give(label(4, Some(false)));
        assert_eq!(sitting.end_set(3, false), None);
        sitting.take_back(&[RecordId([4; 32])]);
        sitting.give(label(6, None));
        sitting.bring_back(&[RecordId([4; 32]), RecordId([9; 32])]);
        assert_eq!((sitting.count(), sitting.pace()), (3, Some(4)));
        assert_eq!(sitting.end_set(3, false), Some(LabelSet { labels: 3, agreed: 1, of: 2 }));
        assert_eq!(sitting.end_set(3, true), None, "nothing is told twice");
        sitting.give(label(2, Some(false)));
        assert_eq!(sitting.end_set(3, true), None, "a correction is not a further label");
        sitting.give(label(8, Some(true)));
        assert_eq!(sitting.end_set(3, true), Some(LabelSet { labels: 1, agreed: 1, of: 1 }));
    }
}
