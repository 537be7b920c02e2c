//! `foureyes gate`.

mod audit;
mod policy;
mod waive;
mod window;

use super::{Context, Failure, ledger};
use crate::domain::Timestamp;
use crate::report::saved::Document;
use std::process::ExitCode;

/// Manage the gate's policy, its window and its audit sample
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Show(policy::ShowArgs),
    Set(policy::SetArgs),
    Waive(waive::WaiveArgs),
    Window(window::Args),
    Audit(audit::Args),
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Show(args) => policy::show(context, args),
        Command::Set(args) => policy::set(context, args),
        Command::Waive(args) => waive::run(context, args),
        Command::Window(args) => window::run(context, args),
        Command::Audit(args) => audit::run(context, args),
    }
}

/// Reads a UTC day.
pub(super) fn day(text: &str) -> Result<Timestamp, String> {
    Timestamp::parse_day(text).ok_or_else(|| "a day is written YYYY-MM-DD".to_owned())
}
