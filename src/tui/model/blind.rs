//! What is hidden from the person, and until when.

use super::{BlindMode, List, Model, OwnLabel, QueueKind, Screen};
use crate::assess::Turn;
use crate::calibration::DayState;
use crate::domain::review::{Given, Present, Requested};
use crate::domain::{JudgementKind, Record, RecordId};
use crate::frame::query::Query;

impl Model {
    /// Whether verdicts are hidden where the person is: the calibration queue has its own eyes.
    pub fn sight(&self) -> BlindMode {
        match self.in_calibration() {
            true => self.calibrate.sight,
            false => self.labels.sight,
        }
    }

    /// Whether a queue for calibration is on the screen.
    pub fn in_calibration(&self) -> bool {
        self.screen == Screen::Queue && self.calibrate.selection.kind.is_for_calibration()
    }

    /// Why the program asks for a label of a record that has one; `None` where it does not.
    pub fn requested(&self, record: RecordId) -> Option<Requested> {
        let here = self.screen == Screen::Queue;
        match self.calibrate.selection.kind {
            QueueKind::SecondLook if here => Some(Requested::SecondLook),
            _ => self.calibrate.requested.get(&record).copied(),
        }
    }

    /// Whether the screen hides all that hints at a verdict: authors and dates, too.
    pub fn hides_source(&self) -> bool {
        self.in_calibration() && self.calibrate.sight == BlindMode::Blind
    }

    /// The same of one record, wherever it is shown.
    pub fn hides_source_of(&self, record: RecordId) -> bool {
        self.hides_source() || self.gate.keeps(record)
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

    /// Whether a record came back to be labelled again, and was not yet.
    pub fn is_repeat(&self, record: RecordId) -> bool {
        let labels =
            || self.labels.ledger.as_ref().map_or(0, |ledger| self.given(&ledger.present, record));
        let asked = 2 + usize::from(self.calibrate.thirds.contains(&record));
        self.calibrate.repeats.contains(&record) && labels() < asked
    }

    /// So many labels of a record are the reviewer's own.
    fn given(&self, present: &Present, record: RecordId) -> usize {
        let reviewer = self.facts.labelling.reviewer.as_deref();
        let own =
            |given: &&Given| Some(given.reviewer.as_str()) == reviewer && given.import.is_none();
        present.labels.get(&record).map_or(0, |all| all.iter().filter(own).count())
    }

    /// Whether the verdict on a record is hidden: the gate keeps it back, or the person hides verdicts and their own
    /// label is not saved.
    pub fn is_hidden(&self, row: &Record) -> bool {
        let hides = self.sight() == BlindMode::Blind && self.saved_label(row.id).is_none();
        row.outcome.is_some() && (hides || self.gate.keeps(row.id))
    }

    /// Whether nothing revealed the verdict on a record, so that a label of it counts as
    /// blind: neither the record in this run, nor its place.
    pub fn counts_blind(&self, record: RecordId) -> bool {
        let hides = self.sight() == BlindMode::Blind;
        let hidden = self.gate.keeps(record) || hides && self.saved_label(record).is_none();
        // Where labels or verdicts filtered the list, being in it reveals them. No such filter holds
        // while the calibration queue hides.
        let asked = |list: &List| !self.in_calibration() && list.filter.query.asks_words();
        let revealed = self.position_reveals() || self.list().is_some_and(asked);
        // What was shown since the first word spoils no repeat: that is asked without the verdict.
        let seen = self.was_shown(record) && !self.is_repeat(record);
        hidden && !revealed && !seen
    }

    /// Whether the verdict on a record was shown to the reviewer before their label, in this run or in another one.
    fn was_shown(&self, record: RecordId) -> bool {
        let (ledger, who) = (&self.labels.ledger, &self.facts.labelling.reviewer);
        let exposed = ledger.as_ref().zip(who.as_ref());
        self.labels.seen.contains(&record)
            || exposed.is_some_and(|(ledger, who)| ledger.present.is_exposed(who, record))
    }

    /// Whether being in the queue, or a position in it, reveals the verdict.
    fn position_reveals(&self) -> bool {
        // Where nothing of what passes is drawn, all that is there was flagged.
        let mixed = self.calibrate.state.as_ref().is_some_and(|state| state.audited);
        let selection = self.calibrate.selection;
        match selection.kind {
            _ if self.screen != Screen::Queue => false,
            QueueKind::Calibration => selection.turn == Turn::Decides || !mixed,
            QueueKind::Triage => true,
            QueueKind::Conflicts => false,
            QueueKind::SecondLook => !self.draws(),
        }
    }

    /// Whether a rate above 0 was ever set for what passes, in each family that is calibrated.
    fn draws(&self) -> bool {
        let Some(ledger) = &self.labels.ledger else { return false };
        let of = |family| ledger.present.of(family);
        let drawn = |family| of(family).rates.iter().any(|rate| rate.what.rate > 0.0);
        let mut calibrated = JudgementKind::ALL.into_iter().filter(|f| !of(*f).windows.is_empty());
        JudgementKind::ALL.into_iter().any(drawn) && calibrated.all(drawn)
    }

    /// So many items of the calibration queue, or of the second look, would be labelled blind.
    pub fn blind_left(&self) -> usize {
        if self.calibrate.selection.kind == QueueKind::SecondLook {
            return if self.position_reveals() { 0 } else { self.queue.len() };
        }
        let Some(state) = &self.calibrate.state else { return 0 };
        if !state.audited || self.calibrate.selection.turn == Turn::Decides {
            return 0;
        }
        let open = state.open.iter().flat_map(|day| &day.records);
        let asked = state.requested.keys().filter(|record| !state.repeats.contains(*record));
        let blind = |record: &&RecordId| {
            let seen = self.was_shown(**record) && !self.is_repeat(**record);
            !seen && self.own_label(**record) == OwnLabel::None
        };
        open.chain(&state.repeats).chain(asked).filter(blind).count()
    }

    /// So many items would no longer count as blind where verdicts were shown; `None` where it is not known yet.
    pub fn price(&self) -> Option<usize> {
        if self.in_calibration() || !self.gate.is_on() {
            return Some(self.blind_left());
        }
        let report = self.assessments.get(JudgementKind::DEFAULT).result.value.as_ref()?;
        let open = report.readiness.days.iter().filter(|day| day.state == DayState::Open);
        let missing = open.flat_map(|day| &day.missing);
        let blind = |record: &&RecordId| {
            self.own_label(**record) == OwnLabel::None && !self.was_shown(**record)
        };
        Some(missing.filter(blind).count())
    }

    /// Whether a filter of the queue would reveal what is hidden there: which records it leaves
    /// shows the verdicts, or the labels of other reviewers.
    pub fn reveals(&self, query: &Query) -> bool {
        let calibrates = self.calibrate.selection.kind.is_for_calibration();
        calibrates && self.calibrate.sight == BlindMode::Blind && query.asks_words()
    }
}
