//! Judging again: what was asked, what came of it, how it ended.
//!
//! These entries say what a judge answered to somebody who asked once more. They are no records of
//! a log, no labels and no overrides: no rate counts them, and nothing can be taken back by them.

use super::{Dated, EntryId, outcome_of};
use crate::domain::{Family, JudgementKind, Outcome, RecordId};
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Whose words a judge is asked in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PromptSource {
    /// The program's own.
    #[default]
    Ours,
    /// A file of the operator.
    #[serde(rename = "file")]
    Own,
    /// The one that a box uses.
    Box,
}

impl PromptSource {
    /// The word in files and on the screen.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Ours => "ours",
            Self::Own => "file",
            Self::Box => "box",
        }
    }
}

/// The prompt of a run.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct PromptUsed {
    /// Whose words they are.
    pub source: PromptSource,
    /// The file, or the box. Raw text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// BLAKE3 of template, rubric and the words of the program, hexadecimal.
    pub sha: String,
}

/// One content that a run is to judge.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunItem {
    /// The record that is judged again; none where a file of this machine is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordId>,
    /// What that record said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub was: Option<Outcome>,
    /// Its commit. Raw text.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Its files. Raw text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<String>,
}

/// The task that the judges of tasks are asked about; such a run has one item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunTask {
    /// Its id. Raw text.
    pub id: String,
    /// How many judges look at it: `sequential` or `panel`.
    pub depth: String,
}

/// How the items of a peer review were drawn: each verdict by itself, by the secret key of the audit sample.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PeerDraw {
    /// Probability with which a verdict is drawn, in [0, 1].
    pub rate: f64,
    /// The same of verdicts in doubt: a NO-GO, a low mean of scores, or none.
    pub doubt_rate: f64,
}

/// A run begins; it is named by the entry that says so.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct RunBegun {
    /// The model that is asked for; of a task those of its judges, with commas between. Raw text.
    pub model: String,
    /// The prompt; of a task that of its first judge.
    pub prompt: PromptUsed,
    /// Most that it may cost, in the currency of the prices.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cap: Option<f64>,
    /// The earlier run whose items these are, in the same order.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub repeats: Option<EntryId>,
    /// The task, where the judges of tasks are asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task: Option<RunTask>,
    /// The draw, where it is a peer review: the items are verdicts that a judge of another family reviews.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub peer: Option<PeerDraw>,
    /// What is to be judged, in order.
    pub items: Vec<RunItem>,
}

/// What came of judging one item of a run; of a task, one round of it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Evaluated {
    /// The run.
    pub run: EntryId,
    /// Which item of it, from 0.
    pub item: u32,
    /// The record that it answers, where it answers one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<RecordId>,
    /// The prompt.
    pub prompt: PromptUsed,
    /// What it cost, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Whose words its verdict is in.
    #[serde(default, skip_serializing_if = "JudgementKind::is_default")]
    pub family: JudgementKind,
    /// The evaluation, exactly as a line of a log of its family: with its commit and files. The last
    /// round of a task has the decision.
    pub evaluation: Value,
}

/// Errors of an evaluation that a judge answered, or that was not to be judged: no failure of asking.
const NO_FAILURE: [&str; 4] = ["contradicted_answer", "bypassed", "history", "empty"];

impl Evaluated {
    /// Why asking failed, in the word of the evaluation; `None` where there is an answer that counts.
    pub fn failure(&self) -> Option<&str> {
        let error = self.evaluation.get("error").filter(|_| self.decision().is_none())?;
        let word = error.as_str().unwrap_or("other");
        (!NO_FAILURE.contains(&word)).then_some(word)
    }

    /// What a task came to, as its last round says: accept, reject or escalate.
    pub fn decision(&self) -> Option<&str> {
        self.evaluation.get("decision")?.as_str()
    }

    /// Whether a judge gave it: the last line of a task that a person decides is nobody's.
    pub fn is_judged(&self) -> bool {
        self.evaluation.get("mode").and_then(Value::as_str) != Some("escalation")
    }
}

/// A run ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct RunEnded {
    /// The run.
    pub run: EntryId,
    /// Items that were not judged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub left: Vec<ItemLeft>,
}

/// An item that was not judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ItemLeft {
    /// Which item, from 0.
    pub item: u32,
    /// Why, in a few words.
    pub why: String,
}

impl ItemLeft {
    /// Why, where a call was made and cut off: it may have been charged.
    pub const CUT: &'static str = "cut off while it was asked";
}

/// What came of a peer review of a verdict that is GO or NO-GO.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PeerOpinion {
    /// The peer gave the same verdict.
    Agrees,
    /// The peer gave the other verdict.
    Differs,
    /// The peer was asked and gave none.
    Undetermined,
}

