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

use super::reading::{nodes, store_failure as failure};
use super::{Context, Failure, output, reading};
use crate::collect::Collected;
use crate::fleet::Known;
use crate::store::cache::Archive;
use crate::store::ledger::Ledger;
use std::process::ExitCode;

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
