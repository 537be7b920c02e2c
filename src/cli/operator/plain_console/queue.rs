//! Listing the queue that is walked through: the one for calibration, or the one for triage.

use super::super::{Failure, ledger, output, reading};
use super::PlainConsole;
use crate::assess::{self, Evaluations, Turn};
use crate::calibration::DayState;
use crate::cli::operator::reading::Trouble;
use crate::domain::review::{Present, Requested};
use crate::domain::{RecordId, Window};
use crate::frame::query::Scope;
use crate::queue::{self, Queue};
use crate::report::counted;
use crate::store::cache::Row;
use crate::store::ledger::Ledger;
use std::collections::{BTreeMap, BTreeSet, HashSet};

/// What is known of the calibration queue.
#[derive(Debug, Default)]
pub(super) struct Calibrating {
    /// Whether being in the queue says nothing of the verdict: something that passed is drawn.
    pub(super) mixed: bool,
    /// Whether a window was started.
    pub(super) window: bool,
    /// Records that were labelled before and come back.
    pub(super) repeats: BTreeSet<RecordId>,
    /// Why labels of records are asked for that have one.
    pub(super) requested: BTreeMap<RecordId, Requested>,
    /// Days that are not closed, the earliest first, with what waits for a label there.
    pub(super) open: Vec<(String, Vec<RecordId>)>,
}

impl PlainConsole<'_> {
    /// Lists the queue anew; goes to an item where it is named and there, else stays.
    pub(super) fn list(&mut self, anchor: Option<RecordId>) -> Result<(), Trouble> {
        let queue = match self.calibrates {
            true => self.calibration()?,
            false => self.triage()?,
        };
        self.at = match anchor {
            Some(id) => self.archive.position(&queue.rows, id)?.unwrap_or(self.at),
            None => self.at,
        };
        self.at = self.at.min(queue.rows.len().saturating_sub(1));
        (self.rows, self.later) = (queue.rows, queue.later);
        Ok(())
    }

    fn triage(&self) -> Result<Queue, Trouble> {
        let reviews = &reading::reviews(self.context, &self.filter)?;
        let labelled = &reading::labelled(self.context)?;
        let ask = queue::Ask {
            since: self.since,
            undated: true,
            order: self.order,
            filter: Some(&self.filter),
            labelled,
            scope: Scope { boxes: self.archive.boxes(), now: self.context.clock.now(), reviews },
            cancel: &|| false,
        };
        Ok(queue::list(&self.archive, &self.dispositions, &ask)?.unwrap_or_default())
    }

    /// What is to be labelled, the earliest open day first, mixed.
    fn calibration(&mut self) -> Result<Queue, Trouble> {
        let now = self.context.clock.now();
        let present = self.present()?;
        let (complete_until, missing) = assess::completeness(&self.collected.boxes, now);
        let of = assess::Ask::new(self.family, now, complete_until, &missing);
        let all = Evaluations::load(&self.archive, of.family, of.cancel)?;
        let Some(all) = all else { return Ok(Queue::default()) };
        let assessed = assess::assess_loaded(&all, &present, &of);
        let name = self.reviewer.as_ref().map(|who| who.name.as_str()).unwrap_or_default();
        let repeats = self.context.config.reviewer.repeats;
        let who = assess::Reviewer { name, repeats, turn: Turn::Mixed };
        let waiting = assess::waiting(&all, &assessed, &present, who, now);
        let open = assessed.readiness.days.iter().filter(|day| day.state == DayState::Open);
        self.calibrating = Calibrating {
            mixed: waiting.window.is_some() && waiting.audited,
            window: waiting.window.is_some(),
            repeats: waiting.due.iter().filter(|due| due.repeat).map(|due| due.record).collect(),
            requested: {
                let due = waiting.due.iter();
                due.filter_map(|due| Some((due.record, due.requested?))).collect()
            },
            open: open.map(|day| (day.day.clone(), day.missing.clone())).collect(),
        };
        let through = self.through(&present)?;
        let passes = |row: &Row| {
            through.as_ref().is_none_or(|through| through.contains(&(row.segment, row.row)))
        };
        let items = waiting.due.iter().filter_map(|due| Some((due.record, all.row(due.record)?)));
        let items = items.filter(|(_, row)| passes(row)).collect();
        Ok(queue::put_off_last(items, &self.dispositions))
    }

    /// The rows that the filter lets through; `None` where that is all.
    fn through(&self, present: &Present) -> Result<Option<HashSet<(u32, u32)>>, Trouble> {
        if self.filter.is_all() {
            return Ok(None);
        }
        let reader = self.reviewer.as_ref().map(|who| who.name.clone());
        let reviews = present.reviews().read_by(reader);
        let scope =
            Scope { boxes: self.archive.boxes(), now: self.context.clock.now(), reviews: &reviews };
        let rows = self.archive.list(&self.filter, &scope, Window::ALL, &|| false)?;
        let rows = rows.unwrap_or_default();
        Ok(Some(rows.iter().map(|row| (row.segment, row.row)).collect()))
    }

    /// What holds by the ledgers.
    pub(super) fn present(&self) -> Result<Present, Failure> {
        let ledgers = Ledger::load(&self.context.data).map_err(ledger::failure)?;
        Ok(ledgers.present(self.context.clock.now()))
    }

    /// Says how much there is to walk through.
    pub(super) fn count(&self) -> Result<(), Failure> {
        let items = counted(self.rows.len() as u64, "item", "items");
        let family = self.family.suffix("of");
        let mut text = match self.calibrates {
            true => format!("\nCalibration queue{family}: {items}, earliest open day first."),
            false => format!("\nTriage queue: {items}, {} first.", self.order.as_str()),
        };
        if self.later > 0 {
            text.push_str(&format!(" The last {} were put off.", self.later));
        }
        if !self.filter.is_all() {
            text.push_str(&format!(" Filter: {}", output::visible(&self.filter.to_string())));
        }
        if self.calibrates && self.calibrating.mixed {
            text.push_str(" Verdicts are hidden until you have saved your label.");
        } else if self.calibrates && self.calibrating.window {
            text.push_str(
                " No audit sample is drawn: it holds NO-GOs only, so no label counts as blind.",
            );
        }
        output::print(text + "\n")
    }
}
