//! The records of a run at the end of a task: a line for each round, and one where a person decides.

use super::Exchange;
use super::{Caveat, Content, RecordError, RecordScores, Tokens, bounded, is_zero};
use crate::domain::{Improvement, Timestamp, Usage};
use crate::engine::panel::{Consensus, Depth, Reason, Tier};
use crate::engine::risk::RiskNote;
use crate::engine::verdict::{TaskVerdict, Vocabulary};
use crate::text::mask::mask;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The format of the records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum TaskFormat {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/task/1")]
    Task1,
}

/// Who gave the verdict of a line.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaskTier {
    /// The first judge.
    Quick,
    /// The second.
    Deep,
    /// The third.
    Tiebreaker,
    /// Nobody yet: a person decides.
    Human,
}

/// What kind of line it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum TaskMode {
    /// A round of the first judge.
    Quick,
    /// A round of the second.
    Deep,
    /// A round of the third.
    Tiebreaker,
    /// The last line of a run that a person decides.
    Escalation,
}

impl From<Tier> for TaskTier {
    fn from(tier: Tier) -> Self {
        match tier {
            Tier::Quick => Self::Quick,
            Tier::Deep => Self::Deep,
            Tier::Tiebreaker => Self::Tiebreaker,
        }
    }
}

impl From<Tier> for TaskMode {
    fn from(tier: Tier) -> Self {
        match tier {
            Tier::Quick => Self::Quick,
            Tier::Deep => Self::Deep,
            Tier::Tiebreaker => Self::Tiebreaker,
        }
    }
}

/// An earlier round of the same run, as a later line lists it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EarlierRound {
    /// Its number, from 1.
    pub round: u32,
    /// The model that was asked for.
    pub model: String,
    /// Its verdict.
    pub verdict: String,
    /// The mean of its scores, with two digits; `null` where it has none.
    pub average: Option<f64>,
}

/// One line of the log of tasks.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct TaskRecord {
    /// The task, as the caller names it.
    pub task_id: String,
    /// The model that was asked for; `human` where a person decides.
    pub model: String,
    /// What kind of line it is.
    pub mode: TaskMode,
    /// The verdict, in the words of the run's vocabulary.
    pub verdict: String,
    /// The scores, all three or none.
    pub scores: RecordScores,
    /// The mean of the scores, with two digits; `null` where there are none.
    pub average: Option<f64>,
    /// What decided the scores, or why there is no verdict.
    pub reasoning: String,
    /// What the judge wants changed; none where it accepts.
    pub improvements: Vec<Improvement>,
    /// When the round ended, in UTC, in whole seconds.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub timestamp: Timestamp,
    /// Number of the line in its run, from 1; at most 4.
    pub round: u32,
    /// Who gave the verdict.
    pub judge_tier: TaskTier,
    /// The rounds before it.
    pub previous_rounds: Vec<EarlierRound>,
    /// How far the judges of a panel agree; on the last line of the run.
    pub consensus: Option<Consensus>,
    /// `null`: a person's override is a line of another format.
    pub human_override: Option<bool>,
    /// Name and version of this format.
    pub schema: TaskFormat,
    /// Id of the run, the same on all of its lines.
    pub run: String,
    /// How many judges were to look at the task.
    pub depth: Depth,
    /// The instant of `timestamp` in microseconds since 1970.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_us: Option<i64>,
    /// What the run came to: `accept`, `reject` or `escalate`, whatever its vocabulary; on its last line.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub decision: Option<String>,
    /// Why a person decides.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reason: Option<Reason>,
    /// What to do before an accepted result is used.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub advice: Option<String>,
    /// The commit that was judged.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Who wrote the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// Paths of the files; what is no UTF-8 in them is replaced.
    pub files: Vec<String>,
    /// The model that answered, as the answer names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<String>,
    /// Milliseconds of the round, repeated calls included; absent where nobody was asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Why there is no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RecordError>,
    /// Hash of template, rubric and the program's own words around them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_sha: Option<String>,
    /// Hash of what else makes the judge the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_sha: Option<String>,
    /// Hash of the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_sha: Option<String>,
    /// Hash of description and acceptance criteria.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub task_sha: Option<String>,
    /// Hash of all that makes a run the same: content, task, depth, and the question and judge of each
    /// tier.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub run_sha: Option<String>,
    /// Whether the judge's own verdict contradicted the rule's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inconsistent: bool,
    /// Tokens, as the answer counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<Tokens>")]
    pub usage: Option<Usage>,
    /// What to know before trusting the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<Caveat>,
    /// Sizes of the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// Calls that were made, where more than one was.
    #[serde(default, skip_serializing_if = "is_one")]
    pub attempts: u32,
    /// The beginning of an answer that is no verdict, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How the answer came about.
    #[serde(flatten)]
    pub exchange: Exchange,
    /// Of a run that was asked for by name although the log had one on the same: the how many-th it is.
    #[serde(default, skip_serializing_if = "is_zero_u32")]
    pub fresh: u32,
    /// How deep rules of risk have it judged, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<RiskNote>,
    /// BLAKE3 of the line before it in the file, without its end.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prev: Option<String>,
}

