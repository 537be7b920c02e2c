//! How an answer came about, as records of pushes and of tasks have it.

use crate::engine::answer::Lengths;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// How an answer came about. What is as usual is absent.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Exchange {
    /// The reason that the endpoint gives for the end of the answer, where it is no good end; `none` where
    /// it gives no reason.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub finish: Option<String>,
    /// Requests among `attempts` to which nothing was answered.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tries: Option<u32>,
    /// Milliseconds of `latency_ms` that were spent waiting between requests.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub waited_ms: Option<u64>,
    /// Bytes of the answer by what they are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answer_bytes: Option<Lengths>,
}
