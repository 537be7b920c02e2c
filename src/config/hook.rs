//! The hook that git runs before a push.

use super::rules;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Whether a verdict may stop a push.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum HookMode {
    /// It is logged and said, and the push goes on.
    #[default]
    Advisory,
    /// NO-GO stops the push.
    Blocking,
}

impl HookMode {
    /// The words of the configuration and of records.
    pub const WORDS: [&'static str; 2] = ["advisory", "blocking"];

    /// Its word.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Advisory => "advisory",
            Self::Blocking => "blocking",
        }
    }

    /// The mode of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Advisory, Self::Blocking].into_iter().find(|m| m.as_str() == word)
    }
}

/// What the hook does before a push.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HookConfig {
    /// Whether a NO-GO stops the push.
    pub mode: HookMode,
    /// Directory of the log; a leading `~/` is the home: [`HookConfig::log_dir`].
    pub log: String,
    /// How long a push waits for its verdicts.
    pub budget: Duration,
    /// Commits judged at the same time.
    pub parallel: usize,
    /// Most commits that are judged in one push, the newest first.
    pub commits: usize,
    /// UTC days in which a verdict on the same content stands.
    pub reuse_days: u32,
}

impl HookConfig {
    /// Where verdicts are logged unless it is told otherwise.
    pub const DEFAULT_LOG: &'static str = "~/.openclaw/judge-verdicts";

    /// The directory of the log; `None` where it is in a home that is not known.
    pub fn log_dir(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.log, home)
    }
}

impl Default for HookConfig {
    fn default() -> Self {
        Self {
            mode: HookMode::Advisory,
            log: Self::DEFAULT_LOG.to_owned(),
            budget: Duration::from_secs(120),
            parallel: 4,
            commits: 50,
            reuse_days: 30,
        }
    }
}
