//! The questions of tasks that a box keeps beside its logs: those whose hashes its logs have, and no others.

mod asking;
mod search;

use super::room::room;
use super::work::Work;
use super::{BoxPull, Job};
use crate::domain::Timestamp;
use crate::questions::{self, MOST_BYTES};
use crate::source::client::{Broken, converse};
use crate::source::questions::{Found, Questions, command};
use crate::source::session::Error;
use crate::source::ssh::Link;
use crate::store::state::{Fact, OpenQuestion};
use crate::text::counted;
use asking::Asking;
use search::{Searched, Span, search};
use std::collections::HashSet;
use std::path::Path;
use tokio::task::spawn_blocking;

/// Most questions that one pull asks for, the newest.
const MOST_ASKED: usize = 1000;
/// Most questions that wait for the next pulls, the newest.
const MOST_OPEN: usize = 10_000;

/// Removes the questions in all mirrors whose days are over, also in those of boxes that are configured no more.
pub(super) fn prune_all(mirrors: &Path, days: u32, now: Timestamp) {
    let entries = std::fs::read_dir(mirrors).into_iter().flatten().flatten();
    for entry in entries.filter(|entry| entry.file_type().is_ok_and(|kind| kind.is_dir())) {
        questions::prune(&entry.path().join("files").join(questions::DIRECTORY), days, now);
    }
}

/// Takes the questions that new lines of the logs name, and those that earlier pulls could not take. What of them is on
/// the box and cannot be taken is noticed, and the next pull asks again; the logs are pulled all the same.
pub(super) async fn take(job: &Job, link: &Link, work: &mut Work, pull: &mut BoxPull) {
    let (days, now) = (job.keep_questions, job.now);
    if days == 0 {
        return;
    }
    let (spans, open) = (spans(work), work.store.open_questions.clone());
    let searched = spawn_blocking(move || search(&spans, open, now.minus_days(days), now));
    // A panic in there is no reason to lose the logs.
    let Ok(Searched { mut wanted, upto, unnamed }) = searched.await else { return };
    if unnamed > 0 {
        let why = "the path of the log is not text".to_owned();
        work.facts.push(not_taken(unnamed, why));
    }
    let later = wanted.split_off(wanted.len().min(MOST_ASKED));
    if !later.is_empty() {
        let why = format!("one pull asks for {MOST_ASKED}, the newest; the next pull for more");
        work.facts.push(not_taken(tasks(&later), why));
    }
    let mut asking = Asking::new(wanted);
    if !asking.left.is_empty()
        && let Err(why) = ask(job, link, work, pull, &mut asking).await
    {
        work.facts.push(not_taken(tasks(&asking.left), why.clone()));
        asking.left.iter_mut().for_each(|question| question.why = Some(why.clone()));
    }
    work.facts.extend(asking.facts());
    let mut open = asking.open(later);
    let beyond = open.split_off(open.len().min(MOST_OPEN));
    if !beyond.is_empty() {
        let why = format!("{MOST_OPEN} wait already");
        work.facts.push(not_taken(tasks(&beyond), why));
    }
    work.store.open_questions = open;
    for (entry, upto) in upto {
        work.store.files[entry].asked_upto = upto;
    }
}

/// How many tasks these are about.
fn tasks(questions: &[OpenQuestion]) -> u64 {
    questions.iter().map(|question| &question.sha).collect::<HashSet<_>>().len() as u64
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
    asking: &mut Asking,
) -> Result<(), String> {
    let idle = job.limits.idle_timeout;
    let speak = async |output, input| {
        let mut session = Questions::new(output, input, idle)?;
        let done = batches(job, &mut session, work, pull, asking).await;
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
    work: &Work,
    pull: &mut BoxPull,
    asking: &mut Asking,
) -> Result<Result<(), String>, Error> {
    while !asking.left.is_empty() {
        let batch = asking.batch();
        if let Err(why) = has_room(job, work, batch.len()) {
            return Ok(Err(why));
        }
        pull.round_trips += 1;
        let found = session.ask(&batch).await?;
        let names: Vec<String> = found.iter().map(|(sha, _)| sha.clone()).collect();
        let directory = work.mirror.questions();
        let kept = spawn_blocking(move || keep(&directory, &found)).await;
        let kept = kept.unwrap_or_else(|died| {
            names.into_iter().map(|sha| (sha, Err(died.to_string()))).collect()
        });
        asking.settle(&batch, kept);
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

/// Keeps what came; gives each hash, with why it could not be kept.
fn keep(directory: &Path, found: &[Found]) -> Vec<(String, Result<(), String>)> {
    let one = |(sha, found): &Found| -> Result<(), String> {
        let bytes = found.as_ref().map_err(ToString::to_string)?;
        let held = questions::parse(sha, bytes).map_err(|error| crate::domain::chain(&error))?;
        questions::write(directory, sha, &held).map_err(|error| error.to_string())
    };
    found.iter().map(|found| (found.0.clone(), one(found))).collect()
}
