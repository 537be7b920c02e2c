//! `foureyes kg`.

mod document;
mod find;
mod setup;
mod thesaurus;

use super::{Context, Failure, output};
use crate::thesaurus_files::{Loaded, load};
use std::path::PathBuf;
use std::process::ExitCode;

/// Set up, list and find terms of quality in what judges write
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Write the files of terms, unless they exist
    Setup {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// List all terms, and every error in the files
    Thesaurus {
        /// Most terms to list
        #[arg(long, value_name = "N")]
        limit: Option<usize>,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
    /// Find terms in a text
    Find {
        /// Text to search; `-` reads standard input
        text: String,
        /// Print one JSON document
        #[arg(long)]
        json: bool,
    },
}

/// Runs the command.
pub(super) fn run(mut context: Context, args: &Args) -> Result<ExitCode, Failure> {
    context.prepare()?;
    match &args.what {
        What::Setup { json } => setup::run(&context, *json)?,
        What::Thesaurus { limit, json } => thesaurus::run(&context, *limit, *json)?,
        What::Find { text, json } => find::run(&context, text, *json)?,
    }
    Ok(ExitCode::SUCCESS)
}

/// The terms that hold, whether or not judgements are compared with them; what is wrong goes to stderr.
fn loaded(context: &Context) -> Loaded {
    let loaded = load(directory(context).as_deref());
    for warning in loaded.warnings() {
        output::to_stderr(&format!("warning: {}", output::visible(&warning)));
    }
    loaded
}

fn directory(context: &Context) -> Option<PathBuf> {
    context.config.kg.directory(&context.environment)
}
