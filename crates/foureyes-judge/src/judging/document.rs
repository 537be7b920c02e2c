//! An evaluation as the document that a service signs, and back.

use super::Evaluation;
use super::evaluate::look_at_families;
use crate::engine::finish::Finish;
use crate::engine::four_eyes::{Decision, Rule};
use crate::engine::judgements::EvaluationDocument;
use crate::engine::record::Caveat;
use crate::engine::verdict::{Kind, Verdict};
use std::time::Duration;

impl<V: Verdict> Evaluation<V> {
    /// It in the words of a kind. Four eyes are no part of it: they are decided for each client.
    pub fn document(&self, kind: &Kind<V>) -> EvaluationDocument {
        let of_client = |c: &Caveat| matches!(c, Caveat::SameFamily | Caveat::FamilyUnknown);
        EvaluationDocument {
            verdict: kind.word(self.verdict).to_owned(),
            scores: self.scores,
            inconsistent: self.inconsistent,
            findings: self.findings.clone(),
            suggestions: self.suggestions.clone(),
            caveats: self.caveats.iter().filter(|c| !of_client(c)).copied().collect(),
            error: self.error,
            judge_model: self.judge_model.clone(),
            served_model: self.served_model.clone(),
            usage: self.usage,
            cost: self.cost,
            latency_ms: self.latency_ms(),
            attempts: self.attempts,
            exchange: self.exchange(),
            prompt_sha: self.prompt_sha.clone(),
            judge_sha: self.judge_sha.clone(),
            content: self.content.clone(),
            answer: self.answer.clone(),
            parts: self.parts,
        }
    }

    /// Reads one; `None` where its verdict is no word of the kind, or a score is none.
    pub fn of_document(
        kind: &Kind<V>,
        document: EvaluationDocument,
        content_sha: &str,
    ) -> Option<Self> {
        let is_score = |score: &u8| (1..=5).contains(score);
        if document.scores.is_some_and(|scores| !scores.all().iter().all(is_score)) {
            return None;
        }
        // One word may stand for several verdicts where there is none.
        let verdict = kind.verdict(&document.verdict)?;
        Some(Self {
            // Whatever else is signed: without a verdict that counts, none does.
            verdict: if document.error.is_none() { verdict } else { V::NONE },
            scores: document.scores,
            inconsistent: document.inconsistent,
            findings: document.findings,
            suggestions: document.suggestions,
            caveats: document.caveats,
            error: document.error,
            four_eyes: None,
            judge_model: document.judge_model,
            served_model: document.served_model,
            usage: document.usage,
            cost: document.cost,
            latency: document.latency_ms.map(Duration::from_millis),
            attempts: document.attempts,
            unanswered: document.exchange.tries.unwrap_or(0),
            ended: 0,
            waited: Duration::from_millis(document.exchange.waited_ms.unwrap_or(0)),
            uncounted: 0,
            finish: document.exchange.finish.map(|reason| Finish::read(Some(&reason), false)),
            lengths: document.exchange.answer_bytes,
            stated: None,
            again: None,
            prompt_sha: document.prompt_sha,
            judge_sha: document.judge_sha,
            content_sha: content_sha.to_owned(),
            content: document.content,
            answer: document.answer,
            raw: None,
            parts: document.parts,
        })
    }

    /// Has a decision about author and judge count.
    pub fn decide_families(&mut self, decision: &Decision, rule: Rule) {
        look_at_families(self, decision, rule);
        self.four_eyes = Some(decision.clone());
    }

    /// Notes that a file of answers stood in for the judge.
    pub fn note_scripted(&mut self) {
        self.note(Caveat::Scripted);
    }
}
