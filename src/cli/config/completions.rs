//! `foureyes config completions`.

use crate::cli::{Failure, complete, output};
use std::process::ExitCode;

/// Print a shell completion script
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    output::print(complete::script(&args.shell.to_string())?)?;
    Ok(ExitCode::SUCCESS)
}
