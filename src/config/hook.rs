//! The hook that git runs before a push.

use super::rules;
use crate::domain::HookMode;
use std::path::{Path, PathBuf};
use std::time::Duration;

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
