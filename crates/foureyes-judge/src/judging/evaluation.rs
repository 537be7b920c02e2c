//! What came of judging one content.

use super::parts::sum;
use super::{Again, Item, Judge};
use crate::domain::{Improvement, Timestamp, Usage};
use crate::engine::answer::Lengths;
use crate::engine::finish::Finish;
use crate::engine::four_eyes::Decision;
use crate::engine::record::{Caveat, Content, Exchange, Mode, PushRecord, RecordError};
use crate::engine::rubric::Scores;
use crate::engine::verdict::{PushVerdict, Verdict};
use crate::provider::FailureKind;
use crate::text::escape::line;
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
    /// Requests made; 0 where nobody was asked.
    pub attempts: u32,
    /// Those of them to which nothing was answered: no calls of a model.
    pub unanswered: u32,
    /// Those of them whose connection ended without a reply.
    pub ended: u32,
    /// Time spent waiting between them.
    pub waited: Duration,
    /// Calls that may have cost something, of which nobody said how much.
    pub uncounted: u32,
    /// How the model ended its answer, where there is one.
    pub finish: Option<Finish>,
    /// Bytes of the answer by what they are.
    pub lengths: Option<Lengths>,
    /// The strictest verdict against the content that an answer states outside its thoughts, fitting or not.
    pub stated: Option<V>,
    /// What is to be asked once more, where the answer is none.
    pub again: Option<Again>,
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
            unanswered: 0,
            ended: 0,
            waited: Duration::ZERO,
            uncounted: 0,
            finish: None,
            lengths: None,
            stated: None,
            again: None,
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

    /// This one as the second answer to a question, with what the first took. Where none came, the first
    /// stands. It is no lottery: what the first states against the content, in whatever form, no later
    /// answer takes back.
    #[must_use]
    pub(super) fn after(self, first: Self) -> Self {
        let stated = [self.stated, first.stated].into_iter().flatten();
        let stated = stated.max_by_key(|verdict| verdict.strictness());
        let contradicted = first.stated.is_some() && self.verdict.passes();
        let came =
            [RecordError::InvalidAnswer, RecordError::FamilyRefused, RecordError::FamilyUnknown];
        let none_came = self.error.is_some_and(|error| !came.contains(&error));
        let (mut stays, other) = if none_came { (first, self) } else { (self, first) };
        stays.usage = sum(stays.usage, other.usage, |a, b| a.plus(b));
        stays.cost = sum(stays.cost, other.cost, |a, b| a + b);
        stays.latency = sum(stays.latency, other.latency, |a, b| a + b);
        stays.attempts += other.attempts;
        stays.unanswered += other.unanswered;
        stays.ended += other.ended;
        stays.waited += other.waited;
        stays.uncounted += other.uncounted;
        other.caveats.into_iter().for_each(|caveat| stays.note(caveat));
        (stays.stated, stays.again) = (stated, None);
        if contradicted {
            let why = "An earlier answer to the same question held against the content, so this one does not count.";
            stays.take_back(Some(RecordError::ContradictedAnswer), why);
            stays.scores = None;
            stays.suggestions.clear();
            stays.inconsistent = false;
        }
        stays
    }

    /// Calls of a model: requests without those to which nothing was answered.
    pub fn calls(&self) -> u32 {
        self.attempts.saturating_sub(self.unanswered)
    }

    /// How the answer came about, for a record.
    pub fn exchange(&self) -> Exchange {
        let waited = u64::try_from(self.waited.as_millis()).unwrap_or(u64::MAX);
        Exchange {
            finish: self
                .finish
                .as_ref()
                .and_then(Finish::reason)
                .map(|reason| line(reason).into_owned()),
            tries: (self.unanswered > 0).then_some(self.unanswered),
            waited_ms: (waited > 0).then_some(waited),
            answer_bytes: self.lengths,
        }
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
            exchange: self.exchange(),
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
