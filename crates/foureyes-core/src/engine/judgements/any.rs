//! A request of any kind.

use super::strict::{Object, text_value};
use super::{JudgementRequest, RelevanceRequest, RequestKind};
use serde::Deserialize;

/// A request, by its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum AnyRequest {
    /// For a verdict.
    Verdict(JudgementRequest),
    /// For a choice of memories.
    Choice(RelevanceRequest),
}

/// What decides how the rest is read.
#[derive(Deserialize)]
struct Kind {
    #[serde(deserialize_with = "text_value")]
    kind: RequestKind,
}

impl AnyRequest {
    /// Reads a request.
    ///
    /// # Errors
    /// What is wrong with its JSON.
    pub fn read(body: &[u8]) -> serde_json::Result<Self> {
        let Object(Kind { kind }) = serde_json::from_slice(body)?;
        Ok(match kind {
            RequestKind::Push | RequestKind::Task => Self::Verdict(serde_json::from_slice(body)?),
            RequestKind::Relevance => Self::Choice(serde_json::from_slice(body)?),
        })
    }

    /// What it asks for.
    pub fn kind(&self) -> RequestKind {
        match self {
            Self::Verdict(request) => request.kind.into(),
            Self::Choice(_) => RequestKind::Relevance,
        }
    }
}
