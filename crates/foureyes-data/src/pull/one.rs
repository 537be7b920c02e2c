//! Pulling one box, from its lock to its record.

use super::fetch;
use super::plan::plan;
use super::questions;
use super::work::Work;
use super::{BoxPull, Error, Event, Job, PullState};
use crate::config::Remote;
use crate::domain::AHEAD;
use crate::source::client::converse;
use crate::source::digest::Algorithm;
use crate::source::listing::{Abilities, Compression, Listing, RootKind};
use crate::source::session::{self, FetchError, RemoteSession};
use crate::source::ssh::{Input, Link};
use crate::store::lock::BoxLock;
use crate::store::mirror::BoxMirror;
use crate::store::state::{Fact, Notice, PullEntry};
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::task::spawn_blocking;
use tokio::time::{sleep, timeout};

/// How long another process may hold the box before its data are used as they are.
const PATIENCE: Duration = Duration::from_secs(10);
/// Connections for one pull: one, and one more where the first was cut.
const CONNECTIONS: u32 = 2;
/// So many notices of one pull are kept.
const NOTICES: usize = 500;
/// Days for which a notice that bytes may be lost is kept.
const KEPT_DAYS: u32 = 7;

pub(super) async fn pull(job: &Job, remote: &Remote) -> BoxPull {
    let start = Instant::now();
    let mut pull = BoxPull::new(&job.target.name, PullState::Failed);
    let mut work = match open(job).await {
        Ok(Some(work)) => work,
        Ok(None) => return BoxPull { state: PullState::Busy, ..pull },
        Err(error) => return BoxPull { error: Some(error), ..pull },
    };
    let total = job.limits.total_timeout;
    let done = timeout(total, transfer(job, remote, &mut work, &mut pull)).await;
    let mut done = done.unwrap_or(Err(Error::TooLong(total)));
    let kept = work.keep_partial().map_err(Error::from);
    done = done.and(kept);
    record(job, &mut work, &mut pull, &done);
    done = done.and(commit(&mut work).await);
    let entry = entry(job, &pull, &done, start.elapsed());
    done = done.and(remember(&work, entry).await);
    pull.state = if done.is_ok() { PullState::Done } else { PullState::Failed };
    pull.error = done.err();
    pull
}

async fn open(job: &Job) -> Result<Option<Work>, Error> {
    let mirror = BoxMirror::open(&job.data, &job.target.name)?;
    let lock = BoxLock::take(mirror.dir(), PATIENCE, sleep).await?;
    Ok(lock.map(|lock| Work::new(mirror, lock)).transpose()?)
}

/// Pulls, and once more where the connection was lost in the middle: cut, or silent of a sudden as
/// after a sleep. A box that never said a word is not asked again.
async fn transfer(
    job: &Job,
    remote: &Remote,
    work: &mut Work,
    pull: &mut BoxPull,
) -> Result<(), Error> {
    let mut left = CONNECTIONS;
    loop {
        left -= 1;
        let before = pull.received;
        let ended = session(job, remote, work, pull).await;
        let answered = pull.received > before;
        match ended {
            Err(error) if left > 0 && (error.is_cut() || answered && error.is_silence()) => {
                work.keep_partial()?;
                sleep(jitter()).await;
            }
            other => return other,
        }
    }
}

/// A pause that differs from box to box, so that many do not come back at once.
fn jitter() -> Duration {
    let nanos = std::time::SystemTime::UNIX_EPOCH.elapsed().map_or(0, |d| d.subsec_nanos());
    Duration::from_millis(100 + u64::from(nanos / 1000 % 200))
}

async fn session(
    job: &Job,
    remote: &Remote,
    work: &mut Work,
    pull: &mut BoxPull,
) -> Result<(), Error> {
    job.report(Event::Connecting);
    let limits = &job.limits;
    let (connect, idle) = (limits.connect_timeout, limits.idle_timeout);
    let link = Link::open(remote, job.data.cache(), connect, idle).await.map_err(Error::Connect)?;
    let speak = async |output, input| {
        let mut session = RemoteSession::new(output, input, idle)?;
        let done = exchange(job, &mut session, work, pull).await;
        pull.received += session.received();
        pull.round_trips += session.round_trips();
        match done {
            Err(Ended::RemoteSession(source)) => Err(source),
            Err(Ended::Other(error)) => Ok(Err(error)),
            Ok(()) => Ok(Ok(())),
        }
    };
    converse(&link, &session::command(), idle, speak).await?.0?;
    questions::take(job, &link, work, pull).await;
    Ok(())
}

/// A conversation ended early.
pub(super) enum Ended {
    RemoteSession(session::Error),
    Other(Error),
}

impl From<session::Error> for Ended {
    fn from(error: session::Error) -> Self {
        Self::RemoteSession(error)
    }
}

impl<E: Into<Error>> From<FetchError<E>> for Ended {
    fn from(error: FetchError<E>) -> Self {
        match error {
            FetchError::RemoteSession(error) => Self::RemoteSession(error),
            FetchError::Taker(error) => Self::Other(error.into()),
        }
    }
}

