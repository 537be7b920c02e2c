//! Where logs and repositories are.

use super::memories::MemoriesConfig;
use super::rules::{self, Text};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// A source of logs with a name of its own.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
// Beside a flattened field serde denies nothing by itself; the schema does.
#[schemars(extend("additionalProperties" = false))]
pub struct BoxConfig {
    /// Unique name: letters, digits, `.`, `_`, `-`, at most 64.
    #[schemars(extend("x-text" = Text::Name))]
    pub name: String,
    /// Where it is.
    #[serde(flatten)]
    #[schemars(with = "PlaceKeys")]
    pub place: Place,
    /// Directories and files to read there.
    // A leading `~/` is the home there. A directory gives its `*.jsonl` files (and rotated
    // `*.jsonl.N`, each also as `.gz`), not its subdirectories'.
    #[serde(default = "default_logs")]
    #[schemars(extend("x-text" = Text::There))]
    pub logs: Vec<String>,
    /// Directory there that takes overrides of push verdicts, one file a reviewer; none that holds
    /// verdicts.
    // A leading `~/` is the home there. Empty where there is no place for them.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("x-text" = Text::Overrides))]
    pub overrides: String,
    /// The prompt that its judge is asked with, a file there: the console can ask with it.
    #[schemars(extend("x-text" = Text::Rooted))]
    pub prompt: Option<String>,
    /// Whether the console offers it first where a box is to block. It switches nothing on.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub may_block: bool,
}

/// Where a source is.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "PlaceKeys", into = "PlaceKeys")]
pub enum Place {
    /// A box over SSH.
    Ssh(Remote),
    /// This machine: `logs` are paths here.
    Local,
}

/// A place by the keys of the file.
#[derive(Serialize, Deserialize, JsonSchema)]
struct PlaceKeys {
    /// True for directories of this machine, read without SSH.
    local: Option<bool>,
    #[serde(flatten)]
    remote: Remote,
}

/// An SSH destination, validated: nothing in it can be taken for an option or a command.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Remote {
    /// Host name, address or alias of the SSH configuration. The name, where it is not given.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    #[schemars(extend("x-text" = Text::Host))]
    pub host: String,
    /// User on the box, where it is not SSH's default.
    #[schemars(extend("x-text" = Text::User))]
    pub user: Option<String>,
    /// Port on the box, where it is not SSH's default.
    #[schemars(range(min = 1, max = 65535))]
    pub port: Option<u16>,
    /// SSH configuration to use in place of the user's.
    #[schemars(extend("x-text" = Text::Path))]
    pub ssh_config: Option<PathBuf>,
    /// Private key to use besides those of the SSH configuration.
    #[schemars(extend("x-text" = Text::PathForSsh))]
    pub identity: Option<PathBuf>,
    /// Known-hosts file to use in place of the user's.
    #[schemars(extend("x-text" = Text::PathWithoutBlanks))]
    pub known_hosts: Option<PathBuf>,
}

/// A repository whose commits are judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RepositoryConfig {
    /// Local clone.
    #[schemars(extend("x-text" = Text::Path))]
    pub path: PathBuf,
    /// Names of the boxes that push to it. All, where none is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-text" = Text::Box))]
    pub boxes: Vec<String>,
    /// Refs whose commits count as pushed. `refs/remotes`, where none is given.
    // Where there are none of these either, `refs/heads`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[schemars(extend("x-text" = Text::GitRef))]
    pub refs: Vec<String>,
    /// Whether a commit that is not in the clone is fetched from its remote, to be shown.
    #[serde(default = "yes")]
    pub fetch: bool,
    /// Keys of the clone's own configuration, such as `core.sshCommand`, that may name a program which
    /// fetching starts. None, where none is given.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub programs: Vec<String>,
    /// The repository on the boxes that push to it: what is in no clone here is read there.
    // A leading `~/` is the home there.
    #[schemars(extend("x-text" = Text::Rooted))]
    pub remote_path: Option<String>,
}

impl BoxConfig {
    /// Where the judge system keeps its logs unless it was told otherwise.
    pub const DEFAULT_LOGS: [&'static str; 4] = [
        "~/.openclaw/judge-verdicts",
        "~/.openclaw/judge-overrides",
        "~/.openclaw/verdicts.jsonl",
        MemoriesConfig::DEFAULT_LOG,
    ];

    /// Where overrides of push verdicts go unless it is told otherwise.
    pub const DEFAULT_OVERRIDES: &'static str = "~/.openclaw/judge-overrides";

    /// Fills in what follows from other keys. A `~/` on a box is that box's home, so only a local one
    /// is put in here. Without a home nothing can be written there; logs may be read all the same.
    pub(super) fn settle(&mut self, home: Option<&Path>) {
        if self.overrides.is_empty() {
            // A log of that name, else the usual place.
            let named = self.logs.iter().find(|log| rules::is_override_place(log));
            self.overrides = named.map_or(Self::DEFAULT_OVERRIDES, String::as_str).to_owned();
        }
        match &mut self.place {
            // Every name of a box is a host that may be asked for.
            Place::Ssh(remote) if remote.host.is_empty() => remote.host.clone_from(&self.name),
            Place::Ssh(_) => {}
            Place::Local => {
                let here = |text: &str| rules::expand_home_text(text, home);
                self.logs = self.logs.iter().filter_map(|log| here(log)).collect();
                self.overrides = here(&self.overrides).unwrap_or_default();
                self.prompt = self.prompt.as_deref().and_then(here);
            }
        }
    }
}

impl From<PlaceKeys> for Place {
    fn from(keys: PlaceKeys) -> Self {
        if keys.local == Some(true) { Self::Local } else { Self::Ssh(keys.remote) }
    }
}

impl From<Place> for PlaceKeys {
    fn from(place: Place) -> Self {
        match place {
            Place::Local => Self { local: Some(true), remote: Remote::default() },
            Place::Ssh(remote) => Self { local: None, remote },
        }
    }
}

fn default_logs() -> Vec<String> {
    BoxConfig::DEFAULT_LOGS.map(str::to_owned).into()
}

fn yes() -> bool {
    true
}
