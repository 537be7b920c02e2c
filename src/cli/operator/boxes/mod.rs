//! `foureyes box`.

mod check;
mod enable;
mod evidence;
mod judged;
mod ledger_view;
mod rehearse;
mod remote_agent;
mod rollback;
mod switch_mode;
mod word;

use super::{Context, Failure};
use std::process::ExitCode;

/// Check a box, let it block pushes, or return it to advisory
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Check(check::Args),
    Rehearse(rehearse::Args),
    Enable(enable::Args),
    Rollback(rollback::Args),
}

/// A box and its repositories
#[derive(Debug, clap::Args)]
struct Which {
    /// Name of the box in the configuration
    #[arg(value_name = "NAME")]
    name: String,
    /// Repository on the box whose hook to use; repeatable [default: each configured `remote_path`]
    #[arg(long, value_name = "DIR")]
    repo: Vec<String>,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Check(args) => check::run(context, args),
        Command::Rehearse(args) => rehearse::run(context, args),
        Command::Enable(args) => enable::run(context, args),
        Command::Rollback(args) => rollback::run(context, args),
    }
}
