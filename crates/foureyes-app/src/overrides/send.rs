//! Bringing overrides to their boxes.

use super::outbox::{BookError, Delivery, Outbox};
use super::words::Words;
use super::{local, remote};
use crate::config::{BoxConfig, Config, Place, PullConfig};
use crate::domain::review::EntryId;
use crate::domain::{RecordId, Timestamp, chain};
use crate::files::paths::DataDir;
use crate::source::append::{Appended, Reply, Request};
use crate::source::client::Client;
use crate::store::journal::Real;
use crate::store::ledger::Ledger;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use tokio::sync::Semaphore;
use tokio::task::{JoinSet, spawn_blocking};

/// Most records that one run of the script gives to a box; more are several runs.
const MOST: usize = 500;

/// How one record fared.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sent {
    /// Which override, or taking back of one.
    pub id: EntryId,
    /// Which record it is of.
    pub record: RecordId,
    /// Which box. Raw text.
    pub box_name: String,
    /// What the box holds now, or why nobody knows. Raw text.
    pub outcome: Result<Appended, String>,
}

/// Something that a box is to hold and was not heard to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Due {
    /// The entry: an override, or the taking back of one.
    pub id: EntryId,
    /// Which record it is of.
    pub record: RecordId,
    /// Which box. Raw text.
    pub box_name: String,
    /// Why it is not sent all the same.
    doubt: Option<&'static str>,
}

/// What boxes are to hold and were not heard to, the earliest first. Of a reviewer and record only
/// the last word is among them: an older one must not come to stand behind it on the box.
pub fn pending(ledger: &Ledger, book: &Outbox, now: Timestamp) -> Vec<Due> {
    let words = Words::new(ledger, now);
    let due = |id: EntryId| {
        let delivery = &book.get(id)?.delivery;
        let doubt = words.doubt(id, &delivery.line);
        let (record, box_name) = (words.record(id)?, delivery.box_name.clone());
        Some(Due { id, record, box_name, doubt })
    };
    words.waiting(book).into_iter().filter_map(due).collect()
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
    book: &mut Outbox,
    due: &[Due],
    now: Timestamp,
) -> Result<Vec<Sent>, BookError> {
    let mut tasks = JoinSet::new();
    let permits = Arc::new(Semaphore::new(config.pull.parallel.max(1)));
    for (name, wanted) in by_box(book, due) {
        let target = config.boxes.iter().find(|b| b.name == name).cloned();
        let (limits, cache) = (config.pull, data.cache().to_owned());
        let permits = Arc::clone(&permits);
        tasks.spawn(async move {
            // The semaphore is never closed.
            let _permit = permits.acquire_owned().await.ok();
            to_one(target, name, wanted, limits, cache).await
        });
    }
    let mut sent: Vec<Sent> = due.iter().filter_map(refused).collect();
    while let Some(done) = tasks.join_next().await {
        sent.extend(done.unwrap_or_default());
    }
    note(book, &sent, now)?;
    let order = |one: &Sent| due.iter().position(|due| due.id == one.id);
    sent.sort_by_key(order);
    Ok(sent)
}

/// What is not given to its box at all.
fn refused(due: &Due) -> Option<Sent> {
    let outcome = Err(due.doubt?.to_owned());
    Some(Sent { id: due.id, record: due.record, box_name: due.box_name.clone(), outcome })
}

/// Something for a box, with the record that it is of.
type Wanted = (RecordId, Delivery);

fn by_box(book: &Outbox, due: &[Due]) -> BTreeMap<String, Vec<Wanted>> {
    let mut boxes: BTreeMap<String, Vec<Wanted>> = BTreeMap::new();
    let good = due.iter().filter(|due| due.doubt.is_none());
    for (due, progress) in good.filter_map(|due| Some((due, book.get(due.id)?))) {
        let delivery = progress.delivery.clone();
        boxes.entry(delivery.box_name.clone()).or_default().push((due.record, delivery));
    }
    boxes
}

/// Gives a box all that it is to hold. Where it falls silent, nobody knows of what is left.
async fn to_one(
    target: Option<BoxConfig>,
    name: String,
    wanted: Vec<Wanted>,
    limits: PullConfig,
    cache: PathBuf,
) -> Vec<Sent> {
    let mut replies: Vec<Result<Appended, String>> = Vec::new();
    let mut silent = "no box of this name is configured any more".to_owned();
    for some in wanted.chunks(MOST) {
        let Some(target) = &target else { break };
        let before = replies.len();
        silent = run(target, some, &limits, &cache, &mut replies).await;
        if replies.len() - before < some.len() {
            break;
        }
    }
    let replies = replies.into_iter().map(Some).chain(std::iter::repeat(None));
    let one = |((record, delivery), reply): (&Wanted, Option<_>)| Sent {
        id: delivery.id,
        record: *record,
        box_name: name.clone(),
        outcome: reply.unwrap_or_else(|| Err(silent.clone())),
    };
    wanted.iter().zip(replies).map(one).collect()
}

/// One run. Gives why there are no replies to the last of them, where that is so.
async fn run(
    target: &BoxConfig,
    wanted: &[Wanted],
    limits: &PullConfig,
    cache: &Path,
    replies: &mut Vec<Result<Appended, String>>,
) -> String {
    let requests: Vec<Request> = wanted.iter().map(|(_, delivery)| request(delivery)).collect();
    let died = "the task that wrote died".to_owned();
    let remote = match &target.place {
        Place::Local => {
            let done = spawn_blocking(move || requests.iter().map(local).collect::<Vec<_>>()).await;
            replies.extend(done.unwrap_or_default());
            return died;
        }
        Place::Ssh(remote) => remote,
    };
    let mut received: Vec<Reply> = Vec::new();
    let client = Client { remote, cache, limits, purpose: "writing" };
    let done = remote::append(&client, &requests, &mut received).await;
    let confirmed = |(reply, request): (Reply, &Request)| {
        reply.map_err(|refusal| format!("{}: {refusal}", request.path))
    };
    replies.extend(received.into_iter().zip(&requests).map(confirmed));
    done.err().map_or(died, |error| chain(&error))
}

fn local(request: &Request) -> Result<Appended, String> {
    local::append(request, Arc::new(Real)).map_err(|error| chain(&error))
}

fn request(delivery: &Delivery) -> Request {
    Request {
        path: delivery.path.clone(),
        make: delivery.make,
        record: delivery.line.clone(),
        id: delivery.id.to_string(),
    }
}

fn note(book: &mut Outbox, sent: &[Sent], now: Timestamp) -> Result<(), BookError> {
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
