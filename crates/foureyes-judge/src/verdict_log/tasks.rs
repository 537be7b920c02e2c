//! Runs of tasks that stand in the log of tasks, whoever wrote them.

use super::Error;
use crate::domain::{Family, Improvement, Outcome, Record, Timestamp};
use crate::engine::panel::Reason;
use crate::engine::verdict::{TASK, TaskVerdict, Verdict as _};
use crate::jsonl::{self, Settings};
use crate::text::mask::mask;
use serde::Deserialize;
use std::collections::HashMap;
use std::io::{self, BufRead, BufReader, Read};
use std::path::Path;

/// A run that stands in the log.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedRun {
    /// Hash of all that makes a run the same; `None` of other writers' runs.
    pub run_sha: Option<String>,
    /// What its judges came to; `None` where nothing about the content was found.
    pub verdict: Option<TaskVerdict>,
    /// Why a person decides, where the run says so.
    pub reason: Option<Reason>,
    /// When its last line was written.
    pub at: Option<Timestamp>,
    /// What its last judge said.
    pub reasoning: String,
    /// What its judges wanted changed.
    pub improvements: Vec<Improvement>,
    /// The how many-th it is of those asked for by name; 0 of one that was not.
    pub fresh: u32,
    /// What a person decided about it, and who, as far as that is named.
    pub decided: Option<(TaskVerdict, Option<String>)>,
    /// Whether it is of the task that was looked for: others are of the same content.
    pub is_of_task: bool,
    records: Vec<String>,
}

impl LoggedRun {
    /// What holds of it: a person's decision, else the judges'.
    pub fn holds(&self) -> Option<TaskVerdict> {
        self.decided.as_ref().map(|(verdict, _)| *verdict).or(self.verdict)
    }
}

/// What the log has on a task, oldest first: its runs, and those of the same content under other names.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct TaskHistory {
    /// The runs.
    pub runs: Vec<LoggedRun>,
}

impl TaskHistory {
    /// Runs of the task that found something about its content, since a person last decided about it.
    pub fn tries(&self) -> u32 {
        let own = self.runs.iter().rev().filter(|run| run.is_of_task);
        let since = own.take_while(|run| run.decided.is_none());
        let count = since.filter(|run| run.verdict.is_some()).count();
        u32::try_from(count).unwrap_or(u32::MAX)
    }

    /// What holds of earlier runs that were the same in all: the strictest, or what a person decided
    /// last. Failed ones say nothing.
    pub fn same(&self, run_sha: &str) -> Option<&LoggedRun> {
        let same = || self.runs.iter().filter(|run| run.run_sha.as_deref() == Some(run_sha));
        let by_person = same().rev().find(|run| run.decided.is_some());
        let strictness = |run: &&LoggedRun| run.verdict.map(|v| v.strictness());
        by_person.or_else(|| same().filter(|run| run.verdict.is_some()).max_by_key(strictness))
    }

    /// The number of the next run that is asked for by name.
    pub fn next_fresh(&self, run_sha: &str) -> u32 {
        let same = self.runs.iter().filter(|run| run.run_sha.as_deref() == Some(run_sha));
        same.map(|run| run.fresh).max().unwrap_or(0).saturating_add(1)
    }

    /// The newest run of the task itself.
    pub fn last(&self) -> Option<&LoggedRun> {
        self.runs.iter().rev().find(|run| run.is_of_task)
    }
}

/// What of a line is looked at beside what all readers know.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Line {
    task_id: Option<String>,
    run: Option<String>,
    run_sha: Option<String>,
    round: Option<u64>,
    decision: Option<String>,
    reason: Option<String>,
    judge_tier: Option<String>,
    human_override: Option<bool>,
    record: Option<String>,
    reviewer: Option<String>,
    undoes: Option<String>,
    fresh: Option<u32>,
}

