//! The hook that git runs before a push.

use super::{BoxConfig, rules};
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
    /// Directory in which people leave overrides; a leading `~/` is the home.
    pub overrides: String,
    /// What becomes of content that was cut, in the blocking mode.
    pub cut: OnCut,
    /// What who pushes may ask of `pre-receive` by a push option: words of
    /// [`HookConfig::PUSH_OPTIONS`].
    pub push_options: Vec<String>,
}

/// What the blocking mode does with content of which the judge did not see all.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum OnCut {
    /// It passes, as all that is UNDETERMINED.
    #[default]
    Pass,
    /// It stops the push.
    Stop,
}

impl OnCut {
    /// Its word in the configuration.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Stop => "stop",
        }
    }

    /// The one of a word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::Pass, Self::Stop].into_iter().find(|one| one.as_str() == word)
    }
}

impl HookConfig {
    /// Where verdicts are logged unless it is told otherwise.
    pub const DEFAULT_LOG: &'static str = "~/.openclaw/judge-verdicts";
    /// Where overrides are read unless it is told otherwise.
    pub const DEFAULT_OVERRIDES: &'static str = BoxConfig::DEFAULT_OVERRIDES;

    /// What may be allowed of push options.
    pub const PUSH_OPTIONS: [&'static str; 2] = ["skip", "fresh"];

    /// Tells whether who pushes may ask for something by a push option.
    pub fn allows(&self, option: &str) -> bool {
        self.push_options.iter().any(|allowed| allowed == option)
    }

    /// The directory of the log; `None` where it is in a home that is not known.
    pub fn log_dir(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.log, home)
    }

    /// The directory of overrides; `None` where it is in a home that is not known.
    pub fn overrides_dir(&self, home: Option<&Path>) -> Option<PathBuf> {
        rules::expand_home(&self.overrides, home)
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
            overrides: Self::DEFAULT_OVERRIDES.to_owned(),
            cut: OnCut::default(),
            push_options: Vec::new(),
        }
    }
}
