//! Asking the open archive: counts, lists, records.

use super::next_step::{AGAIN, next_step};
use super::queues::{self, QueueListing};
use super::read_progress::ReadProgress;
use super::records;
use super::services::{Edition, Services, lock};
use super::trouble::{failed, gone, stale};
use super::{CancelFlag, MessageSender, kept, triage, visit};
use crate::assess::OpenDays;
use crate::domain::review::Reviews;
use crate::domain::{JudgementKind, Record, RecordId, Window};
use crate::frame::query::Query;
use crate::jsonl::{self, Settings};
use crate::overview;
use crate::queue::Queue;
use crate::report::{Masking, mask};
use crate::store::cache::{CacheError, Row, RowError};
use crate::store::disposition::Disposition;
use crate::store::questions;
use crate::triage::TriageError;
use crate::tui::effect::ListAsk;
use crate::tui::message::{Listing, Message};
use crate::tui::model::{ListId, Loaded, Problem, QueueKind, RecordDetails, ShownRecord};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

pub(super) fn open(services: &Services, sender: &MessageSender, cancel: &CancelFlag) {
    // Who opens the logs anew also wants to know what others wrote meanwhile.
    sender.send(Message::Ledger(super::review::snapshot(services)));
    let read = ReadProgress::default();
    let progress = |bytes| {
        if let Some(bytes) = read.add(bytes, Instant::now()) {
            sender.send(Message::Reading(bytes));
        }
    };
    let edition = match services.open(&progress, cancel) {
        Ok(Some(edition)) => edition,
        // A newer opening reports what is newer.
        Err(_) if cancel.load(Ordering::Relaxed) => return,
        Ok(None) => return,
        Err(problem) => return sender.send(Message::OpenFailed(problem)),
    };
    if edition.collected.store().is_some() {
        // With the labels that others published.
        sender.send(Message::Ledger(super::review::snapshot(services)));
    }
    let archive = &edition.archive;
    sender.send(Message::Opened(Loaded {
        edition: edition.number,
        boxes: Arc::new(archive.boxes().to_vec()),
        records: archive.accounting().records,
    }));
    // So that the first search is as fast as the next. What fails here fails again where it
    // is asked for, and is reported there.
    (services.pause)(Duration::from_millis(500));
    let _ = archive.warm(&|| cancel.load(Ordering::Relaxed));
}

pub(super) fn summarise(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    (edition, generation): (u64, u64),
    (window, open_days): &(Window, Option<OpenDays>),
) {
    let failed_with = |problem: Problem| {
        sender.send(Message::Summary { generation, result: Err(problem.clone()) });
        sender.send(Message::Breakdowns { generation, result: Err(problem) });
    };
    let Some(edition) = services.edition(edition) else { return failed_with(gone()) };
    let stop = || cancel.load(Ordering::Relaxed);
    let (window, span) = (*window, (*window, open_days.as_ref()));
    let hidden = match kept::hidden(services, sender, &edition, span, &stop) {
        Ok(Some(hidden)) => hidden,
        Ok(None) => return,
        Err(problem) => return failed_with(problem),
    };
    let result = summary(services, sender, &edition, window).map(|mut document| {
        hidden.leave_out_of(&mut document);
        Arc::new(document)
    });
    sender.send(Message::Summary { generation, result });
    let (archive, now) = (&edition.archive, (services.clock)());
    let reviews = reviews(services, &overview::escalations());
    let counted = |reviews| {
        let known = (&reviews, &hidden, now);
        overview::breakdowns(archive, &edition.collected, window, known, &stop)
    };
    let result = match reviews.map(counted) {
        Ok(Ok(None)) => return,
        Ok(Ok(Some(breakdowns))) => Ok(Arc::new(breakdowns)),
        Ok(Err(error)) => Err(failed(sender, &edition, &error)),
        Err(problem) => Err(problem),
    };
    sender.send(Message::Breakdowns { generation, result });
}

fn summary(
    services: &Services,
    sender: &MessageSender,
    edition: &Edition,
    window: Window,
) -> Result<crate::domain::Triage, Problem> {
    let (archive, collected) = (&edition.archive, &edition.collected);
    let seen = visit::seen(services, edition)?;
    let coverage = (services.coverage)(archive, window);
    let now = (services.clock)();
    let present = super::review::present(services)?;
    let policies = crate::assess::policies_in_force(&present, now);
    let ask = crate::triage::Ask { window, limit: 0, rejects: 0, now, policies: &policies };
    let document = crate::triage::triage(archive, collected, seen.as_ref(), coverage, ask);
    document.map_err(|error| match &error {
        TriageError::Cache(error @ CacheError::Store(_)) => failed(sender, edition, error),
        _ => Problem::from_error(&error, AGAIN),
    })
}

