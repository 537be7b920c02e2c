//! Records of a log to runs.

use super::TaskQuery;
use super::run::{LoggedOverride, LoggedRun, Place};
use crate::domain::{Family, Record, RecordId, Reject};
use crate::engine::panel::Depth;
use crate::engine::verdict::{TASK, TaskVerdict};
use crate::jsonl::{Draft, Sink, Span};
use std::collections::{HashMap, HashSet};

/// Takes records, and makes runs of those that are looked for.
pub(super) struct Fold<'a> {
    query: &'a TaskQuery,
    /// Number of the file that is read, from 1.
    file: usize,
    runs: Vec<LoggedRun>,
    /// Runs of ours by task and id.
    by_id: HashMap<(Option<String>, String), usize>,
    overrides: Vec<Override>,
    /// Tasks of what is looked for. Their other runs are known too while people's decisions are read: one
    /// that names a task alone is about its last run.
    tasks: HashSet<String>,
    /// The same record twice is one.
    seen: HashSet<RecordId>,
}

/// A line by which a person decides.
struct Override {
    task_id: Option<String>,
    record: Option<String>,
    undoes: Option<String>,
    word: Option<LoggedOverride>,
    place: Place,
}

impl Sink for Fold<'_> {
    fn record(&mut self, draft: &Draft<'_>, span: Span) {
        let place = Place { file: self.file, byte: span.byte, at: draft.timestamp };
        match draft.family {
            Family::Push | Family::Pick | Family::Prompt => {}
            // Which run it is about may be known later only.
            Family::Override if self.seen.insert(draft.id()) => {
                self.overrides.extend(Override::of(&draft.to_record(), place));
            }
            Family::Override => {}
            Family::Task | Family::Ladder => {
                let task = draft.task_id();
                let is_of_task = task.as_deref() == Some(self.query.task_id.as_str());
                let sha = draft.run_sha();
                let is_same = sha.is_some_and(|sha| self.query.run_sha == *sha);
                let is_known = task.is_some_and(|task| {
                    self.tasks.contains(task.as_ref())
                        || is_same && self.tasks.insert(task.into_owned())
                });
                if (is_of_task || is_same || is_known) && self.seen.insert(draft.id()) {
                    let known = LoggedRun { is_of_task, is_same, ..LoggedRun::default() };
                    self.round(&draft.to_record(), place, known);
                }
            }
        }
    }

    fn reject(&mut self, _: Reject) {}
}

impl<'a> Fold<'a> {
    pub(super) fn new(query: &'a TaskQuery) -> Self {
        let (runs, overrides) = (Vec::new(), Vec::new());
        let (by_id, tasks, seen) = (HashMap::new(), HashSet::new(), HashSet::new());
        Self { query, file: 0, runs, by_id, overrides, tasks, seen }
    }

    /// What follows is of another file.
    pub(super) fn begin_file(&mut self) {
        self.file += 1;
    }

    /// The runs, with what their judges came to and what people decided.
    pub(super) fn finish(mut self) -> Vec<LoggedRun> {
        for one in std::mem::take(&mut self.overrides) {
            self.apply(one);
        }
        self.runs.retain(|run| run.is_of_task || run.is_same);
        self.runs.iter_mut().for_each(LoggedRun::conclude);
        self.runs
    }

    fn round(&mut self, record: &Record, place: Place, known: LoggedRun) {
        let key = record.run.clone().map(|run| (record.task_id.clone(), run));
        // Without a run it is of another program, which numbers its rounds.
        let is_foreign = key.is_none() && record.run_sha.is_none();
        let at = match &key {
            Some(key) => self.by_id.get(key).copied(),
            None if is_foreign && record.round.unwrap_or(1) > 1 => self.last_run(record, place),
            None => None,
        };
        let at = at.unwrap_or_else(|| {
            self.runs.push(LoggedRun {
                id: record.run.clone(),
                task_id: record.task_id.clone(),
                depth: record.depth.as_deref().and_then(Depth::named),
                fresh: record.extra("fresh").unwrap_or(0),
                is_foreign,
                ..known
            });
            self.runs.len() - 1
        });
        if let Some(key) = key {
            self.by_id.insert(key, at);
        }
        if let Some(run) = self.runs.get_mut(at) {
            run.take(record, place);
        }
    }

    /// The run that a further round of another program is of: the last one of that task.
    fn last_run(&self, record: &Record, place: Place) -> Option<usize> {
        self.runs.iter().rposition(|run| {
            run.is_foreign && run.task_id == record.task_id && run.ended.file == place.file
        })
    }

    /// An override answers the run whose record it names; where it names none, the last one of its task
    /// before it.
    fn apply(&mut self, one: Override) {
        if let Some(undone) = &one.undoes {
            for run in &mut self.runs {
                run.overrides.retain(|word| word.id.as_ref() != Some(undone));
            }
            return;
        }
        let last = |fits: &dyn Fn(&LoggedRun) -> bool| {
            self.runs.iter().rposition(|run| run.ended.precedes(&one.place) && fits(run))
        };
        let named = one.record.as_ref();
        let by_record =
            named.and_then(|id| self.runs.iter().position(|run| run.records.contains(id)));
        let by_task = || {
            let is_of_task = |run: &LoggedRun| run.task_id.is_some() && run.task_id == one.task_id;
            last(&is_of_task).filter(|_| named.is_none())
        };
        let at = by_record.or_else(by_task);
        if let Some(run) = at.and_then(|at| self.runs.get_mut(at)) {
            run.overrides.extend(one.word);
        }
    }
}

impl Override {
    /// What a record says of a person's decision; `None` where it only looks like one.
    fn of(record: &Record, place: Place) -> Option<Self> {
        if record.extra("human_override") != Some(true) {
            return None;
        }
        let text = |name| record.extra::<String>(name);
        let verdict = record.verdict.as_deref().and_then(|word| TASK.verdict(word));
        let verdict = verdict.filter(|v| matches!(v, TaskVerdict::Accept | TaskVerdict::Reject));
        // One that holds again is known, as before, by its first id.
        let id = text("redoes").or_else(|| text("id"));
        let reviewer = record.reviewer.clone();
        let word = verdict.map(|verdict| LoggedOverride {
            verdict,
            reviewer,
            id,
            place,
            is_changed: false,
        });
        Some(Self {
            task_id: record.task_id.clone(),
            record: record.answers.clone(),
            undoes: text("undoes"),
            word,
            place,
        })
    }
}
