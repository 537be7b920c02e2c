//! The files of a run, made side by side: none depends on another.

use super::dirt::Kind;
use super::event::Evaluation;
use super::fields::Fields;
use super::folder::Folder;
use super::page::Page;
use super::plan::{Cell, Plan};
use super::push::{self, Writer};
use super::repository::Commits;
use super::truth::{Line, text_of};
use super::{Error, Summary, overrides, picks, task};
use crate::domain::log_name::TRUTH;
use crate::domain::{Family, Outcome};
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc;
use std::thread;

/// Where a box keeps push verdicts, overrides of them, and task verdicts, below `.openclaw`.
pub(super) const VERDICTS: &str = "judge-verdicts";
pub(super) const OVERRIDES: &str = "judge-overrides";
pub(super) const TASKS: &str = "verdicts.jsonl";
/// Where the first box keeps picks of memories, and the texts of their prompts.
pub(super) const PICKS: &str = "memory-picks";
pub(super) const PROMPTS: &str = "memory-picks/prompts";

/// One piece of work.
#[derive(Debug, Clone, Copy)]
pub(super) enum Job {
    /// A day's push verdicts of a box.
    Push(Cell),
    /// An empty file, of the day before the run.
    Empty(u32),
    /// A box's task log.
    Tasks(u32),
    /// A box's overrides of push verdicts.
    Overrides(u32),
    /// A day's picks of memories, of the first box.
    Picks(u32),
}

/// A box's `.openclaw`, from the directory that is written to.
pub(super) fn home(plan: &Plan, box_number: u32) -> PathBuf {
    Path::new("boxes").join(plan.recipe.box_name(box_number)).join(".openclaw")
}

/// All jobs; those of days without records have no file.
pub(super) fn all(plan: &Plan) -> Vec<Job> {
    let boxes = 0..plan.spec.boxes;
    let mut jobs: Vec<Job> =
        plan.cells.iter().filter(|c| c.count > 0).copied().map(Job::Push).collect();
    if !plan.dirt.is_none() {
        jobs.push(Job::Empty(plan.spec.boxes - 1));
    }
    if plan.spec.families == super::Families::All {
        jobs.extend(boxes.clone().map(Job::Tasks));
        jobs.extend(boxes.map(Job::Overrides));
    }
    if plan.spec.picks > 0 {
        jobs.extend((0..plan.spec.days).map(Job::Picks));
    }
    jobs
}

type Done = Result<(Summary, Vec<u8>), Error>;

/// Runs all jobs on as many threads as there are processors, and writes the truth in order.
pub(super) fn run(
    plan: &Plan,
    folder: &Folder,
    commits: &Commits,
    jobs: &[Job],
) -> Result<Summary, Error> {
    let path = folder.place(Path::new(TRUTH))?;
    let failed = |source| Error::Write { path: path.clone(), source };
    let mut truth = File::create_new(&path).map_err(failed)?;
    let mut summary = Summary::default();
    let next = AtomicUsize::new(0);
    let (send, receive) = mpsc::channel::<(usize, Done)>();
    let threads = thread::available_parallelism().map_or(1, |n| n.get().min(8));
    thread::scope(|scope| {
        for _ in 0..threads {
            let (send, next) = (send.clone(), &next);
            scope.spawn(move || {
                while let Some((n, job)) = take(next, jobs) {
                    let done = job.run(plan, folder, commits);
                    // Nobody listens once another job has failed.
                    if send.send((n, done)).is_err() {
                        break;
                    }
                }
            });
        }
        drop(send);
        let mut early = std::collections::BTreeMap::new();
        let mut due = 0;
        for (n, done) in receive {
            early.insert(n, done?);
            while let Some((part, lines)) = early.remove(&due) {
                summary.add(&part);
                truth.write_all(&lines).map_err(failed)?;
                due += 1;
            }
        }
        Ok(summary)
    })
}

fn take<'a>(next: &AtomicUsize, jobs: &'a [Job]) -> Option<(usize, &'a Job)> {
    let n = next.fetch_add(1, Ordering::Relaxed);
    Some((n, jobs.get(n)?))
}