/// What a log has on a task and on runs with this hash. A log that is not there has nothing; lines
/// that are no records are passed over.
///
/// # Errors
/// A file that cannot be read.
pub fn history(path: &Path, task_id: &str, run_sha: &str) -> Result<TaskHistory, Error> {
    let task_id = mask(task_id).0;
    let read = || {
        let mut fold =
            Fold { task_id: &task_id, run_sha, runs: Vec::new(), by_run: HashMap::new() };
        let wanted = [serde_json::to_string(&*task_id)?, run_sha.to_owned()];
        let finders = wanted.each_ref().map(|text| memchr::memmem::Finder::new(text.as_bytes()));
        let limit = Settings::default().line_bytes as u64;
        let mut file = BufReader::new(super::search::open(path)?);
        let mut line = Vec::new();
        while Read::by_ref(&mut file).take(limit).read_until(b'\n', &mut line)? > 0 {
            if finders.iter().any(|finder| finder.find(&line).is_some()) {
                fold.take(&line);
            }
            line.clear();
        }
        Ok(TaskHistory { runs: fold.runs })
    };
    match read() {
        Err(error) if io::Error::kind(&error) == io::ErrorKind::NotFound => {
            Ok(TaskHistory::default())
        }
        Err(source) => Err(Error::Read { path: path.to_owned(), source }),
        Ok(history) => Ok(history),
    }
}

struct Fold<'a> {
    task_id: &'a str,
    run_sha: &'a str,
    runs: Vec<LoggedRun>,
    by_run: HashMap<String, usize>,
}

impl Fold<'_> {
    fn take(&mut self, bytes: &[u8]) {
        let Ok(line) = serde_json::from_slice::<Line>(bytes) else { return };
        let is_of_task = line.task_id.as_deref() == Some(self.task_id);
        let is_same = line.run_sha.as_deref() == Some(self.run_sha);
        if !is_of_task && !is_same {
            return;
        }
        for one in jsonl::read(bytes, &Settings::default()).found {
            match one.record.family {
                Family::Override => self.decided(&line, &one.record),
                Family::Task | Family::Ladder => self.round(&line, &one.record, is_of_task),
                Family::Push => {}
            }
        }
    }

    /// A person's word answers the run whose record it names, else the last one of the task.
    fn decided(&mut self, line: &Line, record: &Record) {
        let word = record.verdict.as_deref().and_then(|word| TASK.verdict(word));
        let Some(word) = word.filter(|_| line.human_override == Some(true)) else { return };
        let named = line.record.as_ref();
        let fits = |run: &&mut LoggedRun| match named {
            Some(id) => run.records.contains(id),
            None => run.is_of_task,
        };
        if let Some(run) = self.runs.iter_mut().rev().find(fits) {
            // One that takes another back leaves the run as its judges left it.
            run.decided = match line.undoes {
                Some(_) => None,
                None => Some((word, line.reviewer.clone())),
            };
        }
    }

    fn round(&mut self, line: &Line, record: &Record, is_of_task: bool) {
        let known = match &line.run {
            Some(run) => self.by_run.get(run).copied(),
            // Of other writers a first round begins a run.
            None if line.round.unwrap_or(1) > 1 => self.runs.len().checked_sub(1),
            None => None,
        };
        let at = known.unwrap_or_else(|| {
            self.runs.push(LoggedRun {
                run_sha: line.run_sha.clone(),
                verdict: None,
                reason: None,
                at: None,
                reasoning: String::new(),
                improvements: Vec::new(),
                fresh: line.fresh.unwrap_or(0),
                decided: None,
                is_of_task,
                records: Vec::new(),
            });
            self.runs.len() - 1
        });
        if let Some(run) = &line.run {
            self.by_run.insert(run.clone(), at);
        }
        let Some(run) = self.runs.get_mut(at) else { return };
        run.records.push(record.id.to_string());
        run.at = record.timestamp.or(run.at);
        let reason = line.reason.as_deref();
        run.reason = reason.and_then(|r| Reason::ALL.into_iter().find(|one| one.name() == r));
        let failed = run.reason.is_some_and(Reason::is_failure) || record.error.is_some();
        let decision = line.decision.as_deref().and_then(|word| TASK.verdict(word));
        // A failure says nothing, unless it could not lift what an earlier run rejected.
        run.verdict = match decision {
            Some(TaskVerdict::Reject) => decision,
            _ if failed => None,
            Some(_) => decision,
            // A run of ours that says nothing was never finished.
            None if line.run.is_some() => None,
            None => of_outcome(record),
        };
        if line.judge_tier.as_deref() != Some("human") {
            run.reasoning = record.findings.clone().unwrap_or_default();
            run.improvements.extend(record.improvements.iter().cloned());
        }
    }
}

