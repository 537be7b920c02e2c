//! What was judged: changes of a family, and runs of the judges of tasks with what they took.

use crate::domain::review::Reviews;
use crate::domain::{Family, JudgementKind, Outcome, Record, RecordId, Timestamp, Window};
use crate::engine::cost::Prices;
use crate::engine::panel::Depth;
use crate::engine::risk::{RiskDepth, RiskNote};
use crate::frame::query::{Node, Query, Scope, Term};
use crate::store::cache::{Archive, RowError};
use std::collections::BTreeMap;

/// What judging took. What is not known of one part is not known of the whole.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub struct Spent {
    /// Requests.
    pub calls: u64,
    /// Tokens of questions and answers.
    pub tokens: Option<u64>,
    /// Its cost.
    pub cost: Option<f64>,
    /// Seconds until its end.
    pub seconds: Option<f64>,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Decided {
    /// Accepted.
    Accept,
    /// Rejected.
    Reject,
    /// Left to a person.
    Person,
}

/// A run of the judges of tasks that ended.
#[derive(Debug, Clone, PartialEq)]
pub struct PastRun {
    /// Its last record.
    pub id: RecordId,
    /// How many judges it was to ask.
    pub depth: Depth,
    /// What it took.
    pub spent: Spent,
    /// Whether its first judge accepted; `None` where that one gave no verdict.
    pub quick_accepts: Option<bool>,
    /// How it ended.
    pub decided: Decided,
    /// What was judged.
    pub content_sha: Option<String>,
}

/// A change that was judged.
#[derive(Debug, Clone, PartialEq)]
pub struct PastChange {
    /// The record of its verdict.
    pub id: RecordId,
    /// When.
    pub at: Timestamp,
    /// Its commit.
    pub commit: Option<String>,
    /// Who wrote it.
    pub author: String,
    /// The files that were judged.
    pub files: Vec<String>,
    /// What the record says of its risk.
    pub note: Option<RiskNote>,
    /// How deep it was judged.
    pub depth: RiskDepth,
    /// What that took.
    pub spent: Spent,
    /// Whether the judge was against it, or left it open.
    pub is_flagged: bool,
    /// What was judged.
    pub content_sha: Option<String>,
}

/// What is known of the past.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Past {
    /// Since when; `None` where it is all that there is.
    pub since: Option<Timestamp>,
    /// The changes, in order of time.
    pub changes: Vec<PastChange>,
    /// The runs of judges of tasks.
    pub runs: Vec<PastRun>,
}

/// Reads what was judged since a moment.
///
/// # Errors
/// A log or cache that cannot be read.
pub fn past(
    archive: &Archive,
    family: JudgementKind,
    since: Timestamp,
    now: Timestamp,
    prices: &Prices,
) -> Result<Past, RowError> {
    let scope = Scope { boxes: archive.boxes(), now, reviews: Reviews::none() };
    let window = Window { from: Some(since), ..Window::ALL };
    let mut all = Gathered { prices, family, past: Past::default(), lines: BTreeMap::new() };
    let rows = archive.matching(&Query::new(any_of(Family::with_rounds())), &scope, window)?;
    archive.each_record::<RowError>(&rows, |located| {
        all.line(located.record);
        Ok(())
    })?;
    all.runs();
    if !family.has_rounds() {
        let parts = vec![any_of(family.families()), Node::Term(Term::Repeat(false))];
        let rows = archive.matching(&Query::new(Node::And(parts)), &scope, window)?;
        archive.each_record::<RowError>(&rows, |located| {
            all.push(&located.record);
            Ok(())
        })?;
    }
    let mut past = Past { since: Some(since), ..all.past };
    past.changes.sort_by_key(|change| (change.at, change.id));
    Ok(past)
}

struct Gathered<'a> {
    prices: &'a Prices,
    family: JudgementKind,
    past: Past,
    /// Lines of each run.
    lines: BTreeMap<String, Vec<Record>>,
}

/// The records of some families.
fn any_of(families: impl Iterator<Item = Family>) -> Node {
    Node::Or(families.map(|family| Node::Term(Term::Family(family))).collect())
}

