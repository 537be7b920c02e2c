//! What stands for the commands of the operator's machine in a build without the console.

use super::complete::Row;
use super::{Context, Failure};
use crate::config::Sources;
use std::path::Path;
use std::process::ExitCode;

/// What the help ends with.
pub(super) const AFTER_HELP: &str = "";

/// What arguments of the console's commands could be: there are none.
pub(super) const VALUES: &[Row] = &[];

/// Options of the console: none.
#[derive(Debug, Clone, Default, PartialEq, Eq, clap::Args)]
pub(super) struct Args {}

/// Commands of the operator's machine: none.
#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {}

/// Runs a command, of which there is none.
pub(super) fn run(_context: Context, command: Command) -> Result<ExitCode, Failure> {
    match command {}
}

/// Says that there is no console.
pub(super) fn open(_context: Context, _args: &Args) -> Result<ExitCode, Failure> {
    Err(Failure::usage("this build has no console; it only judges")
        .hint("the package foureyes has the full program (docs/install.md)"))
}

/// There is no demo.
pub(super) fn enter_demo(_context: &mut Context) -> Result<(), Failure> {
    Ok(())
}

/// There is no demo.
pub(super) fn enter_made_demo(_context: &mut Context) -> bool {
    false
}

/// There is no demo.
pub(super) fn introduce(_context: &mut Context) {}

/// What is wrong with the console's own files: there are none.
pub(super) fn problems(_path: Option<&Path>, _sources: &Sources) -> Vec<String> {
    Vec::new()
}
