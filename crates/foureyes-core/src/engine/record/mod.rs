//! The record of one evaluation of a push, as it stands in a log.

mod bounded;
mod caveat;
mod error;
mod exchange;
mod pick;
mod schema;
mod task;

pub use caveat::Caveat;
pub use error::RecordError;
use error::one_line;
pub use exchange::Exchange;
pub use pick::{PickCandidate, PickChoice, PickFormat, PickRecord};
pub use schema::{pick_schema, schema, task_schema};
pub use task::{EarlierRound, TaskFormat, TaskMode, TaskRecord, TaskTier};

use super::PushVerdict;
use super::risk::RiskNote;
use super::rubric::Scores;
use crate::domain::{Timestamp, Usage};
use crate::text::mask::mask;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Most cuts that a record lists.
const MOST_CUTS: usize = 20;

/// The format of the records.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Format {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/push/1")]
    Push1,
}

/// One evaluation of a push: one line of a log.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct PushRecord {
    /// The commit that was judged; absent where files were judged that are in none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The commit with the NO-GO that this decides on, where a verdict was asked for on what arrives in
    /// the place of that: it is no evaluation of `commit`, and counts as none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub part_of: Option<String>,
    /// When the evaluation ended, in UTC; in a log in whole seconds.
    #[schemars(with = "String", extend("format" = "date-time"))]
    pub timestamp: Timestamp,
    /// The same instant in microseconds since 1970: it orders evaluations of one second.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub at_us: Option<i64>,
    /// Who wrote the content, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
    /// The model that was asked for; it may be the name of a route.
    pub judge_model: String,
    /// Paths of the files; what is no UTF-8 in them is replaced.
    pub files_evaluated: Vec<String>,
    /// The scores, all three or none.
    pub scores: RecordScores,
    /// The verdict.
    pub verdict: PushVerdict,
    /// What the judge found, or why there is no verdict.
    pub findings: String,
    /// What the judge suggests.
    pub revision_suggestions: Vec<String>,
    /// Name and version of this format.
    pub schema: Format,
    /// The model that answered, as the answer names it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<String>,
    /// Milliseconds of the whole call, repeats included; absent where none was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Why there is no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RecordError>,
    /// Hash of template, rubric and the program's own words around them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_sha: Option<String>,
    /// Hash of what else makes the judge the same: endpoint, model, temperature, most tokens, most
    /// bytes shown.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_sha: Option<String>,
    /// Hash of the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content_sha: Option<String>,
    /// Whether the judge's own verdict contradicted the rule's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inconsistent: bool,
    /// Mode of the hook.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub mode: Option<Mode>,
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
    /// In how many parts the content was judged, where those were several. Scores are the lowest of all
    /// parts, the verdict is the strictest, and tokens, time and calls are those of all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parts: Option<u32>,
    /// Calls that were made, where more than one was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attempts: Option<u32>,
    /// The beginning of an answer that is no verdict, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// How the answer came about.
    #[serde(flatten)]
    pub exchange: Exchange,
    /// Id of the record that the verdict was taken from, where nobody was asked, or where somebody else
    /// had an answer first.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reused: Option<String>,
    /// What the judge answered where another answer stands: somebody else's that was first, or an earlier
    /// one that a fresh evaluation cannot lift. It counts for nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub late: Option<Late>,
    /// Of an evaluation that was asked for by name although the log had a verdict on the same content:
    /// the how many-th it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fresh: Option<u32>,
    /// Commits that were there before anything was judged, and that nobody is asked about: one line for
    /// all of them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub history: Option<History>,
    /// How deep rules of risk have it judged, and why.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub risk: Option<RiskNote>,
    /// BLAKE3 of the line before it in the file, without its end; absent in the first line. Where it is
    /// another, a line was changed or taken out, or somebody else wrote one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prev: Option<String>,
}

/// History that is pushed to a remote for the first time.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct History {
    /// The remote's name, where it has one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub remote: Option<String>,
    /// The commit that is pushed.
    pub tip: String,
    /// Agents' commits that nobody was asked about.
    pub commits: u64,
}

/// An answer that came when there was a verdict on the same question already.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Late {
    /// Its verdict.
    pub verdict: PushVerdict,
    /// Its scores, all three or none.
    pub scores: RecordScores,
    /// What it found.
    pub findings: String,
    /// The model that gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<String>,
}

/// Scores of a record: all three, or none where the judge gave none.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordScores {
    /// Semantic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 5))]
    pub semantic: Option<u8>,
    /// Pragmatic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 5))]
    pub pragmatic: Option<u8>,
    /// Syntactic quality.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = 5))]
    pub syntactic: Option<u8>,
}

