//! `foureyes memories`.

mod compare;
mod document;
mod hook;
mod index;
mod sample;
mod search;

use super::{Clock, Context, Failure, Global, output};
use crate::config::Config;
use crate::memories::DirectoryError;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Find stored memories that help a coding agent
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    pub(super) command: Command,
}

#[derive(Debug, clap::Subcommand)]
pub(super) enum Command {
    Index(index::Args),
    Search(search::Args),
    Hook(hook::Args),
    Compare(compare::Args),
    Sample(sample::Args),
    #[cfg(feature = "console")]
    #[command(flatten)]
    Operator(super::operator::memories::Command),
}

/// Where memories are.
#[derive(Debug, Clone, clap::Args)]
struct Place {
    /// Directory of memories, with `index.md`; the configured one if not given
    #[arg(long, value_name = "DIR")]
    directory: Option<PathBuf>,
}

/// Tells whether arguments that could not be read were meant for what an agent runs.
pub(super) fn is_run_by_agent(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let mut arguments = arguments.into_iter().skip(1).take_while(|word| word != "--");
    arguments.any(|word| word == "memories") && arguments.any(|word| word == "hook")
}

impl Place {
    /// The directory; `None` where it is in a home that is not known.
    fn path(&self, config: &Config, home: Option<&Path>) -> Option<PathBuf> {
        self.directory.clone().or_else(|| config.memories.directory(home))
    }

    /// The directory, for a command.
    fn of(&self, context: &Context) -> Result<PathBuf, Failure> {
        let path = self.path(&context.config, context.environment.home().as_deref());
        path.ok_or_else(|| Failure::usage("the home directory is not known").hint("set HOME"))
    }
}

/// A directory that cannot be read, as a failure.
fn unreadable(error: DirectoryError) -> Failure {
    Failure::local(error)
        .hint("`directory` in [memories] or `--directory` names it; docs/memories.md has its form")
}

/// Runs the hook of an agent, which exits with 0 whatever happens.
pub(super) fn answer_prompt(global: &Global, args: &hook::Args) -> ExitCode {
    if !global.demo {
        return hook::run(global, Clock::default(), args);
    }
    let context = Context::new(global.clone()).and_then(|mut context| {
        context.enter_demo()?;
        Ok(context)
    });
    match context {
        Ok(context) => hook::run(&context.global, context.clock, args),
        Err(failure) => {
            output::report(&failure);
            ExitCode::SUCCESS
        }
    }
}

/// Runs the command.
pub(super) fn run(mut context: Context, args: &Args) -> Result<ExitCode, Failure> {
    context.prepare()?;
    match &args.command {
        Command::Index(args) => index::run(&context, args),
        Command::Search(args) => search::run(&context, args),
        Command::Compare(args) => compare::run(&context, args),
        Command::Sample(args) => sample::run(args),
        Command::Hook(args) => Ok(answer_prompt(&context.global, args)),
        #[cfg(feature = "console")]
        Command::Operator(command) => super::operator::memories::run(&context, command),
    }
}
