//! The configuration after validation: every value in it may be used as it is.

use super::{HookConfig, JudgeConfig};
use crate::engine::cost::Prices;
use crate::engine::four_eyes::Families;
use crate::git::Selection;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::time::Duration;

/// The whole configuration.
#[derive(Debug, Clone, PartialEq)]
pub struct Config {
    /// Boxes and local directories, in the order of the file.
    pub boxes: Vec<BoxConfig>,
    /// Judged repositories, for coverage.
    pub repositories: Vec<RepositoryConfig>,
    /// Committers that are agents.
    pub agents: Vec<String>,
    /// Whether a commit is an agent's by its author too.
    pub match_authors: bool,
    /// Path prefixes whose files are judged.
    pub watch: Vec<String>,
    /// Names of the files that are judged: `*` and an ending, or a whole name.
    pub files: Vec<String>,
    /// Days that `triage` looks back by default.
    pub days: u32,
    /// Words of other writers and the exact verdict each stands for.
    pub aliases: BTreeMap<String, String>,
    /// Bounds on reading.
    pub limits: Limits,
    /// Bounds on pulling.
    pub pull: PullConfig,
    /// How the console looks and what it opens.
    pub console: ConsoleConfig,
    /// Who labels, and where.
    pub reviewer: ReviewerConfig,
    /// Reasons of a label beyond those of the list: code and meaning.
    pub reasons: BTreeMap<String, String>,
    /// Where ledgers are exchanged.
    pub exchange: ExchangeConfig,
    /// What the hook does before a push.
    pub hook: HookConfig,
    /// Who judges, and how it is asked.
    pub judge: JudgeConfig,
    /// Families of models.
    pub families: Families,
    /// What models cost.
    pub prices: Prices,
}

/// Where ledgers are exchanged.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExchangeConfig {
    /// The box whose directory it is; `None` for one of this machine.
    pub box_name: Option<String>,
    /// The directory; on a box [`ExchangeConfig::DEFAULT_PATH`] where it is not said.
    pub path: Option<String>,
}

impl ExchangeConfig {
    /// The directory on a box unless it is told otherwise.
    pub const DEFAULT_PATH: &'static str = "~/.openclaw/judge-ledgers";
}

/// Who labels, and where.
#[derive(Debug, Clone, PartialEq)]
pub struct ReviewerConfig {
    /// The reviewer; `None` for the name of the account.
    pub name: Option<String>,
    /// This machine; `None` for its host name.
    pub machine: Option<String>,
    /// Share of labelled records that come back to be labelled again, from 0 to 0.5.
    pub repeats: f64,
    /// Labels of the calibration queue in a set: what the judge said is held back until its end. 0
    /// shows it after each label.
    pub set: u32,
    /// The team's guideline for labels, a text file; `None` where there is none.
    pub guideline: Option<PathBuf>,
}

impl Default for ReviewerConfig {
    fn default() -> Self {
        Self { name: None, machine: None, repeats: 0.05, set: 0, guideline: None }
    }
}

/// How the console looks and what it opens.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsoleConfig {
    /// Name of a theme.
    pub theme: String,
    /// How borders are drawn, one of [`ConsoleConfig::BORDERS`].
    pub borders: String,
    /// Address of a commit's page with `{commit}` in it; `None` opens none.
    pub commit_url: Option<String>,
    /// Seconds between two pulls of `--watch`.
    pub watch_s: u32,
}

impl ConsoleConfig {
    /// The kinds of borders.
    pub const BORDERS: [&'static str; 3] = ["rounded", "plain", "ascii"];
}

impl Default for ConsoleConfig {
    fn default() -> Self {
        let (theme, borders) = ("default".to_owned(), "rounded".to_owned());
        Self { theme, borders, commit_url: None, watch_s: 60 }
    }
}

/// A source of logs with a name of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BoxConfig {
    /// Letters, digits, `.`, `_`, `-`; no leading dash; at most 64 bytes; unique.
    pub name: String,
    /// Where it is.
    pub place: Place,
    /// Directories and files to read there. A leading `~/` is the home there. A directory gives
    /// its `*.jsonl` files (and rotated `*.jsonl.N`, each also as `.gz`), not its subdirectories'.
    pub logs: Vec<String>,
    /// Directory that takes our overrides of push verdicts, one file a reviewer. A leading `~/` is
    /// the home there. Never one that others read verdicts from.
    pub overrides: String,
    /// The prompt that its judge is asked with, a file there. A leading `~/` is the home there.
    pub prompt: Option<String>,
}