pub(super) fn list(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    (edition, list, generation): (u64, ListId, u64),
    ask: &ListAsk,
) {
    let Some(open) = services.edition(edition) else {
        return sender.send(Message::Listed { list, edition, generation, result: Err(gone()) });
    };
    let stop = || cancel.load(Ordering::Relaxed);
    let found = match (list, ask.selection.kind) {
        (ListId::Queue, QueueKind::Calibration) => {
            queues::calibration(services, sender, &open, ask, &stop)
        }
        (ListId::Queue, QueueKind::Conflicts | QueueKind::SecondLook) => {
            queues::settling(services, sender, &open, ask, &stop)
        }
        _ => found(services, sender, &open, (list, ask), &stop),
    };
    let result = match found {
        Ok(None) => return,
        Ok(Some(found)) => listing(services, &open, found, ask),
        Err(problem) => Err(problem),
    };
    sender.send(Message::Listed { list, edition, generation, result });
}

/// All records, or those that wait to be looked at.
fn found(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    (list, ask): (ListId, &ListAsk),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<QueueListing>, Problem> {
    let reviews = visit::read_until(services, open, &ask.query, reviews(services, &ask.query)?)?;
    let span = (ask.window, ask.open_days.as_ref());
    let Some(kept) = kept::kept(services, sender, open, span, stop)? else { return Ok(None) };
    let hidden = kept.ids.len();
    if ask.query.asks_errors() {
        let present = super::review::present(services)?;
        for family in JudgementKind::ALL {
            super::review::look(services, sender, &present, family, "console");
        }
    }
    if list == ListId::Records {
        let listed = records::list(services, open, (ask, &kept), &reviews, stop);
        let listed = listed.map_err(|error| failed(sender, open, &error))?;
        return Ok(listed.map(|mut listing| {
            // Being found by what the judge said would tell it.
            if ask.query.asks_words() {
                let taken = kept.take_out(&mut listing.queue.rows);
                listing.whole = listing.whole.saturating_sub(taken);
            }
            QueueListing { hidden, ..listing }
        }));
    }
    triage::list(services, sender, open, (ask, &reviews, kept), stop)
}

/// Labels and overrides of records, where the filter asks for it.
fn reviews(services: &Services, query: &Query) -> Result<Reviews, Problem> {
    if !query.asks_reviews() {
        return Ok(Reviews::default());
    }
    let who = services.reviewer.as_ref().map(|who| who.name.clone());
    let mut reviews = super::review::present(services)?.reviews().read_by(who);
    super::decide::mark(services, &mut reviews);
    Ok(reviews)
}

/// Finds the anchor and the marked records, and reads the records around the anchor, so that the
/// list is whole when it appears. Without its filter it would have `whole` rows.
fn listing(
    services: &Services,
    open: &Edition,
    QueueListing { queue, whole, state, hidden }: QueueListing,
    ask: &ListAsk,
) -> Result<Listing, Problem> {
    let (archive, Queue { rows, later, beyond, .. }) = (&open.archive, queue);
    let failed = |e: CacheError| Problem::from_error(&e, next_step(&e));
    let at = match ask.anchor {
        Some(id) => archive.position(&rows, id).map_err(failed)?,
        None => None,
    };
    let mut marks: BTreeMap<RecordId, bool> = ask.marks.iter().map(|id| (*id, false)).collect();
    if !marks.is_empty() {
        for id in archive.ids(&rows).map_err(failed)? {
            if let Some(here) = marks.get_mut(&id) {
                *here = true;
            }
        }
    }
    let from = at.unwrap_or(0).saturating_sub(ask.near);
    let around: Vec<Row> = rows.iter().skip(from).take(2 * ask.near).copied().collect();
    // Where they cannot be read now, they are asked for again and then reported.
    let near = read(services, open, &around).unwrap_or_default();
    Ok(Listing { rows: Arc::new(rows), whole, beyond, hidden, at, near, later, marks, state })
}

/// Reads which records rows have.
pub(super) fn range(
    services: &Services,
    sender: &MessageSender,
    (edition, list, generation): (u64, ListId, u64),
    rows: &[Row],
) {
    let result = match services.edition(edition) {
        Some(open) => open.archive.ids(rows).map_err(|error| failed(sender, &open, &error)),
        None => Err(gone()),
    };
    sender.send(Message::Ranged { list, generation, result });
}

/// The records of rows, ready to be shown.
fn read(
    services: &Services,
    open: &Edition,
    rows: &[Row],
) -> Result<Vec<(Row, Arc<ShownRecord>)>, RowError> {
    let (archive, new) = (&open.archive, visit::new_rows(services, open));
    let mut ready = Vec::with_capacity(rows.len());
    // A few at a time: a record may be of many megabytes, and only its beginning is kept.
    for some in rows.chunks(16) {
        let mut located = archive.records(some)?.into_iter().peekable();
        for (row, id) in some.iter().zip(archive.ids(some)?) {
            let record = located.next_if(|one| one.record.id == id).map(|one| one.record);
            let Some(record) = record.or_else(|| unreadable(id)) else { continue };
            let mut shown = ShownRecord::listed(&record);
            shown.is_new = new.contains(&(row.segment, row.row));
            ready.push((*row, Arc::new(shown)));
        }
    }
    Ok(ready)
}

/// What stands in a list for a record that the store has and that cannot be read.
fn unreadable(id: RecordId) -> Option<Record> {
    let line = br#"{"verdict":"","findings":"the store's bytes of this record cannot be read"}"#;
    let record = jsonl::read_one(line, &Settings::default())?;
    Some(Record { id, ..record })
}

pub(super) fn rows(services: &Services, sender: &MessageSender, edition: u64, rows: Vec<Row>) {
    let Some(open) = services.edition(edition) else {
        return sender.send(Message::Rows { edition, result: Err(gone()), asked: rows });
    };
    let result = read(services, &open, &rows).map_err(|e| stale(sender, &open, &e));
    sender.send(Message::Rows { edition, result, asked: rows });
}

/// Most records of a history.
const HISTORY: usize = 100;

pub(super) fn record(
    services: &Services,
    sender: &MessageSender,
    cancel: &CancelFlag,
    (edition, row, id): (u64, Row, RecordId),
    (reveal, history): (bool, bool),
) {
    let Some(open) = services.edition(edition) else {
        return sender.send(Message::Record { id, result: Err(gone()) });
    };
    // Whoever runs through a list does not wait for each record.
    (services.pause)(Duration::from_millis(30));
    let stop = || cancel.load(Ordering::Relaxed);
    if stop() {
        return;
    }
    let result = read_details(sender, &open, row, (reveal, history), &stop);
    if !stop() {
        sender.send(Message::Record { id, result: result.map(Arc::new) });
    }
}

fn read_details(
    sender: &MessageSender,
    open: &Edition,
    row: Row,
    (reveal, has_history): (bool, bool),
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<RecordDetails, Problem> {
    let archive = &open.archive;
    let located = archive.records(&[row]).map_err(|e| stale(sender, open, &e))?.pop();
    let located = located.ok_or_else(|| Problem::new("the record is not in the cache", AGAIN))?;
    let text = String::from_utf8_lossy(&located.raw).into_owned();
    let raw = if reveal { text } else { mask::mask(&text).0.into_owned() };
    let question = questions::known(&located.record, located.log.as_deref());
    let whole = located.record;
    let bare = match reveal {
        true => Some(ShownRecord::new(&whole, Masking::Off)),
        // The list keeps only the beginning of a long text.
        false => Some(ShownRecord::new(&whole, Masking::On)).filter(ShownRecord::is_long),
    };
    let found = match has_history {
        true => crate::triage::history(archive, &whole, HISTORY, cancel),
        false => Ok(None),
    };
    let (history, history_problem) = match found {
        Ok(history) => (history.unwrap_or_default(), None),
        Err(error) => (crate::triage::History::default(), Some(crate::domain::chain(&error))),
    };
    Ok(RecordDetails {
        raw,
        bare,
        has_history,
        file: history.file.iter().map(ShownRecord::listed).collect(),
        file_total: history.file_total,
        rounds: history.rounds.iter().map(ShownRecord::listed).collect(),
        rounds_total: history.rounds_total,
        question,
        history_problem,
    })
}

pub(super) fn set_dispositions(
    services: &Services,
    changes: &[(RecordId, Disposition)],
    relist: bool,
) -> Message {
    let at = (services.clock)();
    let mut dispositions = lock(&services.dispositions);
    let mut result = Ok(());
    // Those that become the same are written together.
    for chunk in changes.chunk_by(|a, b| a.1 == b.1) {
        let ids: Vec<RecordId> = chunk.iter().map(|(id, _)| *id).collect();
        let Some((_, disposition)) = chunk.first() else { continue };
        if let Err(error) = dispositions.put(&ids, *disposition, at) {
            let next = "the items are back in the queue; check the data directory";
            result = Err(Problem::from_error(&error, next));
        }
    }
    Message::Dispositions { relist, result }
}

/// Notes that all in an archive was seen, also where the archive itself was let go of.
pub(super) fn mark_seen(services: &Services, edition: u64) -> Option<Message> {
    let (mark, collection) = services.looked(edition)?;
    let error = mark.save(&services.data, &collection).err()?;
    let next = "new items will be counted from the earlier visit";
    Some(Message::Failed(Problem::from_error(&error, next)))
}
