//! Memories of a coding agent, and who judges their relevance.

use super::rules::{self, Text};
use super::{Config, JudgeConfig, JudgeKind, NamedJudge};
use crate::domain::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// The name of the judge in `[judges]`.
pub(super) const RELEVANCE: &str = "relevance";

/// Memories of a coding agent.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MemoriesConfig {
    /// The directory with `index.md` and a file for each memory.
    // A leading `~/` is the home: [`MemoriesConfig::directory`].
    #[schemars(extend("x-text" = Text::Rooted))]
    pub directory: String,
    /// Whether the judge of `[judges.relevance]` drops what does not help.
    pub judge: bool,
    /// Whether relevance and usefulness are two questions, asked at the same time.
    pub dual: bool,
    /// Most that the judge may cost per UTC day, in the currency of the prices, counted over the log.
    #[schemars(range(min = 0, max = 1_000_000))]
    pub max_cost_per_day: Option<f64>,
    /// Directory of the log, a file a day.
    // A leading `~/` is the home: [`MemoriesConfig::log_dir`].
    #[schemars(extend("x-text" = Text::Rooted))]
    pub log: String,
    /// Whether prompts and the beginnings of memories are kept for 30 days beside the log, for labelling.
    pub keep_prompts: bool,
    /// What the judge must meet to be worth being on: `memories readiness`.
    pub policy: MemoriesPolicy,
}

/// What the judge of memories must meet; `max_cost_per_day` beside it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct MemoriesPolicy {
    /// First UTC day of picks that count, such as the one on which prompt or model changed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schemars(extend("x-text" = Text::Day))]
    pub since: Option<String>,
    /// Share of the memories kept for a prompt that must help, on average.
    #[schemars(range(min = 0.05, max = 0.99))]
    pub precision: f64,
    /// Labelled picks that are needed at the least.
    #[schemars(range(min = 1, max = 1_000_000))]
    pub labelled: u64,
    /// Longest median time of its calls in milliseconds.
    #[schemars(range(min = 1, max = 3_000))]
    pub latency_ms: u64,
    /// Largest share of calls that come to no choice.
    #[schemars(range(min = 0.001, max = 1.0))]
    pub fallback_rate: f64,
}

impl MemoriesPolicy {
    /// The beginning of the first day that counts; `None` for everything.
    pub fn since(&self) -> Option<Timestamp> {
        Timestamp::parse_day(self.since.as_deref()?)
    }
}

impl Default for MemoriesPolicy {
    fn default() -> Self {
        Self { since: None, precision: 0.7, labelled: 30, latency_ms: 3_000, fallback_rate: 0.1 }
    }
}

impl MemoriesConfig {
    /// Where memories are unless it is configured.
    pub const DEFAULT_DIRECTORY: &'static str = "~/.openclaw/memories";
    /// Where picks are logged unless it is configured.
    pub const DEFAULT_LOG: &'static str = "~/.openclaw/memory-picks";

    /// The directory of memories; `None` where it is in a home that is not known.
    pub fn directory(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.directory, home)
    }

    /// The directory of the log; `None` where it is in a home that is not known.
    pub fn log_dir(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.log, home)
    }
}

impl Default for MemoriesConfig {
    fn default() -> Self {
        Self {
            directory: Self::DEFAULT_DIRECTORY.to_owned(),
            judge: false,
            dual: false,
            max_cost_per_day: None,
            log: Self::DEFAULT_LOG.to_owned(),
            keep_prompts: false,
            policy: MemoriesPolicy::default(),
        }
    }
}

impl Config {
    /// The judge of memories: what `[judges.relevance]` sets, else `[judge]`. Anthropic's API is asked for a
    /// small model, unless one is named for it.
    pub fn relevance_judge(&self) -> (NamedJudge, JudgeConfig) {
        const SMALL: &str = "claude-haiku-4-5-20251001";
        let named = self.judges.get(RELEVANCE).cloned().unwrap_or_default();
        let mut judge = named.over(&self.judge);
        let is_for_it = self.judge.kind() == JudgeKind::Anthropic
            && self.judge.model != JudgeConfig::default().model;
        if judge.kind() == JudgeKind::Anthropic && named.model.is_none() && !is_for_it {
            SMALL.clone_into(&mut judge.model);
        }
        (named, judge)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model(text: &str) -> (JudgeKind, String) {
        let (config, _, problems) = crate::config::check(text.as_bytes(), None);
        assert!(problems.is_empty(), "{problems:?}");
        let (_, judge) = config.relevance_judge();
        (judge.kind(), judge.model)
    }

    #[test]
    fn judge_is_off_and_its_model_is_that_of_judge_or_a_small_one() {
        assert!(!Config::default().memories.judge);
        let small = (JudgeKind::Anthropic, "claude-haiku-4-5-20251001".to_owned());
        for (text, expected) in [
            ("", (JudgeKind::Chat, "fastest".to_owned())),
            ("[judges.relevance]\nkind = \"anthropic\"\n", small.clone()),
            ("[judge]\nkind = \"anthropic\"\n", small.clone()),
            ("[judge]\nmodel = \"big\"\n[judges.relevance]\nkind = \"anthropic\"\n", small),
            (
                "[judge]\nkind = \"anthropic\"\nmodel = \"big\"\n",
                (JudgeKind::Anthropic, "big".to_owned()),
            ),
            (
                "[judges.relevance]\nkind = \"anthropic\"\nmodel = \"own\"\n",
                (JudgeKind::Anthropic, "own".to_owned()),
            ),
        ] {
            assert_eq!(model(text), expected, "{text}");
        }
    }
}
