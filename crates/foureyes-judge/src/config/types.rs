//! The settings of the file, each with its bounds, its rule and its default.
//!
//! What a file says is checked before it comes to be one of these types: every value in them may be
//! used as it is. The doc comments are the descriptions of the schema.

use super::rules::Text;
use super::{
    BoxConfig, FleetConfig, HookConfig, JudgeConfig, KgConfig, MemoriesConfig, NamedJudge,
    NamedJudges, PeerConfig, RepositoryConfig, ReviewerShare, RiskConfig, ServeConfig, TaskConfig,
};
use crate::engine::cost::{Price, Prices};
use crate::engine::four_eyes::{Families, ModelFamily};
use crate::git::Selection;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// Longest look back, in days.
pub(super) const MAX_DAYS: u32 = 3650;

/// Configuration of foureyes.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
#[schemars(title = "File")]
pub struct Config {
    /// Days that `triage` looks back.
    #[schemars(range(min = 1, max = MAX_DAYS))]
    pub days: u32,
    /// Committers that are agents, by name.
    #[schemars(extend("x-text" = Text::Agent))]
    pub agents: Vec<String>,
    /// Whether a commit is an agent's by its author too, and not by its committer alone.
    pub match_authors: bool,
    /// Path prefixes in a judged repository whose files are judged.
    #[schemars(extend("x-text" = Text::Prefix))]
    pub watch: Vec<String>,
    /// Names of the files that are judged: `*` and an ending, or a whole name.
    #[schemars(extend("x-text" = Text::FileName))]
    pub files: Vec<String>,
    /// Words of other writers, and the exact documented verdict that each stands for.
    #[schemars(extend("x-keys" = Text::AliasWord, "x-text" = Text::AliasVerdict))]
    pub aliases: BTreeMap<String, String>,
    /// Bounds on reading.
    pub limits: Limits,
    /// Bounds on pulling.
    pub pull: PullConfig,
    /// How the console looks and what it opens.
    pub console: ConsoleConfig,
    /// Who labels, and where.
    pub reviewer: ReviewerConfig,
    /// Reviewers among whom records are shared out, by name.
    #[schemars(with = "BTreeMap<String, ReviewerShare>", extend("x-keys" = Text::Reviewer))]
    pub reviewers: BTreeMap<String, ReviewerShare>,
    /// Reasons of a label beyond those that come with the program: code and meaning.
    #[schemars(extend("x-keys" = Text::ReasonCode, "x-text" = Text::ReasonMeaning))]
    pub reasons: BTreeMap<String, String>,
    /// Where ledgers are exchanged with other reviewers.
    pub exchange: ExchangeConfig,
    /// The store that operators of an organisation share.
    pub fleet: FleetConfig,
    /// What the hook does before a push.
    pub hook: HookConfig,
    /// Who judges, and how it is asked.
    pub judge: JudgeConfig,
    /// Judges by name: `quick`, `deep` and `tiebreaker`, which look at tasks, `relevance`, which looks at
    /// memories, and `peer`, which reviews verdicts on pushes.
    #[schemars(with = "BTreeMap<String, NamedJudge>", extend("x-keys" = Text::JudgeName))]
    pub judges: NamedJudges,
    /// Which verdicts a judge of another family reviews.
    pub peer: PeerConfig,
    /// What happens at the end of a task.
    pub task: TaskConfig,
    /// How risk decides how deep a change is judged.
    pub risk: RiskConfig,
    /// Terms of quality, by which words of judges are compared with their scores.
    pub kg: KgConfig,
    /// Memories of a coding agent.
    pub memories: MemoriesConfig,
    /// The service that judges for others.
    pub serve: ServeConfig,
    /// What models cost for a million tokens: the model, with `*` for any text, and its price.
    #[schemars(with = "BTreeMap<String, Price>", extend("x-keys" = Text::Named))]
    pub prices: Prices,
    /// Families of models, for four eyes.
    #[serde(rename = "family", skip_serializing_if = "Families::is_empty")]
    #[schemars(with = "Vec<ModelFamily>", extend("x-text" = Text::Named))]
    pub families: Families,
    /// Boxes over SSH and local directories.
    #[serde(rename = "box", skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<BoxConfig>,
    /// Repositories whose commits are judged.
    #[serde(rename = "repository", skip_serializing_if = "Vec::is_empty")]
    pub repositories: Vec<RepositoryConfig>,
}

impl Default for Config {
    fn default() -> Self {
        let text = |s: &[&str]| s.iter().map(|s| (*s).to_owned()).collect();
        Self {
            days: 7,
            agents: text(&["OpenClaw Agent"]),
            match_authors: false,
            watch: text(&["research/", "knowledge/", "nimbalyst-local/plans/"]),
            files: text(&["*.md", "*.markdown"]),
            aliases: BTreeMap::new(),
            limits: Limits::default(),
            pull: PullConfig::default(),
            console: ConsoleConfig::default(),
            reviewer: ReviewerConfig::default(),
            reviewers: BTreeMap::new(),
            reasons: BTreeMap::new(),
            exchange: ExchangeConfig::default(),
            fleet: FleetConfig::default(),
            hook: HookConfig::default(),
            judge: JudgeConfig::default(),
            judges: NamedJudges::new(),
            peer: PeerConfig::default(),
            task: TaskConfig::default(),
            risk: RiskConfig::default(),
            kg: KgConfig::default(),
            memories: MemoriesConfig::default(),
            serve: ServeConfig::default(),
            prices: Prices::default(),
            families: Families::default(),
            boxes: Vec::new(),
            repositories: Vec::new(),
        }
    }
}