/// What a line without a decision comes to. A run that ends so was not decided.
fn of_outcome(record: &Record) -> Option<TaskVerdict> {
    match record.outcome? {
        Outcome::Go => Some(TaskVerdict::Accept),
        Outcome::NoGo if matches!(record.verdict.as_deref(), Some("reject" | "BLOCK")) => {
            Some(TaskVerdict::Reject)
        }
        Outcome::NoGo | Outcome::Undetermined => Some(TaskVerdict::Escalate),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(lines: &[String]) -> TaskHistory {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("verdicts.jsonl");
        std::fs::write(&path, lines.join("\n")).unwrap();
        history(&path, "t", "sha").unwrap()
    }

    fn line(more: &str) -> String {
        format!(
            r#"{{"task_id":"t","model":"m","mode":"quick","verdict":"improve","scores":{{"semantic":3,"pragmatic":3,"syntactic":3}},"round":1,"judge_tier":"quick",{more},"timestamp":"2026-02-17T14:30:00Z"}}"#
        )
    }

    fn run(id: &str, decision: &str) -> String {
        line(&format!(r#""run":"{id}","run_sha":"sha","decision":"{decision}""#))
    }

    fn person(verdict: &str) -> String {
        format!(
            r#"{{"task_id":"t","model":"human","mode":"override","judge_tier":"human","verdict":"{verdict}","scores":{{"semantic":0,"pragmatic":0,"syntactic":0}},"average":0,"round":0,"human_override":true,"timestamp":"2026-02-18T14:30:00Z"}}"#
        )
    }

    #[test]
    fn log_that_is_not_there_has_nothing() {
        let dir = tempfile::tempdir().unwrap();
        assert_eq!(history(&dir.path().join("none"), "t", "sha").unwrap(), TaskHistory::default());
        assert!(history(dir.path(), "t", "sha").is_err());
    }

    #[test]
    fn tries_are_runs_since_a_person_decided() {
        let other = line(r#""run":"x""#).replace("\"task_id\":\"t\"", "\"task_id\":\"t2\"");
        let all = of(&[run("a", "reject"), run("b", "reject"), other, "no record".to_owned()]);
        assert_eq!((all.tries(), all.runs.len()), (2, 2));
        let decided = of(&[run("a", "reject"), person("accept"), run("b", "reject")]);
        assert_eq!(decided.tries(), 1);
        let failed =
            line(r#""run":"c","error":"timeout","decision":"escalate","reason":"timeout""#);
        assert_eq!(of(&[failed]).tries(), 0);
    }

    #[test]
    fn strictest_of_the_same_runs_holds_until_a_person_decides() {
        let same = |lines: &[String]| of(lines).same("sha").and_then(LoggedRun::holds);
        assert_eq!(same(&[run("a", "accept")]), Some(TaskVerdict::Accept));
        let both = [run("a", "reject"), run("b", "accept")];
        assert_eq!(same(&both), Some(TaskVerdict::Reject));
        let [a, b] = both;
        assert_eq!(same(&[a, b, person("accept")]), Some(TaskVerdict::Accept));
        let back = person("accept").replacen('{', r#"{"undoes":"x","#, 1);
        assert_eq!(same(&[run("a", "reject"), person("accept"), back]), Some(TaskVerdict::Reject));
        // Another name for the same content is no way to another verdict.
        let renamed = run("a", "reject").replace("\"task_id\":\"t\"", "\"task_id\":\"t2\"");
        assert_eq!(same(&[renamed]), Some(TaskVerdict::Reject));
        assert_eq!(same(&[line(r#""run":"a","run_sha":"other","decision":"reject""#)]), None);
    }

    #[test]
    fn rounds_of_other_writers_make_runs() {
        let round = |n: u32, verdict: &str| {
            line("\"x\":1")
                .replace("\"round\":1", &format!("\"round\":{n}"))
                .replace("improve", verdict)
        };
        let all = of(&[round(1, "improve"), round(2, "reject"), round(1, "improve")]);
        let verdicts: Vec<_> = all.runs.iter().map(|run| run.verdict).collect();
        assert_eq!(verdicts, [Some(TaskVerdict::Reject), Some(TaskVerdict::Escalate)]);
        assert_eq!(all.same("sha"), None);
    }
}
