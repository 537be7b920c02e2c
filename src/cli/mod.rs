//! One subcommand a file: its arguments, and its few lines of doing.

mod arguments;
mod clock;
mod complete;
mod config;
mod context;
mod generate;
mod groups;
mod hook;
mod hook_command;
mod interrupts;
mod judge;
mod kg;
mod memories;
mod old_spellings;
mod output;
mod picker;
mod prepare;
mod text_argument;
mod watchdog;

#[cfg(feature = "console")]
mod operator;
// In its place where the console is left out.
#[cfg(not(feature = "console"))]
#[path = "no_operator.rs"]
mod operator;

pub use crate::failure::{Failure, Kind};
pub use context::{Context, Global};
pub use groups::{GROUPS, grouped};
pub use old_spellings::{OLD_SPELLINGS, OldSpelling};

use crate::text::CommandLine;
use clap::{Parser, Subcommand};
use clock::Clock;
use hook_command::{HookCommand, is_hook};
use std::process::ExitCode;

/// Review the verdicts of an LLM judge, and decide with evidence whether it may block pushes.
#[derive(Debug, Parser)]
#[command(name = "foureyes", version, propagate_version = true, after_help = operator::AFTER_HELP)]
pub struct Cli {
    #[command(flatten)]
    global: Global,
    #[command(flatten)]
    console: operator::Args,
    #[command(subcommand)]
    command: Option<Command>,
}

/// What every build has, and what the console adds.
#[derive(Debug, Subcommand)]
enum Command {
    #[command(flatten)]
    Operator(operator::Command),
    #[command(flatten)]
    Hook(HookCommand),
    Judge(Box<judge::Args>),
    Kg(kg::Args),
    Config(config::Args),
    Generate(generate::Args),
}

/// Parses the arguments, runs the command and gives its exit code.
pub fn main() -> ExitCode {
    if let Some(answered) = complete::answered(operator::VALUES) {
        return answered;
    }
    let (arguments, warning) = old_spellings::translated(std::env::args_os().collect());
    if let Some(warning) = warning {
        output::to_stderr(&warning);
    }
    let arguments = arguments::spread(arguments, &arguments::is_there);
    if let Some((global, command)) = HookCommand::alone(&arguments) {
        let command = Some(Command::Hook(command));
        return run(Cli { global, console: operator::Args::default(), command });
    }
    match groups::parse::<Cli>(arguments) {
        Ok(cli) => run(cli),
        Err(error) => hook_command::refused(&error),
    }
}

fn run(cli: Cli) -> ExitCode {
    if let Some(Command::Hook(command)) = &cli.command
        && let Some(code) = command.answer(&cli.global)
    {
        return code;
    }
    if let Some(Command::Judge(args)) = &cli.command
        && judge::agent::is_given(args)
    {
        return judge::agent::answer(&cli.global, args);
    }
    let command_line = cli.global.command_line();
    dispatch(cli).unwrap_or_else(|failure| {
        output::report(&failure, command_line);
        ExitCode::from(failure.code())
    })
}

fn dispatch(cli: Cli) -> Result<ExitCode, Failure> {
    let mut context = Context::new(cli.global)?;
    let Some(command) = cli.command else { return operator::open(context, &cli.console) };
    if cli.console != operator::Args::default() {
        return Err(Failure::usage("a console option was given with a command")
            .hint("a command's options follow its name: `foureyes triage --days 3`"));
    }
    match command {
        Command::Hook(HookCommand::Hook(args)) => hook::run(&context, &args),
        Command::Generate(args) => generate::run(&context, &args),
        Command::Config(args) => config::run(context, &args),
        Command::Judge(args) => {
            context.prepare()?;
            judge::run(&context, &args)
        }
        Command::Kg(args) => kg::run(context, &args),
        Command::Hook(HookCommand::Memories(args)) => memories::run(context, &args),
        Command::Operator(command) => operator::run(context, command),
    }
}

/// Ends the process where a panic is that of a pool for which the system starts no thread: it says
/// so, and what is made of the pool would be waited for without end. A push goes on all the same.
pub fn end_without_thread(panic: &str) {
    // What rayon, tokio and the standard library have in common: the words of EAGAIN.
    if !panic.contains("Resource temporarily unavailable") || is_hook() {
        return;
    }
    let failure = Failure::local("failed to start a thread: the system allows no more")
        .hint("end other programs, or raise the limit (`ulimit -u`)");
    output::report(&failure, CommandLine::default());
    std::process::exit(failure.code().into());
}
