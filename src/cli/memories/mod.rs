//! `foureyes memories`.

mod document;
mod hook;
mod index;
mod sample;
mod search;

use super::picker::{Picker, Place, unreadable};
use super::{Clock, Context, Failure, Global, output};
use std::ffi::OsString;
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
    Sample(sample::Args),
    #[cfg(feature = "console")]
    #[command(flatten)]
    Operator(super::operator::memories::Command),
}

/// Tells whether arguments that were not parsed yet, or could not be, are meant for what an agent runs.
pub(super) fn is_run_by_agent(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let mut arguments = arguments.into_iter().skip(1).take_while(|word| word != "--");
    arguments.any(|word| word == "memories") && arguments.any(|word| word == "hook")
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
            output::report(&failure, global.command_line());
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
        Command::Sample(args) => sample::run(args),
        Command::Hook(args) => Ok(answer_prompt(&context.global, args)),
        #[cfg(feature = "console")]
        Command::Operator(command) => super::operator::memories::run(&context, command),
    }
}
