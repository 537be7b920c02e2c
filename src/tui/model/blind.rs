//! What is hidden from the person, and until when.

use super::{Model, OwnLabel, QueueKind, Screen, Sight};
use crate::domain::review::{Given, Present};
use crate::domain::{RecordId, RecordRow};
use crate::frame::query::Query;

impl Model {
    /// Whether verdicts are hidden where the person is: the calibration queue has its own eyes.
    pub fn sight(&self) -> Sight {
        match self.in_calibration() {
            true => self.calibrate.sight,
            false => self.labels.sight,
        }
    }

    /// Tells whether the calibration queue is on the screen.
    pub fn in_calibration(&self) -> bool {
        self.screen == Screen::Queue && self.calibrate.which.kind == QueueKind::Calibration
    }

    /// The reviewer's own label of a record. Of one that is to be labelled again there is none yet.
    pub fn own_label(&self, record: RecordId) -> OwnLabel<'_> {
        match self.labels.own(record, self.facts.labelling.reviewer.as_deref()) {
            OwnLabel::Saved(_) if self.is_repeat(record) => OwnLabel::None,
            own => own,
        }
    }

    /// The same, where it is on the disk.
    pub fn saved_label(&self, record: RecordId) -> Option<&Given> {
        let saved = self.labels.saved(record, self.facts.labelling.reviewer.as_deref())?;
        (!self.is_repeat(record)).then_some(saved)
    }

    /// Tells whether a record came back to be labelled again, and was not yet.
    pub fn is_repeat(&self, record: RecordId) -> bool {
        let said = || self.labels.said.as_ref().map_or(0, |said| self.given(&said.present, record));
        self.calibrate.repeats.contains(&record) && said() < 2
    }

    /// So many labels of a record are the reviewer's own.
    fn given(&self, present: &Present, record: RecordId) -> usize {
        let reviewer = self.facts.labelling.reviewer.as_deref();
        let own =
            |given: &&Given| Some(given.reviewer.as_str()) == reviewer && given.import.is_none();
        present.labels.get(&record).map_or(0, |all| all.iter().filter(own).count())
    }

    /// Tells whether what the judge said of a record is hidden: until one's own word is saved.
    pub fn is_hidden(&self, row: &RecordRow) -> bool {
        self.sight() == Sight::Blind && row.outcome.is_some() && self.saved_label(row.id).is_none()
    }

    /// Tells whether a filter of the queue would say what is hidden there: which records it leaves
    /// tells what the judge, or another reviewer, said of them.
    pub fn is_telling(&self, query: &Query) -> bool {
        let calibrates = self.calibrate.which.kind == QueueKind::Calibration;
        calibrates && self.calibrate.sight == Sight::Blind && query.asks_words()
    }
}
