//! The configuration file as it is written. The doc comments here are the schema's descriptions.

mod hook;
mod judge;

pub(super) use hook::FileHook;
pub(super) use judge::{FileFamily, FileJudge, FilePrice};

use super::at::At;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Longest look back, in days.
pub(super) const MAX_DAYS: u32 = 3650;

/// Configuration of foureyes.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct File {
    /// Days that `triage` looks back.
    #[schemars(range(min = 1, max = MAX_DAYS))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub days: Option<At<u32>>,
    /// Committers that are agents, by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub agents: Option<At<Vec<At<String>>>>,
    /// Whether a commit is an agent's by its author too, and not by its committer alone.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub match_authors: Option<At<bool>>,
    /// Path prefixes in a judged repository whose files are judged.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch: Option<At<Vec<At<String>>>>,
    /// Names of the files that are judged: `*` and an ending, or a whole name.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub files: Option<At<Vec<At<String>>>>,
    /// Words of other writers, and the exact documented verdict that each stands for.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub aliases: Option<At<BTreeMap<At<String>, At<String>>>>,
    /// Bounds on reading.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limits: Option<FileLimits>,
    /// Bounds on pulling.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub pull: Option<FilePull>,
    /// How the console looks and what it opens.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub console: Option<FileConsole>,
    /// Who labels, and where.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reviewer: Option<FileReviewer>,
    /// Reasons of a label beyond those that come with the program: code and meaning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub reasons: Option<At<BTreeMap<At<String>, At<String>>>>,
    /// Where ledgers are exchanged with other reviewers.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub exchange: Option<FileExchange>,
    /// What the hook does before a push.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hook: Option<FileHook>,
    /// Who judges, and how it is asked.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub judge: Option<FileJudge>,
    /// What models cost for a million tokens: the model, with `*` for any text, and its price.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prices: Option<At<BTreeMap<At<String>, At<FilePrice>>>>,
    /// Families of models, for four eyes.
    #[serde(rename = "family", skip_serializing_if = "Vec::is_empty")]
    pub families: Vec<At<FileFamily>>,
    /// Boxes over SSH and local directories.
    #[serde(rename = "box", skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<At<FileBox>>,
    /// Repositories whose commits are judged.
    #[serde(rename = "repository", skip_serializing_if = "Vec::is_empty")]
    pub repositories: Vec<At<FileRepository>>,
}

/// A source of logs with a name of its own.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FileBox {
    /// Unique name: letters, digits, `.`, `_`, `-`, at most 64.
    pub name: At<String>,
    /// True for directories of this machine, read without SSH.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub local: Option<At<bool>>,
    /// Host name, address or alias of the SSH configuration. The name, where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub host: Option<At<String>>,
    /// User on the box, where it is not SSH's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub user: Option<At<String>>,
    /// Port on the box, where it is not SSH's default.
    #[schemars(range(min = 1, max = 65535))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub port: Option<At<u16>>,
    /// SSH configuration to use in place of the user's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub ssh_config: Option<At<String>>,
    /// Private key to use besides those of the SSH configuration.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub identity: Option<At<String>>,
    /// Known-hosts file to use in place of the user's.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub known_hosts: Option<At<String>>,
    /// Directories and files to read there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub logs: Option<At<Vec<At<String>>>>,
    /// Directory there that takes overrides of push verdicts, one file a reviewer; none that holds
    /// verdicts.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub overrides: Option<At<String>>,
    /// The prompt that its judge is asked with, a file there: the console can ask with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub prompt: Option<At<String>>,
}

/// A repository whose commits are judged.
#[derive(Debug, Deserialize, Serialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(super) struct FileRepository {
    /// Local clone.
    pub path: At<String>,
    /// Names of the boxes that push to it. All, where none is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub boxes: Vec<At<String>>,
    /// Refs whose commits count as pushed. `refs/remotes`, where none is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub refs: Vec<At<String>>,
    /// Whether a commit that is not in the clone is fetched from its remote, to be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fetch: Option<At<bool>>,
    /// Keys of the clone's own configuration, such as `core.sshCommand`, that may name a program which
    /// fetching starts. None, where none is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<At<String>>,
    /// The repository on the boxes that push to it: what is in no clone here is read there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub remote_path: Option<At<String>>,
}

