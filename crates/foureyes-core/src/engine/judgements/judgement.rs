//! What is sent back.

use crate::domain::{Improvement, JudgementKind, Usage};
use crate::engine::panel::Tier;
use crate::engine::record::{Caveat, Content, Exchange, RecordError};
use crate::engine::rubric::Scores;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What stands before the bytes of a judgement where they are signed: a signature of it is none of anything
/// else.
const SIGNED: &[u8] = b"foureyes/judgement/1\0";

/// The format of judgements.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum JudgementFormat {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/judgement/1")]
    Judgement1,
}

/// A judgement with its signature.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct SignedJudgement {
    /// The judgement as JSON: a text, since its bytes are what is signed.
    #[schemars(extend("contentMediaType" = "application/json"))]
    pub judgement: String,
    /// The Ed25519 signature, in 128 hexadecimal digits.
    pub signature: String,
    /// The public key that it was made for, in 64 hexadecimal digits. A client trusts only those that it
    /// has pinned.
    pub key: String,
}

impl SignedJudgement {
    /// The bytes that are signed.
    pub fn signed_bytes(judgement: &str) -> Vec<u8> {
        [SIGNED, judgement.as_bytes()].concat()
    }
}

/// A judgement.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Judgement {
    /// Name and version of this format.
    pub schema: JudgementFormat,
    /// Its id, by which the same client reads it again.
    pub id: String,
    /// The nonce of the request; empty where it was read again.
    pub nonce: String,
    /// Who asked.
    pub client: String,
    /// Which judgement it is.
    pub kind: JudgementKind,
    /// Which judge of tasks.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// Hash of all that was asked.
    pub question_sha: String,
    /// Hash of the content.
    pub content_sha: String,
    /// When the content was judged, in microseconds since 1970.
    pub at_us: i64,
    /// Whether the judge was asked for an earlier request about the same, and not for this one.
    pub reused: bool,
    /// What came of it, with four eyes decided for this client.
    pub evaluation: EvaluationDocument,
}

/// What came of one evaluation.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct EvaluationDocument {
    /// The verdict: GO, NO-GO or UNDETERMINED; of a task a word of its vocabulary.
    pub verdict: String,
    /// The scores, where the judge gave some that count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scores: Option<Scores>,
    /// Whether the judge's own verdict contradicted the rule's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub inconsistent: bool,
    /// What the judge found, or why there is no verdict.
    pub findings: String,
    /// What the judge suggests.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub suggestions: Vec<Improvement>,
    /// What to know before trusting the verdict.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub caveats: Vec<Caveat>,
    /// Why there is no verdict.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<RecordError>,
    /// The model that was asked for.
    pub judge_model: String,
    /// The model that answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub served_model: Option<String>,
    /// Tokens, as the answer counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<crate::engine::record::Tokens>")]
    pub usage: Option<Usage>,
    /// What it cost, where tokens and price are known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cost: Option<f64>,
    /// Milliseconds of all calls of the judge.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// Calls of the judge; 0 where it was not asked.
    pub attempts: u32,
    /// How the answer came about.
    #[serde(flatten)]
    pub exchange: Exchange,
    /// Version of the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub prompt_sha: Option<String>,
    /// Hash of how the judge is asked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub judge_sha: Option<String>,
    /// Sizes of the content.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub content: Option<Content>,
    /// The beginning of an answer that is no verdict, at most 500 characters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// In how many parts the content was judged.
    pub parts: u32,
}
