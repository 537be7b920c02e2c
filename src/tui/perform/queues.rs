//! The kinds of the queue: what waits for a label, and what reviewers differ on.

use super::services::{Edition, Services, lock};
use super::trouble::failed;
use super::{MessageSender, stopped, visit};
use crate::assess::{self, Assessment, Due, Evaluations, Turn, Waiting};
use crate::calibration::DayState;
use crate::domain::review::{Present, Reviews};
use crate::domain::{Outcome, RecordId, Window};
use crate::frame::query::{Label, Node, Query, Scope, Term};
use crate::queue::{self, Queue};
use crate::store::cache::Row;
use crate::tui::effect::ListAsk;
use crate::tui::message::Message;
use crate::tui::model::{OpenDay, Problem, QueueKind, QueueState};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// What a list holds.
#[derive(Debug, Default)]
pub(super) struct QueueListing {
    /// Its lines.
    pub(super) queue: Queue,
    /// How many there are without the filter.
    pub(super) whole: usize,
    /// State of the calibration, where the queue is for that.
    pub(super) state: Option<Arc<QueueState>>,
    /// Records of its span whose verdicts are kept back.
    pub(super) hidden: usize,
}

/// What the reviewer is to label; `None` where nobody waits any more. Only ids and places of
/// records are looked at: no record is read for it.
pub(super) fn calibration(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    ask: &ListAsk,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<QueueListing>, Problem> {
    let now = (services.clock)();
    let (complete_until, missing) = assess::completeness(&open.collected.boxes, now);
    let of = assess::Ask {
        cancel: stop,
        ..assess::Ask::new(ask.selection.family, now, complete_until, &missing)
    };
    let Some((all, present)) = super::assess::load_evidence(services, sender, open, &of)? else {
        return Ok(None);
    };
    if stop() {
        return Ok(None);
    }
    let assessed = assess::assess_loaded(&all, &present, &of);
    let name = services.reviewer.as_ref().map(|who| who.name.as_str()).unwrap_or_default();
    let repeats = services.config.reviewer.repeats;
    let who = assess::Reviewer { name, repeats, turn: ask.selection.turn };
    let mut waiting = assess::waiting(&all, &assessed, &present, who, now);
    let is_mixed = ask.selection.turn == Turn::Mixed;
    if is_mixed && ask.selection.family.is_default() && waiting.window.is_some() {
        let window = Window { from: waiting.window, to: None };
        let stopped = stopped::stopped(services, open, &present, window, stop);
        let Some(stopped) = stopped.map_err(|error| failed(sender, open, &error))? else {
            return Ok(None);
        };
        let stopped: HashSet<RecordId> = stopped.into_iter().map(|(record, _)| record).collect();
        let is_stopped = |record| stopped.contains(&record);
        let plan = &assessed.rules.plan;
        assess::stopped_first(&mut waiting.due, plan, is_stopped, |record| is_go(&all, record));
    }
    let rows = placed(&all, &mut waiting.due);
    let mut state = state(&all, &assessed, &waiting);
    state.thirds = thirds(&waiting, &present, name);
    let state = Arc::new(state);
    let whole = rows.len();
    let kept = match ask.query.is_all() {
        true => rows,
        false => match filtered(services, sender, open, (ask, &present), stop)? {
            Some(through) => {
                let passes = |row: &Row| through.contains(&(row.segment, row.row));
                rows.into_iter().filter(|(_, row)| passes(row)).collect()
            }
            None => return Ok(None),
        },
    };
    Ok((!stop()).then(|| {
        let queue = put_off_last(services, sender, kept);
        QueueListing { queue, whole, state: Some(state), hidden: 0 }
    }))
}

fn is_go(all: &Evaluations, record: RecordId) -> bool {
    let evaluation = all.find(record).and_then(|at| all.all().get(at));
    evaluation.is_some_and(|evaluation| evaluation.outcome == Outcome::Go)
}

/// Each item with its place in the archive. What is in no log of this collection cannot be shown.
fn placed(all: &Evaluations, due: &mut Vec<Due>) -> Vec<(RecordId, Row)> {
    let mut rows = Vec::with_capacity(due.len());
    due.retain(|due| {
        let row = all.row(due.record);
        rows.extend(row.map(|row| (due.record, row)));
        row.is_some()
    });
    rows
}

/// The rows that a filter lets through.
fn filtered(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    (ask, present): (&ListAsk, &Present),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<HashSet<(u32, u32)>>, Problem> {
    let reviews = match ask.query.asks_reviews() {
        true => present.reviews().read_by(services.reviewer.as_ref().map(|who| who.name.clone())),
        false => Reviews::default(),
    };
    let reviews = visit::read_until(services, open, &ask.query, reviews)?;
    let archive = &open.archive;
    let scope = Scope { boxes: archive.boxes(), now: (services.clock)(), reviews: &reviews };
    let rows = archive.list(&ask.query, &scope, Window::ALL, stop);
    let rows = rows.map_err(|error| failed(sender, open, &error))?;
    Ok(rows.map(|rows| rows.iter().map(|row| (row.segment, row.row)).collect()))
}

/// Items that were put off come behind all others; no mark takes one out.
fn put_off_last(services: &Services, sender: &MessageSender, items: Vec<(RecordId, Row)>) -> Queue {
    let dispositions = {
        let mut dispositions = lock(&services.dispositions);
        if let Err(error) = dispositions.reload() {
            let next = "until it can be read, the queue stays as it was";
            sender.send(Message::Failed(Problem::from_error(&error, next)));
        }
        dispositions.clone()
    };
    queue::put_off_last(items, &dispositions)
}

fn state(all: &Evaluations, assessed: &Assessment, waiting: &Waiting) -> QueueState {
    let days = assessed.readiness.days.iter().filter(|day| day.state == DayState::Open);
    let here = |record: &RecordId| all.find(*record).is_some();
    let open = days.map(|day| OpenDay {
        day: day.day.clone(),
        records: day.missing.iter().copied().filter(here).collect(),
    });
    let steps = &assessed.readiness.steps;
    let step = |step: &crate::calibration::Step| format!("{}. {}", step.title, step.text);
    QueueState {
        requested: waiting.due.iter().filter_map(|d| Some((d.record, d.requested?))).collect(),
        repeats: waiting.due.iter().filter(|due| due.repeat).map(|due| due.record).collect(),
        thirds: BTreeSet::new(),
        later_seconds: waiting.later_seconds,
        window: waiting.window,
        audited: waiting.audited,
        days: waiting.days,
        open: open.filter(|day| !day.records.is_empty()).collect(),
        next: steps.iter().map(step).collect(),
        needs_labels: waiting.next.iter().any(|needed| needed.is_decidable()),
        decides: waiting.decides,
    }
}

/// What comes back to a reviewer who labelled it twice.
fn thirds(waiting: &Waiting, present: &Present, name: &str) -> BTreeSet<RecordId> {
    let own = |record: &RecordId| {
        let given = present.labels.get(record).into_iter().flatten();
        given.filter(|given| given.reviewer == name && given.import.is_none()).count()
    };
    let back = waiting.due.iter().filter(|due| due.repeat).map(|due| due.record);
    back.filter(|record| own(record) > 1).collect()
}

/// Records on which reviewers differ and nobody settled it, the newest first; or those that others
/// are unsure of and the reviewer has not labelled.
pub(super) fn settling(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    ask: &ListAsk,
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<QueueListing>, Problem> {
    let reader = services.reviewer.as_ref().map(|who| who.name.clone());
    let reviews = super::review::present(services)?.reviews().read_by(reader);
    let reviews = visit::read_until(services, open, &ask.query, reviews)?;
    let archive = &open.archive;
    let scope = Scope { boxes: archive.boxes(), now: (services.clock)(), reviews: &reviews };
    let looks = ask.selection.kind == QueueKind::SecondLook;
    let label = if looks { Label::SecondLook } else { Label::Conflict };
    let differ = Node::Term(Term::Label(label));
    let name = services.reviewer.as_ref().map(|who| who.name.as_str()).unwrap_or_default();
    let waits = |id: &RecordId| {
        !looks || reviews.get(*id).is_some_and(|review| review.waits_for_second_look(name))
    };
    let list = |query: Query| {
        let rows = archive.list(&query, &scope, Window::ALL, stop);
        let kept = rows.and_then(|rows| {
            let Some(rows) = rows else { return Ok(None) };
            let ids = archive.ids(&rows)?;
            let waiting = rows.into_iter().zip(&ids).filter(|(_, id)| waits(id));
            Ok(Some(waiting.map(|(row, _)| row).collect::<Vec<Row>>()))
        });
        kept.map_err(|error| failed(sender, open, &error))
    };
    let Some(all) = list(Query::new(differ.clone()))? else { return Ok(None) };
    let whole = all.len();
    let rows = match ask.query.is_all() {
        true => Some(all),
        false => list(Query::new(Node::And(vec![differ, ask.query.root().clone()])))?,
    };
    let listing = |rows| {
        let queue = Queue { rows, ..Queue::default() };
        QueueListing { queue, whole, ..QueueListing::default() }
    };
    Ok(rows.map(listing))
}