impl From<Option<Scores>> for RecordScores {
    fn from(scores: Option<Scores>) -> Self {
        Self {
            semantic: scores.map(|s| s.semantic),
            pragmatic: scores.map(|s| s.pragmatic),
            syntactic: scores.map(|s| s.syntactic),
        }
    }
}

/// Tokens of a call. The schema of [`Usage`].
#[derive(JsonSchema)]
#[schemars(rename = "Usage")]
#[expect(dead_code, reason = "it stands for another type in the schema")]
pub(super) struct Tokens {
    /// Tokens of the prompt.
    prompt_tokens: Option<u64>,
    /// Tokens of the answer.
    completion_tokens: Option<u64>,
}

/// How the hook works.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Mode {
    /// A NO-GO is said and logged.
    #[default]
    Advisory,
    /// A NO-GO blocks the push.
    Blocking,
}

/// Sizes of what was judged.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Content {
    /// Bytes of all files.
    pub bytes: u64,
    /// Bytes that the judge saw.
    pub shown: u64,
    /// Secrets that were masked.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub masked: u64,
    /// Files that were cut.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cut_files: u64,
    /// The first of them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub cuts: Vec<RecordCut>,
}

/// What was cut off of one file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct RecordCut {
    /// Its path.
    pub file: String,
    /// Bytes that the judge saw.
    pub shown: u64,
    /// Bytes of the file.
    pub bytes: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Content {
    /// The sizes of a prompt.
    pub fn new(prompt: &super::prompt::Prompt) -> Self {
        let cut = |cut: &super::prompt::Cut| RecordCut {
            file: cut.path.clone(),
            shown: cut.shown as u64,
            bytes: cut.bytes as u64,
        };
        Self {
            bytes: prompt.bytes as u64,
            shown: prompt.shown as u64,
            masked: prompt.masked as u64,
            cut_files: prompt.cuts.len() as u64,
            cuts: prompt.cuts.iter().take(MOST_CUTS).map(cut).collect(),
        }
    }

    /// Counts a further file that was cut, and lists it where few are.
    pub fn add_cut(&mut self, cut: RecordCut) {
        self.cut_files += 1;
        if self.cuts.len() < MOST_CUTS {
            self.cuts.push(cut);
        }
    }
}

impl PushRecord {
    /// A record of which only this is known: UNDETERMINED, without scores.
    pub fn undetermined(judge_model: &str, timestamp: Timestamp) -> Self {
        Self {
            commit: None,
            part_of: None,
            timestamp,
            at_us: None,
            author: None,
            judge_model: judge_model.to_owned(),
            files_evaluated: Vec::new(),
            scores: RecordScores::default(),
            verdict: PushVerdict::Undetermined,
            findings: String::new(),
            revision_suggestions: Vec::new(),
            schema: Format::Push1,
            served_model: None,
            latency_ms: None,
            error: None,
            prompt_sha: None,
            judge_sha: None,
            content_sha: None,
            inconsistent: false,
            mode: None,
            usage: None,
            caveats: Vec::new(),
            content: None,
            parts: None,
            attempts: None,
            answer: None,
            exchange: Exchange::default(),
            reused: None,
            late: None,
            fresh: None,
            history: None,
            risk: None,
            prev: None,
        }
    }

    /// The record with what looks like a secret in a text of the judge masked, since a log is read by many,
    /// and with names that are too long cut.
    #[must_use]
    pub fn masked(&self) -> Self {
        let masked = |text: &str| mask(text).0.into_owned();
        Self {
            author: self.author.as_deref().map(bounded::name),
            files_evaluated: bounded::paths(&self.files_evaluated),
            content: self.content.as_ref().map(bounded::content),
            findings: masked(&self.findings),
            revision_suggestions: self.revision_suggestions.iter().map(|s| masked(s)).collect(),
            answer: self.answer.as_deref().map(masked),
            late: self.late.clone().map(|l| Late { findings: masked(&l.findings), ..l }),
            ..self.clone()
        }
    }

    /// The masked record with its time in whole seconds, which every reader of RFC 3339 takes, and the instant
    /// beside it.
    #[must_use]
    pub fn logged(&self) -> Self {
        let (at_us, timestamp) = (Some(self.timestamp.0), self.timestamp.whole_second());
        Self { at_us, timestamp, ..self.masked() }
    }

    /// The record as it is logged, as one line without its end: what is not decided has findings of one line,
    /// and those of an outage begin with `timeout: ` or `unavailable: `.
    ///
    /// # Errors
    /// None that is known; the serializer's, where it has one.
    pub fn line(&self) -> Result<String, serde_json::Error> {
        let mut record = self.logged();
        if record.verdict == PushVerdict::Undetermined {
            record.findings = match record.error {
                Some(error) => error.on_one_line(&record.findings),
                None => one_line(&record.findings),
            };
        }
        serde_json::to_string(&record)
    }
}

#[cfg(test)]
mod tests;
