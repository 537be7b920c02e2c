//! Runs of judging again, for programs; plain text is made of the same.

use super::comparison::{self, ComparisonRow};
use crate::domain::review::{Evaluated, PromptUsed, Run, RunFigures, RunItem};
use crate::domain::{Dimension, Outcome, Record};
use crate::jsonl;
use crate::text::mask::mask;
use schemars::JsonSchema;
use serde::Serialize;
use std::collections::BTreeMap;

/// All runs of judging again that ledgers tell of, the newest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Runs {
    /// `foureyes/runs/1`.
    schema: &'static str,
    /// The runs.
    pub(super) runs: Vec<RunRow>,
}

/// A run of judging again, and what came of each of its contents.
#[derive(Debug, Serialize, JsonSchema)]
pub struct OneRun {
    /// `foureyes/run/1`.
    schema: &'static str,
    /// The run.
    pub(super) run: RunRow,
    /// What it says beside what was said before of the same contents: by their records, and by the
    /// run that it repeats.
    pub(super) comparisons: Vec<ComparisonRow>,
    /// Its contents, in the order in which they were given.
    pub(super) items: Vec<ItemRow>,
}

/// A run.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RunRow {
    /// Its id.
    pub(super) id: String,
    /// When it began.
    pub(super) begun: String,
    /// When it ended; `null` where nobody wrote that down: it runs still, or was killed.
    pub(super) ended: Option<String>,
    /// Who asked.
    pub(super) reviewer: String,
    /// The model that was asked for.
    pub(super) model: String,
    /// The question.
    pub(super) prompt: PromptRow,
    /// Most that it might cost, in the currency of the prices.
    pub(super) cap: Option<f64>,
    /// Id of the earlier run whose contents it judged again.
    pub(super) repeats: Option<String>,
    /// The task, where the judges of tasks were asked; else `null`.
    pub(super) task: Option<TaskRow>,
    /// Contents that were to be judged.
    items: u64,
    /// Those that were.
    judged: u64,
    /// Those about which asking failed: they have no verdict, and none of them is `changed`.
    failed: u64,
    /// How many failed for which reason: `unauthorized`, `timeout`.
    failures: BTreeMap<String, u64>,
    /// Verdicts that differ from those before.
    changed: u64,
    /// Evaluations without a verdict for a reason that is not the content.
    errors: u64,
    /// Tokens of questions and answers, as far as they were counted.
    tokens: u64,
    /// Whether those are all of them.
    tokens_complete: bool,
    /// What it cost, as far as that is known, in the currency of the prices.
    cost: f64,
    /// Evaluations of which nobody knows what they cost.
    cost_unknown: u64,
    /// Calls that were cut off: they may have been charged.
    cut_off: u64,
    /// The same, to be said in words.
    #[serde(skip)]
    pub(super) figures: RunFigures,
    /// How the prompt is called.
    #[serde(skip)]
    pub(super) asked: String,
}

/// The task that a run is about.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct TaskRow {
    /// Its id.
    pub(super) id: String,
    /// How many judges looked at it: `sequential` or `panel`.
    pub(super) depth: String,
    /// Rounds that judges gave.
    rounds: u64,
}

/// A round of a task.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct RoundRow {
    /// Its number, from 1.
    pub(super) round: Option<u64>,
    /// `quick`, `deep`, `tiebreaker`, or `human` where a person decides.
    pub(super) tier: Option<String>,
    /// The model that answered, else the one that was asked for.
    pub(super) model: Option<String>,
    /// Its verdict, in the words of the run.
    pub(super) verdict: Option<String>,
    /// The scores, by dimension.
    pub(super) scores: BTreeMap<&'static str, f32>,
    /// Why there is no verdict, where that is not the content.
    pub(super) error: Option<String>,
    /// What was found. Secrets are masked.
    findings: Option<String>,
    /// What it cost, where that is known.
    cost: Option<f64>,
}

/// The question of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct PromptRow {
    /// `ours`, `file` or `box`.
    source: &'static str,
    /// The file, or the box.
    name: Option<String>,
    /// BLAKE3 of template, rubric and the words of the program, hexadecimal.
    pub(super) sha: String,
}

/// One content of a run.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct ItemRow {
    /// Its number, from 1.
    pub(super) number: u64,
    /// Id of the record that was judged again; `null` where a file was.
    pub(super) record: Option<String>,
    /// Its commit.
    pub(super) commit: Option<String>,
    /// Its files.
    pub(super) files: Vec<String>,
    /// The verdict of the record, where it had one.
    pub(super) was: Option<&'static str>,
    /// The verdict in the run that is repeated, where it had one.
    pub(super) then: Option<&'static str>,
    /// The verdict now; `null` where it was not judged.
    pub(super) now: Option<&'static str>,
    /// Whether they differ.
    pub(super) changed: bool,
    /// The scores now, by dimension.
    pub(super) scores: BTreeMap<&'static str, f32>,
    /// Why there is no verdict, where that is not the content.
    pub(super) error: Option<String>,
    /// Who answered.
    pub(super) served_model: Option<String>,
    /// What was found. Secrets are masked.
    pub(super) findings: Option<String>,
    /// What it cost, where that is known.
    pub(super) cost: Option<f64>,
    /// Why it was not judged, where somebody said.
    pub(super) not_judged: Option<String>,
    /// Of a task: what it came to, `accept`, `reject` or `escalate`; `null` where nothing was decided.
    pub(super) decision: Option<String>,
    /// Of a task: its rounds, in their order.
    pub(super) rounds: Vec<RoundRow>,
}

