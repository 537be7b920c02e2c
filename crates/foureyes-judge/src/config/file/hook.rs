//! The section `[hook]` as it is written.

use crate::config::at::At;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// What the hook does before a push.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(in crate::config) struct FileHook {
    /// `advisory`: verdicts are logged and every push goes on. `blocking`: NO-GO stops a push.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mode: Option<At<String>>,
    /// Directory of the log, a file a day.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub log: Option<At<String>>,
    /// Seconds that a push waits for its verdicts; then it goes on.
    #[schemars(range(min = 1, max = 600))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub budget_s: Option<At<u64>>,
    /// Commits judged at the same time.
    #[schemars(range(min = 1, max = 64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel: Option<At<usize>>,
    /// Most commits that are judged in one push, the newest first.
    #[schemars(range(min = 1, max = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commits: Option<At<usize>>,
    /// Days in which a verdict on the same content by the same prompt and judge stands.
    #[schemars(range(min = 1, max = 3650))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reuse_days: Option<At<u32>>,
    /// Directory in which people leave overrides: one that accepts lifts a NO-GO.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrides: Option<At<String>>,
    /// What the blocking mode does with content of which the judge did not see all: `pass` or `stop`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cut: Option<At<String>>,
    /// What who pushes may ask of `pre-receive` by a push option: `skip`, `fresh`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub push_options: Option<At<Vec<At<String>>>>,
}
