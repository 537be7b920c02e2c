//! The triage queue: what is flagged and not yet dealt with.

use super::kept::Kept;
use super::queues::QueueListing;
use super::services::{Edition, Services, lock};
use super::trouble::failed;
use super::{MessageSender, stopped};
use crate::assess::window_in_force;
use crate::domain::review::{Given, Present, Reviews};
use crate::domain::{JudgementKind, RecordId, Sort};
use crate::frame::query::{Node, Query, Scope};
use crate::queue::{self, Queue};
use crate::store::cache::{Archive, CacheError};
use crate::tui::effect::ListAsk;
use crate::tui::message::Message;
use crate::tui::model::Problem;
use std::collections::HashSet;

/// What waits. In the usual order stopped pushes come first, before others those whose override is due. Whatever is
/// here was flagged, so that what is kept back is not among it.
pub(super) fn list(
    services: &Services,
    sender: &MessageSender,
    open: &Edition,
    (ask, reviews, kept): (&ListAsk, &Reviews, Kept),
    stop: &(dyn Fn() -> bool + Sync),
) -> Result<Option<QueueListing>, Problem> {
    let failed = |error| failed(sender, open, &error);
    let hidden = kept.ids.len();
    let present = super::review::present(services)?;
    let now = (services.clock)();
    let is_gated = window_in_force(&present, JudgementKind::DEFAULT, now).is_some();
    let mut done = labelled(services, &present, is_gated);
    let stopped = stopped::stopped(services, open, &present, ask.window, stop);
    let Some(stopped) = stopped.map_err(failed)? else { return Ok(None) };
    let due = match is_gated {
        true => stopped::with_override_due(services, &present, &stopped),
        false => Vec::new(),
    };
    done.retain(|record| due.iter().all(|(waits, _)| waits != record));
    done.extend(kept.ids);
    let listed = |query: &Query| -> Result<Option<Queue>, Problem> {
        let queue = queued(services, sender, &open.archive, (ask, query), (reviews, &done), stop);
        Ok(queue.map_err(failed)?.map(|mut queue| {
            if ask.sort == Sort::default() {
                stopped::put_first(&mut queue, &stopped);
                stopped::put_first(&mut queue, &due);
            }
            queue
        }))
    };
    let Some(queue) = listed(&ask.query)? else { return Ok(None) };
    let listing = |queue, whole| QueueListing { queue, whole, state: None, hidden };
    if ask.query.is_all() {
        let whole = queue.rows.len();
        return Ok(Some(listing(queue, whole)));
    }
    // The number of all that wait is shown beside what a filter lets through.
    let all = listed(&Query::new(Node::All))?;
    Ok(all.map(|all| listing(queue, all.rows.len())))
}

/// What the reviewer labelled, which is no item any more. While a window runs, what was labelled blind is one all the
/// same: its verdict was not there to be looked at.
fn labelled(services: &Services, present: &Present, is_gated: bool) -> HashSet<RecordId> {
    let Some(who) = &services.reviewer else { return HashSet::new() };
    let is_blind = |own: &Given| own.label.blind;
    let mut labelled = present.labelled_by(&who.name);
    if is_gated {
        labelled.retain(|record| !present.word_of(*record, &who.name).is_some_and(is_blind));
    }
    labelled
}

fn queued(
    services: &Services,
    sender: &MessageSender,
    archive: &Archive,
    (ask, query): (&ListAsk, &Query),
    (reviews, labelled): (&Reviews, &HashSet<RecordId>),
    cancel: &(dyn Fn() -> bool + Sync),
) -> Result<Option<Queue>, CacheError> {
    let dispositions = {
        let mut dispositions = lock(&services.dispositions);
        // What another console did counts too; where that cannot be read, what is known does.
        if let Err(error) = dispositions.reload() {
            let next = "until it can be read, the queue stays as it was";
            sender.send(Message::Failed(Problem::from_error(&error, next)));
        }
        dispositions.clone()
    };
    let ask = queue::Ask {
        since: ask.window.from.unwrap_or(crate::domain::Timestamp(i64::MIN)),
        undated: true,
        // What is in it has no label yet: hidden, it stays in the order in which it came.
        order: if ask.hides { Sort::default() } else { ask.sort },
        filter: Some(query),
        labelled,
        scope: Scope { boxes: archive.boxes(), now: (services.clock)(), reviews },
        cancel,
    };
    queue::list(archive, &dispositions, &ask)
}
