//! `foureyes risk`.

mod deliver;
mod explain;
mod gathered;
mod publish;
mod replay;

use super::{Context, Failure, reading};
use std::process::ExitCode;

/// Show and try the rules of risk, and publish the rates of authors
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Explain(explain::Args),
    Replay(replay::Args),
    Publish(publish::Args),
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Explain(args) => explain::run(context, args),
        Command::Replay(args) => replay::run(context, args),
        Command::Publish(args) => publish::run(context, args),
    }?;
    Ok(ExitCode::SUCCESS)
}