impl Config {
    /// Which commits and files are judged.
    pub fn selection(&self) -> Selection {
        Selection {
            agents: Some(self.agents.clone()),
            authors: self.match_authors,
            watch: self.watch.clone(),
            files: self.files.clone(),
        }
    }
}

/// Bounds on reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Limits {
    /// Longest record or line in bytes; a longer one is rejected.
    #[schemars(range(min = 1024, max = 1_073_741_824_u64))]
    pub line_bytes: usize,
    /// Deepest nesting of a record.
    #[schemars(range(min = 4, max = 128))]
    pub depth: usize,
    /// Most bytes that are read of what one compressed log unpacks to.
    #[schemars(range(min = 1024, max = 1_099_511_627_776_u64))]
    pub unpacked_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line_bytes: 16 << 20, depth: 128, unpacked_bytes: 4 << 30 }
    }
}

/// Bounds on pulling.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PullConfig {
    /// Boxes pulled at the same time.
    #[schemars(range(min = 1, max = 64))]
    pub parallel: usize,
    /// Seconds to connect.
    #[serde(rename = "connect_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 600))]
    pub connect_timeout: Duration,
    /// Seconds without a byte from the box.
    #[serde(rename = "idle_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub idle_timeout: Duration,
    /// Seconds for one box in all.
    #[serde(rename = "total_timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 86_400))]
    pub total_timeout: Duration,
    /// Largest file that is pulled, in bytes; a larger one is refused.
    #[schemars(range(min = 1, max = 1_099_511_627_776_u64))]
    pub max_file_bytes: u64,
    /// Most bytes of all copies of one box; what is beyond is not pulled, and the pull fails.
    #[schemars(range(min = 1, max = 1_125_899_906_842_624_u64))]
    pub max_box_bytes: u64,
    /// Most new bytes of one box in one pull; the next one goes on.
    #[schemars(range(min = 1, max = 1_125_899_906_842_624_u64))]
    pub max_pull_bytes: u64,
    /// Bytes that stay free on the disk of the mirror and of the cache; of a small disk 5 % of it.
    #[schemars(range(min = 0, max = 1_125_899_906_842_624_u64))]
    pub min_free_bytes: u64,
}

impl Default for PullConfig {
    fn default() -> Self {
        Self {
            parallel: 8,
            connect_timeout: Duration::from_secs(10),
            idle_timeout: Duration::from_secs(30),
            total_timeout: Duration::from_secs(600),
            max_file_bytes: 4 << 30,
            max_box_bytes: 64 << 30,
            max_pull_bytes: 16 << 30,
            min_free_bytes: 1 << 30,
        }
    }
}

/// How the console looks and what it opens.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ConsoleConfig {
    /// Name of a theme: one that comes with the program, or a file in `themes/` beside this one.
    #[schemars(extend("x-text" = Text::Name))]
    pub theme: String,
    /// `rounded`, `plain`, or `ascii`, which draws everything in ASCII.
    #[schemars(extend("x-text" = Text::Borders))]
    pub borders: String,
    /// Address of a commit's page, with `{commit}` where its id belongs.
    #[schemars(extend("x-text" = Text::CommitUrl))]
    pub commit_url: Option<String>,
    /// Seconds between two pulls of `--watch`.
    #[schemars(range(min = 5, max = 86_400))]
    pub watch_s: u32,
    /// Whether the mouse clicks and scrolls in the console; without it the terminal selects text.
    pub mouse: bool,
}

impl Default for ConsoleConfig {
    fn default() -> Self {
        let (theme, borders) = ("default".to_owned(), "rounded".to_owned());
        Self { theme, borders, commit_url: None, watch_s: 60, mouse: true }
    }
}

/// Who labels, and where.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ReviewerConfig {
    /// Your name beside your labels, the same on all your machines. The account's, where not given.
    #[schemars(extend("x-text" = Text::Reviewer))]
    pub name: Option<String>,
    /// Name of this machine, another on each. The host name, where it is not given.
    #[schemars(extend("x-text" = Text::Reviewer))]
    pub machine: Option<String>,
    /// Share of your labelled records that come back unmarked, to see how steady your labels are.
    #[schemars(range(min = 0.0, max = 0.5))]
    pub repeats: f64,
    /// Labels in a set of the calibration queue: verdicts are held back until a set is over. 0: after each label.
    #[schemars(range(min = 0, max = 1000))]
    pub set: u32,
    /// A text file with your team's guideline for labels; the console shows it beside an item.
    #[schemars(extend("x-text" = Text::Path))]
    pub guideline: Option<PathBuf>,
}

impl Default for ReviewerConfig {
    fn default() -> Self {
        Self { name: None, machine: None, repeats: 0.05, set: 0, guideline: None }
    }
}

/// Where ledgers are exchanged with other reviewers.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ExchangeConfig {
    /// Name of the box whose directory it is. One of this machine, where it is not given.
    #[serde(rename = "box")]
    #[schemars(extend("x-text" = Text::Box))]
    pub box_name: Option<String>,
    /// The directory.
    #[schemars(extend("x-text" = Text::There))]
    pub path: Option<String>,
}

impl ExchangeConfig {
    /// The directory on a box unless it is told otherwise.
    pub const DEFAULT_PATH: &'static str = "~/.openclaw/judge-ledgers";
}
