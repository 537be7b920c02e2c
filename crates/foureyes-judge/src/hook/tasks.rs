//! A push judged as tasks: each commit is one, its message says what it was.

use super::arriving::Arrival;
use super::ask::item;
use super::content::Reader;
use super::run::{Outcome, on_push};
use super::state::{Run, Settings, TaskLog};
use super::{Content, NoJudge, Note, Wanted};
use crate::config::{Config, HookMode};
use crate::domain::Timestamp;
use crate::engine::panel::Reason;
use crate::engine::prompt::Section;
use crate::engine::record::{RecordError, TaskRecord};
use crate::engine::verdict::TaskVerdict;
use crate::escalation::{self, Document};
use crate::git;
use crate::judging::task::{Judges, Task};
use crate::task::{self, Logs, Wish};
use crate::verdict_log::append_to;

/// Most bytes of a commit that are read for its message.
const MOST_COMMIT: u64 = 1 << 20;

/// Who judges commits as tasks.
#[derive(Debug)]
pub struct TaskJudges {
    /// The configuration.
    pub config: Config,
    /// The judges.
    pub judges: Judges,
    /// What every result must meet, where that is configured.
    pub acceptance: Option<String>,
}

/// Judges each commit of a push as a task. A rejection stops the push in the blocking mode, where its
/// files would arrive; a commit that a person must decide about stops nothing, and is named.
pub fn run_tasks(
    input: &[u8],
    settings: &Settings,
    judges: impl FnOnce() -> Result<TaskJudges, NoJudge>,
    notify: &mut dyn FnMut(Note),
) -> Outcome {
    on_push(input, settings, notify, |run| run.tasks(judges))
}

