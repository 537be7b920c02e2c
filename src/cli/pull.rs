//! `foureyes pull`.

use super::{Context, Failure};
use std::process::ExitCode;

/// (one line of help)
#[derive(Debug, clap::Args)]
pub struct Args {}

/// Runs the command.
pub fn run(_context: &Context, _args: &Args) -> Result<ExitCode, Failure> {
    Ok(ExitCode::SUCCESS)
}

/// Brings the mirror up to date before it is read.
pub(super) fn before_reading(_context: &Context) -> Result<(), Failure> {
    Ok(())
}
