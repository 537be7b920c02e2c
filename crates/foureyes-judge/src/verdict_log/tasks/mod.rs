//! Runs of tasks that stand in the log of tasks, whoever wrote them.

mod fold;
mod mention;
mod run;

pub use run::{LoggedOverride, LoggedRound, LoggedRun};

use super::Error;
use crate::engine::verdict::{TaskVerdict, Verdict as _};
use crate::jsonl::{Reader, Settings};
use crate::text::mask::mask;
use fold::Fold;
use std::io::{self, Read};
use std::path::Path;

/// Bytes read at a time.
const BLOCK: usize = 1 << 20;

/// What is looked for.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct TaskQuery {
    /// The task.
    pub task_id: String,
    /// Hash of all that makes a run the same.
    pub run_sha: String,
}

/// What logs have on a task, oldest first: its runs, and those of the same content under other names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TaskHistory {
    /// The runs.
    pub runs: Vec<LoggedRun>,
}

/// What holds of runs that were the same in all.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Holding<'a> {
    /// What they come to.
    pub verdict: TaskVerdict,
    /// The run that it comes from.
    pub run: &'a LoggedRun,
    /// The person who decided, where one did.
    pub by: Option<&'a LoggedOverride>,
}

impl TaskHistory {
    /// Runs of the task in which a judge gave a verdict, since a person last decided about it.
    pub fn tries(&self) -> u32 {
        let own = || self.runs.iter().filter(|run| run.is_of_task);
        let last = run::last_human_decision(own());
        let since = own().filter(|run| last.is_none_or(|(_, word)| !word.covers(run)));
        u32::try_from(since.filter(|run| run.is_judged()).count()).unwrap_or(u32::MAX)
    }

    /// What holds of earlier runs that were the same in all: what a person decided last, and the strictest
    /// of the runs after that. Runs in which no judge gave a verdict say nothing.
    pub fn holds(&self) -> Option<Holding<'_>> {
        let same = || self.runs.iter().filter(|run| run.is_same);
        let person = run::last_human_decision(same());
        let open = same().filter(|run| person.is_none_or(|(_, word)| !word.covers(run)));
        let judged = open.filter_map(|run| Some(Holding { verdict: run.verdict?, run, by: None }));
        let person =
            person.map(|(run, word)| Holding { verdict: word.verdict, run, by: Some(word) });
        // Of two that are as strict a person's counts, then one that says so itself, and else the newer one.
        judged.chain(person).max_by_key(|holding| {
            (holding.verdict.strictness(), holding.by.is_some() || holding.run.is_decided)
        })
    }

    /// Whether what holds of earlier runs that were the same in all may be another thing than was logged:
    /// a line of them, or of the person's decision, was changed.
    pub fn is_changed(&self) -> bool {
        let same = || self.runs.iter().filter(|run| run.is_same);
        let person = run::last_human_decision(same()).map(|(_, word)| word);
        let mut open = same().filter(|run| person.is_none_or(|word| !word.covers(run)));
        person.is_some_and(|word| word.is_changed) || open.any(|run| run.is_changed)
    }

    /// The number of the next run that is asked for by name.
    pub fn next_fresh(&self) -> u32 {
        let same = self.runs.iter().filter(|run| run.is_same);
        same.map(|run| run.fresh).max().unwrap_or(0).saturating_add(1)
    }

    /// The newest run of the task itself.
    pub fn last(&self) -> Option<&LoggedRun> {
        self.runs.iter().rev().find(|run| run.is_of_task)
    }
}

/// What logs have on a task and on the same runs of others, in the order of the logs. One that is not there
/// has nothing. They are read as by every other command: what is no record is passed over, and hides none.
///
/// # Errors
/// A file that cannot be read.
pub fn history(logs: &[&Path], query: &TaskQuery) -> Result<TaskHistory, Error> {
    let query = TaskQuery { task_id: mask(&query.task_id).0.into_owned(), ..query.clone() };
    let mut block = vec![0; BLOCK];
    // Of what is new no log has anything. Where one has, a person's decision may stand in any other.
    let mentions = |path: &&Path| may_mention(path, &query, &mut block);
    if !each(logs, mentions)?.contains(&true) {
        return Ok(TaskHistory::default());
    }
    let mut fold = Fold::new(&query);
    each(logs, |path| read(path, &mut fold, &mut block))?;
    let mut runs = fold.finish();
    mark_changed(logs, &mut runs)?;
    Ok(TaskHistory { runs })
}

/// Marks what of some runs was changed after it was written, as the next line of its log shows.
fn mark_changed(logs: &[&Path], runs: &mut [LoggedRun]) -> Result<(), Error> {
    let is_changed = |place: &run::Place| {
        // Files are numbered from 1, in their order and without those that are not there.
        let there = logs.iter().filter(|path| path.exists());
        let Some(path) = place.file.checked_sub(1).and_then(|at| there.clone().nth(at)) else {
            return Ok(false);
        };
        let read = || super::chain::is_changed(&mut super::search::open(path)?, place.byte);
        read().map_err(|source| Error::Read { path: (*path).to_owned(), source })
    };
    for run in runs.iter_mut().filter(|run| run.is_same) {
        for place in &run.lines {
            run.is_changed |= is_changed(place)?;
        }
        for word in &mut run.overrides {
            word.is_changed = is_changed(&word.place)?;
        }
    }
    Ok(())
}

/// What comes of each log that is there.
fn each<T>(logs: &[&Path], mut of: impl FnMut(&&Path) -> io::Result<T>) -> Result<Vec<T>, Error> {
    let mut all = Vec::new();
    for path in logs {
        match of(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(source) => return Err(Error::Read { path: (*path).to_owned(), source }),
            Ok(one) => all.push(one),
        }
    }
    Ok(all)
}

fn may_mention(path: &Path, query: &TaskQuery, block: &mut [u8]) -> io::Result<bool> {
    let mut file = super::search::open(path)?;
    mention::may_mention(&mut file, &[&query.task_id, &query.run_sha], block)
}

fn read(path: &Path, fold: &mut Fold<'_>, block: &mut [u8]) -> io::Result<()> {
    let mut file = super::search::open(path)?;
    fold.begin_file();
    let settings = Settings::default();
    let mut reader = Reader::new(&settings);
    loop {
        match file.read(block) {
            Ok(0) => break,
            Ok(n) => reader.push(block.get(..n).unwrap_or_default(), fold),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    reader.finish(fold);
    Ok(())
}

#[cfg(test)]
mod tests;
