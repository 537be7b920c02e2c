//! The questions of tasks that a box keeps beside its logs: those whose hashes its logs have, and no others.

mod search;

use super::room::room;
use super::work::Work;
use super::{BoxPull, Job};
use crate::questions::{self, MOST_BYTES};
use crate::source::client::{Broken, converse};
use crate::source::questions::{Found, Questions, command};
use crate::source::session::Error;
use crate::source::ssh::Link;
use crate::store::state::Fact;
use crate::text::counted;
use search::{Searched, Span, search};
use std::path::Path;
use tokio::task::spawn_blocking;

/// Most questions that one pull asks for, the newest.
const MOST_ASKED: usize = 1000;
/// So many are asked for at once.
const BATCH: usize = 50;

/// Takes the questions that new lines of the logs name. What of them is on the box and cannot be taken is noticed; the
/// logs are pulled all the same.
pub(super) async fn take(job: &Job, link: &Link, work: &mut Work, pull: &mut BoxPull) {
    let (days, now) = (job.keep_questions, job.now);
    let (directory, spans) = (work.mirror.questions(), spans(work));
    let searched = spawn_blocking(move || {
        questions::prune(&directory, days, now);
        if days == 0 { Searched::default() } else { search(&spans, now.minus_days(days)) }
    });
    // A panic in there is no reason to lose the logs.
    let Ok(Searched { mut wanted, upto, unnamed }) = searched.await else { return };
    if unnamed > 0 {
        let why = "the path of the log is no text".to_owned();
        work.facts.push(not_taken(unnamed, why));
    }
    let beyond = wanted.len().saturating_sub(MOST_ASKED);
    wanted.drain(..beyond);
    if beyond > 0 {
        let why = format!("one pull asks for {MOST_ASKED}, the newest");
        work.facts.push(not_taken(beyond as u64, why));
    }
    let asked = if wanted.is_empty() { Ok(()) } else { ask(job, link, work, pull, &wanted).await };
    match asked {
        Ok(()) => {
            for (entry, upto) in upto {
                work.store.files[entry].asked_upto = upto;
            }
        }
        Err(why) => {
            work.facts.push(not_taken(wanted.len() as u64, why));
        }
    }
}

/// That so many were not taken.
fn not_taken(count: u64, why: String) -> Fact {
    let what = counted(count, "question of a task", "questions of tasks");
    Fact::QuestionNotTaken { what, why }
}

/// The parts of the copies whose lines were not looked at.
fn spans(work: &Work) -> Vec<Span> {
    let new = |(entry, copy): (usize, &crate::store::state::Entry)| {
        let (from, to) = (copy.asked_upto, copy.cursor.offset);
        let span = || Span {
            entry,
            file: work.mirror.path(&copy.local),
            log: copy.path.clone(),
            gzip: copy.gzip,
            from,
            to,
        };
        (from < to && !copy.damaged).then(span)
    };
    work.store.files.iter().enumerate().filter_map(new).collect()
}

/// Asks for questions and keeps what comes; `Err` has why not all were asked for.
async fn ask(
    job: &Job,
    link: &Link,
    work: &mut Work,
    pull: &mut BoxPull,
    wanted: &[(String, String)],
) -> Result<(), String> {
    let idle = job.limits.idle_timeout;
    let speak = async |output, input| {
        let mut session = Questions::new(output, input, idle)?;
        let done = batches(job, &mut session, work, pull, wanted).await;
        pull.received += session.received();
        done
    };
    match converse(link, &command(), idle, speak).await {
        Ok((done, _)) => done,
        Err(Broken::Connect(error)) => Err(crate::domain::chain(&error)),
        Err(Broken::RemoteSession { source, .. }) => Err(crate::domain::chain(&source)),
    }
}

async fn batches(
    job: &Job,
    session: &mut Questions<crate::source::ssh::Input>,
    work: &mut Work,
    pull: &mut BoxPull,
    wanted: &[(String, String)],
) -> Result<Result<(), String>, Error> {
    for batch in wanted.chunks(BATCH) {
        if let Err(why) = has_room(job, work, batch.len()) {
            return Ok(Err(why));
        }
        pull.round_trips += 1;
        let found = session.ask(batch).await?;
        let directory = work.mirror.questions();
        let kept = spawn_blocking(move || keep(&directory, &found)).await;
        work.facts.extend(kept.unwrap_or_default());
    }
    Ok(Ok(()))
}

/// Whether so many questions would fit within the bounds of a pull.
fn has_room(job: &Job, work: &Work, count: usize) -> Result<(), String> {
    let (room, bound) = room(job, work).map_err(|error| crate::domain::chain(&error))?;
    let needed =
        MOST_BYTES.saturating_mul(count as u64).saturating_add(size(&work.mirror.questions()));
    if needed <= room { Ok(()) } else { Err(format!("`{}` leaves no room", bound.key())) }
}

/// Bytes of the questions that are kept.
fn size(directory: &Path) -> u64 {
    let entries = std::fs::read_dir(directory).into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.metadata().ok()).map(|meta| meta.len()).sum()
}

/// Keeps what came, and gives what could not be kept.
fn keep(directory: &Path, found: &[Found]) -> Vec<Fact> {
    let one = |(sha, found): &Found| -> Result<(), String> {
        let bytes = found.as_ref().map_err(ToString::to_string)?;
        let held = questions::parse(sha, bytes).map_err(|error| crate::domain::chain(&error))?;
        questions::write(directory, sha, &held).map_err(|error| error.to_string())
    };
    let fact = |found: &Found| {
        let why = one(found).err()?;
        Some(Fact::QuestionNotTaken { what: format!("question of the task {}", found.0), why })
    };
    found.iter().filter_map(fact).collect()
}
