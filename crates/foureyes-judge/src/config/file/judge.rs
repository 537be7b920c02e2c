//! The sections `[judge]`, `[[family]]` and `[prices]` as they are written.

use crate::config::at::At;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// Who judges, and how it is asked.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(in crate::config) struct FileJudge {
    /// Address of an OpenAI-compatible endpoint.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub endpoint: Option<At<String>>,
    /// The model that is asked for; it may be the name of a route.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub model: Option<At<String>>,
    /// The variable of the environment that holds the key.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_env: Option<At<String>>,
    /// A shell command that prints the key; it comes before the variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub key_command: Option<At<String>>,
    /// The box on whose loopback the endpoint is: the console reaches it through that box's session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub via: Option<At<String>>,
    /// A file of answers that is asked in place of the endpoint, for demonstrations.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub script: Option<At<String>>,
    /// Seconds for a connection to stand.
    #[schemars(range(min = 1, max = 600))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect_timeout_s: Option<At<u64>>,
    /// Seconds for an answer to begin.
    #[schemars(range(min = 1, max = 3600))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub first_byte_timeout_s: Option<At<u64>>,
    /// Seconds for one call.
    #[schemars(range(min = 1, max = 3600))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub timeout_s: Option<At<u64>>,
    /// Seconds for one content, repeated calls included.
    #[schemars(range(min = 1, max = 3600))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_s: Option<At<u64>>,
    /// Most bytes of content in one request; longer content is judged in parts.
    #[schemars(range(min = 1024, max = 67_108_864))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_content_bytes: Option<At<usize>>,
    /// Most parts that longer content is judged in. Of what is longer still, beginning and end are shown,
    /// and there is no GO.
    #[schemars(range(min = 1, max = 64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_parts: Option<At<u32>>,
    /// Most tokens of an answer. Where it is not given: not bounded, and 8192 under a spend cap.
    #[schemars(range(min = 64, max = 1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_tokens: Option<At<u32>>,
    /// Sampling temperature; a model that takes none is asked without.
    #[schemars(range(min = 0, max = 2))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub temperature: Option<At<f64>>,
    /// Your own template of the question, in place of the program's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<At<String>>,
    /// Your own rubric, in place of the program's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub rubric: Option<At<String>>,
    /// `refuse`: a judge of the author's family is not asked. `caveat`: it is, and records say so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub four_eyes: Option<At<String>>,
    /// Whether plain http may be spoken to other machines: key and content could be read on the way.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub allow_plain_http: Option<At<bool>>,
    /// Contents judged at the same time.
    #[schemars(range(min = 1, max = 64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel: Option<At<usize>>,
    /// Most that one run may cost, in the currency of the prices, of an endpoint that keeps to `max_tokens`.
    #[schemars(range(min = 0, max = 1_000_000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spend_cap: Option<At<f64>>,
    /// Whether the endpoint may let another model answer than the one that is asked for: under a spend
    /// cap the dearest of all prices is then reckoned with.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub routes: Option<At<bool>>,
}

/// Models of one origin, and the authors that write with them.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::config) struct FileFamily {
    /// Its name.
    pub name: At<String>,
    /// Authors, as commits name them; `*` stands for any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub authors: Vec<At<String>>,
    /// Models, as endpoints name them; `*` stands for any text.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub models: Vec<At<String>>,
}

/// What a model costs, for a million tokens.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::config) struct FilePrice {
    /// Of the prompt.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub prompt: At<f64>,
    /// Of the answer.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub completion: At<f64>,
}
