//! What came of judging one content.

use super::parts::sum;
use super::{Item, Judge};
use crate::domain::{Improvement, Timestamp, Usage};
use crate::engine::four_eyes::Decision;
use crate::engine::record::{Caveat, Content, Mode, PushRecord, RecordError};
use crate::engine::rubric::Scores;
use crate::engine::verdict::{PushVerdict, Verdict};
use crate::provider::FailureKind;
use std::time::Duration;

/// What came of judging one content. Its texts may be hostile.
#[derive(Debug, Clone, PartialEq)]
pub struct Evaluation<V = PushVerdict> {
    /// The verdict.
    pub verdict: V,
    /// The scores, where the judge gave some that count.
    pub scores: Option<Scores>,
    /// Whether the judge's own verdict contradicted the rule's.
    pub inconsistent: bool,
    /// What the judge found, or why there is no verdict.
    pub findings: String,
    /// What the judge suggests.
    pub suggestions: Vec<Improvement>,
    /// What to know before trusting the verdict.
    pub caveats: Vec<Caveat>,
    /// Why there is no verdict.
    pub error: Option<RecordError>,
    /// What was decided about author and judge, last.
    pub four_eyes: Option<Decision>,
    /// The model that was asked for.
    pub judge_model: String,
    /// The model that answered.
    pub served_model: Option<String>,
    /// Tokens.
    pub usage: Option<Usage>,
    /// What it cost, where tokens and price are known.
    pub cost: Option<f64>,
    /// From the first call to the last byte; `None` where nobody was asked.
    pub latency: Option<Duration>,
    /// Calls made; 0 where nobody was asked.
    pub attempts: u32,
    /// Calls that may have cost something, of which nobody said how much.
    pub uncounted: u32,
    /// Version of the question.
    pub prompt_sha: Option<String>,
    /// Hash of how the judge is asked: see [`Judge::judge_sha`].
    pub judge_sha: Option<String>,
    /// Hash of the content.
    pub content_sha: String,
    /// Sizes of the content, where a question was made of it.
    pub content: Option<Content>,
    /// The beginning of an answer that is no verdict.
    pub answer: Option<String>,
    /// The answer, whole; of several parts all answers, one after the other.
    pub raw: Option<String>,
    /// In how many parts it was judged.
    pub parts: u32,
}

impl<V: Verdict> Evaluation<V> {
    /// An evaluation in which nobody was asked, and why.
    pub fn not_asked(model: &str, item: &Item, error: RecordError, why: impl Into<String>) -> Self {
        Self {
            verdict: V::NONE,
            scores: None,
            inconsistent: false,
            findings: why.into(),
            suggestions: Vec::new(),
            caveats: Vec::new(),
            error: Some(error),
            four_eyes: None,
            judge_model: model.to_owned(),
            served_model: None,
            usage: None,
            cost: None,
            latency: None,
            attempts: 0,
            uncounted: 0,
            prompt_sha: None,
            judge_sha: None,
            content_sha: item.material().sha(),
            content: None,
            answer: None,
            raw: None,
            parts: 1,
        }
    }

    /// The same by a judge whose question is known.
    pub(super) fn by(judge: &Judge<V>, item: &Item, error: RecordError, why: String) -> Self {
        let (prompt_sha, judge_sha) = (Some(judge.prompt_sha()), Some(judge.judge_sha()));
        Self { prompt_sha, judge_sha, ..Self::not_asked(&judge.model, item, error, why) }
    }

    /// Takes the verdict back: what was found stays, as something that was said.
    pub(super) fn take_back(&mut self, error: Option<RecordError>, why: &str) {
        self.verdict = V::NONE;
        self.error = error;
        let own = std::mem::take(&mut self.findings);
        self.findings =
            if own.is_empty() { why.to_owned() } else { format!("{why} It said: {own}") };
    }

    /// This one, with what an earlier try took.
    #[must_use]
    pub(super) fn after(mut self, earlier: Self) -> Self {
        self.usage = sum(self.usage, earlier.usage, |a, b| a.plus(b));
        self.cost = sum(self.cost, earlier.cost, |a, b| a + b);
        self.latency = sum(self.latency, earlier.latency, |a, b| a + b);
        self.attempts += earlier.attempts;
        self.uncounted += earlier.uncounted;
        self
    }

    /// Milliseconds of all calls; `None` where nobody was asked.
    pub fn latency_ms(&self) -> Option<u64> {
        self.latency.map(|latency| u64::try_from(latency.as_millis()).unwrap_or(u64::MAX))
    }

    /// Notes what to know, once.
    pub(super) fn note(&mut self, caveat: Caveat) {
        if !self.caveats.contains(&caveat) {
            self.caveats.push(caveat);
        }
    }
}

impl Evaluation {
    /// The record of it, to be logged.
    pub fn record(&self, item: &Item, at: Timestamp, mode: Option<Mode>) -> PushRecord {
        PushRecord {
            commit: item.commit.clone(),
            author: item.author.clone(),
            files_evaluated: item.material().paths(),
            scores: self.scores.into(),
            verdict: self.verdict,
            findings: self.findings.clone(),
            revision_suggestions: self.suggestions.iter().map(ToString::to_string).collect(),
            served_model: self.served_model.clone(),
            latency_ms: self.latency_ms(),
            error: self.error,
            prompt_sha: self.prompt_sha.clone(),
            judge_sha: self.judge_sha.clone(),
            content_sha: Some(self.content_sha.clone()),
            inconsistent: self.inconsistent,
            mode,
            usage: self.usage,
            caveats: self.caveats.clone(),
            content: self.content.clone(),
            attempts: (self.attempts > 1).then_some(self.attempts),
            answer: self.answer.clone(),
            parts: (self.parts > 1).then_some(self.parts),
            ..PushRecord::undetermined(&self.judge_model, at)
        }
    }
}

impl From<FailureKind> for RecordError {
    fn from(kind: FailureKind) -> Self {
        match kind {
            FailureKind::Timeout => Self::Timeout,
            FailureKind::Unavailable => Self::Unavailable,
            FailureKind::Unauthorized => Self::Unauthorized,
            FailureKind::RateLimited => Self::RateLimited,
            FailureKind::ServerError => Self::ServerError,
            FailureKind::InvalidAnswer => Self::InvalidAnswer,
        }
    }
}
