//! `foureyes config man`.

use crate::cli::{Cli, Failure, output};
use clap::CommandFactory;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Print the manual page, or write a page per command to a directory
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Directory for the pages of all commands; created if missing
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
#[error("failed to write manual pages to {}", dir.display())]
struct WriteError {
    dir: PathBuf,
    #[source]
    source: std::io::Error,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    match &args.out {
        Some(dir) => write(dir)?,
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            output::print(page)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn write(dir: &Path) -> Result<(), Failure> {
    let written =
        std::fs::create_dir_all(dir).and_then(|()| clap_mangen::generate_to(Cli::command(), dir));
    written.map_err(|source| Failure::local(WriteError { dir: dir.to_owned(), source }))
}
