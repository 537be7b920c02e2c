//! A round as the line of a log.

use super::{Rules, Task};
use crate::domain::Timestamp;
use crate::engine::panel::{Decision, Reason, Tier};
use crate::engine::record::{Caveat, TaskRecord};
use crate::engine::verdict::TaskVerdict;
use crate::judging::Evaluation;

/// What an accept asks to be done before it is used.
const ADVICE: &str = "Check it where it runs before it is deployed.";

/// What the lines of a run share.
pub(super) struct Common<'a> {
    pub(super) task: &'a Task,
    pub(super) rules: Rules,
    pub(super) run: &'a str,
    pub(super) run_sha: &'a str,
    pub(super) fresh: u32,
}

impl Common<'_> {
    /// A line without a verdict.
    fn blank(&self, earlier: &[TaskRecord], at: Timestamp) -> TaskRecord {
        let item = &self.task.item;
        let round = u32::try_from(earlier.len()).unwrap_or(u32::MAX).saturating_add(1);
        let no_acceptance = self.task.acceptance.is_none().then_some(Caveat::NoAcceptance);
        TaskRecord {
            round,
            previous_rounds: earlier.iter().map(TaskRecord::as_earlier).collect(),
            depth: self.rules.depth,
            commit: item.commit.clone(),
            author: item.author.clone(),
            files: item.material().paths(),
            content_sha: Some(item.material().sha()),
            task_sha: Some(self.task.sha()),
            run_sha: Some(self.run_sha.to_owned()),
            fresh: self.fresh,
            risk: self.task.risk.clone(),
            caveats: no_acceptance.into_iter().collect(),
            ..TaskRecord::escalation(&self.task.id, self.run, self.rules.vocabulary, at)
        }
    }

    /// The line of a round.
    pub(super) fn round(
        &self,
        tier: Tier,
        evaluation: &Evaluation<TaskVerdict>,
        earlier: &[TaskRecord],
        at: Timestamp,
    ) -> TaskRecord {
        let blank = self.blank(earlier, at);
        let caveats = evaluation.caveats.iter().chain(&blank.caveats).copied().collect();
        let average = evaluation.scores.map(|scores| (scores.average() * 100.0).round() / 100.0);
        let after_check = evaluation.verdict == TaskVerdict::AcceptAfterCheck;
        let accepts = matches!(evaluation.verdict, TaskVerdict::Accept);
        TaskRecord {
            model: evaluation.judge_model.clone(),
            mode: tier.into(),
            judge_tier: tier.into(),
            verdict: self.rules.vocabulary.kind().word(evaluation.verdict).to_owned(),
            scores: evaluation.scores.into(),
            average,
            reasoning: evaluation.findings.clone(),
            improvements: match accepts {
                true => Vec::new(),
                false => evaluation.suggestions.clone(),
            },
            advice: after_check.then(|| ADVICE.to_owned()),
            served_model: evaluation.served_model.clone(),
            latency_ms: evaluation.latency_ms(),
            error: evaluation.error,
            prompt_sha: evaluation.prompt_sha.clone(),
            judge_sha: evaluation.judge_sha.clone(),
            inconsistent: evaluation.inconsistent,
            usage: evaluation.usage,
            caveats,
            content: evaluation.content.clone(),
            attempts: evaluation.attempts,
            exchange: evaluation.exchange(),
            answer: evaluation.answer.clone(),
            ..blank
        }
    }

    /// The last line of a run that a person decides.
    pub(super) fn escalation(
        &self,
        earlier: &[TaskRecord],
        decision: &Decision,
        why: &str,
        at: Timestamp,
    ) -> TaskRecord {
        let reason = decision.reason.unwrap_or(Reason::Disagreement);
        let blank = with_script(self.blank(earlier, at), earlier);
        TaskRecord {
            verdict: self.rules.vocabulary.kind().word(decision.verdict).to_owned(),
            reasoning: if why.is_empty() { reason.sentence() } else { why }.to_owned(),
            consensus: decision.consensus,
            decision: Some(decision.word().to_owned()),
            reason: Some(reason),
            ..blank
        }
    }
}

/// The last line of a run that judges decided says so.
pub(super) fn decided(
    record: TaskRecord,
    decision: &Decision,
    earlier: &[TaskRecord],
) -> TaskRecord {
    let record = with_script(record, earlier);
    let after_check = decision.verdict == TaskVerdict::AcceptAfterCheck;
    TaskRecord {
        consensus: decision.consensus,
        decision: Some(decision.word().to_owned()),
        advice: record.advice.clone().or_else(|| after_check.then(|| ADVICE.to_owned())),
        ..record
    }
}

/// A closing line counts for its whole run: one in which a file of answers took part is no evaluation.
fn with_script(mut record: TaskRecord, earlier: &[TaskRecord]) -> TaskRecord {
    let scripted = |record: &TaskRecord| record.caveats.contains(&Caveat::Scripted);
    if !scripted(&record) && earlier.iter().any(scripted) {
        record.caveats.push(Caveat::Scripted);
    }
    record
}