/// All that ledgers say of one run.
#[derive(Debug, Clone, PartialEq)]
pub struct Run {
    /// What was asked, when and by whom.
    pub begun: Dated<RunBegun>,
    /// What came of it, in the order in which it came.
    pub evaluations: Vec<Dated<Evaluated>>,
    /// How it ended; `None` where nobody said so: it runs still, or was cut off.
    pub ended: Option<Dated<RunEnded>>,
}

impl Run {
    /// A run that has only begun.
    pub fn new(begun: Dated<RunBegun>) -> Self {
        Self { begun, evaluations: Vec::new(), ended: None }
    }

    /// Its name.
    pub fn id(&self) -> EntryId {
        self.begun.entry
    }

    /// What the record of an item said before.
    pub fn was(&self, item: usize) -> Option<Outcome> {
        self.begun.what.items.get(item)?.was
    }

    /// What came of an item; of a task, its last round so far.
    pub fn evaluation(&self, item: usize) -> Option<&Dated<Evaluated>> {
        self.evaluations.iter().rev().find(|e| e.what.item as usize == item)
    }

    /// Why asking about an item failed; see [`Evaluated::failure`].
    pub fn failure(&self, item: usize) -> Option<&str> {
        self.evaluation(item)?.what.failure()
    }

    /// The outcome of an item; of a task that of its decision, and `None` before there is one. Where
    /// asking failed there is none: what the record said before has not changed.
    pub fn outcome(&self, item: usize) -> Option<Outcome> {
        let evaluated = &self.evaluation(item)?.what;
        if evaluated.failure().is_some() {
            return None;
        }
        match self.begun.what.task {
            Some(_) => Family::Task.outcome(evaluated.decision()?),
            None => outcome_of(evaluated.family, &evaluated.evaluation),
        }
    }

    /// What a peer review came to, record by record; nothing where the run is none. A later one of the
    /// same record follows an earlier one.
    pub fn peer_opinions(&self) -> impl Iterator<Item = (RecordId, PeerOpinion)> {
        let items = self.begun.what.peer.map(|_| self.begun.what.items.iter().enumerate());
        items.into_iter().flatten().filter_map(|(at, item)| {
            let failed = self.failure(at).map(|_| Outcome::Undetermined);
            let opinion = match (item.was?, self.outcome(at).or(failed)?) {
                (Outcome::Undetermined, _) => return None,
                (_, Outcome::Undetermined) => PeerOpinion::Undetermined,
                (was, is) if was == is => PeerOpinion::Agrees,
                _ => PeerOpinion::Differs,
            };
            Some((item.record?, opinion))
        })
    }

    /// Why an item was not judged, where somebody said.
    pub fn left(&self, item: usize) -> Option<&str> {
        let left = &self.ended.as_ref()?.what.left;
        left.iter().find(|l| l.item as usize == item).map(|l| l.why.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::review::Act;

    #[test]
    fn run_round_trips() {
        let prompt =
            PromptUsed { source: PromptSource::Box, name: Some("small".into()), sha: "ab".into() };
        let run = EntryId([3; 16]);
        let acts = [
            Act::Run(Box::new(RunBegun {
                model: "fastest".into(),
                prompt: prompt.clone(),
                cap: Some(0.5),
                repeats: Some(EntryId([4; 16])),
                task: Some(RunTask { id: "issue-7".into(), depth: "panel".into() }),
                peer: Some(PeerDraw { rate: 0.05, doubt_rate: 0.5 }),
                items: vec![RunItem { was: Some(Outcome::NoGo), ..RunItem::default() }],
            })),
            Act::Evaluation(Box::new(Evaluated {
                run,
                item: 0,
                record: None,
                prompt,
                cost: None,
                family: JudgementKind::Task,
                evaluation: serde_json::json!({"verdict": "accept"}),
            })),
            Act::RunEnd(RunEnded { run, left: vec![ItemLeft { item: 1, why: "time".into() }] }),
        ];
        for act in acts {
            assert_eq!(Act::read(act.kind(), act.body().unwrap()), act);
            assert!(!act.is_undoable(), "{}", act.kind());
            assert!(act.labels().is_empty());
        }
    }

    #[test]
    fn a_run_of_an_older_ledger_repeats_none() {
        let body = serde_json::json!({"model": "m", "prompt": {"source": "ours", "sha": "ab"}, "items": []});
        let Act::Run(begun) = Act::read("run", body.clone()) else { panic!("{body}") };
        assert_eq!((begun.repeats, &begun.task, begun.peer), (None, &None, None));
        assert_eq!(Act::Run(begun).body().unwrap(), body);
    }
}
