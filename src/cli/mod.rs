//! One subcommand a file: its arguments, and its few lines of doing.

mod completions;
mod config;
#[cfg(feature = "console")]
mod doctor;
mod failure;
mod generate;
mod man;
mod output;
#[cfg(feature = "console")]
mod pull;
#[cfg(feature = "console")]
mod trend;

pub use failure::{Failure, Kind};

use crate::config::Config;
use crate::domain::Timestamp;
use crate::store::paths::DataDir;
use clap::{Parser, Subcommand};
use std::path::PathBuf;
use std::process::ExitCode;

/// See what an LLM judge said, and decide with evidence whether it may block.
#[derive(Debug, Parser)]
#[command(name = "foureyes", version, propagate_version = true)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Option<Command>,
}

/// Flags of every command.
#[derive(Debug, Clone, clap::Args)]
pub struct Global {
    /// Configuration file to use in place of the default one [env: FOUREYES_CONFIG]
    #[arg(long, global = true, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Directory for mirror, cache, session and ledgers, all in one [env: FOUREYES_DATA]
    #[arg(long, global = true, value_name = "DIR")]
    pub data_dir: Option<PathBuf>,
}

#[derive(Debug, Subcommand)]
enum Command {
    Generate(generate::Args),
    Config(config::Args),
    Completions(completions::Args),
    Man(man::Args),
    #[cfg(feature = "console")]
    Doctor(doctor::Args),
    #[cfg(feature = "console")]
    Pull(pull::Args),
    #[cfg(feature = "console")]
    Trend(trend::Args),
}

/// What every command is given: nothing in it is read from the environment later.
#[derive(Debug)]
pub struct Context {
    /// The flags of every command.
    pub global: Global,
    /// The effective configuration.
    pub config: Config,
    /// Where files of our own are.
    pub data: DataDir,
    /// The time at the start of the command.
    pub now: Timestamp,
}

/// Parses the arguments, runs the command and gives its exit code.
pub fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => {
            let _ = error.print();
            return ExitCode::from(if error.use_stderr() { 64 } else { 0 });
        }
    };
    match dispatch(cli) {
        Ok(code) => code,
        Err(failure) => {
            report(&failure);
            ExitCode::from(failure.code())
        }
    }
}

fn dispatch(cli: Cli) -> Result<ExitCode, Failure> {
    let environment = crate::config::Environment::of_process();
    let data = crate::config::data_dir(cli.global.data_dir.as_deref(), &environment);
    let context = Context {
        config: Config::default(),
        data: data.map_err(config::failure)?,
        now: Timestamp(0),
        global: cli.global,
    };
    match &cli.command {
        Some(Command::Config(args)) => config::run(&context, args),
        Some(Command::Completions(args)) => completions::run(&context, args),
        Some(Command::Man(args)) => man::run(&context, args),
        #[cfg(feature = "console")]
        Some(Command::Doctor(args)) => doctor::run(&context, args),
        _ => Ok(ExitCode::SUCCESS),
    }
}

#[expect(clippy::print_stderr, reason = "the one place where a failure is said")]
fn report(failure: &Failure) {
    for line in failure.error.to_string().lines() {
        eprintln!("error: {}", output::visible(line));
    }
    let mut next = failure.error.source();
    while let Some(cause) = next {
        eprintln!("  because: {}", output::visible(&cause.to_string()));
        next = cause.source();
    }
    for hint in &failure.hints {
        eprintln!("  hint: {}", output::visible(hint));
    }
}
