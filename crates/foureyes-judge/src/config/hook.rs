//! The hook that git runs before a push.

use super::BoxConfig;
use super::rules::{self, Text};
use crate::domain::{HookMode, JudgementKind};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// What the hook does before a push.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct HookConfig {
    /// `advisory`: verdicts are logged and every push goes on. `blocking`: NO-GO stops a push.
    #[schemars(with = "String", extend("x-text" = Text::HookMode))]
    pub mode: HookMode,
    /// `push`: each commit is judged by the push rubric. `task`: it is a task, and up to three judges decide.
    #[schemars(with = "String", extend("x-text" = Text::HookProtocol))]
    pub protocol: HookProtocol,
    /// A file with what the result of every task must meet, for the protocol `task`.
    #[schemars(extend("x-text" = Text::Path))]
    pub acceptance: Option<PathBuf>,
    /// Directory of the log, a file a day.
    // A leading `~/` is the home: [`HookConfig::log_dir`].
    #[schemars(extend("x-text" = Text::Rooted))]
    pub log: String,
    /// Seconds that a push waits for its verdicts; then it goes on.
    #[serde(rename = "budget_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 600))]
    pub budget: Duration,
    /// Commits judged at the same time.
    #[schemars(range(min = 1, max = 64))]
    pub parallel: usize,
    /// Most commits that are judged in one push, the newest first.
    #[schemars(range(min = 1, max = 1000))]
    pub commits: usize,
    /// Days in which a verdict on the same content by the same prompt and judge stands.
    #[schemars(range(min = 1, max = 3650))]
    pub reuse_days: u32,
    /// Directory in which people leave overrides: one that accepts lifts a NO-GO.
    // A leading `~/` is the home: [`HookConfig::overrides_dir`].
    #[schemars(extend("x-text" = Text::Rooted))]
    pub overrides: String,
    /// What the blocking mode does with content of which the judge did not see all: `pass` or `stop`.
    #[schemars(with = "String", extend("x-text" = Text::OnCut))]
    pub cut: OnCut,
    /// What `pre-receive` does in the blocking mode with agents' commits that could not be judged: `pass` or `stop`.
    #[schemars(with = "String", extend("x-text" = Text::OnCut))]
    pub unjudged: OnCut,
    /// What a pusher may request of `pre-receive` with a push option: `skip`, `fresh`.
    #[schemars(extend("x-text" = Text::PushOption))]
    pub push_options: Vec<String>,
}

/// How the commits of a push are judged.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum HookProtocol {
    /// By one judge, by the push rubric.
    #[default]
    Push,
    /// As tasks, by the judges of tasks.
    Task,
}

impl HookProtocol {
    /// Whose verdicts it makes.
    pub fn family(self) -> JudgementKind {
        match self {
            Self::Push => JudgementKind::Push,
            Self::Task => JudgementKind::Task,
        }
    }
}

/// What the blocking mode does with what the judge did not see, or not all of.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum OnCut {
    /// It passes, as all that is UNDETERMINED.
    #[default]
    Pass,
    /// It stops the push.
    Stop,
}

impl OnCut {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Stop => "stop",
        }
    }
}

impl HookConfig {
    /// Where verdicts are logged unless it is told otherwise.
    pub const DEFAULT_LOG: &'static str = "~/.openclaw/judge-verdicts";
    /// Where overrides are read unless it is told otherwise.
    pub const DEFAULT_OVERRIDES: &'static str = BoxConfig::DEFAULT_OVERRIDES;

    /// Tells whether a pusher may request something with a push option.
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
            protocol: HookProtocol::default(),
            acceptance: None,
            log: Self::DEFAULT_LOG.to_owned(),
            budget: Duration::from_secs(120),
            parallel: 4,
            commits: 50,
            reuse_days: 30,
            overrides: Self::DEFAULT_OVERRIDES.to_owned(),
            cut: OnCut::default(),
            unjudged: OnCut::default(),
            push_options: Vec::new(),
        }
    }
}
