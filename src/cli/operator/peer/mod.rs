//! `foureyes peer`.

mod ask;
mod configured;
pub(super) mod report;
mod review;

use super::{Context, Failure, demo, ledger, output, reading};
use std::process::ExitCode;

/// Have a judge of another family review a sample of verdicts
///
/// `[judges.peer]` names the judge, `[peer]` how much is drawn. A review changes no verdict, label or rate:
/// where the two judges differ, a person should look.
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Review(review::Args),
    Report(report::Args),
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Review(args) => review::run(context, args),
        Command::Report(args) => report::run(context, args),
    }
}
