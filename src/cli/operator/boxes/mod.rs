//! `foureyes box`.

mod check;
mod enable;
mod rehearse;
mod rollback;
mod withdrawn;

pub(super) use withdrawn::set_back_withdrawn;

use super::clock::Clock;
use super::reading::{Fleet, From};
use super::{Context, Failure, readiness, signals};
use crate::assess::Report;
use crate::boxes::{self, RemoteAgent};
use crate::domain::{JudgementKind, Timestamp};
use crate::hook::check::Finding;
use std::path::Path;
use std::process::ExitCode;

/// Check a box, let it block pushes, or return it to advisory
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Check(check::Args),
    Rehearse(rehearse::Args),
    Enable(enable::Args),
    Rollback(rollback::Args),
}

/// A box and its repositories
#[derive(Debug, clap::Args)]
struct Which {
    /// Name of the box in the configuration
    #[arg(value_name = "NAME")]
    name: String,
    /// Repository on the box whose hook to use; repeatable [default: each configured `remote_path`]
    #[arg(long, value_name = "DIR")]
    repo: Vec<String>,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Check(args) => check::run(context, args),
        Command::Rehearse(args) => rehearse::run(context, args),
        Command::Enable(args) => enable::run(context, args),
        Command::Rollback(args) => rollback::run(context, args),
    }
}

/// What the use cases are given; `progress` is told what is done now.
fn context<'a>(cli: &'a Context, progress: &'a dyn Fn(&str)) -> boxes::Context<'a> {
    let home = cli.environment.get("HOME").map(Path::new).filter(|home| home.is_absolute());
    let (config, data, now, clock) = (&cli.config, &cli.data, cli.now, &cli.clock);
    let homes = cli.homes.as_deref();
    boxes::Context { config, data, home, homes, now, clock, progress }
}

/// The box that is meant; a signal ends what it is asked.
fn agent<'a>(context: &boxes::Context<'a>, which: &Which) -> Result<RemoteAgent<'a>, Failure> {
    named(context, (&which.name, &which.repo))
}

impl boxes::Clock for Clock {
    fn now(&self) -> Timestamp {
        Self::now(*self)
    }
}

/// What readiness says now, for a box that blocks.
fn assessed(cli: &Context, family: JudgementKind) -> Result<Report, Failure> {
    let all = (&From::default(), Fleet::default());
    readiness::current(cli, family, all, None, "box check")
}

/// Brings signed rates of authors to a box of this name.
pub(super) fn deliver_rates(cli: &Context, name: &str, signed: &[u8]) -> Result<Finding, Failure> {
    let context = context(cli, &|_| {});
    boxes::deliver_rates(&named(&context, (name, &[]))?, signed)
}

fn named<'a>(
    context: &boxes::Context<'a>,
    (name, repositories): (&str, &[String]),
) -> Result<RemoteAgent<'a>, Failure> {
    RemoteAgent::new(context, name, repositories, |runtime| {
        let signal = signals::interrupted(runtime);
        Box::pin(async {
            let _code = signal.await;
        })
    })
}
