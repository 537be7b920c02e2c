//! What a task came to, for people and for agents.

use crate::cli::judge::document::caveat_text;
use crate::cli::{Failure, output};
use crate::config::Config;
use crate::domain::{Improvement, Timestamp};
use crate::engine::panel::{Consensus, Depth, Reason};
use crate::engine::record::TaskRecord;
use crate::judging::task::Task;
use crate::task::{Origin, Outcome};
use crate::text::escape;
use schemars::JsonSchema;
use serde::Serialize;
use std::fmt::Write;

/// Columns of the text for people.
const WIDTH: usize = 100;
/// Most earlier runs that are listed, the newest.
const MOST_EARLIER: usize = 5;

/// What came of `foureyes judge --task-id`.
#[derive(Debug, Serialize, JsonSchema)]
pub(in crate::cli::judge) struct Document {
    /// `foureyes/judge-task/1`.
    schema: &'static str,
    /// The task.
    task_id: String,
    /// `accept`, `reject`, or `escalate`: a person decides.
    decision: String,
    /// The same in the words of the run.
    verdict: String,
    /// Exit code of the command: 0, 1 or 2.
    exit: u8,
    /// Why a person decides.
    reason: Option<Reason>,
    /// That reason in a sentence.
    explanation: Option<String>,
    /// What to do before an accepted result is used.
    advice: Option<String>,
    /// How far the judges of a panel agree.
    consensus: Option<Consensus>,
    /// How many judges were to look at it.
    depth: Depth,
    /// The word or path that makes the task sensitive.
    sensitive: Option<String>,
    /// `judges`, `log`, `person`, or `rules`, where nobody was asked: who gave the decision.
    decided_by: &'static str,
    /// When the run in the log ended that decided.
    #[schemars(with = "Option<String>")]
    decided_at: Option<Timestamp>,
    /// The person who decided, where named.
    reviewer: Option<String>,
    /// The rounds of this run, as they are logged.
    rounds: Vec<TaskRecord>,
    /// What to change, of all rounds, each once.
    improvements: Vec<Improvement>,
    /// Earlier runs of the task, oldest first, at most five.
    earlier: Vec<Earlier>,
    /// How often the task may be judged.
    tries: Tries,
    /// Requests that were made.
    calls: u32,
    /// What they cost, as far as that is known.
    spent: f64,
    /// The log.
    log: String,
}

/// An earlier run of the task.
#[derive(Debug, Serialize, JsonSchema)]
struct Earlier {
    /// When it ended.
    #[schemars(with = "Option<String>")]
    at: Option<Timestamp>,
    /// What it came to, after what a person decided; `null` where it failed.
    decision: Option<&'static str>,
    /// What its last judge found.
    reasoning: String,
    /// What its judges wanted changed.
    improvements: Vec<Improvement>,
}

/// How often a task may be judged before a person decides.
#[derive(Debug, Serialize, JsonSchema)]
struct Tries {
    /// Used up, this one included.
    used: u32,
    /// Left.
    left: u32,
}

