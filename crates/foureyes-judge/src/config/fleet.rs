//! The store that operators of an organisation share.

use super::rules::Text;
use super::{TeamConfig, Teams};
use crate::domain::team::Team;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// The store that operators of an organisation share: ClickHouse.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct FleetConfig {
    /// HTTP addresses of its nodes, one a shard or replica. No store is used where none is given.
    #[schemars(extend("x-text" = Text::Endpoint))]
    pub addresses: Vec<String>,
    /// The database.
    #[schemars(extend("x-text" = Text::Identifier))]
    pub database: String,
    /// The cluster of `remote_servers` in the configuration of the servers.
    #[schemars(extend("x-text" = Text::Identifier))]
    pub cluster: String,
    /// Whether each shard has several replicas. All of them must be up to publish.
    pub replicas: bool,
    /// The user of the database.
    #[schemars(extend("x-text" = Text::User))]
    pub user: String,
    /// The variable of the environment that holds the user's key.
    #[schemars(extend("x-text" = Text::Variable))]
    pub key_env: String,
    /// A shell command that prints the key; it comes before the variable.
    #[schemars(extend("x-text" = Text::Command))]
    pub key_command: Option<String>,
    /// A file of certificates in PEM: only these authorities are trusted. Those of the system, where it is
    /// not given.
    #[schemars(extend("x-text" = Text::Path))]
    pub ca: Option<PathBuf>,
    /// Whether plain http may be spoken to other machines.
    pub allow_plain_http: bool,
    /// Whether `pull` publishes afterwards.
    pub publish: bool,
    /// Seconds for one request.
    #[serde(rename = "timeout_s", with = "super::seconds")]
    #[schemars(with = "u64", range(min = 1, max = 3600))]
    pub timeout: Duration,
    /// Teams by name, and what their records have.
    #[schemars(with = "BTreeMap<String, TeamConfig>", extend("x-keys" = Text::Name))]
    pub teams: Teams,
}

impl FleetConfig {
    /// The teams in the order of their names.
    pub fn listed_teams(&self) -> Vec<Team> {
        self.teams.iter().map(|(name, team)| team.named(name)).collect()
    }

    /// The value of the variable that holds the key; one that is set and empty counts as not set.
    pub fn key_variable(&self) -> Option<OsString> {
        std::env::var_os(&self.key_env).filter(|value| !value.is_empty())
    }
}

impl Default for FleetConfig {
    fn default() -> Self {
        Self {
            addresses: Vec::new(),
            database: "foureyes".to_owned(),
            cluster: "foureyes".to_owned(),
            replicas: false,
            user: "foureyes_publisher".to_owned(),
            key_env: "FOUREYES_FLEET_KEY".to_owned(),
            key_command: None,
            ca: None,
            allow_plain_http: false,
            publish: false,
            timeout: Duration::from_secs(300),
            teams: Teams::new(),
        }
    }
}
