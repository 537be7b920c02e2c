//! The store that operators share, as logs to read.

use super::settings::settings;
use super::trouble::{cache_failure, row_failure};
use crate::cli::{Context, Failure, output};
use crate::collect::Collected;
use crate::config::FleetConfig;
use crate::fleet::{FleetError, Nodes, SharedStore};
use crate::jsonl::Settings;
use crate::store::cache::{Lacking, SharedLogs};
use std::sync::Arc;

/// The logs of the store.
pub(in crate::cli::operator) fn collected(context: &Context) -> Result<Collected, Failure> {
    let settings = settings(context, &context.config);
    let store = store(&context.config.fleet, settings).map_err(failure)?;
    let lacking = store.totals().lacking;
    if lacking != Lacking::default() {
        let words = lacking.described();
        output::to_stderr(&format!("warning: the store lacks {words} of its logs"));
        output::to_stderr(
            "  hint: run `foureyes fleet publish --all` on each machine that has them",
        );
    }
    Ok(of_store(store))
}

/// The same, wherever an error is shown.
pub(in crate::cli::operator) fn opened(
    config: &FleetConfig,
    settings: Settings,
) -> Result<Collected, FleetError> {
    store(config, settings).map(of_store)
}

fn store(config: &FleetConfig, settings: Settings) -> Result<SharedStore, FleetError> {
    SharedStore::open(Nodes::new(config)?, settings)
}

fn of_store(store: SharedStore) -> Collected {
    Collected::of_store(store.sources().to_vec(), Arc::new(store))
}

/// The nodes of the configuration.
pub(in crate::cli::operator) fn nodes(config: &FleetConfig) -> Result<Nodes, Failure> {
    Nodes::new(config).map_err(failure)
}

/// An error of the store, as a failure with what to do.
pub(in crate::cli::operator) fn failure(error: FleetError) -> Failure {
    let forbidden = error.is_forbidden();
    match error {
        FleetError::Cache(error) => cache_failure(error),
        FleetError::Row(error) => row_failure(error),
        FleetError::NotConfigured => {
            Failure::usage(error).hint("set `addresses` under `[fleet]` in the configuration")
        }
        FleetError::File { .. } | FleetError::NoRandomness(_) => Failure::local(error),
        FleetError::Key { .. } => {
            Failure::usage(error).hint("check `key_env` or `key_command` under `[fleet]`")
        }
        FleetError::Address { .. } => Failure::usage(error)
            .hint("check `addresses`, `ca` and `allow_plain_http` under `[fleet]`"),
        FleetError::Filter { .. } => Failure::usage(error).hint(
            "without `--fleet` the logs of this machine answer; docs/fleet.md has what differs",
        ),
        FleetError::Older { .. } => {
            Failure::usage(error).hint("`foureyes fleet init` creates or migrates the tables")
        }
        FleetError::Newer { .. } => Failure::usage(error).hint("update foureyes on this machine"),
        FleetError::Cluster { .. } => Failure::usage(error)
            .hint("`remote_servers` of every server needs one shard for each of `addresses`")
            .hint(
                "with `replicas = true` under `[fleet]`, shards may have replicas: docs/fleet.md",
            ),
        FleetError::Settings { .. } => Failure::usage(error)
            .hint("`foureyes fleet init` prints the users for `users.d` of the servers"),
        FleetError::Login { .. } => Failure::remote(error)
            .hint("check `user` and the key under `[fleet]`, and `users.d` of the server"),
        FleetError::Down { share: None, .. } => Failure::remote(error)
            .hint("start the servers that are down: every replica must have what is published"),
        FleetError::Down { .. } => Failure::remote(error)
            .hint("start the servers that are down: an answer without them would be wrong"),
        _ if forbidden => Failure::remote(error)
            .hint("the user has no right to this: `foureyes fleet init --user` names another"),
        _ => Failure::remote(error),
    }
}
