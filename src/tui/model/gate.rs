//! The gate: which verdicts may be seen. While a window runs, that on a push of an open day is kept back until the
//! reviewer has labelled it, or lifts the gate for the sitting.
//!
//! Every record that comes into the model passes here. One that is kept back is sealed: its row has nothing of the
//! verdict any more, so that no screen, filter, export or editor can tell it.

use super::{LedgerSnapshot, RecordDetails, ShownRecord};
use crate::assess::{OpenDays, Report};
use crate::domain::review::Present;
use crate::domain::{Family, Outcome, RecordId, Timestamp};
use std::collections::BTreeMap;
use std::sync::Arc;

/// What of a record decides whether it is kept back.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Judged {
    at: Timestamp,
    is_undetermined: bool,
}

/// What the gate is made of; something else means another gate.
#[derive(Debug, Clone, Default)]
struct Made {
    ledger: Option<Arc<LedgerSnapshot>>,
    report: Option<Arc<Report>>,
    /// The UTC day: a window may begin with it.
    day: i32,
}

/// Which verdicts may be seen.
#[derive(Debug, Clone, Default)]
pub struct Gate {
    made: Made,
    /// Whose labels open it; without a name nobody's verdict is kept back.
    reviewer: Option<String>,
    /// The open days of the window that runs.
    days: Option<OpenDays>,
    /// Whether the person wanted to see verdicts in this sitting.
    is_lifted: bool,
    /// The judged pushes that came by.
    judged: BTreeMap<RecordId, Judged>,
}

impl Gate {
    /// The gate of a reviewer, before anything is known of a window.
    pub fn new(reviewer: Option<String>) -> Self {
        Self { reviewer, ..Self::default() }
    }

    /// Takes in what ledgers and assessment say now; gives whether anything may be another way.
    pub fn renew(
        &mut self,
        ledger: Option<&Arc<LedgerSnapshot>>,
        report: Option<&Arc<Report>>,
        now: Timestamp,
    ) -> bool {
        let same = self.made.day == now.day()
            && is_same(self.made.ledger.as_ref(), ledger)
            && is_same(self.made.report.as_ref(), report);
        if same {
            return false;
        }
        self.made = Made { ledger: ledger.cloned(), report: report.cloned(), day: now.day() };
        let present = self.present().filter(|_| self.reviewer.is_some());
        let readiness = report.map(|report| &report.readiness);
        self.days = present.and_then(|present| OpenDays::new(present, readiness, now));
        true
    }

    /// Whether a window runs, so that verdicts are kept back unless the gate is lifted.
    pub fn is_on(&self) -> bool {
        self.days.is_some()
    }

    /// Whether it is not known yet which days are open: a list that was made now would soon be another one.
    pub fn is_undecided(&self) -> bool {
        self.days().is_some() && self.made.report.is_none()
    }

    /// Whether the person lifted it for this sitting.
    pub fn is_lifted(&self) -> bool {
        self.is_lifted
    }

    /// Lifts it, or lets it down again.
    pub fn lift(&mut self, is_lifted: bool) {
        self.is_lifted = is_lifted;
    }

    /// The open days of the window that runs, whether the gate is lifted or not.
    pub fn window_days(&self) -> Option<&OpenDays> {
        self.days.as_ref()
    }

    /// The days whose verdicts lists must not tell; `None` where all may be seen.
    pub fn days(&self) -> Option<&OpenDays> {
        self.days.as_ref().filter(|_| !self.is_lifted)
    }

    /// Whether the verdict on a record is kept back now.
    pub fn keeps(&self, record: RecordId) -> bool {
        !self.is_lifted && self.would_keep(record)
    }

    /// Whether seeing the verdict on a record is an exposure: it is not to be known yet, and was not shown before.
    pub fn exposes(&self, record: RecordId) -> bool {
        let known = |present: &Present| {
            self.reviewer.as_ref().is_some_and(|who| present.is_exposed(who, record))
        };
        self.would_keep(record) && !self.present().is_some_and(known)
    }

    /// Whether a verdict is kept back of which perhaps nothing but the id is known, as in a run.
    pub fn keeps_id(&self, record: RecordId) -> bool {
        match self.judged.contains_key(&record) {
            true => self.keeps(record),
            false => self.days().is_some_and(|days| !self.may_know(days, record)),
        }
    }

    fn would_keep(&self, record: RecordId) -> bool {
        let (Some(days), Some(judged)) = (&self.days, self.judged.get(&record)) else {
            return false;
        };
        let is_asked = !judged.is_undetermined || days.hides_undetermined();
        is_asked && days.holds(judged.at) && !self.may_know(days, record)
    }

    fn may_know(&self, days: &OpenDays, record: RecordId) -> bool {
        let of = self.present().zip(self.reviewer.as_ref());
        of.is_some_and(|(present, reviewer)| days.may_know(present, reviewer, record))
    }

    fn present(&self) -> Option<&Present> {
        self.made.ledger.as_ref().map(|ledger| &ledger.present)
    }

    /// A record as it may be seen now.
    pub fn pass(&mut self, shown: &Arc<ShownRecord>) -> Arc<ShownRecord> {
        let whole = ShownRecord::whole(shown);
        let row = &whole.row;
        if let (Family::Push, Some(outcome), Some(at)) = (row.family, row.outcome, row.timestamp) {
            let is_undetermined = outcome == Outcome::Undetermined;
            self.judged.insert(row.id, Judged { at, is_undetermined });
        }
        match self.keeps(row.id) {
            true => Arc::new(ShownRecord::sealed(whole)),
            false => whole,
        }
    }

    /// What the log says of a record, as it may be seen now.
    pub fn pass_details(&mut self, record: RecordId, details: RecordDetails) -> RecordDetails {
        let mut all = |rows: Vec<ShownRecord>| -> Vec<ShownRecord> {
            let rows = rows.into_iter().map(|row| self.pass(&Arc::new(row)));
            rows.map(Arc::unwrap_or_clone).collect()
        };
        let (file, rounds) = (all(details.file), all(details.rounds));
        let kept = self.keeps(record);
        let raw = if kept { String::new() } else { details.raw };
        let bare = details.bare.filter(|_| !kept);
        RecordDetails { raw, bare, file, rounds, ..details }
    }
}

/// The very same thing, or nothing on both sides.
fn is_same<T>(one: Option<&Arc<T>>, other: Option<&Arc<T>>) -> bool {
    match (one, other) {
        (Some(one), Some(other)) => Arc::ptr_eq(one, other),
        (None, None) => true,
        _ => false,
    }
}
