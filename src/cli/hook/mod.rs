//! `foureyes hook`.

pub(super) mod check;
#[cfg(feature = "console")]
mod enable;
#[cfg(feature = "console")]
pub(super) mod far;
#[cfg(feature = "console")]
mod ground;
mod install;
mod judge;
mod judged;
pub(super) mod mode;
mod pre_push;
mod question;
pub(super) mod rehearse;
#[cfg(feature = "console")]
mod rollback;
mod say;
mod status;
#[cfg(feature = "console")]
pub(super) mod told;
#[cfg(feature = "console")]
mod turned;
mod watchdog;
#[cfg(feature = "console")]
mod word;

pub(super) use pre_push::run as judge_push;

use super::{Context, Failure};
use crate::hook::Side;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Judge what agents push: put the hook into a repository, take it out, look at it
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Install(install::Args),
    Uninstall(Place),
    Status(Place),
    Mode(mode::Args),
    Check(check::Args),
    Question(question::Args),
    Rehearse(rehearse::Args),
    #[cfg(feature = "console")]
    EnableBlocking(enable::Args),
    #[cfg(feature = "console")]
    Rollback(rollback::Args),
    PrePush(pre_push::Args),
    /// Judge what a push brings to this repository. git runs this, and says on standard input what is
    /// pushed
    ///
    /// Exits 1 where a push is to be stopped, and 0 in all other cases.
    PreReceive(pre_push::Args),
}

/// Which repository
#[derive(Debug, clap::Args)]
struct Place {
    /// The repository [default: that of the current directory]
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

    /// Tells whether it is about a box, which the configuration names; else it must work where the
    /// configuration does not.
    #[cfg(feature = "console")]
    pub(super) fn is_far(&self) -> bool {
        matches!(self.command, Command::EnableBlocking(_) | Command::Rollback(_))
    }
}

/// Tells whether arguments that could not be read were meant for what git runs, whatever stands
/// between the two words.
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
    match &args.command {
        Command::Install(args) => install::install(context, args),
        Command::Uninstall(args) => install::uninstall(args),
        Command::Status(args) => status::run(context, args),
        Command::Mode(args) => mode::run(context, args),
        Command::Check(args) => check::run(context, args),
        Command::Question(args) => question::run(context, args),
        Command::Rehearse(args) => rehearse::run(context, args),
        #[cfg(feature = "console")]
        Command::EnableBlocking(args) => enable::run(context, args),
        #[cfg(feature = "console")]
        Command::Rollback(args) => rollback::run(context, args),
        Command::PrePush(args) => Ok(pre_push::run(&context.global, Side::Sender, args)),
        Command::PreReceive(args) => Ok(pre_push::run(&context.global, Side::Receiver, args)),
    }
}
