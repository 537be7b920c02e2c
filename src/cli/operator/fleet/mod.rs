//! `foureyes fleet`: the store that operators of an organisation share.

mod assign;
mod init;
mod publish;
mod records;
mod shared;
mod status;
mod usage;
mod work;

pub(super) use publish::after_pull;
pub(super) use records::{found, settlements, settling};

use super::{Context, Failure, output, reading};
use crate::collect::Collected;
use crate::config::FleetConfig;
use crate::fleet::{FleetError, Known, Nodes, SharedStore};
use crate::jsonl::Settings;
use crate::store::cache::{Archive, Lacking, SharedLogs};
use crate::store::ledger::Ledger;
use std::process::ExitCode;
use std::sync::Arc;

/// Share records and ledgers with other operators through ClickHouse
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Init(init::Args),
    Publish(publish::Args),
    Status(status::Args),
    Assign(assign::Args),
    Work(work::Args),
    Usage(usage::Args),
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Init(args) => init::run(context, args),
        Command::Publish(args) => publish::run(context, args),
        Command::Status(args) => status::run(context, args),
        Command::Assign(args) => assign::run(context, args),
        Command::Work(args) => work::run(context, args),
        Command::Usage(args) => usage::run(context, args),
    }
}

/// The logs of the store.
pub(super) fn collected(context: &Context) -> Result<Collected, Failure> {
    let settings = reading::settings(context, &context.config);
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
pub(super) fn opened(config: &FleetConfig, settings: Settings) -> Result<Collected, FleetError> {
    store(config, settings).map(of_store)
}

fn store(config: &FleetConfig, settings: Settings) -> Result<SharedStore, FleetError> {
    SharedStore::open(Nodes::new(config)?, settings)
}

fn of_store(store: SharedStore) -> Collected {
    Collected::of_store(store.sources().to_vec(), Arc::new(store))
}

/// What this machine knows, to be published.
fn known<'a>(
    archive: &'a Archive,
    collected: &'a Collected,
    ledger: &'a Ledger,
) -> Result<Known<'a>, Failure> {
    let own = || Failure::usage("failed to publish: the logs are not on this machine");
    let archive = archive.here().ok_or_else(own)?;
    Ok(Known { archive, boxes: &collected.boxes, ledger })
}

/// The nodes of the configuration.
fn nodes(config: &FleetConfig) -> Result<Nodes, Failure> {
    Nodes::new(config).map_err(failure)
}

/// An error of the store, as a failure with what to do.
pub(super) fn failure(error: FleetError) -> Failure {
    let forbidden = error.is_forbidden();
    match error {
        FleetError::Cache(error) => reading::cache_failure(error),
        FleetError::Row(error) => reading::row_failure(error),
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
