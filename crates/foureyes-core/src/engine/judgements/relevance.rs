//! Which memories help: what a client sends, and what is sent back.
//!
//! Texts are masked and cut before they are sent: what the judge is not shown stays where it is. Four eyes
//! do not apply, since a choice of memories is no verdict on anybody's work.

use super::request::is_nonce;
use super::strict::{objects, text_value};
use super::{Malformed, RequestKind};
use crate::domain::Usage;
use crate::engine::record::RecordError;
use crate::engine::relevance::{
    Candidate, Criterion, MOST_CANDIDATES, MOST_KEPT, MOST_LINE, MOST_MESSAGES, MOST_PROMPT,
    MOST_TAGS, MOST_TITLE, MOST_WORD, Mode, Question, beginning,
};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The kind of such a request and of its judgement.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum RelevanceKind {
    /// The only one.
    #[default]
    Relevance,
}

/// A list of memories of which those that help are wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RelevanceRequest {
    /// What is asked for: `relevance`.
    pub kind: RelevanceKind,
    /// Random characters that the answer repeats, new for each request: 16 to 128 letters and digits.
    #[schemars(length(min = 16, max = 128), regex(pattern = "^[0-9A-Za-z]+$"))]
    pub nonce: String,
    /// For whom memories are chosen: `strict` for an agent, unasked; `lenient` for a search.
    #[serde(deserialize_with = "text_value")]
    pub mode: Mode,
    /// Most memories that the judge may keep; 3 where it is missing, and 10 for a search.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(range(min = 1, max = MOST_KEPT))]
    pub keep: Option<usize>,
    /// Whether relevance and usefulness are two questions.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub dual: bool,
    /// What the agent is asked for: its beginning.
    #[schemars(length(max = MOST_PROMPT))]
    pub prompt: String,
    /// The last lines of its conversation, the oldest first, each at most 200 characters.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MOST_MESSAGES))]
    pub context: Vec<String>,
    /// The memories, in the order in which the judge is shown them.
    #[serde(deserialize_with = "objects")]
    #[schemars(length(min = 1, max = MOST_CANDIDATES))]
    pub candidates: Vec<RequestCandidate>,
    /// Milliseconds after which the client no longer waits. The header `X-Deadline-Ms` means the same.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub deadline_ms: Option<u64>,
}

/// A memory as it is shown; its text is not sent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RequestCandidate {
    /// Its title.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MOST_TITLE))]
    pub title: Option<String>,
    /// Its category.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(length(max = MOST_WORD))]
    pub category: Option<String>,
    /// Its tags, each at most 40 characters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schemars(length(max = MOST_TAGS))]
    pub tags: Vec<String>,
}

impl RequestCandidate {
    /// What the judge is shown of a memory.
    fn new(candidate: &Candidate<'_>) -> Self {
        let word = |text: &str| beginning(text, MOST_WORD);
        Self {
            title: candidate.title.map(|title| beginning(title, MOST_TITLE)),
            category: candidate.category.map(word),
            tags: candidate.tags.iter().take(MOST_TAGS).map(|tag| word(tag)).collect(),
        }
    }

    fn shown(&self) -> Candidate<'_> {
        let (title, category) = (self.title.as_deref(), self.category.as_deref());
        Candidate { title, category, tags: &self.tags }
    }

    fn is_short(&self) -> bool {
        let mut words = self.category.iter().chain(&self.tags);
        self.title.iter().all(|title| is_within(title, MOST_TITLE))
            && words.all(|word| is_within(word, MOST_WORD))
            && self.tags.len() <= MOST_TAGS
    }
}

fn is_within(text: &str, most: usize) -> bool {
    text.chars().nth(most).is_none()
}

impl RelevanceRequest {
    /// The request for a question: what the judge is shown of it, masked for secrets.
    pub fn new(question: &Question<'_>, dual: bool, nonce: String) -> Self {
        let skipped = question.context.len().saturating_sub(MOST_MESSAGES);
        let line = |line: &String| beginning(line, MOST_LINE);
        Self {
            kind: RelevanceKind::Relevance,
            nonce,
            mode: question.mode,
            // A service of an earlier version knows no such field.
            keep: Some(question.keep).filter(|keep| *keep != question.mode.most()),
            dual,
            prompt: beginning(question.prompt, MOST_PROMPT),
            context: question.context.iter().skip(skipped).map(line).collect(),
            candidates: question.candidates.iter().map(RequestCandidate::new).collect(),
            deadline_ms: None,
        }
    }