impl Run<'_> {
    fn tasks(
        &mut self,
        judges: impl FnOnce() -> Result<TaskJudges, NoJudge>,
    ) -> Result<Outcome, git::Error> {
        let Some(mut wanted) = self.wanted()? else { return Ok(Outcome::Passes) };
        let Some(log) = self.settings.task_log.clone() else {
            self.mark_all("there is no place for the log");
            (self.notify)(Note::NoLog);
            return Ok(Outcome::Passes);
        };
        let judges = match judges() {
            Ok(judges) => judges,
            Err(NoJudge::Unusable(why)) => return Ok(self.no_judge(&wanted, why)),
        };
        let runtime = match tokio::runtime::Builder::new_current_thread().enable_all().build() {
            Ok(runtime) => runtime,
            Err(error) => return Ok(self.no_judge(&wanted, error.to_string())),
        };
        self.with_risk(&mut wanted);
        let mut reader = Reader::new(wanted);
        let (mut rejected, mut escalated) = (Vec::new(), Vec::new());
        while let Some(contents) = self.contents(&mut reader) {
            for content in contents {
                let (verdict, document) = self.task(&runtime, &judges, &log, &content);
                escalated.extend(document.map(|document| (content.of.commit.clone(), document)));
                if verdict == Some(TaskVerdict::Reject) {
                    rejected.push(content.of);
                }
            }
        }
        runtime.shutdown_background();
        let outcome = self.stop(&rejected);
        self.send(&judges.config, &escalated);
        outcome
    }

    /// Sends what people are to decide, in the time that is left: nothing waits for it.
    pub(super) fn send(&mut self, config: &Config, escalated: &[(git::CommitId, Document)]) {
        for (commit, document) in escalated {
            escalation::send(&config.task, document, Some(self.settings.asked_until), |notice| {
                (self.notify)(Note::Notice(commit.clone(), notice));
            });
        }
    }

    /// Decides about one commit; no verdict where that could not be done. With what a person is sent.
    pub(super) fn task(
        &mut self,
        runtime: &tokio::runtime::Runtime,
        judges: &TaskJudges,
        log: &TaskLog,
        content: &Content,
    ) -> (Option<TaskVerdict>, Option<Document>) {
        let commit = content.of.commit.clone();
        let task = Task {
            id: commit.to_string(),
            description: self.message(&content.of),
            is_commit_message: true,
            acceptance: judges.acceptance.clone(),
            item: task::by_agents(&judges.config, item(content)),
            risk: content.of.risk.clone(),
        };
        let wish = Wish {
            depth: None,
            fresh: self.settings.fresh,
            until: Some(self.settings.asked_until.into()),
        };
        let now = || Timestamp(jiff::Timestamp::now().as_microsecond());
        let logs = Logs::one(&log.path);
        let decided = task::decide(&judges.config, &judges.judges, &task, wish, logs, now, |_| ());
        match runtime.block_on(decided) {
            Ok(outcome) => {
                self.mark_unanswered(&commit, &outcome);
                let unlogged = outcome.unlogged.is_some();
                let verdict = outcome.decision.verdict;
                self.note_unlocked(outcome.unlocked.then_some(&log.path));
                let document = Document::for_task(&judges.config.task, &task, &outcome);
                (self.notify)(Note::Task(commit, Box::new(outcome)));
                // What is in no log stops nothing, as for pushes.
                if unlogged && verdict == TaskVerdict::Reject {
                    (self.notify)(Note::Unstopped);
                    return (None, document);
                }
                (Some(verdict), document)
            }
            Err(error) => {
                if self.settings.task_log.is_some() {
                    self.mark_all(&error);
                }
                (self.notify)(Note::Unlogged(error));
                (None, None)
            }
        }
    }

    /// Notes that judges of tasks did not answer about a commit, or that it is in no log what they said. That they
    /// leave it to a person is an answer; and what they say beside the judge of pushes stops nothing.
    fn mark_unanswered(&mut self, commit: &git::CommitId, outcome: &task::Outcome) {
        if self.settings.task_log.is_none() {
            return;
        }
        if let Some(error) = &outcome.unlogged {
            self.mark_all(error);
        }
        let unanswered = matches!(
            outcome.decision.reason,
            Some(
                Reason::ParseError
                    | Reason::Timeout
                    | Reason::Unreachable
                    | Reason::Budget
                    | Reason::Limit
                    | Reason::NotAsked
                    | Reason::Unfinished
            )
        );
        if unanswered {
            let why = outcome.explanation.as_deref().unwrap_or("the judges did not answer");
            self.mark(commit, RecordError::InvalidAnswer, why);
        }
    }

    /// The message of a commit, as far as a judge is shown one; its id where it has none.
    fn message(&self, of: &Wanted) -> String {
        let read = self.git.objects(std::slice::from_ref(&of.commit), MOST_COMMIT);
        let bytes = match read {
            Ok(Some(found)) => found.into_iter().flatten().next().map(|blob| blob.bytes),
            _ => None,
        };
        let bytes = bytes.unwrap_or_default();
        let text = String::from_utf8_lossy(&bytes);
        let message = text.split_once("\n\n").map_or("", |(_, message)| message).trim();
        let end = message.floor_char_boundary(Section::MOST_BYTES);
        match message.get(..end) {
            None | Some("") => format!("commit {}", of.commit),
            Some(message) => message.to_owned(),
        }
    }

    /// Stops the push where a rejected commit's files would arrive, all or some of them.
    fn stop(&mut self, rejected: &[Wanted]) -> Result<Outcome, git::Error> {
        if rejected.is_empty() || self.settings.mode == HookMode::Advisory {
            return Ok(Outcome::Passes);
        }
        let (mut blocking, mut mended) = (0, 0);
        for one in rejected {
            match self.arrival(one)? {
                Arrival::Gone => mended += 1,
                Arrival::Whole | Arrival::Part(_) => blocking += 1,
            }
        }
        if mended > 0 {
            (self.notify)(Note::Mended(mended));
        }
        if blocking == 0 {
            return Ok(Outcome::Passes);
        }
        (self.notify)(Note::Blocked(blocking));
        Ok(Outcome::Blocked)
    }

    /// Logs commits as tasks that nobody was asked about.
    pub(super) fn log_unasked_tasks<'a>(
        &mut self,
        log: &TaskLog,
        all: impl IntoIterator<Item = (&'a Wanted, RecordError, &'a str)>,
    ) {
        let at = self.common().now;
        let lines = all.into_iter().map(|(one, error, why)| {
            let id = one.commit.to_string();
            let paths = one.files.iter().map(|f| String::from_utf8_lossy(&f.path).into_owned());
            TaskRecord {
                reasoning: why.to_owned(),
                error: Some(error),
                commit: Some(id.clone()),
                author: Some(one.author.clone()),
                files: paths.collect(),
                risk: one.risk.clone(),
                ..TaskRecord::escalation(&id, &id, log.vocabulary, at)
            }
            .line()
        });
        let lines = match lines.collect::<Result<Vec<_>, _>>() {
            Ok(lines) if lines.is_empty() => return,
            Ok(lines) => lines,
            Err(error) => return (self.notify)(Note::Unwritable(error)),
        };
        let appended = append_to(&log.path, &lines, self.patience());
        self.note_appended(Some(appended));
    }
}
