//! `foureyes config completions`.

use crate::cli::{Cli, Failure, output};
use clap::CommandFactory;
use std::process::ExitCode;

/// Print a shell completion script
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The shell
    shell: clap_complete::Shell,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut script = Vec::new();
    clap_complete::generate(args.shell, &mut Cli::command(), "foureyes", &mut script);
    output::print(script)?;
    Ok(ExitCode::SUCCESS)
}