    /// Checks what no schema says.
    ///
    /// # Errors
    /// The first thing that is wrong.
    pub fn check(&self) -> Result<(), Malformed> {
        if !is_nonce(&self.nonce) {
            return Err(Malformed::Nonce);
        }
        if !(1..=MOST_CANDIDATES).contains(&self.candidates.len()) {
            return Err(Malformed::Candidates);
        }
        if !(1..=MOST_KEPT).contains(&self.most()) {
            return Err(Malformed::Keep);
        }
        let is_short = is_within(&self.prompt, MOST_PROMPT)
            && self.context.len() <= MOST_MESSAGES
            && self.context.iter().all(|line| is_within(line, MOST_LINE))
            && self.candidates.iter().all(RequestCandidate::is_short);
        if is_short { Ok(()) } else { Err(Malformed::Texts) }
    }

    /// Most memories that the judge may keep.
    pub fn most(&self) -> usize {
        self.keep.unwrap_or(self.mode.most())
    }

    /// The memories as a judge is shown them.
    pub fn shown(&self) -> Vec<Candidate<'_>> {
        self.candidates.iter().map(RequestCandidate::shown).collect()
    }

    /// The question about them.
    pub fn question<'a>(&'a self, candidates: &'a [Candidate<'a>]) -> Question<'a> {
        Question {
            mode: self.mode,
            keep: self.most(),
            criterion: Criterion::Relevance,
            prompt: &self.prompt,
            context: &self.context,
            candidates,
        }
    }

    /// BLAKE3 over the memories in their order, in hexadecimal digits.
    pub fn content_sha(&self) -> String {
        let mut hash = Hash::default();
        for one in &self.candidates {
            for text in [&one.title, &one.category] {
                hash.all(text.as_slice());
            }
            hash.all(&one.tags);
        }
        hash.digits()
    }

    /// BLAKE3 over all that is asked, in hexadecimal digits. Who asks is no part of it.
    pub fn question_sha(&self) -> String {
        let mut hash = Hash::default();
        let mode = match self.mode {
            Mode::Strict => "strict",
            Mode::Lenient => "lenient",
        };
        hash.part(RequestKind::Relevance.as_str());
        hash.part(mode);
        hash.part(if self.dual { "dual" } else { "" });
        hash.part(&self.prompt);
        hash.all(&self.context);
        hash.part(&self.content_sha());
        if self.most() != self.mode.most() {
            hash.part(&self.most().to_string());
        }
        hash.digits()
    }
}

/// A hash of texts with their lengths, and of lists with their counts.
#[derive(Default)]
struct Hash(blake3::Hasher);

impl Hash {
    fn part(&mut self, text: &str) {
        self.0.update(&(text.len() as u64).to_le_bytes());
        self.0.update(text.as_bytes());
    }

    fn all(&mut self, texts: &[String]) {
        self.0.update(&(texts.len() as u64).to_le_bytes());
        texts.iter().for_each(|text| self.part(text));
    }

    fn digits(&self) -> String {
        self.0.finalize().to_hex().to_string()
    }
}

/// The format of judgements about memories.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum RelevanceFormat {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/relevance-judgement/1")]
    RelevanceJudgement1,
}

/// A judgement about memories.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct RelevanceJudgement {
    /// Name and version of this format.
    pub schema: RelevanceFormat,
    /// Its id, by which the same client reads it again.
    pub id: String,
    /// The nonce of the request, or the one that it was read again with.
    pub nonce: String,
    /// Who asked.
    pub client: String,
    /// Which judgement it is: `relevance`.
    pub kind: RelevanceKind,
    /// Hash of all that was asked.
    pub question_sha: String,
    /// Hash of the memories in their order.
    pub content_sha: String,
    /// When they were judged, in microseconds since 1970.
    pub at_us: i64,
    /// Whether the judge was asked for an earlier request about the same, and not for this one.
    pub reused: bool,
    /// What came of it.
    pub choice: Choice,
}

/// What a judge of memories chose.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Choice {
    /// The numbers of the memories that are kept, counted from 0, the most helpful first; missing where the
    /// judge made no choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub kept: Option<Vec<usize>>,
    /// Why there is no choice.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RecordError>,
    /// The model that was asked for.
    pub judge_model: String,
    /// The model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<String>,
    /// Tokens, as the answers count them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<crate::engine::record::Tokens>")]
    pub usage: Option<Usage>,
    /// What it cost, where tokens and price are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// What calls cost at most whose tokens nobody counted, beside `cost`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost_at_most: Option<f64>,
    /// Milliseconds of the judge, both questions included.
    pub latency_ms: u64,
    /// Calls of the judge.
    pub attempts: u32,
    /// Version of the question.
    pub prompt_sha: String,
    /// Hash of how the judge is asked.
    pub judge_sha: String,
    /// Whether a file of answers was asked in place of a judge.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub scripted: bool,
}

#[cfg(test)]
mod tests;
