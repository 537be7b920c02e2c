//! `foureyes ledger`.

mod backup;
mod exchange;

use super::output::visible;
use super::{Context, Failure, output};
use crate::domain::review::Reviewer;
use crate::report::PlainOrJson;
use crate::report::ledgers::Verified;
use crate::report::saved::Document;
use crate::store::ledger::{Ledger, MachineName, machine};
use std::process::ExitCode;

/// Verify, exchange, back up and restore your ledgers
#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    #[command(subcommand)]
    command: Command,
}

impl Args {
    /// Whether it needs no configuration, which may be in the backup.
    pub(in crate::cli) fn is_restore(&self) -> bool {
        matches!(self.command, Command::Restore(_))
    }
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    Verify(VerifyArgs),
    /// Upload this machine's ledgers
    ///
    /// Ledgers are append-only. Exit codes: 0, done; 1, some files were left alone, each with its
    /// reason; 69, the box could not be reached; 74, a directory could not be read.
    Push(exchange::Args),
    /// Download other reviewers' ledgers; their labels and decisions then count here too
    ///
    /// Ledgers are append-only. Exit codes: 0, done; 1, some files were left alone, each with its
    /// reason; 69, the box could not be reached; 74, a directory could not be read.
    Pull(exchange::Args),
    Backup(backup::BackupArgs),
    Restore(backup::RestoreArgs),
}

/// Verify that no ledger was changed since it was written
///
/// Exit codes: 0, every acknowledged entry counts; 1, a line was changed, removed, moved or dated
/// in the future, and what depends on it counts as unlabelled.
#[derive(Debug, clap::Args)]
struct VerifyArgs {
    /// Start a new ledger file next to a damaged one
    #[arg(long)]
    renew: bool,
    /// Reviewer whose ledger to renew [default: as configured, else the account name]
    #[arg(long, value_name = "NAME", requires = "renew")]
    reviewer: Option<String>,
    /// Print one JSON document
    #[arg(long, conflicts_with = "renew")]
    json: bool,
}

/// Runs the command.
pub(super) fn run(context: &Context, args: &Args) -> Result<ExitCode, Failure> {
    match &args.command {
        Command::Verify(args) if args.renew => renew(context, args.reviewer.as_deref()),
        Command::Verify(args) => verify(context, args.json),
        Command::Push(args) => exchange::run(context, args, "push"),
        Command::Pull(args) => exchange::run(context, args, "pull"),
        Command::Backup(args) => backup::create(context, args),
        Command::Restore(args) => backup::restore(context, args),
    }
}

fn verify(context: &Context, as_json: bool) -> Result<ExitCode, Failure> {
    let ledger = Ledger::load(&context.data).map_err(failure)?;
    let verified = Verified::new(&ledger, context.now);
    output::to_stdout(|out| verified.write(out, as_json, context.command_line))?;
    Ok(ExitCode::from(u8::from(!verified.is_sound())))
}

fn renew(context: &Context, name: Option<&str>) -> Result<ExitCode, Failure> {
    let reviewer = reviewer(context, name)?;
    let mut ledger = Ledger::load(&context.data).map_err(failure)?;
    let path = ledger.renew(&reviewer).map_err(failure)?;
    let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    output::print(format!(
        "entries of {} go to {} now\n",
        visible(&reviewer.name),
        visible(&name)
    ))?;
    Ok(ExitCode::SUCCESS)
}

/// Who writes here, under a name of this machine that no other one writes as; `None` where nobody is named.
pub(super) fn writer(context: &Context, asked: Option<&str>) -> Option<Reviewer> {
    let mut who = crate::config::reviewer(&context.config, &context.environment, asked)?;
    let how = match context.config.reviewer.machine {
        Some(_) => MachineName::Chosen,
        None => MachineName::OfSystem,
    };
    let exchange = exchange::directory(&context.config);
    match machine(&context.data, &who, how, exchange.as_deref(), context.now) {
        Ok(name) => who.machine = name,
        Err(error) => super::reading::note(&format!("failed to name this machine: {error}")),
    }
    Some(who)
}

/// Who labels in a session; one that writes nothing names no machine either.
pub(super) fn of_session(context: &Context, is_read_only: bool) -> Option<Reviewer> {
    match is_read_only {
        true => crate::config::reviewer(&context.config, &context.environment, None),
        false => writer(context, None),
    }
}

/// Whose ledger is written to.
pub(super) fn reviewer(context: &Context, asked: Option<&str>) -> Result<Reviewer, Failure> {
    writer(context, asked).ok_or_else(|| {
        Failure::usage("your name is unknown")
            .hint("set `name` under `[reviewer]` in the configuration, or give `--reviewer NAME` (docs/faq.md#your-name-is-unknown)")
    })
}

pub(super) use super::reading::warn_unsound;
pub(super) use crate::advice::of_ledger as failure;

/// Prints what was saved.
pub(super) fn print(
    context: &Context,
    document: &Document,
    as_json: bool,
) -> Result<ExitCode, Failure> {
    output::to_stdout(|out| document.write(out, as_json, context.command_line))?;
    Ok(ExitCode::SUCCESS)
}
