//! `foureyes config`.

mod check;
mod completions;
mod init;
mod man;
mod show;
mod skill;

use super::{Context, Failure, output};
use crate::config::FILE_SCHEMA;
use std::path::PathBuf;
use std::process::ExitCode;

/// Manage the configuration, completions, manual pages and a skill
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, clap::Subcommand)]
enum What {
    /// Write a configuration, unless one exists: for the given boxes, or a commented sample
    Init {
        /// Box to pull logs from, by its SSH host name; repeatable
        #[arg(long = "box", value_name = "[USER@]HOST")]
        boxes: Vec<String>,
        /// Overwrite an existing file
        #[arg(long)]
        force: bool,
    },
    /// Print the effective configuration and the source of each setting
    Show {
        /// Print one JSON document
        #[arg(long)]
        json: bool,
        /// Print the JSON Schema of the configuration instead
        #[arg(long, conflicts_with = "json")]
        schema: bool,
    },
    /// Check the file and list every error; exits with 64 if there are any
    Check {
        /// File to check instead of the one in use
        file: Option<PathBuf>,
    },
    Completions(completions::Args),
    Man(man::Args),
    Skill(skill::Args),
}

/// Runs the command. Of the context it uses the flags and the data directory only: it must work
/// where the configuration does not.
pub(super) fn run(mut context: Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.what {
        // The directory of the demo is made anew, and what is written there would be lost.
        What::Init { .. } if context.global.demo => {
            Err(Failure::usage("`--demo` uses its own configuration")
                .hint("`foureyes config init` without `--demo` writes yours"))
        }
        What::Init { boxes, force } => init::run(&context.sources(), boxes, *force),
        What::Show { schema: true, .. } => {
            output::print(FILE_SCHEMA)?;
            Ok(ExitCode::SUCCESS)
        }
        What::Show { json, .. } => {
            context.enter_demo()?;
            show::run(&context, *json)
        }
        What::Check { file } => {
            context.enter_demo()?;
            check::run(&context, file.as_deref())
        }
        What::Completions(args) => completions::run(args),
        What::Man(args) => man::run(args),
        What::Skill(args) => skill::run(args),
    }
}