/// Bounds on reading.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FileLimits {
    /// Longest record or line in bytes; a longer one is rejected.
    #[schemars(range(min = 1024, max = 1_073_741_824_u64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line_bytes: Option<At<usize>>,
    /// Deepest nesting of a record.
    #[schemars(range(min = 4, max = 128))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub depth: Option<At<usize>>,
    /// Most bytes that are read of what one compressed log unpacks to.
    #[schemars(range(min = 1024, max = 1_099_511_627_776_u64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub unpacked_bytes: Option<At<u64>>,
}

/// Bounds on pulling.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FilePull {
    /// Boxes pulled at the same time.
    #[schemars(range(min = 1, max = 64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub parallel: Option<At<usize>>,
    /// Seconds for the connection to stand.
    #[schemars(range(min = 1, max = 600))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub connect_timeout_s: Option<At<u64>>,
    /// Seconds without a byte from the box.
    #[schemars(range(min = 1, max = 3600))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub idle_timeout_s: Option<At<u64>>,
    /// Seconds for one box in all.
    #[schemars(range(min = 1, max = 86_400))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub total_timeout_s: Option<At<u64>>,
    /// Largest file that is pulled, in bytes; a larger one is refused.
    #[schemars(range(min = 1, max = 1_099_511_627_776_u64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_file_bytes: Option<At<u64>>,
    /// Most bytes of all copies of one box; what is beyond is not pulled, and the pull fails.
    #[schemars(range(min = 1, max = 1_125_899_906_842_624_u64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_box_bytes: Option<At<u64>>,
    /// Most new bytes of one box in one pull; the next one goes on.
    #[schemars(range(min = 1, max = 1_125_899_906_842_624_u64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub max_pull_bytes: Option<At<u64>>,
    /// Bytes that stay free on the disk of the mirror; of a small disk 5 % of it.
    #[schemars(range(min = 0, max = 1_125_899_906_842_624_u64))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub min_free_bytes: Option<At<u64>>,
}

/// How the console looks and what it opens.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FileConsole {
    /// Name of a theme: one that comes with the program, or a file in `themes/` beside this one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub theme: Option<At<String>>,
    /// `rounded`, `plain`, or `ascii`, which draws everything in ASCII.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub borders: Option<At<String>>,
    /// Address of a commit's page, with `{commit}` where its id belongs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit_url: Option<At<String>>,
    /// Seconds between two pulls of `--watch`.
    #[schemars(range(min = 5, max = 86_400))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub watch_s: Option<At<u32>>,
}

/// Who labels, and where.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FileReviewer {
    /// Your name beside your labels, the same on all your machines. The account's, where not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<At<String>>,
    /// Name of this machine, another on each. The host name, where it is not given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub machine: Option<At<String>>,
    /// Share of your labelled records that come back unmarked, to see how steady your labels are.
    #[schemars(range(min = 0.0, max = 0.5))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repeats: Option<At<f64>>,
    /// Labels in a set of the calibration queue: verdicts are held back until a set is over. 0: after each label.
    #[schemars(range(min = 0, max = 1000))]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub set: Option<At<u32>>,
    /// A text file with your team's guideline for labels; the console shows it beside an item.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub guideline: Option<At<String>>,
}

/// Where ledgers are exchanged with other reviewers.
#[derive(Debug, Default, Deserialize, Serialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub(super) struct FileExchange {
    /// Name of the box whose directory it is. One of this machine, where it is not given.
    #[serde(rename = "box", skip_serializing_if = "Option::is_none")]
    pub on_box: Option<At<String>>,
    /// The directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub path: Option<At<String>>,
}