impl Job {
    /// The files it makes, from the directory that is written to.
    pub(super) fn files(&self, plan: &Plan) -> Vec<PathBuf> {
        match *self {
            Self::Push(cell) => {
                let name = plan.file_name(Some(cell.day));
                vec![home(plan, cell.box_number).join(VERDICTS).join(name)]
            }
            Self::Empty(b) => vec![home(plan, b).join(VERDICTS).join(plan.file_name(None))],
            Self::Tasks(b) => vec![home(plan, b).join(TASKS)],
            Self::Picks(day) => {
                let name = plan.file_name(Some(day));
                [PICKS, PROMPTS].map(|dir| home(plan, 0).join(dir).join(&name)).to_vec()
            }
            Self::Overrides(b) => {
                let dir = home(plan, b).join(OVERRIDES);
                plan.recipe.reviewers.iter().map(|r| dir.join(format!("{r}.jsonl"))).collect()
            }
        }
    }

    fn run(&self, plan: &Plan, folder: &Folder, commits: &Commits) -> Done {
        let mut paths = Vec::new();
        for file in self.files(plan) {
            paths.push(folder.place(&file)?);
        }
        let mut pages = paths.iter().cloned();
        let mut page = || Page::create(pages.next().unwrap_or_default());
        let mut writer = Writer { plan, commits, sentence: String::new() };
        match *self {
            Self::Push(cell) => day(&mut writer, &cell, page()?),
            Self::Empty(_) => {
                let mut page = page()?;
                page.summary.corrupt(Kind::EmptyFile);
                Ok((page.finish()?, Vec::new()))
            }
            Self::Tasks(b) => task::TaskLog::new(plan, commits, b, page()?).write(),
            Self::Picks(day) => picks::write(plan, (0, day), [page()?, page()?]),
            Self::Overrides(b) => {
                overrides::write(plan, &mut writer, b, page).map(|s| (s, Vec::new()))
            }
        }
    }
}

/// Writes a day's push verdicts.
fn day(writer: &mut Writer<'_>, cell: &Cell, mut page: Page) -> Done {
    let plan = writer.plan;
    let mut fields = Fields::default();
    let mut truth = Vec::new();
    for slot in 0..cell.count {
        let (seen, kind) = writer.soiled(cell, slot, &mut fields);
        let commit = text_of(&fields, "commit");
        let mut stream = plan.seed.stream("dirt", [cell.box_number.into(), cell.day.into(), slot]);
        page.record(&fields, kind, (&plan.recipe, &mut stream))?;
        count(&mut page.summary, &seen, kind, &fields);
        if plan.is_late(cell, slot) {
            page.summary.corrupt(Kind::GrownYesterday);
        }
        let subject = ("commit", commit.as_str());
        let verdict = push::word(seen.judgement.outcome).trim_matches('"');
        let (family, time, poor) = (Family::Push, seen.event.time, seen.event.poor);
        let line = Line { family, subject, time, poor, verdict };
        line.write(&plan.recipe.box_name(cell.box_number), &mut truth);
    }
    let (from, slots) = plan.travellers(cell);
    for slot in slots {
        if let Some(from) = from {
            writer.record(from, slot, &mut fields);
            page.again(&fields);
        }
    }
    end(writer, cell, &mut page, &mut fields);
    Ok((page.finish()?, truth))
}

/// Counts a push record.
fn count(summary: &mut Summary, seen: &Evaluation, kind: Option<Kind>, fields: &Fields) {
    let readable = kind != Some(Kind::UnknownWord);
    let outcome = if readable { seen.judgement.outcome } else { Outcome::Undetermined };
    summary.count(Family::Push, Some(outcome));
    // Without an error field the cause is read off words that only a readable verdict gives a sense.
    let is_known = readable || fields.get("error").is_some();
    summary.count_push(seen, outcome, seen.judgement.cause.filter(|_| is_known));
    summary.undated += u64::from(kind == Some(Kind::Undated));
    summary.latencies += u64::from(fields.get("latency_ms").is_some());
}

/// Ends today's file as a writer leaves it who is at work.
fn end(writer: &mut Writer<'_>, cell: &Cell, page: &mut Page, fields: &mut Fields) {
    let plan = writer.plan;
    if plan.dirt.is_none() || cell.day + 1 != plan.spec.days {
        return;
    }
    if cell.box_number == 0 {
        // The slot after the last: its push is not over.
        let after = Cell { count: cell.count + 1, ..*cell };
        writer.record(&after, cell.count, fields);
        page.incomplete(fields);
    } else if cell.box_number + 1 == plan.spec.boxes && plan.spec.families == super::Families::Push
    {
        page.no_final_newline();
    }
}