impl Document {
    pub(super) fn new(config: &Config, task: &Task, outcome: &Outcome) -> Self {
        let decision = &outcome.decision;
        let run = outcome.run.as_ref();
        let rounds: Vec<TaskRecord> = run
            .into_iter()
            .flat_map(|run| &run.rounds)
            .map(|round| round.record.masked())
            .collect();
        let (decided_by, decided_at, reviewer) = match &outcome.origin {
            Origin::Now if run.is_some_and(|run| run.calls == 0) => ("rules", None, None),
            Origin::Now => ("judges", None, None),
            Origin::Log(at) => ("log", at.map(in_seconds), None),
            Origin::Person(who) => ("person", None, who.clone()),
        };
        let from_log = outcome.history.last().filter(|_| run.is_none());
        let logged = from_log.into_iter().flat_map(|last| &last.improvements);
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
            advice: rounds.iter().rev().find_map(|round| round.advice.clone()),
            consensus: decision.consensus,
            depth: outcome.depth,
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

    pub(super) fn print_json(&self) -> Result<(), Failure> {
        let text = serde_json::to_string_pretty(self).map_err(Failure::local)?;
        output::print(text + "\n")
    }

    pub(super) fn print(&self) -> Result<(), Failure> {
        output::print(self.plain())
    }

    fn plain(&self) -> String {
        let mut out = format!("{}\n", self.verdict);
        let mut line =
            |label: &str, text: &str| out.push_str(&escape::field(2, label, text, WIDTH));
        line("task:", &self.task_id);
        let from = match (self.decided_by, &self.reviewer, self.decided_at) {
            ("person", Some(who), _) => format!("a person: {who}"),
            ("person", None, _) => "a person".to_owned(),
            ("log", _, Some(at)) => format!("the log: the same content was judged at {at}"),
            ("log", ..) => "the log: the same content was judged before".to_owned(),
            ("rules", ..) => "the rules: nobody was asked".to_owned(),
            _ => format!("the judges, {}", self.depth.name()),
        };
        line("decided by:", &from);
        if let Some(explanation) = &self.explanation {
            line("why:", explanation);
        }
        if let Some(advice) = &self.advice {
            line("advice:", advice);
        }
        if let Some(sensitive) = &self.sensitive {
            line("sensitive:", sensitive);
        }
        self.table(&mut out);
        for round in &self.rounds {
            round_text(&mut out, round);
        }
        for one in &self.improvements {
            out.push_str("  improvement:\n");
            out.push_str(&escape::block(&one.to_string(), "  | ", WIDTH));
        }
        let Tries { used, left } = self.tries;
        let _ = writeln!(out, "  tries: {used} used, {left} left");
        if self.exit == 2 {
            let command = "foureyes override --task ID accept|reject";
            let _ = writeln!(out, "  a person decides with `{command}`");
        }
        if self.spent > 0.0 {
            let _ = writeln!(out, "  cost: {:.4}", self.spent);
        }
        out
    }

    /// The rounds with their scores.
    fn table(&self, out: &mut String) {
        if self.rounds.is_empty() {
            return;
        }
        out.push_str("  round  S P X  mean  verdict, model\n");
        for round in &self.rounds {
            let score = |score: Option<u8>| score.map_or("-".to_owned(), |score| score.to_string());
            let s = &round.scores;
            let mean = round.average.map_or("   -".to_owned(), |mean| format!("{mean:.2}"));
            let text = format!(
                "{:>5}  {} {} {}  {mean}  {}, {}",
                round.round,
                score(s.semantic),
                score(s.pragmatic),
                score(s.syntactic),
                round.verdict,
                round.model,
            );
            let _ = writeln!(out, "  {}", escape::line(&text));
        }
    }
}

fn in_seconds(at: Timestamp) -> Timestamp {
    Timestamp(at.0.div_euclid(1_000_000) * 1_000_000)
}

fn earlier(outcome: &Outcome) -> Vec<Earlier> {
    let runs: Vec<_> = outcome.history.runs.iter().filter(|run| run.is_of_task).collect();
    let newest = runs.get(runs.len().saturating_sub(MOST_EARLIER)..).unwrap_or_default();
    let one = |run: &&crate::verdict_log::LoggedRun| Earlier {
        at: run.at,
        decision: run.holds().map(|verdict| {
            crate::engine::panel::Decision { verdict, reason: None, consensus: None }.word()
        }),
        reasoning: run.reasoning.clone(),
        improvements: run.improvements.clone(),
    };
    newest.iter().map(one).collect()
}

/// What a round found, and what to know of it.
fn round_text(out: &mut String, round: &TaskRecord) {
    let label = format!("round {}:", round.round);
    out.push_str(&escape::field(2, &label, "", WIDTH));
    out.push_str(&escape::block(&round.reasoning, "  | ", WIDTH));
    for caveat in &round.caveats {
        out.push_str(&escape::field(4, "caveat:", caveat_text(*caveat), WIDTH));
    }
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
