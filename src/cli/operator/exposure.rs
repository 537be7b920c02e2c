//! Exposures: while a window runs, whose verdicts a command shows a reviewer on a terminal is written down, with
//! what it costs. A timer or a script has no terminal, and writes none.

use super::{Context, ledger, reading};
use crate::assess::{self, Ask, OpenDays, record_exposure};
use crate::calibration::Readiness;
use crate::collect::Collected;
use crate::domain::review::{Present, Reviewer};
use crate::domain::{JudgementKind, Record, RecordId, Timestamp, chain};
use crate::store::cache::Archive;
use crate::store::ledger::Ledger;
use std::io::{IsTerminal, stderr, stdout};

/// The verdicts that a command shows, as far as a reviewer was not to know them.
pub(super) struct Exposed<'a> {
    context: &'a Context,
    /// The name of the command.
    shown: &'static str,
    ledger: Ledger,
    present: Present,
    by: Reviewer,
    days: OpenDays,
    records: Vec<(RecordId, Timestamp)>,
}

impl<'a> Exposed<'a> {
    /// Those of a command that begins; `None` where nothing is to be written: no terminal, no reviewer, no window.
    pub(super) fn begin(context: &'a Context, shown: &'static str) -> Option<Self> {
        if !stdout().is_terminal() && !stderr().is_terminal() {
            return None;
        }
        // Ledgers that cannot be read are reported where they are needed.
        let ledger = Ledger::load(&context.data).ok()?;
        let present = ledger.present(context.now);
        let days = OpenDays::new(&present, None, context.now)?;
        let by = ledger::writer(context, None)?;
        Some(Self { context, shown, ledger, present, by, days, records: Vec::new() })
    }

    /// Whether the reviewer was not to know the verdict of a record.
    pub(super) fn hides(&self, record: &Record) -> bool {
        let known = || self.days.may_know(&self.present, &self.by.name, record.id);
        self.days.hides(record) && !known()
    }

    /// Takes a record whose verdict is shown.
    pub(super) fn take(&mut self, record: &Record) {
        if self.hides(record) {
            self.records.extend(record.timestamp.map(|at| (record.id, at)));
        }
    }

    /// Takes a push whose verdict is shown, of which nothing but its id and its time is known.
    pub(super) fn take_push(&mut self, record: RecordId, time: Timestamp) {
        if !self.days.may_know(&self.present, &self.by.name, record) {
            self.records.push((record, time));
        }
    }

    /// Writes down what was shown of days that are open by the logs that were read, and says what it costs.
    pub(super) fn finish(self, read: Option<(&Collected, &Archive)>) {
        let read = read.filter(|_| !self.records.is_empty());
        let readiness = read.and_then(|read| readiness(self.context, &self.present, read));
        self.write(readiness.as_ref());
    }

    /// The same of days that are open by an assessment. A ledger that cannot be written stops no command.
    pub(super) fn write(mut self, readiness: Option<&Readiness>) {
        if self.records.is_empty() {
            return;
        }
        let context = self.context;
        let days = OpenDays::new(&self.present, readiness, context.now);
        let days = days.as_ref().unwrap_or(&self.days);
        let open = self.records.iter().filter(|(_, time)| days.holds(*time));
        let open = open.map(|(record, _)| *record).collect();
        let (present, by) = (&self.present, &self.by);
        let written = record_exposure(&mut self.ledger, present, by, self.shown, open, context.now);
        match written {
            Ok(0) => {}
            Ok(1) => reading::note("1 item of open days no longer counts as blind"),
            Ok(n) => reading::note(&format!("{n} items of open days no longer count as blind")),
            Err(error) => {
                let cause = chain(&error);
                reading::note(&format!("failed to record in your ledger what you saw: {cause}"));
            }
        }
    }
}

/// Writes down at once that the verdicts of some records are shown.
pub(super) fn note<'r>(
    context: &Context,
    shown: &'static str,
    records: impl IntoIterator<Item = &'r Record>,
    read: Option<(&Collected, &Archive)>,
) {
    let Some(mut exposed) = Exposed::begin(context, shown) else { return };
    records.into_iter().for_each(|record| exposed.take(record));
    exposed.finish(read);
}

/// Leaves out the records whose verdicts the reviewer is not to know: what only reads can write no exposure.
pub(super) fn hide(context: &Context, records: &mut Vec<Record>) {
    let Some(exposed) = Exposed::begin(context, "") else { return };
    let all = records.len();
    records.retain(|record| !exposed.hides(record));
    match all - records.len() {
        0 => {}
        1 => reading::note("1 flagged verdict is hidden until it is labelled"),
        n => reading::note(&format!("{n} flagged verdicts are hidden until they are labelled")),
    }
}

/// What the logs come to; `None` where they cannot be assessed: then each day counts as open.
fn readiness(
    context: &Context,
    present: &Present,
    (collected, archive): (&Collected, &Archive),
) -> Option<Readiness> {
    let (complete_until, missing) = assess::completeness(&collected.boxes, context.now);
    let ask = Ask::new(JudgementKind::DEFAULT, context.now, complete_until, &missing);
    let assessed = assess::assess(archive, present, &ask).ok()??;
    Some(assessed.readiness)
}
