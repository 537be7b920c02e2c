//! Fetching what a plan asks for, batch by batch.

use super::asking::{Batch, expected, next_batch};
use super::error::{Bound, MOST_COPIES};
use super::one::Ended;
use super::pace::{Came, Pace, Step};
use super::plan::{Ask, Plan};
use super::room::room;
use super::work::Work;
use super::{Error, Event, Job};
use crate::source::listing::Abilities;
use crate::source::session::{FetchError, RemoteSession};
use crate::source::ssh::Input;
use crate::store::mirror::Error as MirrorError;
use std::collections::VecDeque;
use tokio::task::{JoinError, JoinHandle, spawn_blocking};

/// What hashing before sending may be of an answer that is to tell how fast bytes come.
const HASHED_PART: u64 = 8;

/// Fetches everything; each batch lasts before the one after the next is asked for.
pub(super) async fn all(
    job: &Job,
    session: &mut RemoteSession<Input>,
    work: &mut Work,
    can: &Abilities,
    plan: &Plan,
) -> Result<(), Ended> {
    let mut queue: VecDeque<_> = plan.asks.iter().cloned().collect();
    if queue.is_empty() {
        return Ok(());
    }
    let bytes = left(&queue, work);
    job.report(Event::Fetching { bytes, files: queue.len() as u64 });
    let mut pace = Pace::new(can.compression, work.store.speed, bytes);
    let mut saving: Option<JoinHandle<_>> = None;
    while !queue.is_empty() {
        let copies = work.store.files.len();
        if copies >= MOST_COPIES {
            return Err(Ended::Other(Error::TooManyCopies { copies }));
        }
        let (room, bound) = room(job, work).map_err(Ended::Other)?;
        if room == 0 {
            return Err(beyond(work, plan, bound));
        }
        work.room = room;
        let step = pace.next(left(&queue, work));
        let step = Step { most: step.most.min(room), ..step };
        let mut batch = prepare(&mut queue, step, work, *can).await?;
        let (before, hashed) = (work.bytes, batch.compared);
        let came = match one(job, session, work, &mut batch).await {
            Err(Ended::Other(Error::Mirror(MirrorError::Bound))) => {
                work.keep_partial().map_err(|error| Ended::Other(error.into()))?;
                return Err(beyond(work, plan, bound));
            }
            came => came?,
        };
        work.unfinished(batch, before, &mut queue);
        if hashed <= came.logs / HASHED_PART {
            pace.learn(step, came, left(&queue, work));
            work.store.speed = pace.speed();
        }
        // The disk takes this batch while the box sends the next. Commits keep their order by
        // themselves, so one that nobody waits for any more does no harm.
        if let Some(last) = saving.replace(spawn_blocking(work.commit())) {
            saved(last.await).map_err(Ended::Other)?;
        }
    }
    match saving {
        Some(last) => saved(last.await).map_err(Ended::Other),
        None => Ok(()),
    }
}

/// What the bound leaves out.
fn beyond(work: &Work, plan: &Plan, bound: Bound) -> Ended {
    Ended::Other(Error::beyond(bound, work.lacking(&plan.asks)))
}

/// Bytes that are likely to come.
fn left(queue: &VecDeque<Ask>, work: &Work) -> u64 {
    queue.iter().map(|ask| expected(ask, &work.store.files)).sum()
}

/// Makes the next question; it reads files, so not on the runtime's threads.
async fn prepare(
    queue: &mut VecDeque<Ask>,
    step: Step,
    work: &mut Work,
    can: Abilities,
) -> Result<Batch, Ended> {
    let (mirror, mut known) = (work.mirror.clone(), work.store.files.clone());
    let mut rest = std::mem::take(queue);
    // The copy of one file is not that of another, too.
    for ask in rest.iter_mut().filter(|ask| !ask.progress.is_begun()) {
        ask.candidates.retain(|(entry, _)| !work.is_adopted(*entry));
    }
    let made = spawn_blocking(move || {
        let mut facts = Vec::new();
        let batch = next_batch(&mut rest, step, &mirror, &mut known, &can, &mut facts);
        (batch, rest, known, facts)
    });
    let (batch, rest, known, facts) = made.await.map_err(|_| Ended::Other(Error::Task))?;
    *queue = rest;
    work.store.files = known;
    work.facts.extend(facts);
    Ok(batch)
}

/// Asks one question and takes its answer.
async fn one(
    job: &Job,
    session: &mut RemoteSession<Input>,
    work: &mut Work,
    batch: &mut Batch,
) -> Result<Came, Ended> {
    let (began, logs, wire) = ((job.clock)(), work.bytes, session.received());
    let mut asks = batch.asks.iter_mut();
    let Step { compression, most } = batch.step;
    work.ask();
    let mut answered = None;
    let fetching = session.fetch(&batch.requests, compression, |part| {
        answered.get_or_insert_with(|| (job.clock)());
        let new = work.take(&mut asks, most, part)?;
        if new > 0 {
            job.report(Event::Bytes(new));
        }
        Ok::<(), MirrorError>(())
    });
    if let Err(error) = fetching.await {
        if matches!(&error, FetchError::RemoteSession(e) if e.is_mixture()) {
            work.roll_back();
        }
        return Err(error.into());
    }
    // A garbled answer is taken off again.
    let (logs, wire) = (work.bytes.saturating_sub(logs), session.received() - wire);
    let took = (job.clock)().saturating_duration_since(began);
    let delay = answered.map_or(took, |answered| answered.saturating_duration_since(began));
    Ok(Came { logs, wire, took, delay })
}

/// How a commit went.
pub(super) fn saved(done: Result<Result<(), MirrorError>, JoinError>) -> Result<(), Error> {
    Ok(done.map_err(|_| Error::Task)??)
}
