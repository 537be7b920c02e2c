//! `foureyes hook`.

pub(super) mod check;
mod install;
mod judge;
mod message;
mod mode;
mod pre_push;
mod question;
mod rates;
mod rehearse;
mod status;

pub(super) use pre_push::run as judge_push;

use super::{Context, Failure};
use crate::hook::Side;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Install, check and switch the git hook that judges agents' pushes
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Install(install::Args),
    /// Remove the hook from a repository; a hook that was there before is put back
    Uninstall(Place),
    /// Show whether the hook is installed and can run
    Status(Place),
    Mode(mode::Args),
    Check(check::Args),
    #[command(hide = true)]
    Question(question::Args),
    #[command(hide = true)]
    Rates(rates::Args),
    Rehearse(rehearse::Args),
    #[command(hide = true)]
    PrePush(pre_push::Args),
    /// Judge commits pushed to this repository; run by git, which passes the refs on standard input
    ///
    /// Exits with 1 to stop the push, and with 0 otherwise.
    #[command(hide = true)]
    PreReceive(pre_push::Args),
}

// No doc comment: it would take the place of those of the commands.
#[derive(Debug, clap::Args)]
struct Place {
    /// Repository [default: the one in the current directory]
    #[arg(long, value_name = "DIR", default_value = ".", hide_default_value = true)]
    repo: PathBuf,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

impl Args {
    /// The arguments of what git runs, which has rules of its own.
    pub(super) fn run_by_git(&self) -> Option<(Side, &pre_push::Args)> {
        match &self.command {
            Command::PrePush(args) => Some((Side::Sender, args)),
            Command::PreReceive(args) => Some((Side::Receiver, args)),
            _ => None,
        }
    }
}

/// Tells whether arguments that were not parsed yet, or could not be, are meant for what git runs, whatever
/// stands between the two words.
pub(super) fn is_run_by_git(arguments: impl IntoIterator<Item = OsString>) -> bool {
    let mut arguments = arguments.into_iter().skip(1).take_while(|word| word != "--");
    let is_one = |word: OsString| word == "pre-push" || word == "pre-receive";
    arguments.any(|word| word == "hook") && arguments.any(is_one)
}

/// A path as documents have it.
fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    if context.global.demo {
        // It would look at this machine and switch it, which nobody expects of a demo.
        return Err(Failure::usage("`hook` has no demo").hint("leave out `--demo`"));
    }
    match &args.command {
        Command::Install(args) => install::install(context, args),
        Command::Uninstall(args) => install::uninstall(args),
        Command::Status(args) => status::run(context, args),
        Command::Mode(args) => mode::run(context, args),
        Command::Check(args) => check::run(context, args),
        Command::Question(args) => question::run(context, args),
        Command::Rates(args) => rates::run(context, args),
        Command::Rehearse(args) => rehearse::run(context, args),
        Command::PrePush(args) => Ok(pre_push::run(&context.global, Side::Sender, args)),
        Command::PreReceive(args) => Ok(pre_push::run(&context.global, Side::Receiver, args)),
    }
}