impl Gathered<'_> {
    fn line(&mut self, record: Record) {
        if let Some(run) = record.run.clone() {
            self.lines.entry(run).or_default().push(record);
        }
    }

    fn runs(&mut self) {
        for mut lines in std::mem::take(&mut self.lines).into_values() {
            lines.sort_by_key(|line| line.round);
            let Some(run) = self.run(&lines) else { continue };
            if self.family.has_rounds()
                && let Some(last) = lines.last()
            {
                let is_flagged = run.decided != Decided::Accept;
                let change = change(last, run.depth.into(), run.spent, is_flagged);
                self.past.changes.extend(change);
            }
            self.past.runs.push(run);
        }
    }

    /// A run of which the last line says how it ended, and that asked a judge.
    fn run(&self, lines: &[Record]) -> Option<PastRun> {
        let last = lines.last()?;
        let decided = match last.decision.as_deref()? {
            "accept" => Decided::Accept,
            "reject" => Decided::Reject,
            _ => Decided::Person,
        };
        let depth = Depth::named(last.depth.as_deref()?)?;
        let rounds: Vec<_> =
            lines.iter().filter(|line| line.judge_tier.as_deref() != Some("human")).collect();
        let is_scripted = |line: &&Record| {
            let caveats = line.extra::<Vec<String>>("caveats").unwrap_or_default();
            caveats.iter().any(|caveat| caveat == "scripted")
        };
        if rounds.is_empty() || rounds.iter().any(is_scripted) {
            return None;
        }
        let of = |tier: &str| rounds.iter().find(|line| line.judge_tier.as_deref() == Some(tier));
        let seconds = |tier| of(tier).map(|line| line.latency_ms.map(|ms| ms as f64 / 1000.0));
        let first = match (depth, seconds("quick"), seconds("deep")) {
            // Both are asked at the same time.
            (Depth::Panel, Some(a), Some(b)) => a.zip(b).map(|(a, b)| a.max(b)),
            (_, a, b) => a.unwrap_or(Some(0.0)).zip(b.unwrap_or(Some(0.0))).map(|(a, b)| a + b),
        };
        let third = seconds("tiebreaker").unwrap_or(Some(0.0));
        let each = rounds.iter().map(|line| self.spent(line));
        let sum = each.fold(Spent { tokens: Some(0), cost: Some(0.0), ..Spent::default() }, plus);
        let quick = of("quick").filter(|line| line.error.is_none());
        Some(PastRun {
            id: last.id,
            depth,
            spent: Spent { seconds: first.zip(third).map(|(a, b)| a + b), ..sum },
            quick_accepts: quick.map(|line| line.outcome == Some(Outcome::Go)),
            decided,
            content_sha: last.content_sha.clone(),
        })
    }

    fn push(&mut self, record: &Record) {
        if record.evaluation() != Some(self.family) {
            return;
        }
        let is_flagged = record.outcome != Some(Outcome::Go);
        self.past.changes.extend(change(record, RiskDepth::Quick, self.spent(record), is_flagged));
    }

    fn spent(&self, record: &Record) -> Spent {
        let model = record.model.as_deref().unwrap_or_default();
        let price = self.prices.of_call(model, record.served_model.as_deref());
        let usage = record.usage.filter(|usage| usage.is_whole());
        let tokens = |usage: crate::domain::Usage| {
            usage.prompt_tokens.unwrap_or(0).saturating_add(usage.completion_tokens.unwrap_or(0))
        };
        Spent {
            calls: record.extra("attempts").unwrap_or(1),
            tokens: usage.map(tokens),
            cost: price.zip(usage).and_then(|(price, usage)| price.cost(&usage)),
            seconds: record.latency_ms.map(|ms| ms as f64 / 1000.0),
        }
    }
}

fn plus(a: Spent, b: Spent) -> Spent {
    Spent {
        calls: a.calls.saturating_add(b.calls),
        tokens: a.tokens.zip(b.tokens).map(|(a, b)| a.saturating_add(b)),
        cost: a.cost.zip(b.cost).map(|(a, b)| a + b),
        seconds: None,
    }
}

fn change(record: &Record, depth: RiskDepth, spent: Spent, is_flagged: bool) -> Option<PastChange> {
    Some(PastChange {
        id: record.id,
        at: record.timestamp?,
        commit: record.commit.clone(),
        author: record.author.clone().unwrap_or_default(),
        files: record.files.clone(),
        note: record.extra("risk"),
        depth,
        spent,
        is_flagged,
        content_sha: record.content_sha.clone(),
    })
}
