//! One run of the log, and what people decided about it.

use crate::domain::{Family, Improvement, Record, Timestamp};
use crate::engine::panel::{Consensus, Depth, Reason};
use crate::engine::verdict::{LADDER, TASK, TaskVerdict, Verdict as _};

/// A run that stands in the log.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LoggedRun {
    /// Its id; `None` of other writers' runs.
    pub id: Option<String>,
    /// Whether it is of the task that was looked for.
    pub is_of_task: bool,
    /// Whether it was the same in all, of whatever task.
    pub is_same: bool,
    /// What its judges came to; `None` where no judge gave a verdict.
    pub verdict: Option<TaskVerdict>,
    /// How many judges looked at it, where it says so.
    pub depth: Option<Depth>,
    /// Whether it says itself what it came to: one that was killed does not.
    pub is_decided: bool,
    /// Why a person decides, where the run says so.
    pub reason: Option<Reason>,
    /// How far its judges agreed.
    pub consensus: Option<Consensus>,
    /// What to do before what it accepted is used.
    pub advice: Option<String>,
    /// When its last line was written.
    pub at: Option<Timestamp>,
    /// What its last judge found.
    pub reasoning: String,
    /// What its judges wanted changed.
    pub improvements: Vec<Improvement>,
    /// The how many-th it is of those asked for by name; 0 of one that was not.
    pub fresh: u32,
    /// Verdicts that judges gave in it.
    pub rounds: Vec<LoggedRound>,
    /// What people decided about it and did not take back, oldest first.
    pub overrides: Vec<LoggedOverride>,
    pub(super) task_id: Option<String>,
    pub(super) records: Vec<String>,
    /// Where its last line is.
    pub(super) ended: Place,
    /// Whether another program wrote it: then its last line is what it came to.
    pub(super) is_foreign: bool,
    pub(super) failed: bool,
    /// Where its lines begin.
    pub(super) lines: Vec<Place>,
    /// Whether one of them was changed.
    pub(super) is_changed: bool,
    pub(super) decision: Option<TaskVerdict>,
}

/// A verdict that a judge gave.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedRound {
    /// What it was.
    pub verdict: TaskVerdict,
    /// Tier of the judge.
    pub tier: Option<String>,
    /// The model that answered, as far as that is known.
    pub served_model: Option<String>,
}

/// What a person decided.
#[derive(Debug, Clone, PartialEq)]
pub struct LoggedOverride {
    /// What.
    pub verdict: TaskVerdict,
    /// Who, where named.
    pub reviewer: Option<String>,
    pub(super) id: Option<String>,
    pub(super) place: Place,
    /// Whether its line was changed.
    pub(super) is_changed: bool,
}

/// Where a line is, and when it says that it was written.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Place {
    pub(super) file: usize,
    pub(super) byte: u64,
    pub(super) at: Option<Timestamp>,
}

impl Place {
    /// Whether it was written first: in one file by its order, between files by the clock.
    pub(super) fn precedes(&self, other: &Self) -> bool {
        match (self.at, other.at) {
            _ if self.file == other.file => self.byte < other.byte,
            (Some(own), Some(other)) => own <= other,
            _ => false,
        }
    }
}

impl LoggedOverride {
    /// Whether it was written after all of a run: then it decides about that.
    pub(super) fn covers(&self, run: &LoggedRun) -> bool {
        run.ended.precedes(&self.place)
    }
}

/// The last word on any of these runs.
pub(super) fn last_human_decision<'a>(
    runs: impl Iterator<Item = &'a LoggedRun>,
) -> Option<(&'a LoggedRun, &'a LoggedOverride)> {
    let overrides = runs.flat_map(|run| run.overrides.iter().map(move |word| (run, word)));
    overrides.reduce(|last, next| if next.1.place.precedes(&last.1.place) { last } else { next })
}

impl LoggedRun {
    /// The last word of a person about it.
    pub fn decided(&self) -> Option<&LoggedOverride> {
        last_human_decision(std::iter::once(self)).map(|(_, word)| word)
    }

    /// What holds of it alone: a person's decision, else the judges'.
    pub fn holds(&self) -> Option<TaskVerdict> {
        self.decided().map(|word| word.verdict).or(self.verdict)
    }

    /// Whether a judge gave a verdict in it: then it counts as a try.
    pub fn is_judged(&self) -> bool {
        !self.rounds.is_empty()
    }

    /// Takes one of its lines.
    pub(super) fn take(&mut self, record: &Record, place: Place) {
        self.records.push(record.id.to_string());
        self.ended = place;
        self.lines.push(place);
        self.at = record.timestamp.or(self.at);
        self.take_decision(record);
        if record.judge_tier.as_deref() == Some("human") {
            return;
        }
        self.reasoning = record.findings.clone().unwrap_or_default();
        self.improvements.extend(record.improvements.iter().cloned());
        let verdict = verdict_of(record).filter(|_| record.error.is_none());
        if self.is_foreign {
            self.decision = verdict.map(of_last_round);
        }
        self.rounds.extend(verdict.map(|verdict| LoggedRound {
            verdict,
            tier: record.judge_tier.clone(),
            served_model: record.served_model.clone(),
        }));
    }

    /// Of several lines that say what it came to the strictest counts.
    fn take_decision(&mut self, record: &Record) {
        let word = record.decision.as_deref().and_then(|word| TASK.verdict(word));
        let Some(decision) = word.filter(|_| !self.is_foreign) else { return };
        let decision = match (decision, &record.advice) {
            (TaskVerdict::Accept, Some(_)) => TaskVerdict::AcceptAfterCheck,
            (other, _) => other,
        };
        if self.decision.is_some_and(|known| known.strictness() >= decision.strictness()) {
            return;
        }
        self.is_decided = true;
        self.decision = Some(decision);
        let reason = record.reason.as_deref();
        self.reason = reason.and_then(|name| Reason::ALL.into_iter().find(|r| r.name() == name));
        self.failed = self.reason.is_some_and(Reason::is_failure) || record.error.is_some();
        self.consensus = record.consensus.as_deref().and_then(Consensus::named);
        self.advice.clone_from(&record.advice);
    }

    /// Works out what its judges came to, once all of its lines are there. One that failed or was killed
    /// comes to what it found: a rejection is one, and everything else is for a person.
    pub(super) fn conclude(&mut self) {
        let rejected = self.rounds.iter().any(|round| round.verdict == TaskVerdict::Reject);
        let found = match self.rounds.is_empty() {
            _ if rejected => Some(TaskVerdict::Reject),
            true => None,
            false => Some(TaskVerdict::Escalate),
        };
        self.verdict = match self.decision {
            _ if self.is_foreign => self.decision,
            // A failure could not lift what an earlier run rejected.
            Some(TaskVerdict::Reject) => self.decision,
            Some(_) if !self.failed => self.decision,
            _ => found,
        };
    }
}

fn verdict_of(record: &Record) -> Option<TaskVerdict> {
    let kind = if record.family == Family::Ladder { &LADDER } else { &TASK };
    kind.verdict(record.verdict.as_deref()?)
}

/// What a run comes to whose last round says so.
fn of_last_round(verdict: TaskVerdict) -> TaskVerdict {
    match verdict {
        TaskVerdict::Improve => TaskVerdict::Escalate,
        other => other,
    }
}
