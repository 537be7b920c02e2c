//! Memories of a coding agent: where they are, and how many of them are put out.

use super::rules::{self, Text};
use crate::domain::Timestamp;
use crate::engine::relevance::{Fallback, MOST_CANDIDATES, MOST_KEPT, MOST_MESSAGES, Mode};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Longest time of a judge in seconds: the hook of an agent ends within 10.
const MOST_SECONDS: u64 = 8;

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
    /// Candidates before a prompt, best first.
    #[schemars(range(min = 1, max = MOST_CANDIDATES))]
    pub candidates: usize,
    /// Candidates of a search.
    #[schemars(range(min = 1, max = MOST_CANDIDATES))]
    pub search_candidates: usize,
    /// Most memories that the judge may keep before a prompt.
    #[schemars(range(min = 1, max = MOST_KEPT))]
    pub keep: usize,
    /// Most memories that the judge may keep of a search.
    #[schemars(range(min = 1, max = MOST_KEPT))]
    pub search_keep: usize,
    /// Memories before a prompt where no judge is asked, best first.
    #[schemars(range(min = 0, max = MOST_KEPT))]
    pub unjudged_keep: usize,
    /// Memories before a prompt where the judge fails, best first.
    #[schemars(range(min = 0, max = MOST_KEPT))]
    pub fallback_keep: usize,
    /// Seconds for the judge, the connection included; the hook of an agent ends within 10 in any case.
    #[serde(rename = "timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = MOST_SECONDS))]
    pub timeout: Duration,
    /// Whether the judge sees the last lines of the agent's conversation. With false it is not read.
    pub conversation: bool,
    /// Most lines of the conversation that the judge sees, one per message that has a text.
    #[schemars(range(min = 1, max = MOST_MESSAGES))]
    pub conversation_lines: usize,
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
    /// First UTC day of picks that are displayed. It decides nothing.
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
    #[schemars(range(min = 1, max = MOST_SECONDS * 1_000))]
    pub latency_ms: u64,
    /// Largest share of calls that come to no choice.
    #[schemars(range(min = 0.001, max = 1.0))]
    pub fallback_rate: f64,
    /// How much less of what helps the judge may keep than search, on average.
    #[schemars(range(min = 0.01, max = 0.99))]
    pub recall_margin: f64,
    /// Share of the prompts with a memory that helps for which the judge must keep something.
    #[schemars(range(min = 0.01, max = 0.99))]
    pub keeps: f64,
}

impl MemoriesPolicy {
    /// The beginning of the first day that is displayed; `None` for everything.
    pub fn since(&self) -> Option<Timestamp> {
        Timestamp::parse_day(self.since.as_deref()?)
    }
}

impl Default for MemoriesPolicy {
    fn default() -> Self {
        Self {
            since: None,
            precision: 0.7,
            labelled: 30,
            latency_ms: 3_000,
            fallback_rate: 0.1,
            recall_margin: 0.15,
            keeps: 0.25,
        }
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

    /// Most candidates.
    pub fn candidates(&self, mode: Mode) -> usize {
        match mode {
            Mode::Strict => self.candidates,
            Mode::Lenient => self.search_candidates,
        }
    }

    /// Most memories that the judge may keep.
    pub fn keep(&self, mode: Mode) -> usize {
        match mode {
            Mode::Strict => self.keep,
            Mode::Lenient => self.search_keep,
        }
    }

    /// How many of the best are put out in place of a choice: nothing is dropped of an explicit search.
    pub fn kept_instead(&self, mode: Mode, fallback: Fallback) -> usize {
        match (mode, fallback) {
            (Mode::Lenient, _) => usize::MAX,
            (Mode::Strict, Fallback::Timeout | Fallback::Error | Fallback::Invalid) => {
                self.fallback_keep
            }
            (Mode::Strict, Fallback::NoKey | Fallback::Off | Fallback::NoIndex | Fallback::Cap) => {
                self.unjudged_keep
            }
        }
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
            candidates: 15,
            search_candidates: 20,
            keep: Mode::Strict.most(),
            search_keep: Mode::Lenient.most(),
            unjudged_keep: 3,
            fallback_keep: 2,
            timeout: Duration::from_secs(3),
            conversation: true,
            conversation_lines: 5,
            max_cost_per_day: None,
            log: Self::DEFAULT_LOG.to_owned(),
            keep_prompts: false,
            policy: MemoriesPolicy::default(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Config, check};

    #[test]
    fn numbers_are_those_of_earlier_versions_unless_configured() {
        let memories = Config::default().memories;
        assert!(!memories.judge && memories.conversation);
        let of = |mode| [memories.candidates(mode), memories.keep(mode)];
        assert_eq!((of(Mode::Strict), of(Mode::Lenient)), ([15, 3], [20, 10]));
        assert_eq!((memories.timeout.as_secs(), memories.conversation_lines), (3, 5));
        for (fallback, kept) in [
            (Fallback::Timeout, 2),
            (Fallback::Error, 2),
            (Fallback::Invalid, 2),
            (Fallback::NoKey, 3),
            (Fallback::Off, 3),
            (Fallback::NoIndex, 3),
            (Fallback::Cap, 3),
        ] {
            assert_eq!(memories.kept_instead(Mode::Strict, fallback), kept, "{fallback:?}");
            assert_eq!(memories.kept_instead(Mode::Lenient, fallback), usize::MAX);
        }
    }

    #[test]
    fn numbers_have_bounds() {
        for (key, least, most) in [
            ("candidates", 1, 20),
            ("search_candidates", 1, 20),
            ("keep", 1, 20),
            ("search_keep", 1, 20),
            ("unjudged_keep", 0, 20),
            ("fallback_keep", 0, 20),
            ("timeout_s", 1, 8),
            ("conversation_lines", 1, 10),
        ] {
            let problems = |value: i64| {
                check(format!("[memories]\n{key} = {value}\n").as_bytes(), None).2.len()
            };
            assert_eq!((problems(least), problems(most)), (0, 0), "{key}");
            assert_eq!((problems(least - 1), problems(most + 1)), (1, 1), "{key}");
        }
    }
}