/// Where a source is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Place {
    /// A box over SSH.
    Ssh(Remote),
    /// This machine: `logs` are paths here.
    Local,
}

/// An SSH destination, validated: nothing in it can be taken for an option or a command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remote {
    /// Host name, address or alias of the user's ssh config.
    pub host: String,
    /// User, where it is not ssh's default.
    pub user: Option<String>,
    /// Port, where it is not ssh's default.
    pub port: Option<u16>,
    /// An ssh config file to use in place of the user's.
    pub ssh_config: Option<PathBuf>,
    /// A private key to use besides those of the ssh config.
    pub identity: Option<PathBuf>,
    /// A known-hosts file to use in place of the user's.
    pub known_hosts: Option<PathBuf>,
}

/// A repository whose commits are judged.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RepositoryConfig {
    /// Local clone.
    pub path: PathBuf,
    /// Boxes that push to it; empty means all.
    pub boxes: Vec<String>,
    /// Refs whose commits count as pushed; empty means `refs/remotes` where there are any, else
    /// `refs/heads`.
    pub refs: Vec<String>,
    /// Tells whether a commit that is not in the clone may be fetched from its remote, to be shown.
    pub fetch: bool,
    /// Keys of the clone's own configuration that may name a program which fetching starts.
    pub programs: Vec<String>,
    /// The repository on the boxes that push to it; a leading `~/` is the home there.
    pub remote_path: Option<String>,
}

/// Bounds on reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest record or line in bytes; longer ones are rejected without being held.
    pub line_bytes: usize,
    /// Deepest nesting of a record.
    pub depth: usize,
    /// Most bytes that are read of what one compressed log unpacks to.
    pub unpacked_bytes: u64,
}

/// Bounds on pulling.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PullConfig {
    /// Boxes pulled at the same time.
    pub parallel: usize,
    /// For the connection to stand.
    pub connect_timeout: Duration,
    /// Without a byte from the box.
    pub idle_timeout: Duration,
    /// For one box in all.
    pub total_timeout: Duration,
    /// Largest file that is pulled, in bytes; larger ones are refused with an error.
    pub max_file_bytes: u64,
    /// Most bytes of all copies of one box.
    pub max_box_bytes: u64,
    /// Most new bytes of one box in one pull.
    pub max_pull_bytes: u64,
    /// Bytes that stay free on the disk of the mirror; of a small disk 5 % of it.
    pub min_free_bytes: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self { line_bytes: 16 << 20, depth: 128, unpacked_bytes: 4 << 30 }
    }
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

impl Default for Config {
    fn default() -> Self {
        let text = |s: &[&str]| s.iter().map(|s| (*s).to_owned()).collect();
        Self {
            boxes: Vec::new(),
            repositories: Vec::new(),
            agents: text(&["OpenClaw Agent"]),
            match_authors: false,
            watch: text(&["research/", "knowledge/", "nimbalyst-local/plans/"]),
            files: text(&["*.md", "*.markdown"]),
            days: 7,
            aliases: BTreeMap::new(),
            limits: Limits::default(),
            pull: PullConfig::default(),
            console: ConsoleConfig::default(),
            reviewer: ReviewerConfig::default(),
            reasons: BTreeMap::new(),
            exchange: ExchangeConfig::default(),
            hook: HookConfig::default(),
            judge: JudgeConfig::default(),
            families: Families::default(),
            prices: Prices::default(),
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

impl BoxConfig {
    /// Where the judge system keeps its logs unless it was told otherwise.
    pub const DEFAULT_LOGS: [&'static str; 3] =
        ["~/.openclaw/judge-verdicts", "~/.openclaw/judge-overrides", "~/.openclaw/verdicts.jsonl"];

    /// Where overrides of push verdicts go unless it is told otherwise.
    pub const DEFAULT_OVERRIDES: &'static str = "~/.openclaw/judge-overrides";
}