impl Runs {
    /// A document of these runs.
    pub fn new<'a>(runs: impl Iterator<Item = &'a Run>) -> Self {
        Self { schema: "foureyes/runs/1", runs: runs.map(RunRow::new).collect() }
    }
}

impl OneRun {
    /// A run, with the one that it repeats where that is there.
    pub fn new(run: &Run, before: Option<&Run>) -> Self {
        let items = run.begun.what.items.iter().enumerate();
        let items = items.map(|(at, item)| ItemRow::new(run, before, at, item)).collect();
        let comparisons = comparison::all(run, before);
        Self { schema: "foureyes/run/1", run: RunRow::new(run), comparisons, items }
    }
}

impl RunRow {
    fn new(run: &Run) -> Self {
        let (begun, figures) = (&run.begun, RunFigures::new(run));
        Self {
            id: run.id().to_string(),
            begun: begun.time.to_string(),
            ended: run.ended.as_ref().map(|ended| ended.time.to_string()),
            reviewer: begun.reviewer.clone(),
            model: begun.what.model.clone(),
            prompt: PromptRow::new(&begun.what.prompt),
            cap: begun.what.cap,
            repeats: begun.what.repeats.map(|run| run.to_string()),
            task: begun.what.task.as_ref().map(|task| TaskRow {
                id: task.id.clone(),
                depth: task.depth.clone(),
                rounds: figures.rounds as u64,
            }),
            items: figures.items as u64,
            judged: figures.judged as u64,
            failed: figures.failed() as u64,
            failures: figures.failures.iter().map(|(why, n)| (why.clone(), *n as u64)).collect(),
            changed: figures.changed as u64,
            errors: figures.errors as u64,
            tokens: figures.tokens,
            tokens_complete: figures.all_counted,
            cost: figures.cost,
            cost_unknown: figures.unpriced as u64,
            cut_off: figures.cut as u64,
            asked: crate::report::runs::prompt(&begun.what.prompt),
            figures,
        }
    }
}

impl PromptRow {
    fn new(prompt: &PromptUsed) -> Self {
        let source = prompt.source.as_str();
        Self { source, name: prompt.name.clone(), sha: prompt.sha.clone() }
    }
}

impl ItemRow {
    fn new(run: &Run, before: Option<&Run>, at: usize, item: &RunItem) -> Self {
        let evaluated = run.evaluation(at).map(|evaluated| &evaluated.what);
        let now = run.outcome(at);
        let then = before.and_then(|before| before.outcome(at));
        let mut row = Self {
            number: at as u64 + 1,
            record: item.record.map(|record| record.to_string()),
            commit: item.commit.clone(),
            files: item.files.clone(),
            was: item.was.map(Outcome::as_str),
            then: then.map(Outcome::as_str),
            now: now.map(Outcome::as_str),
            changed: item.was.is_some() && now.is_some() && item.was != now,
            scores: BTreeMap::new(),
            error: None,
            served_model: None,
            findings: None,
            cost: evaluated.and_then(|evaluated| evaluated.cost),
            not_judged: run.left(at).map(str::to_owned),
            decision: None,
            rounds: Vec::new(),
        };
        if run.begun.what.task.is_some() {
            row.decision = evaluated.and_then(|last| last.decision().map(str::to_owned));
            row.rounds =
                run.evaluations.iter().filter_map(|one| RoundRow::new(&one.what)).collect();
        }
        if let Some(evaluated) = evaluated {
            row.take(evaluated);
        }
        row
    }

    fn take(&mut self, evaluated: &Evaluated) {
        let Some(record) = read(evaluated) else { return };
        self.scores = scores(&record);
        self.error = record.error;
        self.served_model = record.served_model;
        self.findings = record.findings.map(|findings| mask(&findings).0.into_owned());
    }
}

impl RoundRow {
    fn new(evaluated: &Evaluated) -> Option<Self> {
        let record = read(evaluated)?;
        Some(Self {
            round: record.round,
            tier: record.judge_tier.clone(),
            scores: scores(&record),
            model: record.served_model.or(record.model),
            verdict: record.verdict,
            error: record.error,
            findings: record.findings.map(|findings| mask(&findings).0.into_owned()),
            cost: evaluated.cost,
        })
    }
}

/// Reads the evaluation as any line of a log is read.
fn read(evaluated: &Evaluated) -> Option<Record> {
    let raw = serde_json::to_vec(&evaluated.evaluation).ok()?;
    jsonl::read_one(&raw, &jsonl::Settings::default())
}

fn scores(record: &Record) -> BTreeMap<&'static str, f32> {
    let usable = |of: Dimension| Some((of.as_str(), record.scores.usable(of)?));
    Dimension::ALL.into_iter().filter_map(usable).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stored_schemas_are_those_of_the_documents() {
        crate::asset_tests::assert_asset("runs.schema.json", &schemars::schema_for!(Runs));
        crate::asset_tests::assert_asset("run.schema.json", &schemars::schema_for!(OneRun));
    }
}
