//! Judgements of a service, as JSON: what a client sends, and what is sent back, signed.
//!
//! The client checks the signature over the bytes of the judgement as they came, and that nonce and
//! question in it are those that it sent: an answer to another question is none.

mod any;
mod judgement;
mod kind;
mod progress;
mod relevance;
mod request;
mod strict;

pub use any::AnyRequest;
pub use judgement::{EvaluationDocument, Judgement, JudgementFormat, SignedJudgement};
pub use kind::RequestKind;
pub use progress::JudgementStage;
pub use relevance::{
    Choice, RelevanceFormat, RelevanceJudgement, RelevanceKind, RelevanceRequest, RequestCandidate,
};
pub use request::{JudgementRequest, Malformed, RequestFile, question_sha};
