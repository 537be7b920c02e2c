//! What a task came to, for people and for agents.

use crate::config::Config;
use crate::domain::{Improvement, Timestamp};
use crate::engine::panel::{Consensus, Decision, Depth, Reason};
use crate::engine::record::TaskRecord;
use crate::judging::task::Task;
use crate::task::{Origin, Outcome};
use schemars::JsonSchema;
use serde::Serialize;

/// Most earlier runs that are listed, the newest.
const MOST_EARLIER: usize = 5;

/// What came of `foureyes judge --task-id`.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::cli::judge) struct Document {
    /// `foureyes/judge-task/1`.
    pub(super) schema: &'static str,
    /// The task.
    pub(super) task_id: String,
    /// `accept`, `reject`, or `escalate`: a person decides.
    pub(super) decision: String,
    /// The same in the words of the run.
    pub(super) verdict: String,
    /// Exit code of the command: 0, 1 or 2.
    pub(super) exit: u8,
    /// Why a person decides.
    pub(super) reason: Option<Reason>,
    /// That reason in a sentence.
    pub(super) explanation: Option<String>,
    /// What to do before an accepted result is used.
    pub(super) advice: Option<String>,
    /// How far the judges of a panel agree.
    pub(super) consensus: Option<Consensus>,
    /// How many judges were to look at it.
    pub(super) depth: Depth,
    /// What `--depth` asked for (`quick`, `sequential` or `auto`), where that was less and had no effect.
    pub(super) depth_without_effect: Option<&'static str>,
    /// The word or path that makes the task sensitive.
    pub(super) sensitive: Option<String>,
    /// `judges`, `log`, `person`, or `rules`, where nobody was asked: who gave the decision.
    pub(super) decided_by: &'static str,
    /// When the run in the log ended that decided.
    #[schemars(with = "Option<String>")]
    pub(super) decided_at: Option<Timestamp>,
    /// The person who decided, where named.
    pub(super) reviewer: Option<String>,
    /// The rounds of this run, as they are logged.
    pub(super) rounds: Vec<TaskRecord>,
    /// What to change, of all rounds, each once.
    pub(super) improvements: Vec<Improvement>,
    /// Earlier runs of the task, oldest first, at most five.
    pub(super) earlier: Vec<Earlier>,
    /// How often the task may be judged.
    pub(super) tries: Tries,
    /// Requests that were made.
    pub(super) calls: u32,
    /// What they cost, as far as that is known.
    pub(super) spent: f64,
    /// The log.
    pub(super) log: String,
}

/// An earlier run of the task.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Earlier {
    /// When it ended.
    #[schemars(with = "Option<String>")]
    pub(super) at: Option<Timestamp>,
    /// What it came to, after what a person decided; `null` where it failed.
    pub(super) decision: Option<&'static str>,
    /// What its last judge found.
    pub(super) reasoning: String,
    /// What its judges wanted changed.
    pub(super) improvements: Vec<Improvement>,
}

/// How often a task may be judged before a person decides.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Tries {
    /// Used up, this one included.
    pub(super) used: u32,
    /// Left.
    pub(super) left: u32,
}

impl Document {
    pub(super) fn new(config: &Config, task: &Task, outcome: &Outcome) -> Self {
        let decision = &outcome.decision;
        let run = outcome.run.as_ref();
        let rounds: Vec<TaskRecord> = run
            .into_iter()
            .flat_map(|run| &run.rounds)
            .map(|round| round.record.logged())
            .collect();
        let (decided_by, decided_at, reviewer) = match &outcome.origin {
            Origin::Now if run.is_some_and(|run| run.calls == 0) => ("rules", None, None),
            Origin::Now => ("judges", None, None),
            Origin::Log(at) => ("log", at.map(Timestamp::whole_second), None),
            Origin::Person(who) => ("person", None, who.clone()),
        };
        let logged = outcome.logged.iter().flat_map(|run| &run.improvements);
        let mut improvements: Vec<Improvement> = Vec::new();
        for one in rounds.iter().flat_map(|round| &round.improvements).chain(logged) {
            if !improvements.contains(one) {
                improvements.push(one.clone());
            }
        }
        Self {
            schema: "foureyes/judge-task/1",
            task_id: task.id.clone(),
            decision: decision.word().to_owned(),
            verdict: config.task.vocabulary.kind().word(decision.verdict).to_owned(),
            exit: decision.exit_code(),
            reason: decision.reason,
            explanation: outcome.explanation.clone(),
            advice: advice(&rounds, outcome),
            consensus: decision.consensus,
            depth: outcome.depth,
            depth_without_effect: None,
            sensitive: outcome.sensitive.clone(),
            decided_by,
            decided_at,
            reviewer,
            earlier: earlier(outcome),
            improvements,
            tries: Tries { used: outcome.tries, left: outcome.tries_left(config.task.tries) },
            calls: run.map_or(0, |run| run.calls),
            spent: run.map_or(0.0, |run| run.spend.spent),
            log: outcome.log.display().to_string(),
            rounds,
        }
    }
}

/// What to do before what was accepted is used.
fn advice(rounds: &[TaskRecord], outcome: &Outcome) -> Option<String> {
    let logged = || outcome.logged.as_ref().filter(|_| outcome.needs_check());
    let now = rounds.iter().rev().find_map(|round| round.advice.clone());
    now.or_else(|| logged().and_then(|run| run.advice.clone()))
}

fn earlier(outcome: &Outcome) -> Vec<Earlier> {
    let runs: Vec<_> = outcome.history.runs.iter().filter(|run| run.is_of_task).collect();
    let newest = runs.get(runs.len().saturating_sub(MOST_EARLIER)..).unwrap_or_default();
    let word = |verdict| Decision { verdict, reason: None, consensus: None }.word();
    let one = |run: &&crate::verdict_log::LoggedRun| Earlier {
        at: run.at.map(Timestamp::whole_second),
        decision: run.holds().map(word),
        reasoning: run.reasoning.clone(),
        improvements: run.improvements.clone(),
    };
    newest.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schema_is_that_of_the_document() {
        let schema = schemars::schema_for!(Document);
        crate::asset_tests::assert_asset("judge-task.schema.json", &schema);
    }
}