fn is_one(number: &u32) -> bool {
    *number <= 1
}

fn is_zero_u32(number: &u32) -> bool {
    is_zero(&u64::from(*number))
}

impl TaskRecord {
    /// A line of a run of which only this is known: no verdict, and no judge.
    pub fn escalation(task_id: &str, run: &str, vocabulary: Vocabulary, at: Timestamp) -> Self {
        Self {
            task_id: task_id.to_owned(),
            model: "human".to_owned(),
            mode: TaskMode::Escalation,
            verdict: vocabulary.kind().word(TaskVerdict::Escalate).to_owned(),
            scores: RecordScores::default(),
            average: None,
            reasoning: String::new(),
            improvements: Vec::new(),
            timestamp: at,
            round: 1,
            judge_tier: TaskTier::Human,
            previous_rounds: Vec::new(),
            consensus: None,
            human_override: None,
            schema: TaskFormat::Task1,
            run: run.to_owned(),
            depth: Depth::default(),
            at_us: None,
            decision: None,
            reason: None,
            advice: None,
            commit: None,
            author: None,
            files: Vec::new(),
            served_model: None,
            latency_ms: None,
            error: None,
            prompt_sha: None,
            judge_sha: None,
            content_sha: None,
            task_sha: None,
            run_sha: None,
            inconsistent: false,
            usage: None,
            caveats: Vec::new(),
            content: None,
            attempts: 0,
            answer: None,
            exchange: Exchange::default(),
            fresh: 0,
            risk: None,
            prev: None,
        }
    }

    /// How a later line of its run lists it.
    pub fn as_earlier(&self) -> EarlierRound {
        EarlierRound {
            round: self.round,
            model: self.model.clone(),
            verdict: self.verdict.clone(),
            average: self.average,
        }
    }

    /// The record with what looks like a secret in a text of the judge or of the caller masked, and with
    /// names that are too long cut.
    #[must_use]
    pub fn masked(&self) -> Self {
        let masked = |text: &str| mask(text).0.into_owned();
        Self {
            task_id: masked(&self.task_id),
            author: self.author.as_deref().map(bounded::name),
            files: bounded::paths(&self.files),
            content: self.content.as_ref().map(bounded::content),
            reasoning: masked(&self.reasoning),
            improvements: self.improvements.iter().map(|one| one.map(masked)).collect(),
            advice: self.advice.as_deref().map(masked),
            answer: self.answer.as_deref().map(masked),
            ..self.clone()
        }
    }

    /// The masked record with its time in whole seconds, and the instant beside it.
    #[must_use]
    pub fn logged(&self) -> Self {
        let (at_us, timestamp) = (Some(self.timestamp.0), self.timestamp.whole_second());
        Self { at_us, timestamp, ..self.masked() }
    }

    /// The record as it is logged, as one line without its end. The reasoning of an outage
    /// begins with `timeout: ` or `unavailable: `, and has one line.
    ///
    /// # Errors
    /// None that is known; the serializer's, where it has one.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        let mut record = self.logged();
        if let Some(error) = record.error {
            record.reasoning = error.on_one_line(&record.reasoning);
        }
        serde_json::to_string(&record)
    }
}