async fn exchange(
    job: &Job,
    session: &mut RemoteSession<Input>,
    work: &mut Work,
    pull: &mut BoxPull,
) -> Result<(), Ended> {
    job.report(Event::Listing);
    let began = Instant::now();
    let logs = &job.target.logs;
    let listing = Arc::new(session.list(logs).await?);
    let can = listing.abilities;
    pull.clock_ahead_s = (can.now > 0).then(|| can.now - job.now.0.div_euclid(1_000_000));
    work.facts.extend(degraded(&can));
    let off = pull.clock_ahead_s.filter(|s| s.saturating_abs() > AHEAD / 1_000_000);
    work.facts.extend(off.map(|ahead_s| Fact::ClockOff { ahead_s }));
    let plan = plan(&work.store.files, &listing, logs, job.limits.max_file_bytes);
    work.facts.extend(plan.facts.iter().cloned());
    if nothing_there(&listing) {
        return Err(Ended::Other(Error::NothingThere));
    }
    work.begin(Arc::clone(&listing));
    fetch::all(job, session, work, &can, &plan).await?;
    work.conclude(&plan);
    work.check_some(began.elapsed());
    pull.bytes = work.bytes;
    match listing.left_out {
        0 => Ok(()),
        left_out => Err(Ended::Other(Error::TooManyFiles { left_out })),
    }
}

fn nothing_there(listing: &Listing) -> bool {
    let closed = |kind| matches!(kind, RootKind::Missing | RootKind::Closed);
    listing.files.is_empty() && listing.roots.iter().all(|r| closed(r.kind))
}

async fn commit(work: &mut Work) -> Result<(), Error> {
    fetch::saved(spawn_blocking(work.commit()).await)
}

/// How the pull went, for the log of pulls.
fn entry(job: &Job, pull: &BoxPull, done: &Result<(), Error>, took: Duration) -> PullEntry {
    PullEntry {
        at: job.now,
        took_ms: u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
        bytes: pull.bytes,
        files: pull.files,
        received: pull.received,
        round_trips: pull.round_trips,
        notices: pull.notices.clone(),
        noticed: pull.notices.len() as u64,
        error: done.as_ref().err().map(Error::full),
    }
}

/// Writes it down while the box is still locked.
async fn remember(work: &Work, entry: PullEntry) -> Result<(), Error> {
    let mirror = work.mirror.clone();
    fetch::saved(spawn_blocking(move || mirror.remember(entry)).await)
}

/// What the box cannot do, and what follows.
fn degraded(can: &Abilities) -> Vec<Fact> {
    let fact = |lacks: &str, cost: &str| Fact::Degraded { lacks: lacks.into(), cost: cost.into() };
    let mut facts = Vec::new();
    match can.algorithm {
        Algorithm::Sha256 => {}
        Algorithm::Cksum => facts.push(fact(
            "sha256sum",
            "changes are detected with cksum, which finds accidents but not intent",
        )),
        Algorithm::None => facts.push(fact(
            "sha256sum and no cksum",
            "changes in bytes already copied are not detected unless a file becomes shorter",
        )),
    }
    if !can.stats {
        facts.push(fact("stat with xargs -0", "files are distinguished by content only"));
    }
    if can.now == 0 {
        facts.push(fact("date", "its clock is unknown, and files are looked into by each pull"));
    }
    if !can.cuts {
        facts.push(fact("head -c", "only both ends of a file are compared"));
    }
    if can.compression == Compression::Raw {
        facts.push(fact("zstd and no gzip", "bytes travel uncompressed"));
    }
    facts
}

/// Writes down how the pull went: for the screen, and for the next one.
fn record(job: &Job, work: &mut Work, pull: &mut BoxPull, done: &Result<(), Error>) {
    let facts = bounded(work.take_facts());
    pull.notices = facts.into_iter().map(|fact| Notice { at: job.now, fact }).collect();
    (pull.bytes, pull.files) = (work.bytes, work.changed.len() as u64);
    let record = &mut work.store.record;
    record.last_attempt = Some(job.now);
    record.last_error = done.as_ref().err().map(Error::full);
    if done.is_ok() {
        record.last_success = Some(job.now);
    }
    let since = job.now.minus_days(KEPT_DAYS);
    let is_over = |new: &Fact, old: &Fact| new == old || new.resolves(old);
    let is_over = |old: &Notice| pull.notices.iter().any(|new| is_over(&new.fact, &old.fact));
    record.notices.retain(|n| n.fact.must_be_seen() && n.at >= since && !is_over(n));
    record.notices.extend(pull.notices.iter().cloned());
    // What a box can make this machine remember has an end: the oldest goes first.
    let surplus = record.notices.len().saturating_sub(2 * NOTICES);
    record.notices.drain(..surplus);
}

/// At most so many facts, those that must be seen first; the last one has the number of the others.
fn bounded(mut facts: Vec<Fact>) -> Vec<Fact> {
    let left_out = facts.len().saturating_sub(NOTICES);
    if left_out > 0 {
        facts.sort_by_key(|fact| !fact.must_be_seen());
        facts.truncate(NOTICES);
        facts.push(Fact::AlsoNoticed { facts: left_out as u64 });
    }
    facts
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::cursor::RemotePath;

    #[test]
    fn facts_are_bounded_and_losses_are_kept() {
        let path = |n: usize| RemotePath(format!("/d/{n}").into_bytes());
        let deleted = (0..NOTICES + 1).map(|n| Fact::Deleted { path: path(n) });
        let gap = Fact::Gap { path: path(9) };
        let all = bounded(deleted.chain([gap.clone()]).collect());
        assert_eq!(all.len(), NOTICES + 1);
        assert_eq!((&all[0], all.last()), (&gap, Some(&Fact::AlsoNoticed { facts: 2 })));
        assert_eq!(bounded(vec![gap.clone(); NOTICES]).len(), NOTICES);
    }
}
