//! `foureyes memories sample`.

use crate::cli::{Failure, output};
use crate::picks::sample;
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

/// Write sample memories and 20 queries into a directory
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Directory to make; it must not exist
    #[arg(value_name = "DIR")]
    directory: PathBuf,
}

/// Runs the command.
pub(super) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let files = sample().map_err(Failure::local)?;
    if args.directory.exists() {
        return Err(Failure::usage(format!("{} exists", args.directory.display()))
            .hint("name a directory that does not exist"));
    }
    for (path, text) in &files {
        let path = args.directory.join(path);
        fs::create_dir_all(path.parent().unwrap_or(&args.directory))?;
        fs::write(path, text)?;
    }
    output::print("wrote index.md, its memories and queries.jsonl\n")?;
    Ok(ExitCode::SUCCESS)
}
