//! Bringing overrides to their boxes.

use super::book::{Book, BookError, Delivery};
use super::{here, there};
use crate::config::{BoxConfig, Config, Place, PullConfig};
use crate::domain::review::{Act, EntryId};
use crate::domain::{Timestamp, chain};
use crate::source::append::{Appended, Reply, Request};
use crate::store::journal::Real;
use crate::store::ledger::Ledger;
use crate::store::paths::DataDir;
use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};

/// Most records that one try gives to one box.
const MOST: usize = 500;

/// How one record fared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Which override.
    pub id: EntryId,
    /// Which box. Raw text.
    pub box_name: String,
    /// What the box holds now, or why nobody knows. Raw text.
    pub outcome: Result<Appended, String>,
}

/// Overrides that count here and that no box was heard to hold, the earliest first.
pub fn pending(ledger: &Ledger, book: &Book, now: Timestamp) -> Vec<EntryId> {
    let present = ledger.present(now);
    let counts: HashSet<EntryId> = present.overrides.values().flatten().map(|o| o.entry).collect();
    let wanted = |id: EntryId| book.get(id).is_some_and(|progress| progress.confirmed.is_none());
    let overrides = ledger.entries().filter(|e| matches!(e.act, Act::Override(_)));
    let mut ids: Vec<_> = overrides
        .filter(|entry| counts.contains(&entry.id) && wanted(entry.id))
        .map(|entry| (entry.time, entry.id))
        .collect();
    ids.sort();
    ids.into_iter().map(|(_, id)| id).collect()
}

/// Those of some overrides that are for certain boxes.
pub fn of_boxes(book: &Book, ids: Vec<EntryId>, is: impl Fn(&str) -> bool) -> Vec<EntryId> {
    let of = |id: &EntryId| book.get(*id).is_some_and(|p| is(&p.delivery.box_name));
    ids.into_iter().filter(of).collect()
}

/// Has the boxes append overrides, several boxes at a time, and notes what was heard.
///
/// Needs a multi-threaded tokio runtime with time and I/O. Dropping the future ends all
/// connections; what was not heard of is unconfirmed then.
///
/// # Errors
/// A journal that cannot be written. What boxes hold is not changed by it: it is asked again.
pub async fn send(
    config: &Config,
    data: &DataDir,
    book: &mut Book,
    ids: &[EntryId],
    now: Timestamp,
) -> Result<Vec<Sent>, BookError> {
    let mut tasks = JoinSet::new();
    let permits = Arc::new(Semaphore::new(config.pull.parallel.max(1)));
    for (name, mut wanted) in by_box(book, ids) {
        let target = config.boxes.iter().find(|b| b.name == name).cloned();
        wanted.truncate(MOST);
        let (limits, cache) = (config.pull, data.cache().to_owned());
        let permits = Arc::clone(&permits);
        tasks.spawn(async move {
            // The semaphore is never closed.
            let _permit = permits.acquire_owned().await.ok();
            to_one(target, name, wanted, limits, cache).await
        });
    }
    let mut sent = Vec::new();
    while let Some(done) = tasks.join_next().await {
        sent.extend(done.unwrap_or_default());
    }
    note(book, &sent, now)?;
    let order = |one: &Sent| ids.iter().position(|id| *id == one.id);
    sent.sort_by_key(order);
    Ok(sent)
}

fn by_box(book: &Book, ids: &[EntryId]) -> BTreeMap<String, Vec<Delivery>> {
    let mut boxes: BTreeMap<String, Vec<Delivery>> = BTreeMap::new();
    for progress in ids.iter().filter_map(|id| book.get(*id)) {
        let delivery = progress.delivery.clone();
        boxes.entry(delivery.box_name.clone()).or_default().push(delivery);
    }
    boxes
}

async fn to_one(
    target: Option<BoxConfig>,
    name: String,
    wanted: Vec<Delivery>,
    limits: PullConfig,
    cache: PathBuf,
) -> Vec<Sent> {
    let requests: Vec<Request> = wanted.iter().map(request).collect();
    let mut replies = Vec::new();
    let mut rest = "the task that wrote died".to_owned();
    match target.map(|target| target.place) {
        None => rest = "no box of this name is configured any more".to_owned(),
        Some(Place::Local) => {
            let done = spawn_blocking(move || requests.iter().map(local).collect()).await;
            replies = done.unwrap_or_default();
        }
        Some(Place::Ssh(remote)) => {
            let mut heard: Vec<Reply> = Vec::new();
            let done = there::append(&remote, &cache, &limits, &requests, &mut heard).await;
            rest = done.err().map_or(rest, |error| chain(&error));
            let said = |(reply, request): (Reply, &Request)| {
                reply.map_err(|refusal| format!("{}: {refusal}", request.path))
            };
            replies = heard.into_iter().zip(&requests).map(said).collect();
        }
    }
    let replies = replies.into_iter().map(Some).chain(std::iter::repeat(None));
    let one = |(delivery, reply): (&Delivery, Option<_>)| Sent {
        id: delivery.id,
        box_name: name.clone(),
        outcome: reply.unwrap_or_else(|| Err(rest.clone())),
    };
    wanted.iter().zip(replies).map(one).collect()
}

fn local(request: &Request) -> Result<Appended, String> {
    here::append(request, Arc::new(Real)).map_err(|error| chain(&error))
}

fn request(delivery: &Delivery) -> Request {
    Request {
        path: delivery.path.clone(),
        make: delivery.make,
        record: delivery.line.clone(),
        id: delivery.id.to_string(),
    }
}

fn note(book: &mut Book, sent: &[Sent], now: Timestamp) -> Result<(), BookError> {
    let held = sent.iter().filter(|one| one.outcome.is_ok()).map(|one| one.id);
    let confirmed: Vec<EntryId> = held.collect();
    let mut failed: BTreeMap<&str, Vec<EntryId>> = BTreeMap::new();
    for one in sent {
        if let Err(error) = &one.outcome {
            failed.entry(error).or_default().push(one.id);
        }
    }
    let failed = failed.into_iter().map(|(error, ids)| (ids, error.to_owned())).collect();
    book.note(now, &confirmed, failed)
}
