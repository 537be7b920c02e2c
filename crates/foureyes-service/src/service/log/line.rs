//! A line of the log.

use crate::engine::four_eyes::Decision;
use crate::engine::judgements::{Choice, EvaluationDocument, RequestKind};
use crate::engine::panel::Tier;
use crate::provider::service::ServiceKeys;
use crate::service::SigningKey;
use serde::{Deserialize, Serialize};

/// What stands before the bytes of a line where they are signed.
const SIGNED: &[u8] = b"foureyes/judgement-log/1\0";
/// What stands before the signature in a line.
const SIGNATURE: &str = ",\"signature\":\"";
/// What stands before the hash of the line before.
const PREVIOUS: &str = ",\"prev\":\"";

/// The format of lines.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum LineFormat {
    /// The only one.
    #[default]
    #[serde(rename = "foureyes/judgement-log/1")]
    JudgementLog1,
}

/// What one client was answered.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub(crate) struct Line {
    pub(crate) schema: LineFormat,
    pub(crate) id: String,
    /// Microseconds since 1970.
    pub(crate) at_us: i64,
    pub(crate) client: String,
    pub(crate) kind: RequestKind,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) tier: Option<Tier>,
    pub(crate) question_sha: String,
    pub(crate) content_sha: String,
    /// Hash of question, prompt and judge: the same has one judgement.
    pub(crate) judged_sha: String,
    /// What was decided for this client.
    pub(crate) four_eyes: FourEyes,
    /// The line with the evaluation, where that was made for another request.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) of: Option<String>,
    /// What came of asking the judge, without four eyes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) evaluation: Option<EvaluationDocument>,
    /// The same of a judge of memories.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(crate) choice: Option<Choice>,
}

/// What was decided about a client's author and the judge.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "decision")]
pub(crate) enum FourEyes {
    Apart,
    Unknown,
    Same {
        family: String,
    },
    /// A choice of memories is no verdict on anybody's work.
    NotApplicable,
}

impl From<&Decision> for FourEyes {
    fn from(decision: &Decision) -> Self {
        match decision {
            Decision::Apart { .. } => Self::Apart,
            Decision::Unknown { .. } => Self::Unknown,
            Decision::Same { family } => Self::Same { family: family.clone() },
        }
    }
}

impl From<&FourEyes> for Decision {
    fn from(eyes: &FourEyes) -> Self {
        match eyes {
            FourEyes::Apart => Self::Apart { author: Vec::new(), judge: Vec::new() },
            FourEyes::Unknown | FourEyes::NotApplicable => {
                Self::Unknown { author: true, judge: true }
            }
            FourEyes::Same { family } => Self::Same { family: family.clone() },
        }
    }
}

impl Line {
    /// Whether others are answered with it, too: of a judge that failed, nothing stays.
    pub(crate) fn is_reusable(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|evaluation| evaluation.error.is_none())
            || self.choice.as_ref().is_some_and(|choice| choice.error.is_none())
    }

    /// Whether the judge was asked for it.
    pub(crate) fn is_judged(&self) -> bool {
        self.evaluation.as_ref().is_some_and(|evaluation| evaluation.attempts > 0)
            || self.choice.as_ref().is_some_and(|choice| choice.attempts > 0)
    }

    /// Its text, without an end: with the hash of the line before it, and signed.
    pub(crate) fn text(&self, previous: &str, key: &SigningKey) -> serde_json::Result<String> {
        let mut text = serde_json::to_string(self)?;
        text.pop();
        text += &format!("{PREVIOUS}{previous}\"");
        let signature = key.sign(&[SIGNED, text.as_bytes()].concat());
        Ok(format!("{text}{SIGNATURE}{signature}\"}}"))
    }

    /// Reads a line that one of these keys signed.
    pub(crate) fn verified(line: &[u8], keys: &ServiceKeys) -> Option<Self> {
        let text = std::str::from_utf8(line).ok()?;
        let (signed, rest) = text.rsplit_once(SIGNATURE)?;
        let signature = rest.strip_suffix("\"}")?;
        let is_ours = keys.have_signed(&[SIGNED, signed.as_bytes()].concat(), signature);
        is_ours.then(|| serde_json::from_str(text).ok()).flatten()
    }

    /// The hash of the line before that a line names.
    pub(crate) fn previous(line: &[u8]) -> Option<&str> {
        let text = std::str::from_utf8(line).ok()?;
        let (signed, _) = text.rsplit_once(SIGNATURE)?;
        signed.rsplit_once(PREVIOUS)?.1.strip_suffix('"')
    }
}

/// The hash by which the next line names this one.
pub(super) fn hash(line: &[u8]) -> String {
    blake3::hash(line).to_hex().to_string()
}
